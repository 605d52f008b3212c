package dev.evenkeel.controller.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whole runs, of a loop written by hand. */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("simulation.seeds", 200);

    private final Scenario copying = new CopyScenario();

    @Test
    void theSameSeedGivesTheSameTrace() {
        Set<Long> hashes = new HashSet<>();
        for (long seed = 1; seed <= 40; seed++) {
            Outcome first = copying.play(seed, Faults.ALL);
            Outcome second = copying.play(seed, Faults.ALL);

            assertThat(second).as("seed %d", seed).isEqualTo(first);
            hashes.add(first.hash());
        }
        assertThat(hashes).hasSize(40);
    }

    @Test
    void copiesConvergeWhateverGoesWrong() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome = copying.play(seed, Faults.ALL);

            assertThat(outcome.passed()).as("%s", outcome).isTrue();
        }
    }

    @Test
    void withoutFaultsItIsFast() {
        Outcome outcome = copying.play(1, Faults.NONE);

        assertThat(outcome.passed()).as("%s", outcome).isTrue();
    }
}
