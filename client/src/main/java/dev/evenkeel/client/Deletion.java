package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import java.util.Optional;

/**
 * What a delete did.
 *
 * @param uid of the object that is deleted; empty when the server did not say
 * @param remaining the object as it stays, marked for deletion, while finalizers hold it; empty when it is gone
 * @param <T> class of the object
 */
public record Deletion<T extends HasMetadata>(String uid, Optional<T> remaining) {
    /** What the answer with an object means: some kinds are shown when they are gone, all are when they stay. */
    public static <T extends HasMetadata> Deletion<T> of(T shown) {
        ObjectMeta metadata = shown.getMetadata();
        Long grace = metadata.getDeletionGracePeriodSeconds();
        boolean held = !metadata.getFinalizers().isEmpty() || (grace != null && grace > 0);
        return new Deletion<>(
                Objects.requireNonNullElse(metadata.getUid(), ""),
                metadata.getDeletionTimestamp() != null && held ? Optional.of(shown) : Optional.empty());
    }
}
