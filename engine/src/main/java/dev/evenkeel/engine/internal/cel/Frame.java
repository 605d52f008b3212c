package dev.evenkeel.engine.internal.cel;

/** One evaluation: its variables, and its cost so far. Confined to one thread. */
final class Frame {
    /** Thrown when an evaluation exceeds its cost limit. */
    static final class Exhausted extends RuntimeException {
        private Exhausted() {
            super("evaluation costs more than it may", null, false, false);
        }
    }

    final Object[] variables;
    private final long limit;
    private long cost;

    Frame(int variables, long limit) {
        this.variables = new Object[variables];
        java.util.Arrays.fill(this.variables, Nothing.NULL);
        this.limit = limit;
    }

    /** Returns the cost of the evaluation so far; more than its limit once that is exceeded. */
    long cost() {
        return cost;
    }

    /**
     * Adds a cost.
     *
     * @throws Exhausted when the limit is exceeded
     */
    void charge(long units) {
        cost += units;
        if (cost > limit) {
            throw new Exhausted();
        }
    }
}
