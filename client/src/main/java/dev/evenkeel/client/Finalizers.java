package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Reads and changes {@code metadata.finalizers}: a deleted object remains, marked with a deletion timestamp, until its
 * last finalizer is removed. Objects are changed in memory; writing them is up to the caller.
 */
public final class Finalizers {
    private Finalizers() {}

    /** Returns whether the object has the finalizer. */
    public static boolean has(HasMetadata object, String finalizer) {
        return finalizers(object).contains(finalizer);
    }

    /** Adds the finalizer; returns false when it is already present. */
    public static boolean add(HasMetadata object, String finalizer) {
        if (has(object, finalizer)) {
            return false;
        }
        List<String> finalizers = new ArrayList<>(finalizers(object));
        finalizers.add(finalizer);
        object.getMetadata().setFinalizers(finalizers);
        return true;
    }

    /** Removes the finalizer; returns false when it is not present. */
    public static boolean remove(HasMetadata object, String finalizer) {
        List<String> finalizers = new ArrayList<>(finalizers(object));
        boolean removed = finalizers.remove(finalizer);
        if (removed) {
            object.getMetadata().setFinalizers(finalizers);
        }
        return removed;
    }

    private static List<String> finalizers(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getFinalizers(), List.of());
    }
}
