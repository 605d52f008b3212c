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

    /** What to work at. */
    public K key() {
        return entry.key;
    }

    /** Why, as far as those who added it told. */
    public Causes causes() {
        return causes;
    }

    /** The highest with which it was added. */
    public int priority() {
        return priority;
    }

    /** How often it has failed in a row. */
    public int failures() {
        return failures;
    }

    /** How long it waited since it was added first, or since its delay was over. */
    public Duration waited() {
        return Duration.ofNanos(waited);
    }

    @Override
    public String toString() {
        return entry.key + " " + causes;
    }
}
