package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Persistent volumes. */
record PersistentVolumeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                spec -> {
                    VolumeDefaults.source(spec);
                    Trees.fillText(spec, "persistentVolumeReclaimPolicy", "Retain");
                    Trees.fillText(spec, "volumeMode", "Filesystem");
                },
                "spec");
        Trees.fillText(Trees.grow(tree, "status"), "phase", "Pending");
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/pv-protection");
        tree.put("status", Trees.of("phase", "Pending", "lastPhaseTransitionTime", Times.seconds(context.now())));
    }

    @Override
    public void prepareForStatusUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        if (!Json.string(tree, "status", "phase").equals(Json.string(old, "status", "phase"))) {
            Trees.grow(tree, "status").put("lastPhaseTransitionTime", Times.seconds(context.now()));
        }
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        Volumes.validateAccessModes(tree, errors);
        Map<String, @Nullable Object> capacity = Trees.object(tree, "spec", "capacity");
        if (capacity.isEmpty()) {
            errors.required("spec.capacity");
        } else if (!capacity.containsKey("storage") || capacity.size() > 1) {
            errors.add(FieldError.notSupported("spec.capacity", capacity, List.of("storage")));
        }
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Access Modes" -> Volumes.accessModes(Trees.list(tree, "spec", "accessModes"));
            case "Status" -> Volumes.phase(tree);
            case "Claim" ->
                Trees.has(tree, "spec", "claimRef")
                        ? Json.string(tree, "spec", "claimRef", "namespace") + "/"
                                + Json.string(tree, "spec", "claimRef", "name")
                        : "";
            default -> Volumes.storageClass(tree);
        };
    }
}
