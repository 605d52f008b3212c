package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Daemon sets, which count the changes of their template in an annotation. */
record DaemonSetStrategy(KindFacts facts) implements KindStrategy {
    private static final String COUNTER = "deprecated.daemonset.template.generation";

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        tree.withObject("metadata").withObject("annotations").put(COUNTER, "1");
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        long count = count(old);
        boolean changed = !Objects.equals(tree.at("spec", "template"), old.at("spec", "template"));
        tree.withObject("metadata").withObject("annotations").put(COUNTER, Long.toString(changed ? count + 1 : count));
    }

    private static long count(JsonObject tree) {
        try {
            return Long.parseLong(tree.string("metadata", "annotations", COUNTER));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    @Override
    public void validate(Field root) {
        PodTemplates.validate(root);
        root.at("spec", "minReadySeconds").notNegative();
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "spec", "selector");
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return PodTemplates.warnings(tree, old);
    }
}
