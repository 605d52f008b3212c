package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import java.time.Duration;

/** A simulation, to look at. */
public interface SimulationView {
    /** Virtual time since the start. */
    Duration now();

    /** The server, without faults and without delay. */
    Client server();

    /** Grows whenever something may have changed on the server. */
    long changes();

    /** Whether nothing goes wrong any more. */
    boolean calm();
}
