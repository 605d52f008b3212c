package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;

/** Persistent volumes. */
record PersistentVolumeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec").ifPresent(spec -> {
            VolumeDefaults.source(spec);
            spec.setIfEmpty("persistentVolumeReclaimPolicy", "Retain");
            spec.setIfEmpty("volumeMode", "Filesystem");
        });
        tree.withObject("status").setIfEmpty("phase", "Pending");
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/pv-protection");
        tree.put("status", JsonObject.of("phase", "Pending", "lastPhaseTransitionTime", Times.seconds(context.now())));
    }

    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!tree.string("status", "phase").equals(old.string("status", "phase"))) {
            tree.withObject("status").put("lastPhaseTransitionTime", Times.seconds(context.now()));
        }
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        Volumes.validateAccessModes(tree, errors);
        JsonObject capacity = tree.object("spec", "capacity");
        if (capacity.isEmpty()) {
            errors.required("spec.capacity");
        } else if (!capacity.containsKey("storage") || capacity.size() > 1) {
            errors.add(FieldError.notSupported("spec.capacity", capacity, List.of("storage")));
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Access Modes" -> Volumes.accessModes(tree.array("spec", "accessModes"));
            case "Status" -> Volumes.phase(tree);
            case "Claim" ->
                tree.has("spec", "claimRef")
                        ? tree.string("spec", "claimRef", "namespace") + "/" + tree.string("spec", "claimRef", "name")
                        : "";
            default -> Volumes.storageClass(tree);
        };
    }
}
