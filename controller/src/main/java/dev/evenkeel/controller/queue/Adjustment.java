package dev.evenkeel.controller.queue;

import java.util.random.RandomGenerator;

/** Makes a delay of another. */
@FunctionalInterface
interface Adjustment {
    long nanos(long nanos, RandomGenerator random);
}
