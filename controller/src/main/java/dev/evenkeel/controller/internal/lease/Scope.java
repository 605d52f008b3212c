package dev.evenkeel.controller.internal.lease;

import java.util.concurrent.CompletableFuture;

/** What runs while a lease is held. */
@FunctionalInterface
public interface Scope {
    /**
     * A term begins: starts what is to run, and returns its end.
     *
     * <p>What runs must end soon after {@link Term#ending()}, in good order, and at once after {@link Term#lost()}. No
     * other term of the same lease begins in this process before the future is done; until then the lease is renewed if
     * it was not lost. A future that is done while the term goes on gives the lease up, and the campaign begins anew;
     * what it, or this method, fails with is logged.
     */
    CompletableFuture<Void> begin(Term term);

    /** Another, or this process, was seen to hold the lease. */
    default void observed(String holder) {}

    /** The election has stopped, whether or not there ever was a term. */
    default void stopped() {}
}
