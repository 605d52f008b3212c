package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replica sets. */
record ReplicaSetStrategy(KindFacts facts) implements KindStrategy {
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
        return PodTemplates.namedWarnings(tree, old);
    }
}
