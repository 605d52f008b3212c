package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.load.LoadReports;
import dev.evenkeel.load.result.LoadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel load compare}. */
@Command(
        name = "compare",
        description = {
            "Compares results that load --json has written: the differences, and whether they are significant.",
            ""
        })
final class LoadCompareCommand extends BaseCommand {
    @Parameters(
            arity = "2..*",
            paramLabel = "FILE",
            description = "results; the first one is what others are compared with")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--report", paramLabel = "FILE", description = "write the runs side by side as one HTML file")
    private @Nullable Path report;

    @Override
    public Integer call() throws IOException {
        List<LoadResult> results = new ArrayList<>();
        for (Path file : files) {
            try {
                results.add(LoadReports.parse(Files.readString(file, UTF_8)));
            } catch (IllegalArgumentException e) {
                throw new Failure(file + ": " + e.getMessage());
            }
        }
        line().getOut().print(LoadReports.comparison(results));
        line().getOut().flush();
        if (report != null) {
            Files.writeString(report, LoadReports.html(results), UTF_8);
        }
        return 0;
    }
}
