package dev.evenkeel.client.internal.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The time and randomness of the client. */
public interface Timing {
    /** The system clock and random generator. */
    Timing REAL = new Timing() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        }

        @Override
        public RandomGenerator random() {
            return ThreadLocalRandom.current();
        }
    };

    long nanoTime();

    void pause(Duration time) throws InterruptedException;

    RandomGenerator random();
}
