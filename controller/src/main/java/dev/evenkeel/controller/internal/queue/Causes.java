package dev.evenkeel.controller.internal.queue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The causes for which a key was added: each once, in the order of their arrival, up to a limit.
 *
 * <p>A value: adding a cause that it contains returns the same instance, so that repetitions cost no memory.
 */
public final class Causes {
    public static final Causes NONE = new Causes(new Cause[0], 0);

    private final Cause[] causes;
    private final int dropped;

    private Causes(Cause[] causes, int dropped) {
        this.causes = causes;
        this.dropped = dropped;
    }

    /** Returns the causes that were kept. */
    public List<Cause> list() {
        return Collections.unmodifiableList(Arrays.asList(causes));
    }

    /** Returns how many causes exceeded the limit, each repetition counted. */
    public int dropped() {
        return dropped;
    }

    Causes with(Cause cause, int max) {
        if (max == 0) {
            return this;
        }
        for (Cause known : causes) {
            if (known.equals(cause)) {
                return this;
            }
        }
        if (causes.length >= max) {
            return dropping(1);
        }
        Cause[] more = Arrays.copyOf(causes, causes.length + 1);
        more[causes.length] = cause;
        return new Causes(more, dropped);
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
        for (Cause cause : others.causes) {
            all = all.with(cause, max);
        }
        return all.dropping(others.dropped);
    }

    private Causes dropping(int more) {
        return more == 0 ? this : new Causes(causes, (int) Math.min(Integer.MAX_VALUE, (long) dropped + more));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Causes that && dropped == that.dropped && Arrays.equals(causes, that.causes);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(causes) + dropped;
    }

    /** Returns text such as {@code [Website default/a, retry 2] and 3 more}. */
    @Override
    public String toString() {
        return Arrays.toString(causes) + (dropped == 0 ? "" : " and " + dropped + " more");
    }
}
