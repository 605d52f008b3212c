package dev.evenkeel.controller.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How a handler wants to be told.
 *
 * @param name for people
 * @param resync how often to be reminded of all objects; zero for never
 * @param filter which states it wants to know: one that comes to be so is told as added, one that ceases to as deleted.
 *     Must say the same of the same state
 */
public record HandlerOptions<T extends HasMetadata>(String name, Duration resync, Predicate<Cached<T>> filter) {
    /** Checks them. */
    public HandlerOptions {
        if (resync.isNegative()) {
            throw new IllegalArgumentException("resync: " + resync + " is negative; zero is for never");
        }
    }

    /** All changes, no reminders. */
    public static <T extends HasMetadata> HandlerOptions<T> named(String name) {
        return new HandlerOptions<>(name, Duration.ZERO, object -> true);
    }

    /** The same, reminded this often. */
    public HandlerOptions<T> withResync(Duration value) {
        return new HandlerOptions<>(name, value, filter);
    }

    /** The same for these states. */
    public HandlerOptions<T> withFilter(Predicate<Cached<T>> value) {
        return new HandlerOptions<>(name, resync, value);
    }
}
