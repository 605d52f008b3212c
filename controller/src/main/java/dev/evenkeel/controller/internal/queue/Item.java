package dev.evenkeel.controller.internal.queue;

import java.time.Duration;

/**
 * A key that was handed out. It is with its worker until {@link WorkQueue#done(Item)}.
 *
 * @param <K> class of the keys
 */
public final class Item<K> {
    final Entry<K> entry;
    final long started;
    final long waited;
    private final Causes causes;
    private final int priority;
    private final int failures;

    Item(Entry<K> entry, long started, long waited, Causes causes, int priority, int failures) {
        this.entry = entry;
        this.started = started;
        this.waited = waited;
        this.causes = causes;
        this.priority = priority;
        this.failures = failures;
    }

    /** Returns the key. */
    public K key() {
        return entry.key;
    }

    /** Returns the causes for which it was added, as far as they were given. */
    public Causes causes() {
        return causes;
    }

    /** Returns the highest priority with which it was added. */
    public int priority() {
        return priority;
    }

    /** Returns the number of failures in a row. */
    public int failures() {
        return failures;
    }

    /** Returns how long it waited since it was first added, or since its delay was over. */
    public Duration waited() {
        return Duration.ofNanos(waited);
    }

    @Override
    public String toString() {
        return entry.key + " " + causes;
    }
}
