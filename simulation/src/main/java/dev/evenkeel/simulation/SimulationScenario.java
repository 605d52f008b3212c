package dev.evenkeel.simulation;

import dev.evenkeel.simulation.fault.FaultRates;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A server, processes, users who change something, and the expected outcome: to be played with many seeds. */
public interface SimulationScenario {
    /** Returns the name in reports and for the command that plays it. */
    String name();

    /** Returns the server. */
    Simulation.ServerFactory server();

    /**
     * Creates objects, starts processes, schedules what users do, and adds invariants.
     *
     * @return whether everything has converged; evaluated when something has changed
     */
    BooleanSupplier prepare(Simulation simulation);

    /** Returns how long faults occur. */
    default Duration faultPhase() {
        return Duration.ofSeconds(60);
    }

    /** Returns how long it may take then until everything has converged. */
    default Duration patience() {
        return Duration.ofHours(1);
    }

    /** Returns how long it must stay so. */
    default Duration quietPhase() {
        return Duration.ofSeconds(30);
    }

    /** Plays the scenario. */
    default Simulation.Result play(long seed, FaultRates faults) {
        return Simulation.play(this, seed, faults);
    }
}
