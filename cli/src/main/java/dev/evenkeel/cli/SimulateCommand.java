package dev.evenkeel.cli;

import dev.evenkeel.cli.ExampleFiles.Example;
import dev.evenkeel.simulation.Simulation;
import dev.evenkeel.simulation.SimulationScenario;
import dev.evenkeel.simulation.fault.FaultRates;
import dev.evenkeel.soak.ExampleScenario;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel simulate}. */
@Command(
        name = "simulate",
        description = {
            "Runs the examples in virtual time with all faults enabled, each seed a different run.",
            "",
            "Watches are delayed and broken, responses lost, writes conflict, processes crash between two writes or are"
                    + " suspended. Each run must converge; no key may run twice at once; no own write may be lost.",
            ""
        })
final class SimulateCommand extends BaseCommand {
    private static final int SHOWN = 5;
    private static final long PROGRESS_NANOS = 5_000_000_000L;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1000",
            description = "number of runs of each example (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(
            names = "--first-seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of the first run; later runs use the following numbers (default: ${DEFAULT-VALUE})")
    private long firstSeed;

    @Option(names = "--example", hidden = true, description = "earlier form of EXAMPLE")
    private @Nullable Example earlierForm;

    @Option(names = "--trace", description = "print every step of each run")
    private boolean trace;

    @CommandLine.Mixin
    private ExampleFiles files = new ExampleFiles();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of concurrent runs, each on one thread (default: the number of processors)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() throws InterruptedException {
        require(seeds >= 1, "--seeds must be at least 1: " + seeds);
        require(threads >= 1, "--threads must be at least 1: " + threads);
        // failures are the output of this command, and each would be logged
        Logs.off();
        Example example = Objects.requireNonNullElse(earlierForm, files.example());
        List<SimulationScenario> scenarios = example.each().stream()
                .map(one -> ExampleScenario.of(one.name(), files.types(one.name())))
                .toList();
        return play(scenarios) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Plays all seeds of all scenarios; returns true if all passed. */
    boolean play(List<SimulationScenario> scenarios) throws InterruptedException {
        PrintWriter out = line().getOut();
        boolean passed = true;
        try (ExecutorService players = Executors.newFixedThreadPool(threads)) {
            for (SimulationScenario scenario : scenarios) {
                passed &= play(scenario, players, out);
            }
        }
        return passed;
    }

    private boolean play(SimulationScenario scenario, ExecutorService players, PrintWriter out)
            throws InterruptedException {
        CompletionService<Simulation.Result> runs = new ExecutorCompletionService<>(players);
        long start = System.nanoTime();
        long told = start;
        long steps = 0;
        int failed = 0;
        for (int begun = 0, ended = 0; ended < seeds; ) {
            // a few ahead, so that threads do not wait
            while (begun < seeds && begun - ended < 2 * threads) {
                long seed = firstSeed + begun++;
                var _ = runs.submit(() -> Simulation.play(scenario, seed, FaultRates.ALL, trace ? 1_000_000 : 60));
            }
            Simulation.Result outcome = outcome(runs.take());
            ended++;
            steps += outcome.steps();
            if (trace) {
                outcome.tail().forEach(out::println);
            }
            if (!outcome.passed() && failed++ < SHOWN) {
                out.println(outcome);
                out.println("replay it with: evenkeel simulate " + scenario.name() + " --first-seed " + outcome.seed()
                        + " --seeds 1 --trace");
            }
            long now = System.nanoTime();
            if (now - told > PROGRESS_NANOS) {
                told = now;
                out.println(summary(scenario, ended, failed, steps, now - start));
            }
            out.flush();
        }
        out.println(summary(scenario, seeds, failed, steps, System.nanoTime() - start));
        out.flush();
        return failed == 0;
    }

    private static Simulation.Result outcome(Future<Simulation.Result> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run ended with " + e.getCause(), e.getCause());
        }
    }

    private static String summary(SimulationScenario scenario, int done, int failed, long steps, long nanos) {
        return String.format(
                Locale.ROOT,
                "%s: %d seeds, %d failed, %.1f seeds/s, %d steps each",
                scenario.name(),
                done,
                failed,
                done * 1e9 / nanos,
                steps / done);
    }
}
