package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import java.time.Duration;

/** A read-only view of a simulation. */
public interface SimulationView {
    /** Returns the virtual time since the start. */
    Duration now();

    /** Returns the server, without faults and without delay. */
    Client server();

    /** Returns a number that grows whenever something may have changed on the server. */
    long changes();

    /** Returns whether there are no faults any more. */
    boolean quiet();
}
