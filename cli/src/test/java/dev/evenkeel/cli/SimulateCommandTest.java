package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.Simulation;
import dev.evenkeel.simulation.SimulationScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command that plays the examples; here a few seeds of them. */
@Timeout(300)
class SimulateCommandTest {
    private final Commands commands = new Commands();

    @Test
    void theExamplesConvergeDespiteFaults() {
        assertThat(commands.run("simulate", "--seeds", "4", "--examples", "../examples"))
                .as(commands.out() + "\n" + commands.err())
                .isZero();

        assertThat(commands.out())
                .containsPattern("website: 4 seeds, 0 failed, .* seeds/s")
                .containsPattern("database: 4 seeds, 0 failed, .* seeds/s")
                .containsPattern("stream: 4 seeds, 0 failed, .* seeds/s");
    }

    @Test
    void theSameSeedPrintsTheSameTrace() {
        String[] arguments = {
            "simulate", "--seeds", "1", "--first-seed", "17", "website", "--examples", "../examples", "--trace"
        };
        int _ = commands.run(arguments);
        List<String> first = trace();
        commands.clear();
        int _ = commands.run(arguments);

        assertThat(first).hasSizeGreaterThan(50);
        assertThat(trace()).isEqualTo(first);
    }

    private List<String> trace() {
        return commands.out().lines().filter(line -> !line.contains("seeds/s")).toList();
    }

    @Test
    void exampleIsNamedAsInTheCommandThatRunsIt() {
        for (String[] form : new String[][] {{"database"}, {"--example", "database"}}) {
            commands.clear();
            List<String> arguments = new ArrayList<>(List.of("simulate", "--seeds", "1", "--examples", "../examples"));
            arguments.addAll(List.of(form));
            assertThat(commands.run(arguments.toArray(String[]::new)))
                    .as(commands.err())
                    .isZero();
            assertThat(commands.out()).contains("database: 1 seeds").doesNotContain("website", "stream");
        }
    }

    /** Never converges. */
    private record Hopeless() implements SimulationScenario {
        @Override
        public String name() {
            return "hopeless";
        }

        @Override
        public Simulation.ServerFactory server() {
            return (clock, random, executor) -> Engine.builder()
                    .clock(clock)
                    .random(random)
                    .executor(executor)
                    .build()
                    .client();
        }

        @Override
        public BooleanSupplier prepare(Simulation simulation) {
            return () -> false;
        }
    }

    @Test
    void aFailingSeedIsPrintedWithTheCommandThatRepeatsIt() throws InterruptedException {
        SimulateCommand simulate = new SimulateCommand();
        CommandLine command = commands.collecting(new CommandLine(simulate));
        CommandLine.ParseResult _ = command.parseArgs("--seeds", "2", "--first-seed", "41");

        assertThat(simulate.play(List.of(new Hopeless()))).isFalse();

        assertThat(commands.out())
                .contains("NOT converged")
                .contains("replay it with: evenkeel simulate hopeless --first-seed 41 --seeds 1 --trace")
                .contains("hopeless: 2 seeds, 2 failed");
    }

    @Test
    void invalidNumbersAreRefused() {
        assertThat(commands.run("simulate", "--seeds", "0")).isEqualTo(2);
        assertThat(commands.err()).contains("--seeds must be at least 1");
    }
}
