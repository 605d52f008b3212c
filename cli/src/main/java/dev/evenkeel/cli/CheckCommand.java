package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.check.CheckReport;
import dev.evenkeel.check.ControllerCheck;
import dev.evenkeel.check.ControllerCheck.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel check}. */
@Command(
        name = "check",
        description = {
            "Checks that a controller reaches the same state whatever faults it meets.",
            "",
            "The controller is a process in any language. It finds the API by the environment variable KUBECONFIG, or by"
                    + " {kubeconfig} in its command. Each run has an API server of its own, which begins with the given"
                    + " objects. Then the user makes the steps of the specification; without any, the given custom objects"
                    + " are deleted, of several of a kind first one alone.",
            ""
        },
        exitCodeList = {
            "0:nothing was found",
            "1:something was found",
            "2:invalid command line, or a controller that does not work without faults"
        })
final class CheckCommand extends BaseCommand {
    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            required = true,
            description = "command of the controller, for sh -c")
    private String command = "";

    @Option(
            names = "--given",
            paramLabel = "DIR",
            required = true,
            description = "directory or file with the objects that exist when the controller starts; several times for"
                    + " several")
    private List<Path> given = new ArrayList<>();

    @Option(
            names = "--crds",
            paramLabel = "DIR",
            description = "directory or file with CustomResourceDefinitions; several times for several")
    private List<Path> definitions = new ArrayList<>();

    @Option(
            names = "--spec",
            paramLabel = "FILE",
            description = "steps of the user, fields that may differ, and rules that always hold, see docs/check.md")
    private @Nullable Path specification;

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "100",
            description = "number of schedules to try (default: ${DEFAULT-VALUE})")
    private int schedules = 100;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "seed of the random ones (default: 1)")
    private long seed = 1;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = Durations.class,
            description = "time after which no further schedule is tried (default: ${DEFAULT-VALUE})")
    private Duration time = Duration.ofMinutes(10);

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "1",
            description = "number of runs at the same time (default: ${DEFAULT-VALUE})")
    private int parallel = 1;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "1",
            description = "number of processes in a run, which elect a leader (default: ${DEFAULT-VALUE})")
    private int replicas = 1;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Durations.class,
            description =
                    "silence after which a state that differs is final; longer than the controller waits before it"
                            + " tries again (default: ${DEFAULT-VALUE})")
    private Duration patience = Duration.ofSeconds(10);

    @Option(
            names = "--rest",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = Durations.class,
            description = "longest time to settle (default: ${DEFAULT-VALUE})")
    private Duration rest = Duration.ofMinutes(1);

    @Option(
            names = "--replay",
            paramLabel = "SCHEDULE",
            defaultValue = "",
            description = "repeat the run of a schedule")
    private String replay = "";

    @Option(names = "--fail-fast", description = "end with the first finding")
    private boolean failFast;

    @Option(names = "--report", paramLabel = "FILE", description = "write the time lines as one HTML file")
    private @Nullable Path report;

    @Option(names = "--quiet", description = "print no line for each run")
    private boolean quiet;

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(!command.isBlank(), "--exec must not be empty");
        require(schedules > 0, "--schedules must be positive: " + schedules);
        require(parallel > 0, "--parallel must be positive: " + parallel);
        require(replicas > 0, "--replicas must be positive: " + replicas);
        Terminal terminal = Terminal.of(line().getOut());
        Logs.off();
        ControllerCheck check = ControllerCheck.of(ShellCommand.of(command))
                .definitions(definitions)
                .given(given)
                .schedules(schedules)
                .seed(seed)
                .time(time)
                .parallel(parallel)
                .replicas(replicas)
                .failFast(failFast)
                .patience(patience)
                .restLimit(rest);
        if (!quiet) {
            check.progress(terminal::line);
        }
        CheckReport result;
        CountDownLatch ended = new CountDownLatch(1);
        interruptOnSignal(Thread.currentThread(), ended);
        try {
            if (specification != null) {
                check.specification(Files.readString(specification, UTF_8));
            }
            result = replay.isEmpty() ? check.run() : check.replay(replay);
        } catch (SetupException | IllegalArgumentException | IOException e) {
            line().getErr().println("evenkeel: " + Failure.reason(e));
            line().getErr().flush();
            return 2;
        } finally {
            ended.countDown();
        }
        if (report != null) {
            Files.writeString(report, result.html(), UTF_8);
        }
        print(result, terminal);
        return result.findings().isEmpty() ? 0 : 1;
    }

    /** Ends the processes of the controller when this one is ended by a signal. */
    private static void interruptOnSignal(Thread checking, CountDownLatch ended) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("evenkeel stop").unstarted(() -> {
                    if (ended.getCount() > 0) {
                        checking.interrupt();
                        try {
                            boolean _ = ended.await(10, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }));
    }

    private void print(CheckReport result, Terminal terminal) {
        terminal.line("");
        for (String warning : result.warnings()) {
            terminal.line(terminal.style(Terminal.Style.CHANGED, "note: ") + warning);
        }
        for (CheckReport.Finding finding : result.findings()) {
            terminal.line(terminal.style(Terminal.Style.BAD, "FOUND: ") + finding.title());
            finding.lines().forEach(one -> terminal.line("    " + one));
            terminal.line("  when");
            finding.faults().forEach(fault -> terminal.line("    " + fault));
            terminal.line("  seen in " + finding.repeated()
                    + (finding.others() == 0 ? "" : ", and by " + finding.others() + " other schedules")
                    + "; repeat it with --replay '" + finding.schedule() + "'");
            terminal.line("");
        }
        double minutes = Math.max(1, result.elapsed().toMillis()) / 60_000.0;
        terminal.line(String.format(
                "%s: %d runs with faults at %d places, %.1f runs a minute, --seed %d",
                result.findings().isEmpty()
                        ? terminal.style(Terminal.Style.GOOD, "nothing found")
                        : terminal.style(Terminal.Style.BAD, result.findings().size() + " found"),
                result.runs(),
                result.places(),
                result.runs() / minutes,
                seed));
    }
}
