package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Fault;
import dev.evenkeel.simulation.internal.Schedule;
import dev.evenkeel.simulation.internal.ScheduleExplorer;
import dev.evenkeel.simulation.internal.Shrinker;
import dev.evenkeel.testing.internal.Definitions;
import dev.evenkeel.testing.internal.Source;
import dev.evenkeel.testing.internal.convergence.Baseline;
import dev.evenkeel.testing.internal.convergence.CheckRun;
import dev.evenkeel.testing.internal.convergence.CheckSpec;
import dev.evenkeel.testing.internal.convergence.ClusterState;
import dev.evenkeel.testing.internal.convergence.ExternalCalls;
import dev.evenkeel.testing.internal.convergence.ExternalSystem;
import dev.evenkeel.testing.internal.convergence.RunResult;
import dev.evenkeel.testing.internal.convergence.SetUpWarnings;
import dev.evenkeel.testing.internal.convergence.UndisturbedRuns;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a reconciler converges to the same state whatever faults occur.
 *
 * <pre>{@code
 * private final Convergence<?> convergence = Convergence.of(WebsiteReconciler::controller)
 *     .given(website("blog", 2))
 *     .edit("three replicas", client -> client.patch(...));
 *
 * @Test
 * void converges() {
 *     convergence.assertConverges();
 * }
 * }</pre>
 *
 * <p>A run without faults determines the expected state; a second, on another day and with other random numbers, must
 * end in the same. Then the process crashes before and after each write; answers are lost; other actors change, revert
 * or anticipate what is about to be written; quotas and policies deny it; caches are paused, and miss events; users make
 * their changes early, and delete the reconciled object at any point; another actor has a finalizer on it; clocks jump;
 * stored versions change; calls of {@linkplain #external external systems} fail; the {@linkplain #previous previous
 * version} runs before, instead and next to the present one: one fault, two, then several at random. Each time, after
 * the faults have ended,
 *
 * <ul>
 *   <li>the run settles, and reconciliations succeed;
 *   <li>the state is the same;
 *   <li>a further reconciliation writes nothing;
 *   <li>fields written by other actors, and {@linkplain #foreign foreign objects}, are unchanged;
 *   <li>after the deletion of one of several objects of a kind, the others and what they have are the same;
 *   <li>after the deletion of the reconciled objects, everything that was created for them is deleted, in the cluster
 *       and outside, and what existed before is the same.
 * </ul>
 *
 * <p>A failure is reduced, and reported step by step, with a test that replays it. The engine is the real one, and the
 * controller runs as in a manager, in virtual time; a second is enough for some hundred schedules. The same schedules
 * are tried each time.
 *
 * <p>Immutable: each method returns a copy.
 *
 * @param <E> type of the state outside of the cluster
 */
public final class Convergence<E> {
    /** The default number of schedules. */
    public static final int SCHEDULES = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Convergence.class);

    private final CheckSpec<E> spec;
    private final Set<FaultKind> without;
    private final int schedules;
    private final long seed;

    private Convergence(CheckSpec<E> spec, Set<FaultKind> without, int schedules, long seed) {
        this.spec = spec;
        this.without = without;
        this.schedules = schedules;
        this.seed = seed;
    }

    /**
     * Returns a check of a controller.
     *
     * @param controller creates it, again each time its process starts
     */
    public static Convergence<?> of(Supplier<? extends Controller<?>> controller) {
        return Convergence.<Optional<Void>>outside(clock -> Optional.empty(), nothing -> "")
                .controller(nothing -> controller.get());
    }

    /**
     * Returns a check of controllers that work with a system outside of the cluster, such as the API of a cloud. It is
     * created for each run, and is not lost when the process crashes.
     *
     * @param outside creates the system; it takes its time from the clock
     * @param state returns its relevant state: compared as text, in which uids stand for the objects that have them
     */
    public static <E> Convergence<E> outside(Function<InstantSource, E> outside, Function<E, Object> state) {
        return outside(outside, state, Optional.empty());
    }

    /**
     * Returns a check of controllers that work with a system outside of the cluster, whose calls are an interface. Each
     * call is a place at which the process crashes before or after it, users act, another process takes over, and the
     * call is refused, times out, or is done and its answer lost. For several systems declare an interface that extends
     * theirs.
     *
     * @param api the interface; controllers get an implementation that forwards to the system
     * @param outside creates the system; it takes its time from the clock
     * @param state returns its relevant state: compared as text, in which uids stand for the objects that have them
     */
    public static <A, E extends A> Convergence<A> external(
            Class<A> api, Function<InstantSource, E> outside, Function<E, Object> state) {
        return outside(outside, state, Optional.of(new ExternalCalls(api)));
    }

    private static <A, E extends A> Convergence<A> outside(
            Function<InstantSource, E> outside, Function<E, Object> state, Optional<ExternalCalls> calls) {
        Function<InstantSource, ExternalSystem<A>> systems = clock -> {
            E system = outside.apply(clock);
            return new ExternalSystem<>(system, () -> state.apply(system));
        };
        return new Convergence<>(new CheckSpec<>(systems, calls), Set.of(), SCHEDULES, 1);
    }

    /**
     * Sets the exception by which calls of the {@linkplain #external external system} fail; by default
     * {@link java.io.UncheckedIOException}.
     *
     * @param failure creates it from a message
     */
    public Convergence<E> failure(Function<String, ? extends Exception> failure) {
        return new Convergence<>(spec.withFailure(failure), without, schedules, seed);
    }

    private Convergence<E> with(Consumer<CheckSpec<E>> change) {
        CheckSpec<E> copy = spec.withPatience(spec.patience());
        change.accept(copy);
        return new Convergence<>(copy, without, schedules, seed);
    }

    /** Adds a controller, which is created each time the process starts; several run in one process. */
    public Convergence<E> controller(Function<E, ? extends Controller<?>> controller) {
        return with(copy -> copy.controllers().add(controller));
    }

    /**
     * Adds a controller of the previous version. It reconciles the same objects before the present version starts,
     * instead of it for a while, and next to it, as in a rolling upgrade.
     */
    public Convergence<E> previous(Function<E, ? extends Controller<?>> controller) {
        return with(copy -> copy.previous().add(controller));
    }

    /** Adds CustomResourceDefinitions, as YAML, to the built-in kinds. */
    public Convergence<E> definitions(String yaml) {
        return with(copy -> copy.definitions().addAll(Definitions.parse(yaml)));
    }

    /** Adds the CustomResourceDefinitions of a file. */
    public Convergence<E> definitions(Path file) {
        return definitions(Definitions.read(file));
    }

    /** Adds types that a program serves itself, such as those of protobuf messages, to the built-in kinds. */
    public Convergence<E> types(TypeSource... types) {
        return with(copy -> copy.types().addAll(List.of(types)));
    }

    /** Adds kinds without a definition: without a schema, and with a status sub-resource. */
    @SafeVarargs
    public final Convergence<E> kinds(Class<? extends HasMetadata>... classes) {
        return with(copy -> {
            for (Class<? extends HasMetadata> type : classes) {
                copy.kinds().add(Kind.of(type));
            }
        });
    }

    /** Adds objects that exist at the start: those to be reconciled, and those they need. */
    public Convergence<E> given(Given<?>... objects) {
        return with(copy -> copy.given().addAll(List.of(objects)));
    }

    /** Adds objects that exist at the start and that the controllers must not touch; they may be in the way. */
    public Convergence<E> foreign(Given<?>... objects) {
        return with(copy -> copy.foreign().addAll(List.of(objects)));
    }

    /**
     * Adds a change that a user makes when the run is at rest, after those that were added before; or early, if the
     * schedule has it.
     */
    public Convergence<E> edit(String what, Consumer<Client> edit) {
        return with(copy -> copy.edits().add(new CheckSpec.Edit(what, edit)));
    }

    /** Adds an invariant, which must hold after each write. */
    public Convergence<E> always(String what, Predicate<Client> holds) {
        return with(copy -> copy.always().add(new CheckSpec.Always(what, holds)));
    }

    /** Lets objects of a kind stay when the reconciled objects are deleted. */
    public Convergence<E> outlives(Class<? extends HasMetadata> type) {
        return with(copy -> copy.outlives().add(Kind.of(type).id()));
    }

    /** Ignores a field, such as {@code status.lastBackup}, of all objects. */
    public Convergence<E> ignoring(String field) {
        return with(copy -> copy.ignored().add(field));
    }

    /** Sets the time without a write after which a run is at rest; by default ten minutes. */
    public Convergence<E> patience(Duration value) {
        return new Convergence<>(spec.withPatience(value), without, schedules, seed);
    }

    /** Excludes kinds of faults that the controller need not tolerate. */
    public Convergence<E> without(FaultKind... kinds) {
        Set<FaultKind> all = new TreeSet<>(without);
        all.addAll(List.of(kinds));
        return new Convergence<>(spec, all, schedules, seed);
    }

    /** Sets the number of schedules; by default {@value #SCHEDULES}. */
    public Convergence<E> schedules(int value) {
        return new Convergence<>(spec, without, value, seed);
    }

    /** Sets the seed by which schedules are drawn at random. */
    public Convergence<E> seed(long value) {
        return new Convergence<>(spec, without, schedules, value);
    }

    /** Tries schedules until one fails, or all are tried. */
    public Report check() {
        try (Baseline<E> baseline = new Baseline<>(spec)) {
            return check(baseline);
        }
    }

    private Report check(Baseline<E> baseline) {
        long began = System.nanoTime();
        RunResult calm = calm(baseline);
        Predicate<Schedule> fails =
                it -> CheckRun.run(baseline, it, calm, false).finding().isPresent();
        Map<FaultKind, Integer> tried = new EnumMap<>(FaultKind.class);
        int count = 1;
        Optional<Failure> failure = failure(Schedule.NONE, calm);
        int edits = spec.edits().size();
        boolean upgrades = !spec.previous().isEmpty();
        ScheduleExplorer explorer = new ScheduleExplorer(calm.observed(), without, edits, upgrades, seed);
        Iterator<Schedule> all = explorer.schedules(schedules).iterator();
        while (failure.isEmpty() && all.hasNext()) {
            Schedule schedule = all.next();
            count++;
            schedule.faults().forEach(fault -> tried.merge(fault.kind(), 1, Integer::sum));
            if (fails.test(schedule)) {
                Shrinker shrinker = new Shrinker(fails);
                Schedule small = shrinker.shrink(schedule);
                count += shrinker.tried();
                failure = failure(small, CheckRun.run(baseline, small, calm, true));
            }
        }
        return report(count, began, calm, tried, failure);
    }

    private Report report(
            int count, long began, RunResult calm, Map<FaultKind, Integer> tried, Optional<Failure> failure) {
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        List<String> warnings = SetUpWarnings.of(spec, calm);
        return new Report(count, time, calm.observed().writes().size(), tried, seed, failure, warnings);
    }

    private RunResult calm(Baseline<E> baseline) {
        if (spec.controllers().isEmpty()) {
            throw new IllegalStateException("no controller: add one with controller(...)");
        }
        RunResult calm = UndisturbedRuns.of(baseline);
        if (calm.observed().primaries().isEmpty()) {
            throw new IllegalStateException(
                    "nothing to reconcile: add objects of the controller's kind with given(...)");
        }
        return calm;
    }

    /** Returns the states at rest of a run without faults; a failure fails the test that calls this. */
    List<ClusterState> undisturbed() {
        long began = System.nanoTime();
        try (Baseline<E> baseline = new Baseline<>(spec)) {
            RunResult calm = calm(baseline);
            require(report(1, began, calm, Map.of(), failure(Schedule.NONE, calm)));
            return calm.states();
        }
    }

    private static Optional<Failure> failure(Schedule schedule, RunResult trial) {
        int faults = schedule.faults().size();
        return trial.finding()
                .map(it -> new Failure(it.problem(), it.details(), schedule.toString(), faults, trial.steps()));
    }

    /**
     * Tries schedules; a failure fails the test that calls this, and a result with warnings is logged. With
     * {@code -Devenkeel.schedules=10000} in the JVM of the tests, each check tries this number of schedules, whatever it
     * has set.
     */
    public void assertConverges() {
        Report report =
                schedules(Integer.getInteger("evenkeel.schedules", schedules)).check();
        require(report);
        if (!report.warnings().isEmpty()) {
            LOG.info("{}", report);
        }
    }

    /**
     * Runs one schedule; a failure fails the test that calls this, and so does a fault that has no effect: a schedule
     * that no longer disturbs the reconciler shows nothing.
     *
     * @param schedule as a failure printed it, such as {@code crash after write 3; lag configmaps after write 1}
     * @throws IllegalArgumentException if it is not a schedule
     */
    public void replay(String schedule) {
        long began = System.nanoTime();
        Schedule parsed = Schedule.parse(schedule);
        try (Baseline<E> baseline = new Baseline<>(spec)) {
            RunResult calm = calm(baseline);
            boolean calmFails = calm.finding().isPresent();
            RunResult trial = calmFails ? calm : CheckRun.run(baseline, parsed, calm, true);
            require(report(1, began, calm, Map.of(), failure(calmFails ? Schedule.NONE : parsed, trial)));
            requireEffect(parsed, trial, calm.observed().writes().size());
        }
    }

    private static void requireEffect(Schedule schedule, RunResult trial, int writes) {
        String idle = schedule.faults().stream()
                .filter(fault -> !trial.struck().contains(fault))
                .map(fault -> '"' + fault.toString() + '"')
                .collect(Collectors.joining(", "));
        if (!idle.isEmpty()) {
            throw new AssertionFailedError("without effect in this schedule: " + idle + "; without faults there are "
                    + writes + " writes. Adjust the schedule or remove the test");
        }
    }

    private static void require(Report report) {
        if (!report.converges()) {
            throw new AssertionFailedError(report.toString());
        }
    }

    /**
     * The result of a check.
     *
     * @param schedules number of schedules that were tried, with those of shrinking
     * @param duration real time
     * @param writes number of writes without faults
     * @param tried how often each kind of fault was part of a schedule
     * @param seed seed by which schedules were drawn
     * @param failure the first failure, reduced; empty if there was none
     * @param warnings mistakes that the check cannot see because its set-up has too little, each with the option that
     *     adds what is missing
     */
    public record Report(
            int schedules,
            Duration duration,
            int writes,
            Map<FaultKind, Integer> tried,
            long seed,
            Optional<Failure> failure,
            List<String> warnings) {
        /** Copies the collections. */
        public Report {
            tried = Map.copyOf(tried);
            warnings = List.copyOf(warnings);
        }

        /** Returns whether no failure was found. */
        public boolean converges() {
            return failure.isEmpty();
        }

        /** Returns a line; for a failure, all that is needed to understand and to repeat it. */
        @Override
        public String toString() {
            return failure.map(this::words)
                    .orElseGet(() -> "converges: " + figures() + "; "
                            + tried.entrySet().stream()
                                    .sorted(Map.Entry.comparingByKey())
                                    .map(one -> Fault.verb(one.getKey()) + " " + one.getValue())
                                    .collect(Collectors.joining(", "))
                            + warnings.stream()
                                    .map(warning -> "\n    warning: " + warning)
                                    .collect(Collectors.joining()));
        }

        private String figures() {
            double seconds = duration.toNanos() / 1e9;
            double rate = schedules / Math.max(seconds, 1e-9);
            return String.format(
                    Locale.ROOT,
                    "%d schedules around %d writes in %.2f s, %.0f a second, seed %d",
                    schedules,
                    writes,
                    seconds,
                    rate,
                    seed);
        }

        private String words(Failure found) {
            StringBuilder text = new StringBuilder("does not converge: ").append(found.problem());
            found.details().forEach(line -> text.append("\n    ").append(line));
            text.append("\n\n")
                    .append(found.schedule().isEmpty() ? "without faults:" : "by the schedule: " + found.schedule());
            found.steps().forEach(line -> text.append("\n    ").append(line));
            text.append("\n\nfound after ").append(figures());
            if (!found.schedule().isEmpty()) {
                text.append(
                        "\n\nto replay it:\n\n    @Test\n    void %s() {\n        convergence.replay(\"%s\");\n    }\n"
                                .formatted("converges" + Source.type(found.schedule()), found.schedule()));
            }
            return text.toString();
        }
    }

    /**
     * A schedule by which a reconciler fails.
     *
     * @param problem one sentence
     * @param details lines that describe the differences
     * @param schedule the faults, as few as possible, for {@link Convergence#replay}; empty if the reconciler fails
     *     without any
     * @param faults number of faults in the schedule
     * @param steps the steps of the run, in lines
     */
    public record Failure(String problem, List<String> details, String schedule, int faults, List<String> steps) {
        /** Copies the lists. */
        public Failure {
            details = List.copyOf(details);
            steps = List.copyOf(steps);
        }
    }
}
