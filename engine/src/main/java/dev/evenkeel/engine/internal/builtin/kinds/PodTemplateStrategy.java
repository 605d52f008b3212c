package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Templates of pods that are stored on their own. */
record PodTemplateStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        PodTemplates.validateTemplate(root.at("template"), Set.of());
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old != null && tree.object("template").equals(old.object("template"))
                ? List.of()
                : PodWarnings.of("template.", tree.object("template"));
    }
}
