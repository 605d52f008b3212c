package dev.evenkeel.load;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;

/** Starts the controllers that a load is for, in this process. */
@FunctionalInterface
public interface Controllers {
    /**
     * Starts the controllers.
     *
     * @param client the client that they use, which counts their requests
     * @param scheduler the time that they run in
     * @return what stops them, such as a {@code Manager}
     */
    AutoCloseable start(Client client, Scheduler scheduler) throws Exception;
}
