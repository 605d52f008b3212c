package dev.evenkeel.controller.simulation;

/** What goes wrong, each with the rate at which it does when all is on. */
public enum Fault {
    /** A write that looks at versions, or might, is refused with 409; per write. */
    CONFLICT(0.03),
    /** A call is refused with 429, 500 or 503 before it does anything; per call. */
    REFUSED(0.02),
    /** A call ends with 504, before it does anything; per call. */
    TIMEOUT(0.01),
    /** The connection is lost after a write was done, and so is the answer; per write. */
    LOST_ANSWER(0.02),
    /** The connection is lost before the server sees the call; per call. */
    NO_CONNECTION(0.01),
    /** A call takes up to ten seconds; per call. */
    SLOW(0.02),
    /** The process dies before or after a write; per write. */
    CRASH(0.01),
    /** The process dies, whatever it does; per second. */
    DEATH(0.01),
    /** The process is stopped cleanly, and started again; per second. */
    RESTART(0.005),
    /** The process stands still for up to a minute, and goes on as if nothing had been; per second. */
    FREEZE(0.005),
    /** The process stands still in the midst of a call, for up to a minute; per call. */
    FREEZE_IN_CALL(0.001),
    /** A list at version "0" is one of before; per list. */
    STALE_LIST(0.3),
    /** A list cannot be continued, 410; per page after the first. */
    EXPIRED_PAGE(0.1),
    /** A streaming list is refused, as by a server that knows none; per call. */
    NO_STREAMING_LIST(0.2),
    /** The events of a watch come late, and later than those of others; per watch. */
    SLOW_WATCH(0.3),
    /** The connection of a watch is cut; per event. */
    CUT_WATCH(0.02),
    /** A watch stays connected and brings nothing any more, until the connection ends many minutes later; per event. */
    SILENT_WATCH(0.005),
    /** A watch from a version fails with 410; per watch. */
    EXPIRED_WATCH(0.1),
    /** A watch brings an error 500; per event. */
    FAILED_WATCH(0.01),
    /** A watch brings a bookmark more; per event. */
    BOOKMARK(0.1),
    /** What the server does by itself, such as collecting garbage, takes up to five seconds; per task. */
    SLOW_SERVER(0.1);

    private final double usual;

    Fault(double usual) {
        this.usual = usual;
    }

    /** The rate in {@link Faults#ALL}. */
    public double usual() {
        return usual;
    }
}
