package dev.evenkeel.benchmarks;

import java.time.Duration;

/**
 * The durations of measurements.
 *
 * @param warmup before each measurement, at least
 * @param warmupOperations before each measurement, unless they take more than three times as long
 * @param measured each measurement
 * @param starts how often to start a server
 */
record RunLength(Duration warmup, int warmupOperations, Duration measured, int starts) {
    static final RunLength QUICK = new RunLength(Duration.ofSeconds(1), 10_000, Duration.ofSeconds(2), 25);
    static final RunLength FULL = new RunLength(Duration.ofSeconds(5), 20_000, Duration.ofSeconds(10), 50);

    /** Starts a warm-up, followed by a measurement. */
    Window window() {
        return new Window();
    }

    /** The time window in which an operation is repeated. For one thread. */
    final class Window {
        private final long began = System.nanoTime();
        private int operations;
        private long measuredFrom;
        private long now = began;

        /** Returns true if there is time for another operation; always before one was measured. */
        boolean open(boolean some) {
            now = System.nanoTime();
            if (measuredFrom == 0) {
                long warming = now - began;
                long least = warmup.toNanos();
                if (warming > 3 * least || (warming > least && operations >= warmupOperations)) {
                    measuredFrom = now;
                }
                operations++;
            }
            return measuredFrom == 0 || !some || now - measuredFrom < measured.toNanos();
        }

        /** Returns true if the warm-up was over when the operation began. */
        boolean measures() {
            return measuredFrom != 0;
        }

        /** Returns the seconds from the end of the warm-up to the last reading of the clock. */
        double seconds() {
            return (now - measuredFrom) / 1e9;
        }
    }
}
