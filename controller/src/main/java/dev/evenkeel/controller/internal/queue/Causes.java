package dev.evenkeel.controller.internal.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The causes for which a key was added: each once, in the order of their arrival, up to a limit.
 *
 * <p>A value: adding a cause that it contains returns the same instance, so that repetitions cost no memory.
 */
public final class Causes {
    private static final Cause[] NO_MORE = {};
    public static final Causes NONE = new Causes(null, NO_MORE, 0);

    /** Null when there is none; nearly all keys have just this one. */
    private final @Nullable Cause first;

    private final Cause[] more;
    private final int dropped;

    private Causes(@Nullable Cause first, Cause[] more, int dropped) {
        this.first = first;
        this.more = more;
        this.dropped = dropped;
    }

    /** Returns the causes that were kept. */
    public List<Cause> list() {
        if (first == null) {
            return List.of();
        }
        List<Cause> all = new ArrayList<>(1 + more.length);
        all.add(first);
        all.addAll(Arrays.asList(more));
        return Collections.unmodifiableList(all);
    }

    /** Returns how many causes exceeded the limit, each repetition counted. */
    public int dropped() {
        return dropped;
    }

    Causes with(Cause cause, int max) {
        if (max == 0 || cause.equals(first)) {
            return this;
        }
        if (first == null) {
            return new Causes(cause, NO_MORE, dropped);
        }
        for (Cause known : more) {
            if (known.equals(cause)) {
                return this;
            }
        }
        if (more.length + 1 >= max) {
            return dropping(1);
        }
        Cause[] longer = Arrays.copyOf(more, more.length + 1);
        longer[more.length] = cause;
        return new Causes(first, longer, dropped);
    }

    // the same instance has the same causes
    @SuppressWarnings("ReferenceEquality")
    Causes with(Causes others, int max) {
        if (this == others || others == NONE) {
            return this;
        }
        if (this == NONE) {
            return others;
        }
        Causes all = this;
        for (Cause cause : others.list()) {
            all = all.with(cause, max);
        }
        return all.dropping(others.dropped);
    }

    private Causes dropping(int times) {
        return times == 0 ? this : new Causes(first, more, (int) Math.min(Integer.MAX_VALUE, (long) dropped + times));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Causes that
                && dropped == that.dropped
                && Objects.equals(first, that.first)
                && Arrays.equals(more, that.more);
    }

    @Override
    public int hashCode() {
        return Objects.hash(first, Arrays.hashCode(more), dropped);
    }

    /** Returns text such as {@code [Website default/a, retry 2] and 3 more}. */
    @Override
    public String toString() {
        return list() + (dropped == 0 ? "" : " and " + dropped + " more");
    }
}
