package dev.evenkeel.simulation.fault;

/**
 * The faults that a simulation or the convergence checker can inject.
 *
 * <p>A simulation draws faults at random, each kind at a rate; its usual rate is in {@link FaultRates#ALL}. The checker
 * places them at numbered writes and calls of external systems, one or a few at a time. Kinds with a rate of zero have a place, not a probability, so
 * only the checker injects them; of the other kinds it injects those that its schedules can name.
 */
public enum FaultKind {
    /** The process dies before or after a write, and starts again with empty caches and no memory; per write. */
    CRASH(0.01),
    /** A call is refused without any effect, with 429, 500 or 503; per call. */
    REFUSE(0.02),
    /** The connection breaks after a write was done, and the answer is lost; per write. */
    LOSE_ANSWER(0.02),
    /** Another actor has changed the object just before it is written: 409 for writes that look at versions; per write. */
    CONFLICT(0.03),
    /** A call ends with 504 without any effect; per call. */
    TIMEOUT(0.01),
    /** The connection breaks before the server sees the call; per call. */
    NO_CONNECTION(0.01),
    /** A call takes up to ten seconds; per call. */
    SLOW(0.02),
    /** The process dies at any time; per second. */
    DEATH(0.01),
    /** The process is stopped cleanly, and started again; per second. */
    RESTART(0.005),
    /** The process is frozen for up to a minute, and then continues as if nothing had happened; per second. */
    FREEZE(0.005),
    /** The process is frozen in the middle of a call, for up to a minute; per call. */
    FREEZE_IN_CALL(0.001),
    /** A list at version "0" is an earlier one; per list. */
    STALE_LIST(0.3),
    /** A list cannot be continued, 410; per page after the first. */
    EXPIRED_PAGE(0.1),
    /** A streaming list is refused, as by a server without the feature; per call. */
    NO_STREAMING_LIST(0.2),
    /** The events of a watch arrive late, and later than those of other watches; per watch. */
    SLOW_WATCH(0.3),
    /** The connection of a watch is cut; per event. */
    CUT_WATCH(0.02),
    /** A watch stays connected and delivers nothing, until the connection ends many minutes later; per event. */
    SILENT_WATCH(0.005),
    /** A watch from a version fails with 410; per watch. */
    EXPIRED_WATCH(0.1),
    /** A watch delivers an error 500; per event. */
    FAILED_WATCH(0.01),
    /** A watch delivers an additional bookmark; per event. */
    BOOKMARK(0.1),
    /** Background work of the server, such as garbage collection, takes up to five seconds; per task. */
    SLOW_SERVER(0.1),
    /**
     * The process is frozen a number of reads after a write, and another one takes over until all activity has ended.
     * Then it continues: its writes are refused, its effects outside of the API happen. Finally everything is
     * reconciled again.
     */
    OVERTAKE(0),
    /** Another actor, such as the previous leader, does the same write just before. */
    REPEAT(0),
    /** Another actor reverts a write of a child: a created child is deleted, a changed one is restored. */
    UNDO(0),
    /** All objects are reconciled again, without a reason. */
    RUN_AGAIN(0),
    /** The cache of a kind is paused until all other activity has ended; so is the cache of a process that starts. */
    LAG(0),
    /** Like LAG, but only the last states of objects changed meanwhile are delivered, as after a broken connection. */
    MISS(0),
    /** Caches receive events during a reconciliation, and not only between two: repeated reads may differ. */
    TELL(0),
    /** The process crashes, and starts with one cache some writes behind: it listed from a server that is behind. */
    RESTART_BEHIND(0),
    /**
     * The next writes of a kind, deletions excepted, are refused with 403, as by a quota or an admission policy. Finally
     * everything is reconciled again.
     */
    DENY(0),
    /** The clock of the processes jumps, forward or back; those of the server and of external systems do not. */
    JUMP(0),
    /** The next version of a definition becomes the stored one, and all its objects are stored again. */
    MIGRATE(0),
    /**
     * The process ends, and one with the previous version of the controllers starts. When all activity has ended, it is
     * replaced by the present version again.
     */
    DOWNGRADE(0),
    /** A process with the previous version of the controllers runs next to the present one for a while. */
    OVERLAP(0),
    /** A user makes a change early. */
    EDIT(0),
    /** A user deletes the reconciled object, or another actor one of its children. */
    DELETE(0),
    /**
     * Another actor has a finalizer on the reconciled object, and removes it only when everything else is cleaned up.
     */
    HOLD(0);

    private final double usualRate;

    FaultKind(double usualRate) {
        this.usualRate = usualRate;
    }

    /** Returns the rate in {@link FaultRates#ALL}. */
    public double usualRate() {
        return usualRate;
    }
}
