package dev.evenkeel.engine.internal.cel;

/**
 * A size or a cost that is only known to lie between two bounds. What gets too large stays at {@link #MOST}.
 *
 * @param min the least it may be
 * @param max the most it may be
 */
record Range(long min, long max) {
    /** As good as no bound. */
    static final long MOST = Long.MAX_VALUE;

    static final Range UNKNOWN = new Range(0, MOST);
    static final Range ZERO = exactly(0);
    static final Range ONE = exactly(1);
    /** What the union with a range is that range; bounds not yet known. */
    static final Range NONE = new Range(MOST, 0);

    static Range exactly(long value) {
        return new Range(value, value);
    }

    Range plus(Range other) {
        return new Range(plus(min, other.min), plus(max, other.max));
    }

    Range times(Range other) {
        return new Range(times(min, other.min), times(max, other.max));
    }

    /** Rounded up. */
    Range times(double factor) {
        return new Range(times(min, factor), times(max, factor));
    }

    /** What encloses both. */
    Range or(Range other) {
        return new Range(Math.min(min, other.min), Math.max(max, other.max));
    }

    static long plus(long a, long b) {
        return a > MOST - b ? MOST : a + b;
    }

    static long times(long a, long b) {
        return b != 0 && a > MOST / b ? MOST : a * b;
    }

    private static long times(long value, double factor) {
        double product = Math.ceil(value * factor);
        return value == MOST || product >= 0x1p63 ? MOST : (long) product;
    }
}
