package dev.evenkeel.simulation;

import dev.evenkeel.simulation.fault.FaultRates;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A scenario to be played with many seeds: a server, processes, changes by users, and the expected outcome. */
public interface SimulationScenario {
    /** Returns the name in reports and for the command that plays it. */
    String name();

    /** Returns the server. */
    Simulation.ServerFactory server();

    /**
     * Creates objects, starts processes, schedules actions of users, and adds invariants.
     *
     * @return true if everything has converged; evaluated when something has changed
     */
    BooleanSupplier prepare(Simulation simulation);

    /** Returns how long faults occur. */
    default Duration faultPhase() {
        return Duration.ofSeconds(60);
    }

    /** Returns how long it may take until everything has converged after that. */
    default Duration patience() {
        return Duration.ofHours(1);
    }

    /** Returns how long it must remain unchanged then. */
    default Duration quietPhase() {
        return Duration.ofSeconds(30);
    }

    /** Plays the scenario. */
    default Simulation.Result play(long seed, FaultRates faults) {
        return Simulation.play(this, seed, faults);
    }
}
