package dev.evenkeel.controller.internal.queue;

import java.util.random.RandomGenerator;

/** Adjusts a delay. */
@FunctionalInterface
public interface Adjustment {
    long nanos(long nanos, RandomGenerator random);
}
