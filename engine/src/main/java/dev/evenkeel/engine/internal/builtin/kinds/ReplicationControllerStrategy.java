package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Set;

/** Replication controllers. */
record ReplicationControllerStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = PodTemplates.applyDefaults(tree);
        spec.putIfAbsent("replicas", 1L);
        JsonObject labels = PodTemplates.labels(tree);
        if (!labels.isEmpty()) {
            spec.putIfAbsent("selector", labels.copy());
            tree.withObject("metadata").putIfAbsent("labels", labels.copy());
        }
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        JsonObject selector = tree.object("spec", "selector");
        if (selector.isEmpty()) {
            errors.required("spec.selector");
        }
        errors.notNegative("spec.replicas", tree.at("spec", "replicas"));
        if (!tree.has("spec", "template")) {
            errors.required("spec.template");
            return;
        }
        PodTemplates.validateLabels(
                tree, Selectors.matches(JsonObject.of("matchLabels", selector), PodTemplates.labels(tree)), errors);
        PodTemplates.validateSpec(tree.object("spec", "template", "spec"), Set.of(), errors);
    }

    /** Orphans dependents, the behaviour before servers collected garbage. */
    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.ORPHAN_DEPENDENTS;
    }
}
