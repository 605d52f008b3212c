package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * A key that was handed out. It is with its worker until {@link WorkQueue#done(Item)}.
 *
 * @param started the time at which it was handed out
 * @param waitedNanos the time it waited since it was first added, or since its delay was over
 * @param priority the highest priority with which it was added
 */
public record Item<K>(Entry<K> entry, long started, long waitedNanos, Causes causes, int priority, int failures) {
    public K key() {
        return entry.key;
    }

    public Duration waited() {
        return Duration.ofNanos(waitedNanos);
    }

    @Override
    public String toString() {
        return entry.key + " " + causes;
    }
}
