package dev.evenkeel.controller.simulation;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Something to be played with many seeds: a server, processes, users who do something, and what must come of it. */
public interface Scenario {
    /** For people, and for the command that plays it. */
    String name();

    /** The server. */
    Server server();

    /**
     * Puts in place what is there, starts processes, arranges what users do, and adds what must hold.
     *
     * @return whether all is as it should be; asked when something has changed
     */
    BooleanSupplier prepare(Simulation simulation);

    /** How long things go wrong. */
    default Duration storm() {
        return Duration.ofSeconds(60);
    }

    /** How long it may take then until all is as it should be. */
    default Duration patience() {
        return Duration.ofHours(1);
    }

    /** How long it must stay so. */
    default Duration calm() {
        return Duration.ofSeconds(30);
    }

    /** Plays it. */
    default Outcome play(long seed, Faults faults) {
        return Simulation.play(this, seed, faults);
    }
}
