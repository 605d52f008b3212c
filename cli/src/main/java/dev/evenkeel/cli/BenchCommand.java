package dev.evenkeel.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel bench}: starts the benchmarks with the class path of their module, which includes the peers. */
@Command(
        name = "bench",
        description = {
            "Measures Evenkeel and its peers in the same run.",
            "A ratio above 1 means that Evenkeel is better, whatever the unit; it is undecided if runs disagree."
        })
final class BenchCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "SUITE",
            description =
                    "suites to run: server, grpc, engine, store, controller, reconcile, graph, agent, load, junit, scale, testing"
                            + " (default: all)")
    private List<String> suites = new ArrayList<>();

    @Option(names = "--quick", description = "less precise: some minutes per suite")
    private boolean quick;

    @Option(names = "--runs", paramLabel = "N", description = "run each suite this often (default: 5, quick: 3)")
    private @Nullable Integer runs;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results to this file")
    private @Nullable Path json;

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description = "show which workloads became better or worse since these results, and how surely")
    private @Nullable Path compare;

    private final Path benchmarks;

    BenchCommand() {
        this(Path.of(System.getProperty(
                "evenkeel.benchmarks", System.getProperty("evenkeel.home", ".") + "/benchmarks/target")));
    }

    /** Creates the command for benchmarks that were built in a directory. */
    BenchCommand(Path benchmarks) {
        this.benchmarks = benchmarks;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // peers log pages about busy threads, which would hide the figures: there is no logger
        command.add("-Dslf4j.internal.verbosity=ERROR");
        command.addAll(List.of("-cp", classPath(), "dev.evenkeel.benchmarks.Bench"));
        command.addAll(suites);
        if (quick) {
            command.add("--quick");
        }
        if (runs != null) {
            command.addAll(List.of("--runs", runs.toString()));
        }
        if (json != null) {
            command.addAll(List.of("--json", json.toString()));
        }
        if (compare != null) {
            command.addAll(List.of("--compare", compare.toString()));
        }
        Process process = new ProcessBuilder(command).inheritIO().start();
        Thread end = new Thread(process::destroy, "end of benchmarks");
        Runtime.getRuntime().addShutdownHook(end);
        return process.waitFor();
    }

    private String classPath() throws IOException {
        try (Stream<Path> files = Files.list(benchmarks)) {
            String peers = Files.readString(benchmarks.resolve("dependencies.classpath"))
                    .strip();
            Stream<String> own =
                    files.map(Path::toString).filter(file -> file.matches(".*/evenkeel-benchmarks-[^/]*[.]jar"));
            return Stream.concat(own, Stream.of(peers)).collect(Collectors.joining(":"));
        } catch (NoSuchFileException e) {
            throw new Failure("the benchmarks are not built: run mvn -DskipTests package in the checkout of Evenkeel,"
                    + " or ./evenkeel bench there");
        }
    }
}
