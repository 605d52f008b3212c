package dev.evenkeel.engine.internal.cel;

/** One evaluation: its variables, and what it has cost so far. Serves one thread. */
final class Frame {
    /** Evaluation costs more than it may. */
    static final class Exhausted extends RuntimeException {
        private static final long serialVersionUID = 1;

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

    /** What the evaluation has cost; never more than its limit. */
    long cost() {
        return Math.min(cost, limit);
    }

    /**
     * Adds a cost.
     *
     * @throws Exhausted when it is too much
     */
    void charge(long units) {
        cost += units;
        if (cost > limit) {
            throw new Exhausted();
        }
    }
}
