package dev.evenkeel.controller.internal.lease;

import java.util.concurrent.CompletableFuture;

/** What runs while this member has a slot. */
@FunctionalInterface
public interface ShardScope {
    /**
     * The slot is this member's: starts the work on its keys, and returns its end.
     *
     * <p>After {@link Term#ending()} no key of the slot may be begun; the future is done when those in flight have ended,
     * and only then another member gets the slot. After {@link Term#lost()} everything must end at once: another member
     * may have the slot. The slot is not begun again in this process before the future is done.
     */
    CompletableFuture<Void> begin(int slot, Term term);

    /** The live members, this one included, are now these. */
    default void members(java.util.SortedSet<String> members) {}

    /** The member has stopped, whether or not it ever had a slot. */
    default void stopped() {}
}
