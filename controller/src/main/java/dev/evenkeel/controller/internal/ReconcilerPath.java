package dev.evenkeel.controller.internal;

import dev.evenkeel.client.internal.Scoped;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The path of the running code in a tree of parts: the names of the enclosing parts, from the root on, for display in
 * logs and in the journals of test kits.
 *
 * <p>It follows calls, and not objects: a part need not pass it on. A thread that a part starts begins with none; the
 * starter {@linkplain #continued continues} the path there.
 *
 * @param before path of the enclosing part; empty for the root
 * @param name name of the innermost part
 */
public record ReconcilerPath(Optional<ReconcilerPath> before, String name) {
    private static final Scoped<ReconcilerPath> HERE = new Scoped<>();

    /** Returns the path of the caller; empty outside of all parts. */
    public static Optional<ReconcilerPath> here() {
        return HERE.get();
    }

    /** Returns the path as text, such as {@code Website/0/Deployment}; empty outside of all parts. */
    public static String text() {
        return here().map(ReconcilerPath::toString).orElse("");
    }

    /** Runs a part one level below the present path. */
    public static <R> R within(String name, Supplier<R> part) {
        return new ReconcilerPath(here(), name).continued(part);
    }

    /** Runs a part with this path, such as on another thread. */
    public <R> R continued(Supplier<R> part) {
        return HERE.where(this, part);
    }

    @Override
    public String toString() {
        return before.map(way -> way + "/" + name).orElse(name);
    }
}
