package dev.evenkeel.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Options of a delete.
 *
 * @param propagation the treatment of dependents; empty for the default of the object's kind
 * @param uid the delete fails with a {@link ConflictException} unless the object has this uid
 * @param resourceVersion the delete fails with a {@link ConflictException} unless the object is at this version
 * @param gracePeriod the time that the object gets to end, in whole seconds; empty for that of the kind. Only pods have one,
 *     and for zero they are deleted at once. The client of the resource service refuses it
 * @param dryRun do everything but the write itself
 * @param fence the delete fails with a {@link ConflictException} unless this holds; empty for no such condition
 */
public record DeleteOptions(
        Optional<Propagation> propagation,
        Optional<String> uid,
        Optional<String> resourceVersion,
        Optional<Duration> gracePeriod,
        boolean dryRun,
        Optional<Fence> fence) {
    /** The default propagation of the kind, without preconditions. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty());

    /** The treatment of dependents. */
    public enum Propagation {
        /** Dependents are kept, and lose their owner reference. */
        ORPHAN,
        /** Dependents are deleted after the owner. */
        BACKGROUND,
        /** Dependents are deleted before the owner. */
        FOREGROUND
    }

    /** Returns a copy with this propagation. */
    public DeleteOptions propagation(Propagation value) {
        return new DeleteOptions(Optional.of(value), uid, resourceVersion, gracePeriod, dryRun, fence);
    }

    /** Returns a copy only for the object of this uid. */
    public DeleteOptions uid(String value) {
        return new DeleteOptions(propagation, Optional.of(value), resourceVersion, gracePeriod, dryRun, fence);
    }

    /** Returns a copy only for the object at this version. */
    public DeleteOptions resourceVersion(String value) {
        return new DeleteOptions(propagation, uid, Optional.of(value), gracePeriod, dryRun, fence);
    }

    /**
     * Returns a copy with this grace period.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public DeleteOptions gracePeriod(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("gracePeriod must not be negative: " + value);
        }
        return new DeleteOptions(propagation, uid, resourceVersion, Optional.of(value), dryRun, fence);
    }

    /** Returns a copy with or without dry run. */
    public DeleteOptions dryRun(boolean value) {
        return new DeleteOptions(propagation, uid, resourceVersion, gracePeriod, value, fence);
    }

    /** Returns a copy only while this lease is held so. */
    public DeleteOptions fence(Fence value) {
        return new DeleteOptions(propagation, uid, resourceVersion, gracePeriod, dryRun, Optional.of(value));
    }
}
