package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replication controllers. */
record ReplicationControllerStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        JsonObject labels = PodTemplates.labels(tree);
        if (!labels.isEmpty()) {
            tree.withObject("spec").putIfAbsent("selector", labels.copy());
            tree.withObject("metadata").putIfAbsent("labels", labels.copy());
        }
    }

    @Override
    public void validate(Field root) {
        root.at("spec", "minReadySeconds").notNegative();
        Field selector = root.at("spec", "selector");
        if (selector.object().isEmpty()) {
            selector.missing();
        }
        root.at("spec", "replicas").notNegative();
        if (!root.at("spec", "template").given()) {
            root.at("spec", "template").missing();
            return;
        }
        JsonObject labels = JsonObject.of("matchLabels", selector.object());
        PodTemplates.validateLabels(root, Selectors.matches(labels, PodTemplates.labels(root.object())));
        PodTemplates.validateTemplate(root, Set.of(), "ReplicationController");
    }

    /** Orphans dependents, the behaviour before servers collected garbage. */
    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.ORPHAN_DEPENDENTS;
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        // as upstream, which looks at the template before the change
        return old == null ? PodTemplates.namedWarnings(tree, null) : PodTemplates.warnings(old, tree);
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
                        "observedGeneration"));
        StatusCounts.within(status, List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"));
        StatusCounts.availableAreReady(status);
    }
}
