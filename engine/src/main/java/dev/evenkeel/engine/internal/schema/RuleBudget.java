package dev.evenkeel.engine.internal.schema;

/** The remaining cost of the rules of one object. For one validation. */
public final class RuleBudget {
    /** The maximum cost of one evaluation. */
    public static final long PER_RULE = 1_000_000;

    private static final long PER_OBJECT = 10_000_000;

    private long left;
    private boolean exceeded;

    public RuleBudget() {
        this(PER_OBJECT);
    }

    public RuleBudget(long left) {
        this.left = left;
    }

    /** Returns the remaining budget; at most zero when it is spent. */
    public long left() {
        return left;
    }

    /** Takes a cost; one that exceeds the budget spends it. */
    public void take(long cost) {
        exceeded |= cost > left;
        left = Math.max(0, left - cost);
    }

    /** Returns true if a cost was taken that exceeded what was left. */
    public boolean isExceeded() {
        return exceeded;
    }
}
