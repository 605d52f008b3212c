package dev.evenkeel.controller.internal.lease;

import java.util.concurrent.CompletableFuture;

/** The work that runs while this member has a slot. */
@FunctionalInterface
public interface ShardScope {
    /**
     * Starts the work on the keys of a slot that this member got, and returns its completion.
     *
     * <p>After {@link Term#ending()} no key of the slot may be started; the future is done when those in flight have
     * ended, and only then another member gets the slot. After {@link Term#lost()} everything must end at once: another
     * member may have the slot. The slot does not begin again in this process before the future is done.
     */
    CompletableFuture<Void> begin(int slot, Term term);

    /** Called with the live members, including this one, when they change. */
    default void members(java.util.SortedSet<String> members) {}

    /** Called when the member has stopped, also if it never had a slot. */
    default void stopped() {}
}
