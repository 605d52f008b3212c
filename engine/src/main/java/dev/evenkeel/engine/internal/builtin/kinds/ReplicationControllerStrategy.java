package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replication controllers. */
record ReplicationControllerStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = PodTemplates.applyDefaults(tree);
        Trees.fill(spec, "replicas", 1L);
        Map<String, @Nullable Object> labels = PodTemplates.labels(tree);
        if (!labels.isEmpty()) {
            Trees.fill(spec, "selector", Json.copyObject(labels));
            Trees.fill(Trees.grow(tree, "metadata"), "labels", Json.copyObject(labels));
        }
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        Map<String, @Nullable Object> selector = Trees.object(tree, "spec", "selector");
        if (selector.isEmpty()) {
            errors.required("spec.selector");
        }
        errors.notNegative("spec.replicas", Json.at(tree, "spec", "replicas"));
        if (!Trees.has(tree, "spec", "template")) {
            errors.required("spec.template");
            return;
        }
        PodTemplates.validateLabels(
                tree, Selectors.matches(Trees.of("matchLabels", selector), PodTemplates.labels(tree)), errors);
        PodTemplates.validateSpec(Trees.object(tree, "spec", "template", "spec"), Set.of(), errors);
    }

    /** Orphans dependents, the behaviour before servers collected garbage. */
    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.ORPHAN_DEPENDENTS;
    }
}
