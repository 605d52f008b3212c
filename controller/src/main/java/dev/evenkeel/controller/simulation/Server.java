package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Makes the server that the processes of a simulation talk to. */
@FunctionalInterface
public interface Server {
    /**
     * Makes it.
     *
     * @param clock virtual time
     * @param random what is not to be the same everywhere, such as uids
     * @param executor runs what the server does by itself, such as collecting garbage; it may take its time
     * @return a client of it that answers at once, whose watches implement {@link dev.evenkeel.client.Watch#ready()}
     */
    Client start(Clock clock, RandomGenerator random, Executor executor);
}
