package dev.evenkeel.controller.internal.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * What the queue knows of a key. It may wait, be with a worker and be delayed, all at once.
 *
 * @param waiting how long it has been waiting; while it is with a worker, since it was added again
 * @param inFlight how long it has been with a worker
 * @param delayed how long until its delay is over; zero when that is just being noticed
 * @param priority the highest with which it waits or is delayed or was handed out
 * @param failures how often it has failed in a row
 * @param causes why it waits; or else why it is with a worker; or else why it is delayed
 */
public record KeyState(
        Optional<Duration> waiting,
        Optional<Duration> inFlight,
        Optional<Duration> delayed,
        int priority,
        int failures,
        Causes causes) {}
