package dev.evenkeel.load.internal.run;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadException;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.Progress;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.Stop;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.load.internal.drive.Driver;
import dev.evenkeel.load.internal.drive.Effects;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.internal.kubelet.Kubelets;
import dev.evenkeel.load.internal.kubelet.Workloads;
import dev.evenkeel.load.internal.measure.ClassHistogram;
import dev.evenkeel.load.result.ClassGrowth;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One run of a plan: the world is created, the controller started, and each phase is followed by a time in which the controller
 * must converge.
 *
 * <p>It has converged when all effects have been visible for half a second, and the kubelets have nothing to do. Without
 * effects in the plan, it has converged when it has written nothing for half a second.
 */
final class Run implements AutoCloseable {
    private static final long QUIET = 500_000_000L;
    private static final Duration MARKERS_ALONE = Duration.ofSeconds(5);
    private static final long RESTARTED = 2_000_000_000L;
    private static final long STEP = 5_000_000L;

    /** The time without writes after which a controller has ended its work, and the longest wait for that. */
    private static final long IDLE = 1_000_000_000L;

    private static final long LATE_WORK = 10_000_000_000L;
    private static final int MOST_CLASSES = 20;
    private static final double LEAST_SHARE = 0.02;

    private final LoadPlan plan;
    private final Subject subject;
    private final Pace pace;
    private final Consumer<? super Progress> listener;
    private final long begin;
    private final WorldState state;
    private final RandomGenerator random;
    private final Effects effects;
    private final Driver driver;
    private final Optional<Kubelets> kubelets;
    private final Optional<Workloads> workloads;
    private final Optional<Markers> markers;
    private final List<PhaseResult> phases = new ArrayList<>();
    private final List<Series.Sample> occupancy = new ArrayList<>();
    private final List<ClassHistogram> histograms = new ArrayList<>();
    private final Map<String, Long> refusals = new TreeMap<>();
    private final Map<String, Effects.Outcome> markersOf = new HashMap<>();
    private final Map<String, String> busy = new HashMap<>();
    private SortedMap<String, Latencies> rest = new TreeMap<>();
    private final int steps;
    private int step;
    private volatile long done;
    private String stepName = "";
    private long stepBegan;

    private Supplier<Optional<Duration>> left = Optional::empty;

    private long reported;
    private long reportedDone;

