package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of a delete.
 *
 * @param uid of the deleted object; empty when the server did not report it
 * @param remaining the object marked for deletion, while finalizers hold it; empty when it is gone
 */
public record Deletion<T extends HasMetadata>(String uid, Optional<T> remaining) {
    /**
     * Interprets an object in the answer to a delete: some kinds are shown when they are gone, all are when they
     * remain.
     */
    public static <T extends HasMetadata> Deletion<T> of(T shown) {
        ObjectMeta metadata = shown.getMetadata();
        Long grace = metadata.getDeletionGracePeriodSeconds();
        boolean held = !metadata.getFinalizers().isEmpty() || (grace != null && grace > 0);
        return new Deletion<>(
                Objects.requireNonNullElse(metadata.getUid(), ""),
                metadata.getDeletionTimestamp() != null && held ? Optional.of(shown) : Optional.empty());
    }
}
