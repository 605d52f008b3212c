package dev.evenkeel.controller.internal;

import dev.evenkeel.client.internal.Scoped;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where in a tree of parts the code that runs now is: the names of the parts around it, from the root on. It is for
 * people: logs and the journals of test kits say by it who did something.
 *
 * <p>It follows calls, and not objects: a part need not hand it on. A thread that a part starts begins with none; who
 * starts one {@linkplain #continued continues} there.
 *
 * @param before the trail up to the part around; empty for the root
 * @param name of the innermost part
 */
public record ReconcilerPath(Optional<ReconcilerPath> before, String name) {
    private static final Scoped<ReconcilerPath> HERE = new Scoped<>();

    /** Where the caller is; empty outside of all parts. */
    public static Optional<ReconcilerPath> here() {
        return HERE.get();
    }

    /** The trail in text, such as {@code Website/0/Deployment}; empty outside of all parts. */
    public static String text() {
        return here().map(ReconcilerPath::toString).orElse("");
    }

    /** Does something one step further down. */
    public static <R> R within(String name, Supplier<R> part) {
        return new ReconcilerPath(here(), name).continued(part);
    }

    /** Does something here, such as on another thread. */
    public <R> R continued(Supplier<R> part) {
        return HERE.where(this, part);
    }

    /** The names, with slashes between. */
    @Override
    public String toString() {
        return before.map(way -> way + "/" + name).orElse(name);
    }
}
