package dev.evenkeel.benchmarks;

import java.time.Duration;

/**
 * How long to measure.
 *
 * @param warmup before each measurement
 * @param measured each measurement
 * @param starts how often to start a server
 */
record Effort(Duration warmup, Duration measured, int starts) {
    static final Effort QUICK = new Effort(Duration.ofMillis(1_500), Duration.ofMillis(2_500), 7);
    static final Effort FULL = new Effort(Duration.ofSeconds(5), Duration.ofSeconds(10), 15);
}
