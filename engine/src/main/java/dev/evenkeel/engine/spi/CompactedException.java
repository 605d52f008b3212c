package dev.evenkeel.engine.spi;

/** The history that a snapshot or a watch needs is no longer kept. */
public final class CompactedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long requested;
    private final long oldest;

    /** Asked for one revision while the history starts at another. */
    public CompactedException(long requested, long oldest) {
        super("revision " + requested + " is compacted: the history starts at " + oldest);
        this.requested = requested;
        this.oldest = oldest;
    }

    /** The revision asked for. */
    public long requested() {
        return requested;
    }

    /** The oldest revision that can be asked for. */
    public long oldest() {
        return oldest;
    }
}
