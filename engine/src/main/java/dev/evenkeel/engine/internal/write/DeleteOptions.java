package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Fence;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a delete.
 *
 * @param propagation the policy for dependents; empty for that of the object's finalizers or its kind
 * @param orphanDependents the older form of {@code propagation}; may not be given together with it
 * @param gracePeriodSeconds how long a graceful delete may take; empty for the kind's default
 * @param uid the delete fails unless the object has this uid
 * @param resourceVersion the delete fails unless the object is at this version
 * @param dryRun true to do everything except the write itself
 * @param fence the delete fails unless this holds when it is committed; empty for no such condition
 */
public record DeleteOptions(
        Optional<Propagation> propagation,
        Optional<Boolean> orphanDependents,
        OptionalLong gracePeriodSeconds,
        Optional<String> uid,
        Optional<String> resourceVersion,
        boolean dryRun,
        Optional<Fence> fence) {
    /** Returns a copy with another version as the precondition. */
    DeleteOptions withResourceVersion(String value) {
        return new DeleteOptions(
                propagation, orphanDependents, gracePeriodSeconds, uid, Optional.of(value), dryRun, fence);
    }

    /** Returns a copy with or without this fence. */
    public DeleteOptions withFence(Optional<Fence> value) {
        return new DeleteOptions(
                propagation, orphanDependents, gracePeriodSeconds, uid, resourceVersion, dryRun, value);
    }

    /** The kind's defaults, without preconditions. */
    public static final DeleteOptions DEFAULT =
            of(Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());

    /** The policy for dependents. */
    public enum Propagation {
        /** Dependents are kept, and lose their owner reference. */
        ORPHAN,
        /** Dependents are deleted after the owner. */
        BACKGROUND,
        /** Dependents are deleted before the owner. */
        FOREGROUND
    }

    /** Returns options with this propagation only. */
    public static DeleteOptions of(Propagation propagation) {
        return of(Optional.of(propagation), OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns options for the services of the engine. */
    public static DeleteOptions of(
            Optional<Propagation> propagation,
            OptionalLong gracePeriodSeconds,
            Optional<String> uid,
            Optional<String> resourceVersion) {
        return new DeleteOptions(
                propagation, Optional.empty(), gracePeriodSeconds, uid, resourceVersion, false, Optional.empty());
    }
}
