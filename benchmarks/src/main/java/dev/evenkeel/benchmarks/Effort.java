package dev.evenkeel.benchmarks;

import java.time.Duration;

/**
 * How long to measure.
 *
 * @param warmup before each measurement, at least
 * @param warmupOperations before each measurement, unless they take more than three times as long
 * @param measured each measurement
 * @param starts how often to start a server
 */
record Effort(Duration warmup, int warmupOperations, Duration measured, int starts) {
    static final Effort QUICK = new Effort(Duration.ofSeconds(1), 10_000, Duration.ofSeconds(2), 25);
    static final Effort FULL = new Effort(Duration.ofSeconds(5), 20_000, Duration.ofSeconds(10), 50);

    /** Begins to warm up, and then measures. */
    Window window() {
        return new Window(this);
    }

    /** The time in which something is done again and again. For one thread. */
    static final class Window {
        private final Effort effort;
        private final long began = System.nanoTime();
        private int operations;
        private long measuredFrom;
        private long now = began;

        private Window(Effort effort) {
            this.effort = effort;
        }

        /** Whether there is time for another operation; always before one was measured. */
        boolean open(boolean measured) {
            now = System.nanoTime();
            if (measuredFrom == 0) {
                long warming = now - began;
                long warmup = effort.warmup.toNanos();
                if (warming > 3 * warmup || (warming > warmup && operations >= effort.warmupOperations)) {
                    measuredFrom = now;
                }
                operations++;
            }
            return measuredFrom == 0 || !measured || now - measuredFrom < effort.measured.toNanos();
        }

        /** Whether the warm-up was over when the operation began. */
        boolean measures() {
            return measuredFrom != 0;
        }

        /** Seconds from the end of the warm-up to the last look at the clock. */
        double seconds() {
            return (now - measuredFrom) / 1e9;
        }
    }
}
