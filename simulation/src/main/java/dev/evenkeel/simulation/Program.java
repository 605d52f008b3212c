package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;

/** The program of a process: it is started again after each crash, and has nothing left from before. */
@FunctionalInterface
public interface Program {
    /**
     * Starts the program, in the first task of the process; it continues in tasks of its own.
     *
     * @param client its connection to the server, with the faults of connections
     * @param scheduler its threads, time and randomness
     * @return stops it cleanly; it may wait
     * @throws Exception if it does not start; the process then dies, and is started again
     */
    AutoCloseable start(Client client, Scheduler scheduler) throws Exception;
}
