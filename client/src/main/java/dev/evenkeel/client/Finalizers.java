package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Names in {@code metadata.finalizers}: a deleted object stays, marked with a deletion timestamp, until the last one is
 * removed. These change the object in hand; writing it is up to the caller.
 */
public final class Finalizers {
    private Finalizers() {}

    /** Whether the object has the finalizer. */
    public static boolean has(HasMetadata object, String finalizer) {
        return finalizers(object).contains(finalizer);
    }

    /** Adds the finalizer; false when it is there already. */
    public static boolean add(HasMetadata object, String finalizer) {
        if (has(object, finalizer)) {
            return false;
        }
        List<String> finalizers = new ArrayList<>(finalizers(object));
        finalizers.add(finalizer);
        object.getMetadata().setFinalizers(finalizers);
        return true;
    }

    /** Removes the finalizer; false when it is not there. */
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
