package dev.evenkeel.controller;

import dev.evenkeel.client.Client;

/** What must be done before the first reconciliation, such as creating what everything else refers to. */
@FunctionalInterface
public interface Initializer {
    /** Nothing. */
    Initializer NONE = client -> {};

    /**
     * Does it. Called each time the controller begins to work, as when it has become the leader, so it must do no harm
     * when all is done already. When it throws it is called again, after a delay that grows; no key is reconciled before
     * it has succeeded.
     *
     * @throws Exception whatever went wrong
     */
    void initialize(Client client) throws Exception;
}
