package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Persistent volumes and claims. Nothing binds them here; new ones are protected from deletion while in use, as upstream. */
final class StorageStrategies {
    private StorageStrategies() {}

    /** Persistent volumes. */
    static final class Volume implements Strategy {
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
            protect(tree, "kubernetes.io/pv-protection");
            tree.put("status", Trees.of("phase", "Pending", "lastPhaseTransitionTime", Times.seconds(context.now())));
        }

        @Override
        public List<FieldError> validate(Map<String, @Nullable Object> tree) {
            return StorageValidation.volume(tree);
        }

        @Override
        public void prepareForStatusUpdate(
                Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
            if (!Json.string(tree, "status", "phase").equals(Json.string(old, "status", "phase"))) {
                Trees.grow(tree, "status").put("lastPhaseTransitionTime", Times.seconds(context.now()));
            }
        }
    }

    /** Claims. */
    static final class Claim implements Strategy {
        @Override
        public void applyDefaults(Map<String, @Nullable Object> tree) {
            Trees.with(
                    tree,
                    spec -> {
                        Trees.fillText(spec, "volumeMode", "Filesystem");
                        if (Trees.has(spec, "dataSource") && !Trees.has(spec, "dataSourceRef")) {
                            spec.put("dataSourceRef", Json.copy(spec.get("dataSource")));
                        }
                    },
                    "spec");
            Trees.fillText(Trees.grow(tree, "status"), "phase", "Pending");
        }

        @Override
        public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
            protect(tree, "kubernetes.io/pvc-protection");
            tree.put("status", Trees.of("phase", "Pending"));
        }

        @Override
        public List<FieldError> validate(Map<String, @Nullable Object> tree) {
            return StorageValidation.claim(tree);
        }

        @Override
        public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
            return StorageValidation.claimUpdate(tree, old);
        }
    }

    /** Volume attributes classes. */
    static final class AttributesClass implements Strategy {
        @Override
        public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
            protect(tree, "kubernetes.io/vac-protection");
        }
    }

    private static void protect(Map<String, @Nullable Object> tree, String finalizer) {
        Map<String, @Nullable Object> metadata = Trees.grow(tree, "metadata");
        List<@Nullable Object> finalizers = new ArrayList<>(Trees.list(metadata, "finalizers"));
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        metadata.put("finalizers", finalizers);
    }
}
