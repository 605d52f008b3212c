package dev.evenkeel.cli;

import dev.evenkeel.benchmarks.Bench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel bench}. */
@Command(
        name = "bench",
        description = {
            "Measures Evenkeel and its peers in the same run.",
            "A ratio above 1 means that Evenkeel is better, whatever the unit."
        })
final class BenchCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "SUITE",
            completionCandidates = Suites.class,
            description = "what to measure: ${COMPLETION-CANDIDATES} (default: all)")
    private List<String> suites = new ArrayList<>();

    @Option(names = "--quick", description = "less exact: some minutes for a suite")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "file for the results")
    private @Nullable Path json;

    @Override
    public Integer call() {
        // what counts are figures: peers log by the page how busy their threads are
        Logs.off();
        Bench.run(suites, quick, Optional.ofNullable(json), System.out);
        return 0;
    }

    /** The suites there are. */
    static final class Suites implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Bench.suites().iterator();
        }
    }
}
