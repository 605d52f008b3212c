package dev.evenkeel.engine.internal.schema;

/** What the rules of one object may still cost. Serves one validation. */
public final class RuleBudget {
    /** What one evaluation may cost. */
    public static final long PER_RULE = 1_000_000;

    private static final long PER_OBJECT = 10_000_000;

    private long left;

    /** A full budget. */
    public RuleBudget() {
        this(PER_OBJECT);
    }

    /** A budget of so much. */
    public RuleBudget(long left) {
        this.left = left;
    }

    /** What is left; at most zero when nothing is. */
    public long left() {
        return left;
    }

    /**
     * Takes a cost.
     *
     * @return false when it is more than is left; then nothing is left
     */
    public boolean take(long cost) {
        if (cost > left) {
            left = 0;
            return false;
        }
        left -= cost;
        return true;
    }
}
