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
import dev.evenkeel.load.internal.verdict.Idle;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
        Optional<Path> recording,
        Consumer<? super Progress> progress,
        Duration interval) {

    private static final int LANES = 16;

    /** Repetitions in which the controller gets ready: its code is compiled, its caches are filled. */
    private static final int WARM_UP = 3;

    private static final int REPETITIONS = 5;

    private static final Set<String> CLASS_PATHS = Set.of("-cp", "-classpath", "--class-path");

    /** Runs the plan. */
    public LoadResult run() throws InterruptedException {
        if (!command.isEmpty() && pid.isPresent()) {
            throw new LoadException("a run has either a command or a pid");
        }
        if (!plan.sizes().isEmpty() && (fresh.isEmpty() || command.isEmpty())) {
            throw new LoadException(
                    "sizes need an empty cluster for each, and a controller that the harness starts: remove"
                            + " sizes from the plan");
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
                ProcessSubject subject = subject(proxy, directory, recording, new Pace(scheduler));
                Run run = new Run(plan, client, subject, kubelets, new Pace(scheduler), LANES, progress)) {
            run.prepare();
            run.markersAlone();
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
            boolean rests = Idle.rests(resting.numbers(), Judgement.idle(plan.limits()));
            // the work that is left would be taken for that of a restart, or of the load
            boolean converged = run.phases().getLast().converged().isPresent();
            Optional<Counted> restart = converged && rests && subject.isStarted() && makesRequests
                    ? Optional.of(run.restart())
                    : Optional.empty();
            if (!run.occupancy().isEmpty()) {
                series.add(new Series("occupancy", "bytes", run.occupancy()));
            }
            subject.stop();
            Optional<List<String>> differences =
                    converged && fresh.isPresent() && subject.isStarted() && !kinds.isEmpty()
                            ? Optional.of(EndStates.differences(end, withoutLoad(run.state(), kinds, directory)))
                            : Optional.empty();
            List<SizeResult> sizes = new ArrayList<>();
            for (int factor : plan.sizes()) {
                sizes.add(size(factor, directory));
            }
            List<Verdict> verdicts =
                    new Judgement(plan, run, subject).verdicts(rest, resting, series, restart, differences, sizes);
            return new LoadResult(
                    plan.name(),
                    plan.seed(),
                    started,
                    environment(run.state(), subject, converged, rests),
                    run.phases(),
                    series,
                    sizes,
                    run.classes(),
                    verdicts);
        }
    }

    /** Measures the controller in a world of another size. */
    private SizeResult size(int factor, Path directory) throws InterruptedException, IOException {
        return elsewhere(plan.times(factor), " x" + factor, directory, (client, subject, run) -> {
            run.prepare();
            int objects = run.state().objects().size();
            SortedMap<String, List<Duration>> costs = new TreeMap<>();
            for (Phase phase : plan.phases()) {
                for (int i = 0; phase.cost() && i < WARM_UP + REPETITIONS; i++) {
                    run.run(phase);
                    Optional<Duration> cost = run.cost();
                    if (i >= WARM_UP && cost.isPresent()) {
                        costs.computeIfAbsent(phase.name(), name -> new ArrayList<>())
                                .add(cost.get());
                    }
                }
            }
            // memory that is still filled says nothing about a size
            boolean converged = run.phases().getLast().converged().isPresent();
            Optional<Subject.Retained> retained = converged ? subject.retained() : Optional.empty();
            return new SizeResult(
                    objects,
                    retained.isPresent() ? OptionalLong.of(retained.get().bytes()) : OptionalLong.empty(),
                    costs);
        });
    }

    /** Returns the end state of a controller that finds the objects of the end at its start. */
    private SortedMap<String, Object> withoutLoad(WorldState state, Set<Kind<Encoded>> kinds, Path directory)
            throws InterruptedException, IOException {
        return elsewhere(plan, " without load", directory, (client, subject, run) -> {
            run.prepare(state.objects().stream()
                    .<Operation>map(Operation.Create::new)
                    .iterator());
            return EndStates.read(client, kinds);
        });
    }

    /** A use of a controller in a cluster of its own. */
    @FunctionalInterface
    private interface Experiment<T> {
        T make(KubernetesClient client, ProcessSubject subject, Run run) throws InterruptedException;
    }

    /** Makes an experiment in an empty cluster, with another process of the controller. */
    private <T> T elsewhere(LoadPlan plan, String title, Path directory, Experiment<T> experiment)
            throws InterruptedException, IOException {
        Connection other = fresh.orElseThrow().get();
        try (SystemScheduler scheduler = new SystemScheduler();
                KubernetesClient client = KubernetesClient.connect(other);
                ApiProxy proxy = ApiProxy.start(other);
                ProcessSubject subject = subject(proxy, directory, Optional.empty(), new Pace(scheduler));
                Run run = new Run(
                        plan,
                        client,
                        subject,
                        kubelets,
                        new Pace(scheduler),
                        LANES,
                        step -> progress.accept(step.step(step.step() + title)))) {
            return experiment.make(client, subject, run);
        }
    }

    private ProcessSubject subject(ApiProxy proxy, Path directory, Optional<Path> recording, Pace pace)
            throws IOException {
        Optional<MetricsMeter> meter =
                metrics.map(url -> MetricsMeter.of(url, metricNames).build());
        if (command.isEmpty()) {
            return new ProcessSubject(Optional.empty(), pid, Optional.empty(), meter, recording, interval, pace);
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
                recording,
                interval,
                pace);
    }

    private SortedMap<String, String> environment(WorldState state, Subject subject, boolean converged, boolean rests) {
        List<String> missing = new ArrayList<>(subject.problems());
        if (!converged) {
            missing.add("restart and end-state, as the controller had not converged at the end");
        } else if (!rests) {
            missing.add("restart, as the controller writes at rest");
        }
        SortedMap<String, String> environment = new TreeMap<>();
        environment.put("controller", command.isEmpty() ? "process " + pid.orElse(0) : controller(command));
        environment.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        environment.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        environment.put("objects", Integer.toString(state.objects().size()));
        if (!missing.isEmpty()) {
            environment.put("not measured", String.join("; ", missing));
        }
        return environment;
    }

    /** Returns the words of a command, without the long ones of class paths. */
    private static String controller(List<String> command) {
        return IntStream.range(0, command.size())
                .mapToObj(i -> i > 0 && CLASS_PATHS.contains(command.get(i - 1)) ? "..." : command.get(i))
                .collect(Collectors.joining(" "));
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
