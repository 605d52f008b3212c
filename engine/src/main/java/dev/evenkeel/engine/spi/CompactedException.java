package dev.evenkeel.engine.spi;

/** Thrown when the history that a snapshot or a watch needs was compacted. */
public final class CompactedException extends RuntimeException {
    private final long requested;
    private final long oldest;

    /**
     * Creates the exception.
     *
     * @param requested the revision that was requested
     * @param oldest the oldest revision that the history still has
     */
    public CompactedException(long requested, long oldest) {
        super("revision " + requested + " is compacted: the history starts at " + oldest);
        this.requested = requested;
        this.oldest = oldest;
    }

    /** Returns the revision that was requested. */
    public long requested() {
        return requested;
    }

    /** Returns the oldest revision that can be requested. */
    public long oldest() {
        return oldest;
    }
}
