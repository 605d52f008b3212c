package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replica sets. */
record ReplicaSetStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("spec", "replicas").notNegative();
        root.at("spec", "minReadySeconds").notNegative();
        PodTemplates.validateReplicated(root);
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        StatusCounts.notNegative(
                status,
                List.of(
                        "replicas",
                        "fullyLabeledReplicas",
                        "readyReplicas",
                        "availableReplicas",
                        "terminatingReplicas",
                        "observedGeneration"));
        StatusCounts.within(status, List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"));
        StatusCounts.availableAreReady(status);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Selectors.immutable(root, old);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return PodTemplates.namedWarnings(tree, old);
    }
}
