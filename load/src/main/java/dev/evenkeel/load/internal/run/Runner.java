package dev.evenkeel.load.internal.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.load.LoadException;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.Progress;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.load.internal.drive.ControllerProcess;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.internal.measure.MetricsMeter;
import dev.evenkeel.load.internal.proxy.ApiProxy;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs a plan with a controller that is a process. */
public record Runner(
        LoadPlan plan,
        Connection connection,
        List<String> command,
        OptionalLong pid,
        boolean kubelets,
        Optional<URI> metrics,
        List<String> metricNames,
        Optional<Supplier<Connection>> fresh,
        Consumer<? super Progress> progress,
        Duration interval) {

    private static final int LANES = 16;
    private static final Duration MARKERS_ALONE = Duration.ofSeconds(5);

    /** Runs the plan. */
    public LoadResult run() throws InterruptedException {
        if (!command.isEmpty() && pid.isPresent()) {
            throw new LoadException("a run has either a command or a pid");
        }
        Instant started = Clock.systemUTC().instant();
        Path directory = directory();
        try (KubernetesClient client =
                KubernetesClient.builder(connection).userAgent("evenkeel-load").build()) {
            return run(started, client, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(directory);
        }
    }

    private LoadResult run(Instant started, KubernetesClient client, Path directory)
            throws InterruptedException, IOException {
        try (SystemScheduler scheduler = new SystemScheduler();
                ApiProxy proxy = ApiProxy.start(connection);
                ProcessSubject subject = subject(proxy, directory, new Pace(scheduler));
                Run run = new Run(plan, client, subject, kubelets, new Pace(scheduler), LANES, progress)) {
            run.prepare();
            run.markersAlone(MARKERS_ALONE);
            for (Phase phase : plan.phases()) {
                run.run(phase);
                if (!subject.isAlive()) {
                    throw new LoadException("the controller ended in phase " + phase.name() + subject.explanation());
                }
            }
            long restBegin = scheduler.nanoTime();
            Counted resting = run.atRest(plan.limits().resting());
            Duration rest = Duration.ofNanos(scheduler.nanoTime() - restBegin);
            List<Series> series = new ArrayList<>(subject.series());
            Set<Kind<Encoded>> kinds = EndStates.kinds(plan);
            SortedMap<String, Object> end = EndStates.read(client, kinds);
            boolean makesRequests = !subject.counted().requests().isEmpty();
            Optional<Counted> restart =
                    subject.isStarted() && makesRequests ? Optional.of(run.restart()) : Optional.empty();
            if (!run.occupancy().isEmpty()) {
                series.add(new Series("occupancy", "bytes", run.occupancy()));
            }
            subject.stop();
            Optional<List<String>> differences = fresh.isPresent() && subject.isStarted() && !kinds.isEmpty()
                    ? Optional.of(EndStates.differences(end, withoutLoad(run.state(), kinds, directory)))
                    : Optional.empty();
            List<Verdict> verdicts =
                    new Judgement(plan, run, subject).verdicts(rest, resting, series, restart, differences);
            return new LoadResult(
                    plan.name(),
                    plan.seed(),
                    started,
                    environment(run.state(), subject),
                    run.phases(),
                    series,
                    verdicts);
        }
    }

    /** Returns the end state of a controller that finds the objects of the end at its start. */
    private SortedMap<String, Object> withoutLoad(WorldState state, Set<Kind<Encoded>> kinds, Path directory)
            throws InterruptedException, IOException {
        Connection other = fresh.orElseThrow().get();
        try (SystemScheduler scheduler = new SystemScheduler();
                KubernetesClient client = KubernetesClient.connect(other);
                ApiProxy proxy = ApiProxy.start(other);
                ProcessSubject subject = subject(proxy, directory, new Pace(scheduler));
                Run run = new Run(plan, client, subject, kubelets, new Pace(scheduler), LANES, step -> {})) {
            run.prepare(state.objects().stream()
                    .<Operation>map(Operation.Create::new)
                    .iterator());
            return EndStates.read(client, kinds);
        }
    }

    private ProcessSubject subject(ApiProxy proxy, Path directory, Pace pace) throws IOException {
        Optional<MetricsMeter> meter =
                metrics.map(url -> MetricsMeter.of(url, metricNames).build());
        if (command.isEmpty()) {
            return new ProcessSubject(Optional.empty(), pid, Optional.empty(), meter, interval, pace);
        }
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.deleteIfExists(kubeconfig);
        Files.createFile(
                kubeconfig, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(kubeconfig, proxy.kubeconfig(), UTF_8);
        return new ProcessSubject(
                Optional.of(output -> new ControllerProcess(command, kubeconfig, output)),
                pid,
                Optional.of(proxy),
                meter,
                interval,
                pace);
    }

    private SortedMap<String, String> environment(WorldState state, Subject subject) {
        SortedMap<String, String> environment = new TreeMap<>();
        environment.put("controller", command.isEmpty() ? "process " + pid.orElse(0) : String.join(" ", command));
        environment.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        environment.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        environment.put("objects", Integer.toString(state.objects().size()));
        if (!subject.problems().isEmpty()) {
            environment.put("not measured", String.join("; ", subject.problems()));
        }
        return environment;
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("evenkeel-load");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve("kubeconfig"));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
