package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.Simulation;
import dev.evenkeel.simulation.SimulationScenario;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The command that plays the examples; here a few seeds of them. */
@Timeout(300)
class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Evenkeel.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void theExamplesConvergeDespiteFaults() {
        assertThat(run("simulate", "--seeds", "4", "--examples", "../examples"))
                .as(out + "\n" + err)
                .isZero();

        assertThat(out.toString())
                .containsPattern("website: 4 seeds, 0 failed, .* seeds/s")
                .containsPattern("database: 4 seeds, 0 failed, .* seeds/s")
                .containsPattern("stream: 4 seeds, 0 failed, .* seeds/s");
    }

    @Test
    void theSameSeedPrintsTheSameTrace() {
        String[] arguments = {
            "simulate", "--seeds", "1", "--first-seed", "17", "website", "--examples", "../examples", "--trace"
        };
        int _ = run(arguments);
        List<String> first = trace();
        out.getBuffer().setLength(0);
        int _ = run(arguments);

        assertThat(first).hasSizeGreaterThan(50);
        assertThat(trace()).isEqualTo(first);
    }

    private List<String> trace() {
        return out.toString().lines().filter(line -> !line.contains("seeds/s")).toList();
    }

    @Test
    void exampleIsNamedAsInTheCommandThatRunsIt() {
        for (String[] form : new String[][] {{"database"}, {"--example", "database"}}) {
            out.getBuffer().setLength(0);
            List<String> arguments = new ArrayList<>(List.of("simulate", "--seeds", "1", "--examples", "../examples"));
            arguments.addAll(List.of(form));
            assertThat(run(arguments.toArray(String[]::new))).as(err.toString()).isZero();
            assertThat(out.toString()).contains("database: 1 seeds").doesNotContain("website", "stream");
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
        CommandLine command = new CommandLine(simulate);
        command.setOut(new PrintWriter(out, true));
        CommandLine.ParseResult _ = command.parseArgs("--seeds", "2", "--first-seed", "41");

        assertThat(simulate.play(List.of(new Hopeless()))).isFalse();

        assertThat(out.toString())
                .contains("NOT converged")
                .contains("replay it with: evenkeel simulate hopeless --first-seed 41 --seeds 1 --trace")
                .contains("hopeless: 2 seeds, 2 failed");
    }

    @Test
    void invalidNumbersAreRefused() {
        assertThat(run("simulate", "--seeds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--seeds must be at least 1");
    }
}
