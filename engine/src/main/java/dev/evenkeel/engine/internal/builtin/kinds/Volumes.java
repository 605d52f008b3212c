package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules that persistent volumes and claims share. They are not bound to each other here. */
final class Volumes {
    private static final List<String> ACCESS_MODES =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");
    private static final List<String> SHORT_MODES = List.of("RWO", "ROX", "RWX", "RWOP");

    private Volumes() {}

    /** Adds the finalizer that keeps an object while it is used. */
    static void protect(JsonObject tree, String finalizer) {
        JsonObject metadata = tree.withObject("metadata");
        List<@Nullable Object> finalizers = new ArrayList<>(metadata.array("finalizers"));
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        metadata.put("finalizers", finalizers);
    }

    static void validateAccessModes(JsonObject tree, FieldErrors errors) {
        List<@Nullable Object> modes = tree.array("spec", "accessModes");
        if (modes.isEmpty()) {
            errors.required("spec.accessModes", "at least 1 access mode is required");
        }
        for (Object mode : modes) {
            errors.oneOf(
                    "spec.accessModes",
                    String.valueOf(mode),
                    "ReadOnlyMany",
                    "ReadWriteMany",
                    "ReadWriteOnce",
                    "ReadWriteOncePod");
        }
        if (modes.contains("ReadWriteOncePod") && modes.size() > 1) {
            errors.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
        }
    }

    /** Returns access modes in short form, such as {@code RWO,ROX}. */
    static String accessModes(List<@Nullable Object> modes) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < ACCESS_MODES.size(); i++) {
            if (modes.contains(ACCESS_MODES.get(i))) {
                all.add(SHORT_MODES.get(i));
            }
        }
        return String.join(",", all);
    }

    static String phase(JsonObject tree) {
        return tree.has("metadata", "deletionTimestamp") ? "Terminating" : tree.string("status", "phase");
    }

    /** Returns the storage class, which was an annotation in the past. */
    static String storageClass(JsonObject tree) {
        String beta = tree.string("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        return beta.isEmpty() ? tree.string("spec", "storageClassName") : beta;
    }

    /** Returns the name of a class, marked when an annotation makes it the default. */
    static String className(JsonObject tree) {
        JsonObject annotations = tree.object("metadata", "annotations");
        String name = tree.string("metadata", "name");
        return "true".equals(annotations.get("storageclass.kubernetes.io/is-default-class"))
                        || "true".equals(annotations.get("storageclass.beta.kubernetes.io/is-default-class"))
                ? name + " (default)"
                : name;
    }
}
