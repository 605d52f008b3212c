package dev.evenkeel.load;

import java.time.Duration;

/**
 * When a phase ends: after whichever comes first.
 *
 * @param cycles the number of cycles of its pattern
 * @param operations the number of operations
 * @param duration the time since it began
 */
public record Stop(int cycles, long operations, Duration duration) {
    private static final Duration FOREVER = Duration.ofDays(365);

    /** After one cycle. */
    public static final Stop ONE_CYCLE = new Stop(1, Long.MAX_VALUE, FOREVER);

    public Stop {
        if (cycles < 1 || operations < 1 || !duration.isPositive()) {
            throw new IllegalArgumentException("cycles, operations and duration must be positive: " + cycles + ", "
                    + operations + ", " + duration);
        }
    }

    /** Returns a stop after a number of cycles. */
    public static Stop cycles(int cycles) {
        return new Stop(cycles, Long.MAX_VALUE, FOREVER);
    }

    /** Returns a stop after a number of operations. */
    public static Stop operations(long operations) {
        return new Stop(Integer.MAX_VALUE, operations, FOREVER);
    }

    /** Returns a stop after a time. */
    public static Stop after(Duration duration) {
        return new Stop(Integer.MAX_VALUE, Long.MAX_VALUE, duration);
    }
}
