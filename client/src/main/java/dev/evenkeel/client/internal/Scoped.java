package dev.evenkeel.client.internal;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is bound for one call and everything that the call runs on the same thread; a thread that is started
 * within begins without it. Corresponds to {@code ScopedValue} of Java 25.
 *
 * @param <T> the type of the value
 */
public final class Scoped<T> {
    @SuppressWarnings("ThreadLocalUsage") // a Scoped is itself a constant
    private final ThreadLocal<@Nullable T> current = new ThreadLocal<>();

    /** Returns the value bound by the innermost call; empty outside of all. */
    public Optional<T> get() {
        return Optional.ofNullable(current.get());
    }

    /** Runs an action with the value bound, and restores the outer value afterwards. */
    public <R> R where(T value, Supplier<R> action) {
        T outer = current.get();
        current.set(value);
        try {
            return action.get();
        } finally {
            if (outer == null) {
                current.remove();
            } else {
                current.set(outer);
            }
        }
    }
}
