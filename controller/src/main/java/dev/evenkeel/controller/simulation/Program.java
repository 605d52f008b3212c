package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.schedule.Scheduler;

/** What a process runs: it is started anew after each crash, and has nothing left from before. */
@FunctionalInterface
public interface Program {
    /**
     * Starts it, in the first task of the process; it goes on in tasks of its own.
     *
     * @param client its connection to the server, with the faults of connections
     * @param scheduler its threads, time and chance
     * @return what stops it cleanly; it may wait
     * @throws Exception when it does not start, which is a violation
     */
    AutoCloseable start(Client client, Scheduler scheduler) throws Exception;
}
