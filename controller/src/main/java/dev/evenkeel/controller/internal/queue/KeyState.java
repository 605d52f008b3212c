package dev.evenkeel.controller.internal.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of a key in the queue. It may wait, be with a worker and be delayed, all at once.
 *
 * @param waiting time it has been waiting; while it is with a worker, since it was added again
 * @param inFlight time it has been with a worker
 * @param delayed time until its delay is over; zero when it has just ended
 * @param priority highest priority with which it waits or is delayed or was handed out
 * @param causes causes for which it waits; or else is with a worker; or else is delayed
 */
public record KeyState(
        Optional<Duration> waiting,
        Optional<Duration> inFlight,
        Optional<Duration> delayed,
        int priority,
        int failures,
        Causes causes) {}
