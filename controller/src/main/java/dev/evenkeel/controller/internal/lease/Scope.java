package dev.evenkeel.controller.internal.lease;

import java.util.concurrent.CompletableFuture;

/** The work that runs while a lease is held. */
@FunctionalInterface
public interface Scope {
    /**
     * Starts the work of a term, and returns its completion.
     *
     * <p>The work must end gracefully soon after {@link Term#ending()}, and at once after {@link Term#lost()}. No other
     * term of the same lease begins in this process before the future is done; until then the lease is renewed if it
     * was not lost. A future that completes during the term releases the lease, and the campaign starts again; its
     * failure, or that of this method, is logged.
     */
    CompletableFuture<Void> begin(Term term);

    /** Called when this process or another one was observed to hold the lease. */
    default void observed(String holder) {}

    /** Called when the election has stopped, also if there never was a term. */
    default void stopped() {}
}
