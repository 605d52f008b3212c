package dev.evenkeel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.simulation.fault.FaultRates;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whole runs, of a loop written by hand. */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 200);

    private final SimulationScenario copying = new CopyScenario();

    @Test
    void theSameSeedGivesTheSameTrace() {
        Set<Long> hashes = new HashSet<>();
        for (long seed = 1; seed <= 40; seed++) {
            Simulation.Result first = copying.play(seed, FaultRates.ALL);
            Simulation.Result second = copying.play(seed, FaultRates.ALL);

            assertThat(second).as("seed %d", seed).isEqualTo(first);
            hashes.add(first.hash());
        }
        assertThat(hashes).hasSize(40);
    }

    @Test
    void copiesConvergeDespiteFaults() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Simulation.Result outcome = copying.play(seed, FaultRates.ALL);

            assertThat(outcome.passed()).as("%s", outcome).isTrue();
        }
    }

    @Test
    void withoutFaultsItIsFast() {
        Simulation.Result outcome = copying.play(1, FaultRates.NONE);

        assertThat(outcome.passed()).as("%s", outcome).isTrue();
    }
}