    Run(
            LoadPlan plan,
            Client client,
            Subject subject,
            boolean withKubelets,
            Pace pace,
            int lanes,
            Consumer<? super Progress> listener) {
        this.plan = plan;
        this.subject = subject;
        this.pace = pace;
        this.listener = listener;
        begin = pace.nanos();
        state = new WorldState(plan.world());
        random = new SplittableRandom(plan.seed());
        effects = new Effects(client, this::effect, pace);
        driver = new Driver(client, subject.disruption(), effects, pace, lanes);
        kubelets = withKubelets
                ? Optional.of(Kubelets.of(client, pace.scheduler())
                        .delays(plan.podDelays())
                        .seed(plan.seed())
                        .start())
                : Optional.empty();
        workloads = plan.workloads()
                .filter(delay -> withKubelets)
                .map(delay -> new Workloads(client, pace.scheduler(), delay));
        workloads.ifPresent(Workloads::start);
        markers = plan.marker().map(marker -> new Markers(marker, client, names(), pace));
        steps = plan.phases().size() + 5;
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= plan.world().namespaces(); i++) {
            names.add("ns-" + i);
        }
        return names;
    }

    private Optional<Effect> effect(Operation operation) {
        return switch (operation) {
            case Operation.Create(var object) ->
                Optional.ofNullable(plan.effects().get(object.kind()));
            case Operation.Edit edit ->
                edit.status()
                        ? Optional.empty()
                        : Optional.ofNullable(plan.effects().get(edit.kind()));
            case Operation.Delete(var kind, var key) ->
                Optional.ofNullable(plan.effects().get(kind));
            default -> Optional.empty();
        };
    }

    WorldState state() {
        return state;
    }

    List<PhaseResult> phases() {
        return phases;
    }

    /** Returns the memory that the controller retained after each cycle that asks for it. */
    List<Series.Sample> occupancy() {
        return occupancy;
    }

    /** Returns the classes that grew most from the first third of the measured cycles to the last one. */
    List<ClassGrowth> classes() {
        if (histograms.size() < 2) {
            return List.of();
        }
        ClassHistogram early = histograms.get((histograms.size() - 1) / 3);
        return histograms.getLast().growthSince(early).stream()
                .filter(one -> one.bytes() > 0)
                .limit(MOST_CLASSES)
                .map(one -> new ClassGrowth(one.name(), one.instances(), one.bytes()))
                .toList();
    }

    /** Returns the number of operations that the server has refused, by reason. */
    Map<String, Long> refusals() {
        return refusals;
    }

    /** Returns the latencies of markers without load, by namespace. */
    SortedMap<String, Latencies> rest() {
        return rest;
    }

    /** Returns the namespace that had most operations of a phase; empty if none had. */
    Optional<String> busy(String phase) {
        return Optional.ofNullable(busy.get(phase));
    }

    /** Returns the effects of the markers in a phase; empty if there are none. */
    Optional<Effects.Outcome> markers(String phase) {
        return Optional.ofNullable(markersOf.get(phase));
    }

    /** Returns the CPU time of the controller for an operation of the last phase; empty if it was not measured. */
    Optional<Duration> cost() {
        PhaseResult last = phases.getLast();
        long operations = last.operations()
                + markers(last.name())
                        .map(some -> some.visible().count() + some.missing())
                        .orElse(0L);
        return operations == 0
                ? Optional.empty()
                : last.cpu().filter(Duration::isPositive).map(cpu -> cpu.dividedBy(operations));
    }

    /** Creates the world, and starts the controller; returns when it has converged. */
    void prepare() throws InterruptedException {
        prepare(state.creation(random).iterator());
    }

    /** Creates objects, and starts the controller; returns when it has converged. */
    void prepare(Iterator<Operation> creation) throws InterruptedException {
        // effects may be in kinds that the world defines
        List<Operation> begun = new ArrayList<>();
        while (creation.hasNext() && (begun.isEmpty() || defines(begun.getLast()))) {
            begun.add(creation.next());
        }
        List<Operation> definitions = begun.stream().filter(Run::defines).toList();
        create(definitions.iterator());
        for (Map.Entry<Kind<Encoded>, Effect> effect : plan.effects().entrySet()) {
            switch (effect.getValue()) {
                case Effect.Output output -> {}
                case Effect.ObservedGeneration observed -> effects.watch(effect.getKey());
                case Effect.Shown shown -> effects.watch(shown);
            }
        }
        if (markers.isPresent() && plan.marker().get().effect() instanceof Effect.Shown shown) {
            markers.get().effects().watch(shown);
        }
        step("world");
        subject.output(line -> {
            effects.output(line);
            markers.ifPresent(some -> some.effects().output(line));
        });
        create(begun.stream().skip(definitions.size()).iterator());
        create(creation);
        if (kubelets.isPresent()) {
            untilRunning(kubelets.get());
        }
        step("start");
        long started = pace.nanos();
        Duration limit = plan.limits().start();
        Counted before = subject.counted();
        subject.start();
        // without markers, a controller that has not begun and one that has converged look alike
        Optional<Duration> marked = markers.isEmpty() ? Optional.of(Duration.ZERO) : untilMarked(limit);
        if (marked.isEmpty() && subject.isAlive()) {
            throw new LoadException("the controller shows no effect of a marker within " + limit.toSeconds()
                    + " seconds of its start" + subject.explanation());
        }
        Optional<Duration> converged = later(marked, converge(started, limit));
        if (!subject.isAlive()) {
            throw new LoadException("the controller has ended" + subject.explanation());
        }
        Optional<Duration> cpu = subject.cpu();
        subject.started();
        phases.add(new PhaseResult(
                "start",
                Duration.ofNanos(started - begin),
                Duration.ZERO,
                0,
                0,
                Latencies.NONE,
                effects.take().visible(),
                converged,
                cpu,
                subject.counted().minus(before).requests()));
    }

    private static boolean defines(Operation operation) {
        return operation instanceof Operation.Create(var object)
                && object.kind().equals(Kinds.DEFINITION);
    }

    private void create(Iterator<Operation> creation) throws InterruptedException {
        Driver.Outcome created =
                driver.run(creation, state, new Rate.Acknowledged(), Duration.ofDays(1), this::progress);
        if (!created.refusals().isEmpty()) {
            throw new LoadException("the world can't be created: the server refused " + created.refusals()
                    + " of its objects; is something of an earlier run still there?");
        }
    }

    /** Waits until all pods run, as long as there are fewer and fewer that do not. */
    private void untilRunning(Kubelets some) throws InterruptedException {
        int before;
        do {
            before = some.progress().ahead();
            untilTrue(() -> some.progress().ahead() == 0, Phase.BOUND);
        } while (some.progress().ahead() > 0 && some.progress().ahead() < before);
    }

    /** Creates markers until one has its effect; returns the time until then, or empty if there is none in time. */
    private Optional<Duration> untilMarked(Duration limit) throws InterruptedException {
        long from = pace.nanos();
        Markers some = markers.orElseThrow();
        some.begin();
        untilTrue(() -> some.effects().lastSeen() > from || !subject.isAlive(), limit);
        Optional<Duration> first = subject.isAlive() && some.effects().lastSeen() > from
                ? Optional.of(Duration.ofNanos(some.effects().lastSeen() - from))
                : Optional.empty();
        MarkersOutcome unused = end(some, Phase.BOUND);
        return first;
    }

    /**
     * The effects of markers.
     *
     * @param converged the time until the last effect; empty if some were not seen in time
     */
    private record MarkersOutcome(Optional<Duration> converged, Effects.Outcome effects) {}

    /** Waits for the effects of the last markers, and deletes these. */
    private MarkersOutcome end(Markers some, Duration bound) throws InterruptedException {
        some.end();
        Optional<Duration> converged = converge(some.effects(), pace.nanos(), bound);
        Effects.Outcome outcome = some.effects().take();
        some.delete();
        Optional<Duration> unused = converge(some.effects(), pace.nanos(), bound);
        Effects.Outcome unusedOutcome = some.effects().take();
        return new MarkersOutcome(converged, outcome);
    }

    private static Optional<Duration> later(Optional<Duration> one, Optional<Duration> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(Collections.max(List.of(one.get(), other.get())))
                : Optional.empty();
    }

    /** Measures the latencies of markers without load. */
    void markersAlone() throws InterruptedException {
        if (markers.isPresent()) {
            step("markers alone");
            markers.get().begin();
            pause(MARKERS_ALONE);
            rest = end(markers.get(), Phase.BOUND).effects().byNamespace();
        }
    }

    /** Observes the controller while nothing changes, after it has ended the work that no effect shows. */
    Counted atRest(Duration time) throws InterruptedException {
        step("at rest");
        long deadline = pace.nanos() + LATE_WORK;
        long writes;
        do {
            writes = subject.counted().writes();
            await(pace.nanos() + IDLE);
        } while (subject.counted().writes() != writes && pace.nanos() < deadline);
        Counted before = subject.counted();
        pause(time);
        return subject.counted().minus(before);
    }

    private void pause(Duration time) throws InterruptedException {
        long end = pace.nanos() + time.toNanos();
        left = () -> Optional.of(Duration.ofNanos(Math.max(0, end - pace.nanos())));
        await(end);
    }

    private void await(long end) throws InterruptedException {
        while (pace.nanos() < end) {
            pace.until(Math.min(end, pace.nanos() + 20 * STEP));
            report();
        }
    }

    /** Runs a phase. */
    void run(Phase phase) throws InterruptedException {
        step(phase.name());
        long start = pace.nanos();
        Optional<Duration> cpu = subject.cpu();
        Counted before = subject.counted();
        if (markers.isPresent()) {
            markers.get().begin();
        }
        Stop stop = phase.stop();
        List<Driver.Outcome> outcomes = new ArrayList<>();
        Optional<Duration> converged = Optional.of(Duration.ZERO);
        Duration duration = Duration.ZERO;
        long operations = stop.operations();
        long deadline = start + stop.duration().toNanos();
        for (int cycle = 0; cycle < (phase.occupancy() ? stop.cycles() : 1); cycle++) {
            if (operations <= 0 || pace.nanos() >= deadline) {
                break;
            }
            Cycles cycles =
                    new Cycles(phase.pattern(), state, random, phase.occupancy() ? 1 : stop.cycles(), operations);
            int earlier = cycle;
            long made = stop.operations() - operations;
            left = () -> left(Collections.max(List.of(
                    (double) (earlier + cycles.taken()) / stop.cycles(),
                    (double) (made + done) / stop.operations(),
                    (double) (pace.nanos() - start) / stop.duration().toNanos())));
            long begun = pace.nanos();
            Driver.Outcome outcome =
                    driver.run(cycles, state, phase.rate(), Duration.ofNanos(deadline - pace.nanos()), this::progress);
            outcomes.add(outcome);
            duration = Duration.ofNanos(begun - start).plus(outcome.duration());
            operations -= outcome.operations();
            Optional<Duration> settled = converge(pace.nanos(), phase.bound());
            converged = later(converged, settled);
            if (phase.occupancy()) {
                subject.retained().ifPresent(retained -> {
                    occupancy.add(new Series.Sample(Duration.ofNanos(pace.nanos() - begin), (double) retained.bytes()));
                    retained.classes().ifPresent(histograms::add);
                });
            }
        }
        if (markers.isPresent()) {
            MarkersOutcome ended = end(markers.get(), phase.bound());
            converged = later(converged, ended.converged());
            markersOf.put(phase.name(), ended.effects());
        }
        Optional<Duration> used = cpu.flatMap(from -> subject.cpu().map(to -> to.minus(from)));
        phases.add(result(phase, start, duration, before, outcomes, converged, used));
    }

    private PhaseResult result(
            Phase phase,
            long start,
            Duration duration,
            Counted before,
            List<Driver.Outcome> outcomes,
            Optional<Duration> converged,
            Optional<Duration> cpu) {
        Effects.Outcome seen = effects.take();
        busiest(outcomes).ifPresent(namespace -> busy.put(phase.name(), namespace));
        outcomes.forEach(
                outcome -> outcome.refusals().forEach((reason, number) -> refusals.merge(reason, number, Long::sum)));
        Latencies visible = seen.visible();
        if (visible.count() == 0) {
            visible = markers(phase.name()).map(Effects.Outcome::visible).orElse(visible);
        }
        return new PhaseResult(
                phase.name(),
                Duration.ofNanos(start - begin),
                duration,
                outcomes.stream().mapToLong(Driver.Outcome::operations).sum(),
                outcomes.stream()
                        .flatMap(outcome -> outcome.refusals().values().stream())
                        .mapToLong(Long::longValue)
                        .sum(),
                Latencies.together(
                        outcomes.stream().map(Driver.Outcome::acknowledged).toList()),
                visible,
                converged,
                cpu,
                subject.counted().minus(before).requests());
    }

    private static Optional<String> busiest(List<Driver.Outcome> outcomes) {
        Map<String, Long> operations = new TreeMap<>();
        outcomes.forEach(outcome ->
                outcome.namespaces().forEach((namespace, number) -> operations.merge(namespace, number, Long::sum)));
        long all = operations.values().stream().mapToLong(Long::longValue).sum();
        return operations.entrySet().stream()
                .filter(entry -> !entry.getKey().isEmpty() && 2 * entry.getValue() > all)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    // ---- convergence

    private Optional<Duration> converge(long from, Duration bound) throws InterruptedException {
        return converge(effects, from, bound);
    }

    /** The writes so far, if there are no effects to see; to count them costs more than a look at effects. */
    private long decidingWrites() {
        return markers.isPresent() || !plan.effects().isEmpty()
                ? 0
                : subject.counted().writes();
    }

    /** Waits until the controller has converged; returns the time from a time on, or empty if it has not in the bound. */
    private Optional<Duration> converge(Effects seen, long from, Duration bound) throws InterruptedException {
        long deadline = pace.nanos() + bound.toNanos();
        long writes = decidingWrites();
        long last = from;
        while (true) {
            long now = pace.nanos();
            long present = decidingWrites();
            boolean working = kubelets.map(some -> some.progress().ahead() > 0).orElse(false)
                    || workloads.map(some -> some.ahead() > 0).orElse(false);
            if (present != writes) {
                last = now;
            }
            writes = present;
            last = Math.max(last, Math.min(now, seen.lastSeen()));
            if (!subject.isAlive()) {
                return Optional.empty();
            }
            if (seen.pending() == 0 && !working && now - last >= QUIET) {
                return Optional.of(Duration.ofNanos(last - from));
            }
            if (now >= deadline) {
                return Optional.empty();
            }
            report();
            pace.until(now + STEP);
        }
    }

    private void untilTrue(BooleanSupplier condition, Duration limit) throws InterruptedException {
        long deadline = pace.nanos() + limit.toNanos();
        while (!condition.getAsBoolean() && pace.nanos() < deadline) {
            report();
            pace.until(pace.nanos() + STEP);
        }
    }

    /** Stops and starts the controller; returns its requests until it has made none for two seconds. */
    Counted restart() throws InterruptedException {
        step("restart");
        subject.stop();
        Counted before = subject.counted();
        subject.start();
        long deadline = pace.nanos() + plan.limits().start().toNanos();
        long requests = 0;
        long last = pace.nanos();
        while (pace.nanos() < deadline && (requests == 0 || pace.nanos() - last < RESTARTED)) {
            await(pace.nanos() + STEP);
            long now = subject.counted().minus(before).number();
            if (now != requests) {
                requests = now;
                last = pace.nanos();
            }
            if (!subject.isAlive() || !subject.isCounted()) {
                break;
            }
        }
        return subject.counted().minus(before);
    }

    // ---- progress

    private void step(String name) {
        step++;
        stepName = name;
        done = 0;
        reportedDone = 0;
        reported = 0;
        stepBegan = pace.nanos();
        left = Optional::empty;
        report();
    }

    private void progress(long operations) {
        done = operations;
        if ((operations & 63) == 0) {
            report();
        }
    }

    private void report() {
        long now = pace.nanos();
        if (reported != 0 && now - reported < 500_000_000L) {
            return;
        }
        double perSecond = reported == 0 ? 0 : (done - reportedDone) * 1e9 / (now - reported);
        reported = now;
        reportedDone = done;
        listener.accept(new Progress(
                stepName,
                step,
                steps,
                done,
                Math.max(0, perSecond),
                effects.latency()
                        .or(() -> markers.flatMap(some -> some.effects().latency())),
                effects.pending(),
                subject.resident(),
                Duration.ofNanos(now - begin),
                left.get()));
    }

    /** Returns the time until the end of the step, if the rest takes as long as the share that is done. */
    private Optional<Duration> left(double share) {
        long past = pace.nanos() - stepBegan;
        return share < LEAST_SHARE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos((long) (past * Math.max(0, 1 / share - 1))));
    }

    @Override
    public void close() {
        markers.ifPresent(Markers::close);
        driver.close();
        effects.close();
        workloads.ifPresent(Workloads::close);
        kubelets.ifPresent(Kubelets::close);
    }
}
