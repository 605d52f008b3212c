package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Fence;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How to delete.
 *
 * @param propagation what happens to dependents; empty for what the object's finalizers or its kind say
 * @param orphanDependents the older form of {@code propagation}; may not be given together with it
 * @param gracePeriodSeconds how long a graceful delete may take; empty for the kind's default
 * @param uid the delete fails unless the object has this uid
 * @param resourceVersion the delete fails unless the object is at this version
 * @param dryRun do everything but the write itself
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
    /** Without a fence. */
    public DeleteOptions(
            Optional<Propagation> propagation,
            Optional<Boolean> orphanDependents,
            OptionalLong gracePeriodSeconds,
            Optional<String> uid,
            Optional<String> resourceVersion,
            boolean dryRun) {
        this(propagation, orphanDependents, gracePeriodSeconds, uid, resourceVersion, dryRun, Optional.empty());
    }

    /** The same, with or without this condition. */
    public DeleteOptions withFence(Optional<Fence> value) {
        return new DeleteOptions(
                propagation, orphanDependents, gracePeriodSeconds, uid, resourceVersion, dryRun, value);
    }

    /** As the kind says, without preconditions. */
    public static final DeleteOptions DEFAULT = new DeleteOptions(
            Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(), false);

    /** What happens to dependents. */
    public enum Propagation {
        /** They are kept, and lose their owner reference. */
        ORPHAN,
        /** They are deleted after the owner. */
        BACKGROUND,
        /** They are deleted before the owner. */
        FOREGROUND
    }

    /** With this propagation and nothing else. */
    public static DeleteOptions of(Propagation propagation) {
        return new DeleteOptions(
                Optional.of(propagation),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }
}
