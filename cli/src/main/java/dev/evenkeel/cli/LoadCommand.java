package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.LoadReports;
import dev.evenkeel.load.LoadRun;
import dev.evenkeel.load.Progress;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.policy.PolicyAgent;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel load}. */
@Command(
        name = "load",
        description = {
            "Puts a load on a controller, measures its process and its requests, and judges it.",
            "",
            "The controller is started with --exec, behind a proxy that counts its requests, or runs already (--pid)."
                    + " It finds the API by the environment variable KUBECONFIG, or by {kubeconfig} in its command. Without"
                    + " both, it is the calculation of network policy of Evenkeel.",
            "The exit code is 0 if no verdict is a failure.",
            ""
        },
        subcommands = LoadCompareCommand.class)
final class LoadCommand extends BaseCommand {
    private static final int WIDTH = 30;

    /** The seconds in which an interrupted run must have stopped its controller. */
    private static final int STOP = 20;

    /** The room of the time that is left. */
    private static final int LEFT = 20;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PLAN",
            description = "file with the plan in YAML, see docs/load.md (default: the world and the patterns of k8sfv)")
    private @Nullable Path plan;

    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            defaultValue = "",
            description = "command of the controller, for sh -c")
    private String command = "";

    @Option(names = "--pid", paramLabel = "N", description = "process of a controller that runs already")
    private @Nullable Long pid;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "kubeconfig of the cluster (default: a server in this process, in memory)")
    private @Nullable Path kubeconfig;

    @Option(names = "--quick", description = "fewer cycles of the built-in plan: about one and a half minutes")
    private boolean quick;

    @Option(
            names = "--world",
            paramLabel = "WORLD",
            description = "world instead of that of the plan: k8sfv, YAML in braces, or a file with it")
    private @Nullable String world;

    @Option(
            names = "--phase",
            paramLabel = "PHASE",
            description = "phase instead of those of the plan: YAML in braces, such as {pattern: pod-ring, pods: 100,"
                    + " cycles: 5}, a file with it, or a pattern; several times for several")
    private List<String> phases = new ArrayList<>();

    @Option(names = "--seed", paramLabel = "N", description = "seed of the operations (default: that of the plan)")
    private @Nullable Long seed;

    @Option(names = "--report", paramLabel = "FILE", description = "write the report as one HTML file")
    private @Nullable Path report;

    @Option(names = "--json", paramLabel = "FILE", description = "write the result as JSON, for load compare")
    private @Nullable Path json;

    @Option(names = "--prometheus", paramLabel = "FILE", description = "write the result as Prometheus text")
    private @Nullable Path prometheus;

    @Option(names = "--jfr", paramLabel = "FILE", description = "record the controller by Java Flight Recorder")
    private @Nullable Path recording;

    @Option(names = "--metrics", paramLabel = "URL", description = "metrics of the controller, as Prometheus text")
    private @Nullable URI metrics;

    @Option(
            names = "--metric",
            paramLabel = "NAME",
            description = "a metric to read there, such as workqueue_depth{name=\"pods\"}; several times for several")
    private List<String> metricNames = new ArrayList<>();

    @Option(names = "--no-kubelets", description = "leave pods as they are: a scheduler and kubelets are there already")
    private boolean noKubelets;

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(command.isEmpty() || pid == null, "--exec and --pid exclude each other");
        require(pid == null || kubeconfig != null, "--pid needs --kubeconfig: the cluster that the process uses");
        require((metrics == null) == metricNames.isEmpty(), "--metrics and --metric need each other");
        require(!quick || plan == null, "--quick is for the built-in plan");
        require(
                pid == null
                        || ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent(),
                "--pid: process " + pid + " does not run");
        for (Path file : Stream.of(report, json, prometheus, recording)
                .filter(Objects::nonNull)
                .toList()) {
            // not after minutes of load
            Path directory = file.toAbsolutePath().getParent();
            require(
                    directory != null && Files.isDirectory(directory) && !Files.isDirectory(file),
                    file + " can't be written: it is a directory, or is in none that exists");
        }
        LoadPlan chosen = read();
        Terminal terminal = Terminal.of(line().getOut());
        Logs.off();
        try (Lifetime lifetime = new Lifetime()) {
            lifetime.endBySignal(1);
            Connection connection = kubeconfig == null ? server(lifetime) : Connection.fromKubeconfig(kubeconfig);
            terminal.line("plan " + chosen.name() + ", --seed " + chosen.seed());
            Steps steps = new Steps(terminal);
            LoadRun run = LoadRun.of(chosen, connection).kubelets(!noKubelets).progress(steps::show);
            if (kubeconfig == null) {
                run.fresh(() -> server(lifetime));
            }
            if (pid != null) {
                run.pid(pid);
            } else {
                run.command(command.isEmpty() ? agent() : ShellCommand.of(command));
            }
            if (recording != null) {
                run.recording(recording);
            }
            if (metrics != null) {
                run.metrics(metrics, metricNames);
            }
            LoadResult result = run(run, lifetime);
            steps.end();
            write(result);
            print(result, terminal);
            return result.passed() ? 0 : 1;
        }
    }

    /** Runs the plan; a signal interrupts it, so that the controller does not outlive the command. */
    private static LoadResult run(LoadRun run, Lifetime lifetime) throws InterruptedException {
        Thread runner = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        lifetime.keep(() -> {
            if (ended.getCount() > 0) {
                runner.interrupt();
                boolean _ = ended.await(STOP, TimeUnit.SECONDS);
            }
        });
        try {
            return run.run();
        } finally {
            ended.countDown();
        }
    }

    private LoadPlan read() throws IOException {
        String text = plan == null ? (quick ? LoadPlan.k8sfvQuick() : LoadPlan.k8sfv()) : Files.readString(plan, UTF_8);
        LoadPlan read;
        try {
            List<String> texts = new ArrayList<>();
            for (String phase : phases) {
                texts.add(textOrFile(phase));
            }
            read = LoadPlan.parse(text, world == null ? Optional.empty() : Optional.of(textOrFile(world)), texts);
        } catch (IllegalArgumentException e) {
            throw new Failure((plan == null ? "the built-in plan" : plan) + ": " + e.getMessage());
        }
        return seed == null ? read : read.seed(seed);
    }

    /** Returns YAML in braces and names as they are, and the text of a file otherwise. */
    private static String textOrFile(String value) throws IOException {
        return value.startsWith("{") || (value.matches("[a-z0-9-]+") && !Files.exists(Path.of(value)))
                ? value
                : Files.readString(Path.of(value), UTF_8);
    }

    private Connection server(Lifetime lifetime) {
        Engine engine = lifetime.keep(Engine.create());
        if (command.isEmpty() || plan == null) {
            definitions(engine.client());
        }
        Server server = lifetime.keep(Server.builder(engine).start());
        try {
            Path file = Files.createTempFile("evenkeel-load", "kubeconfig", OwnerOnly.attributes());
            try {
                Files.writeString(file, server.kubeconfig());
                return Connection.fromKubeconfig(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the definitions of the kinds that the calculation of policy reads. */
    private static void definitions(Client client) {
        try (InputStream text = Objects.requireNonNull(PolicyAgent.class.getResourceAsStream("crds.yaml"))) {
            for (GenericKubernetesResource one : Manifests.parse(new String(text.readAllBytes(), UTF_8))) {
                GenericKubernetesResource _ = client.create(
                        Kind.of(CustomResourceDefinition.class).in(GenericKubernetesResource.class),
                        one,
                        WriteOptions.DEFAULT);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The calculation of network policy of a host, which prints what it would program. */
    private static List<String> agent() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Evenkeel.class.getName(),
                "policy-agent",
                "--node",
                "host-1",
                "--dry-run",
                "--kubeconfig",
                "{kubeconfig}");
    }

    private void write(LoadResult result) throws IOException {
        if (report != null) {
            Files.writeString(report, LoadReports.html(List.of(result)), UTF_8);
        }
        if (json != null) {
            Files.writeString(json, LoadReports.json(result), UTF_8);
        }
        if (prometheus != null) {
            Files.writeString(prometheus, LoadReports.prometheus(result), UTF_8);
        }
    }

    static void print(LoadResult result, Terminal terminal) {
        terminal.line("");
        for (Verdict verdict : result.verdicts()) {
            Terminal.Style style = switch (verdict.outcome()) {
                case PASS -> Terminal.Style.GOOD;
                case FAIL -> Terminal.Style.BAD;
                case OPEN -> Terminal.Style.CHANGED;
            };
            String word = verdict.outcome().name().toLowerCase(java.util.Locale.ROOT);
            terminal.line(terminal.style(style, String.format("%-5s", word))
                    + String.format("%-16s", verdict.name())
                    + verdict.finding());
            if (verdict.outcome() != Verdict.Outcome.PASS && !verdict.firmer().isEmpty()) {
                terminal.line(" ".repeat(21) + terminal.style(Terminal.Style.FAINT, verdict.firmer()));
            }
        }
        if (result.verdicts().stream().anyMatch(LoadCommand::leaks)
                && !result.classes().isEmpty()) {
            terminal.line("classes that grew most:");
            result.classes().stream()
                    .limit(5)
                    .forEach(one -> terminal.line(
                            String.format("  %,12d bytes %,+9d  %s", one.bytes(), one.instances(), one.name())));
        }
        String notMeasured = result.environment().get("not measured");
        if (notMeasured != null) {
            terminal.line(terminal.style(Terminal.Style.CHANGED, "not measured: " + notMeasured));
        }
    }

    private static boolean leaks(Verdict verdict) {
        return verdict.name().equals("leak") && verdict.outcome() == Verdict.Outcome.FAIL;
    }

    /** Shows a line for each step at its end; on a terminal, that of the present one changes. */
    private final class Steps {
        private final Terminal terminal;
        private final boolean changing = Terminal.isInteractive();
        private Optional<Progress> last = Optional.empty();

        Steps(Terminal terminal) {
            this.terminal = terminal;
        }

        void show(Progress progress) {
            if (last.isPresent() && last.get().number() != progress.number()) {
                end();
            }
            last = Optional.of(progress);
            if (changing) {
                line().getOut().print("\r" + text(progress, true) + "  ");
                line().getOut().flush();
            }
        }

        void end() {
            last.ifPresent(
                    one -> terminal.line(changing ? "\r" + text(one, false) + " ".repeat(LEFT) : text(one, false)));
            last = Optional.empty();
        }

        private static String seconds(Duration time) {
            return Durations.text(Duration.ofSeconds(time.toSeconds()));
        }

        private String text(Progress progress, boolean withLeft) {
            int full = progress.number() * WIDTH / progress.steps();
            return String.format(
                            "[%s%s] %-16s %,8d operations %,7.0f/s %7s %,5d pending %,5d MB  %s%s",
                            "#".repeat(full),
                            " ".repeat(WIDTH - full),
                            progress.step(),
                            progress.operations(),
                            progress.perSecond(),
                            progress.latency()
                                    .map(latency -> latency.toMillis() + " ms")
                                    .orElse(""),
                            progress.pending(),
                            progress.resident() >> 20,
                            seconds(progress.elapsed()),
                            progress.left()
                                    .filter(left -> withLeft)
                                    .map(left -> ", " + seconds(left) + " left of it")
                                    .orElse(""))
                    .strip();
        }
    }
}
