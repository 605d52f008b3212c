package dev.evenkeel.client;

import java.util.Optional;

/**
 * How to delete.
 *
 * @param propagation what happens to dependents; empty for what the object's kind says
 * @param uid the delete fails with a {@link ConflictException} unless the object has this uid
 * @param resourceVersion the delete fails with a {@link ConflictException} unless the object is at this version
 * @param dryRun do everything but the write itself
 * @param fence the delete fails with a {@link ConflictException} unless this holds; empty for no such condition
 */
public record DeleteOptions(
        Optional<Propagation> propagation,
        Optional<String> uid,
        Optional<String> resourceVersion,
        boolean dryRun,
        Optional<Fence> fence) {
    /** As the kind says, without preconditions. */
    public static final DeleteOptions DEFAULT =
            new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty());

    /** What happens to dependents. */
    public enum Propagation {
        /** They are kept, and lose their owner reference. */
        ORPHAN,
        /** They are deleted after the owner. */
        BACKGROUND,
        /** They are deleted before the owner. */
        FOREGROUND
    }

    /** The same with this propagation. */
    public DeleteOptions withPropagation(Propagation value) {
        return new DeleteOptions(Optional.of(value), uid, resourceVersion, dryRun, fence);
    }

    /** The same, only for the object of this uid. */
    public DeleteOptions withUid(String value) {
        return new DeleteOptions(propagation, Optional.of(value), resourceVersion, dryRun, fence);
    }

    /** The same, only for the object at this version. */
    public DeleteOptions withResourceVersion(String value) {
        return new DeleteOptions(propagation, uid, Optional.of(value), dryRun, fence);
    }

    /** The same with or without dry run. */
    public DeleteOptions withDryRun(boolean value) {
        return new DeleteOptions(propagation, uid, resourceVersion, value, fence);
    }

    /** The same, only while this lease is held so. */
    public DeleteOptions withFence(Fence value) {
        return new DeleteOptions(propagation, uid, resourceVersion, dryRun, Optional.of(value));
    }
}
