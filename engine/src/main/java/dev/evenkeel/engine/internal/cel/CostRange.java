package dev.evenkeel.engine.internal.cel;

/**
 * A size or a cost that is only known to lie between two bounds. Values saturate at {@link #MOST}.
 *
 * @param min the least it may be
 * @param max the most it may be
 */
record CostRange(long min, long max) {
    /** The greatest bound: effectively unbounded. */
    static final long MOST = Long.MAX_VALUE;

    static final CostRange UNKNOWN = new CostRange(0, MOST);
    static final CostRange ZERO = exactly(0);
    static final CostRange ONE = exactly(1);
    /** The neutral element of {@link #or}: bounds not yet known. */
    static final CostRange NONE = new CostRange(MOST, 0);

    static CostRange exactly(long value) {
        return new CostRange(value, value);
    }

    CostRange plus(CostRange other) {
        return new CostRange(plus(min, other.min), plus(max, other.max));
    }

    CostRange times(CostRange other) {
        return new CostRange(times(min, other.min), times(max, other.max));
    }

    /** Multiplies, rounding up. */
    CostRange times(double factor) {
        return new CostRange(times(min, factor), times(max, factor));
    }

    CostRange or(CostRange other) {
        return new CostRange(Math.min(min, other.min), Math.max(max, other.max));
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
