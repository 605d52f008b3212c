package dev.evenkeel.controller.internal.queue;

import java.util.random.RandomGenerator;

/** Makes a delay of another. */
@FunctionalInterface
public interface Adjustment {
    long nanos(long nanos, RandomGenerator random);
}
