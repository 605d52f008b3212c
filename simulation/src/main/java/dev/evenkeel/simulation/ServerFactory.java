package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Creates the server that the processes of a simulation talk to. */
@FunctionalInterface
public interface ServerFactory {
    /**
     * Creates the server.
     *
     * @param clock virtual time
     * @param random for what should differ from server to server, such as uids
     * @param executor runs what the server does by itself, such as garbage collection; it may take its time
     * @return a client of it that answers at once, whose watches implement {@link dev.evenkeel.client.Watch#ready()}
     */
    Client start(Clock clock, RandomGenerator random, Executor executor);
}
