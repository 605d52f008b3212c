package dev.evenkeel.junit;

import dev.evenkeel.simulation.internal.request.FaultSchedule;
import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.SchedulePlanner;
import dev.evenkeel.simulation.internal.request.SchedulePlanner.Visit;
import dev.evenkeel.testing.convergence.Convergence.Failure;
import dev.evenkeel.testing.internal.convergence.ClusterState;
import dev.evenkeel.testing.internal.convergence.DeletionHarm;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that reconcilers of JOSDK converge to the same state whatever faults occur, within this process.
 *
 * <pre>{@code
 * private final JosdkConvergence convergence = JosdkConvergence.of(WebPageReconciler::new)
 *         .types(WebPage.class)
 *         .given(page("blog", "hello"), page("shop", "hi"))
 *         .edit("another text", client -> client.resource(page("blog", "bye")).update());
 *
 * @Test
 * void converges() {
 *     convergence.assertConverges();
 * }
 * }</pre>
 *
 * <p>A run without faults determines the expected state at each rest: after the start, after each change of the user, and
 * after the deletion of the reconciled objects: of several of a kind first one alone, which must not harm the others.
 * Then the operator crashes before and after each write, and a new one starts on the same cluster; writes are refused, or
 * done and their answers lost; watches are late, miss events, are cut or expire; lists after a restart are old: one
 * fault, two, then several at random. Each time, after the faults have ended, the operator must settle, and the state
 * must be the same. A failure is reduced to the fewest faults, and reported with a test that replays it.
 *
 * <p>Retries and reschedules of the operators run in virtual time, as with {@link JosdkOperator}. Reconciliations run on
 * one thread, unless the settings have another number. A reconciler whose operator has crashed gets an exception from its
 * next request, and no request of it has an effect any more.
 *
 * <p>Immutable: each method returns a copy.
 */
public final class JosdkConvergence {
    /** The default number of schedules. */
    public static final int SCHEDULES = 300;

    private static final Logger LOG = LoggerFactory.getLogger(JosdkConvergence.class);
    private static final String SEEDED = "use ignoring(\"%s\"), or a seeded source that starts again in each run";

    private final JosdkCheckSpec spec;
    private final int schedules;
    private final long seed;

    private JosdkConvergence(JosdkCheckSpec spec, int schedules, long seed) {
        this.spec = spec;
        this.schedules = schedules;
        this.seed = seed;
    }

    /**
     * Returns a check of a reconciler.
     *
     * @param reconciler creates it, again each time its operator starts
     */
    public static JosdkConvergence of(Supplier<? extends Reconciler<?>> reconciler) {
        return new JosdkConvergence(new JosdkCheckSpec(), SCHEDULES, 1).reconciler(reconciler);
    }

    private JosdkConvergence with(Consumer<JosdkCheckSpec> change) {
        JosdkCheckSpec copy = spec.copy();
        change.accept(copy);
        return new JosdkConvergence(copy, schedules, seed);
    }

    /** Adds a reconciler of the same operator. */
    public JosdkConvergence reconciler(Supplier<? extends Reconciler<?>> reconciler) {
        return with(copy -> copy.reconcilers.add(operator -> {
            var unused = operator.register(reconciler.get());
        }));
    }

    /** Adds a reconciler of the same operator, with settings. */
    public <P extends HasMetadata> JosdkConvergence reconciler(
            Supplier<? extends Reconciler<P>> reconciler, Consumer<ControllerConfigurationOverrider<P>> settings) {
        return with(copy -> copy.reconcilers.add(operator -> {
            var unused = operator.register(reconciler.get(), settings);
        }));
    }

    /** Changes settings of the operator. */
    public JosdkConvergence settings(Consumer<ConfigurationServiceOverrider> settings) {
        return with(copy -> copy.settings.add(settings));
    }

    /** Adds definitions made from classes by fabric8's generator, which must be on the class path. */
    @SafeVarargs
    public final JosdkConvergence types(Class<? extends HasMetadata>... classes) {
        return with(copy -> {
            for (Class<? extends HasMetadata> type : classes) {
                copy.types.add(type);
            }
        });
    }

    /** Adds resources of the class path, files or directories with definitions and objects in YAML. */
    public JosdkConvergence manifests(String... names) {
        return with(copy -> copy.manifests.addAll(List.of(names)));
    }

    /** Adds objects that exist at the start: those to be reconciled, which are deleted at the end, and those they need. */
    public JosdkConvergence given(HasMetadata... objects) {
        return with(copy -> copy.given.addAll(List.of(objects)));
    }

    /** Adds a change that a user makes when the operator is at rest, after those that were added before. */
    public JosdkConvergence edit(String what, Consumer<KubernetesClient> edit) {
        return with(copy -> copy.edits.add(new JosdkCheckSpec.Edit(what, edit)));
    }

    /** Adds an invariant, which must hold after each write of the operator. */
    public JosdkConvergence always(String what, Predicate<KubernetesClient> holds) {
        return with(copy -> copy.always.add(new JosdkCheckSpec.Always(what, holds)));
    }

    /** Lets objects of a kind stay when the reconciled objects are deleted. */
    public JosdkConvergence outlives(Class<? extends HasMetadata> type) {
        return with(copy -> copy.outlives.add(JosdkCheckSpec.resource(type)));
    }

    /** Ignores a field, such as {@code status.lastBackup}, of all objects. */
    public JosdkConvergence ignoring(String field) {
        return with(copy -> copy.ignored.add(field));
    }

    /** Sets the virtual time without a write after which an operator is at rest; by default ten minutes. */
    public JosdkConvergence patience(Duration value) {
        return with(copy -> copy.patience = value);
    }

    /** Sets the number of schedules; by default {@value #SCHEDULES}. */
    public JosdkConvergence schedules(int value) {
        return new JosdkConvergence(spec, value, seed);
    }

    /** Sets the seed by which schedules are drawn at random. */
    public JosdkConvergence seed(long value) {
        return new JosdkConvergence(spec, schedules, value);
    }

    /** Tries schedules until one fails, or all are tried. */
    public Report check() {
        long began = System.nanoTime();
        EngineCluster.Builder clusters = spec.clusters();
        JosdkRun.Outcome calm = calm(clusters);
        Optional<Failure> failure = failure(FaultSchedule.NONE, calm);
        SchedulePlanner planner = new SchedulePlanner(calm.visits(), calm.watched(), 1, seed);
        Iterator<FaultSchedule> all = planner.schedules().limit(schedules).iterator();
        int[] count = {1};
        List<String> unconfirmed = new ArrayList<>();
        while (failure.isEmpty() && all.hasNext()) {
            FaultSchedule schedule = all.next();
            Predicate<FaultSchedule> fails = candidate -> {
                count[0]++;
                return run(clusters, candidate, calm).problem().isPresent();
            };
            count[0]++;
            Optional<Failure> first = failure(schedule, run(clusters, schedule, calm));
            if (first.isPresent()) {
                FaultSchedule small = schedule.shrink(fails);
                failure = failure(small, run(clusters, small, calm))
                        .or(() -> failure(schedule, run(clusters, schedule, calm)));
                if (failure.isEmpty()) {
                    unconfirmed.add("one run failed, and not again, by the schedule " + schedule + ": "
                            + first.get().problem());
                }
            }
        }
        return report(count[0], began, calm, failure, unconfirmed);
    }

    private JosdkRun.Outcome run(EngineCluster.Builder clusters, FaultSchedule schedule, JosdkRun.Outcome calm) {
        return JosdkRun.make(spec, clusters, schedule, Optional.of(calm));
    }

    private JosdkRun.Outcome calm(EngineCluster.Builder clusters) {
        JosdkRun.Outcome calm = JosdkRun.make(spec, clusters, FaultSchedule.NONE, Optional.empty());
        if (calm.problem().isEmpty() && writes(calm) == 0) {
            throw new IllegalStateException(
                    "the operator changes nothing: add objects that it reconciles with given(...). Its run:\n    "
                            + String.join("\n    ", calm.steps()));
        }
        JosdkRun.Outcome second = JosdkRun.make(spec, clusters, FaultSchedule.NONE, Optional.empty());
        ClusterState.difference(calm.states(), second.states(), SEEDED).ifPresent(found -> {
            throw new IllegalStateException("not deterministic: " + found.problem()
                    + " differs between two runs without faults\n    " + String.join("\n    ", found.details()));
        });
        return calm.problem().isPresent() ? calm : harm(calm).map(calm::problem).orElse(calm);
    }

    /** Compares what is left after the deletion of one of several objects with a run in which it never existed. */
    private Optional<JosdkRun.Problem> harm(JosdkRun.Outcome calm) {
        List<HasMetadata> deleted = spec.severalOf(calm.kinds());
        if (deleted.isEmpty()) {
            return Optional.empty();
        }
        JosdkCheckSpec without = spec.copy();
        without.given.removeAll(deleted);
        JosdkRun.Outcome never;
        try {
            never = JosdkRun.make(without, without.clusters(), FaultSchedule.NONE, Optional.empty());
        } catch (RuntimeException e) {
            return Optional.empty(); // a change of the user needs what is missing
        }
        int rests = spec.edits.size() + 1;
        if (never.problem().isPresent() || never.states().size() < rests) {
            return Optional.empty();
        }
        List<String> lines = DeletionHarm.of(
                calm.states().get(rests - 1),
                calm.states().get(rests),
                never.states().get(rests - 1));
        String names = deleted.stream().map(JosdkCheckSpec::name).collect(Collectors.joining(", "));
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new JosdkRun.Problem("the deletion of " + names + " harms others", lines));
    }

    private static int writes(JosdkRun.Outcome calm) {
        return (int) calm.visits().stream()
                .filter(visit -> visit.place() instanceof ApiRequest)
                .map(Visit::changed)
                .filter(changed -> !changed.isEmpty())
                .count();
    }

    private static Optional<Failure> failure(FaultSchedule schedule, JosdkRun.Outcome outcome) {
        return outcome.problem()
                .map(problem -> new Failure(
                        problem.title(),
                        problem.lines(),
                        schedule.toString(),
                        schedule.faults().size(),
                        outcome.steps()));
    }

    private Report report(
            int count, long began, JosdkRun.Outcome calm, Optional<Failure> failure, List<String> unconfirmed) {
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        List<String> warnings = new ArrayList<>(unconfirmed);
        calm.kinds().stream()
                .sorted()
                .filter(kind -> spec.givenOf(Set.of(kind)).size() == 1)
                .forEach(
                        kind -> warnings.add("there is one object of " + kind + ": equal names of children, and harm to"
                                + " others by its deletion, are not seen. Add another one with given(...)"));
        if (spec.edits.isEmpty()) {
            warnings.add("users change nothing: what a former state leaves behind is not seen. Add a change with"
                    + " edit(...)");
        }
        if (spec.always.isEmpty()) {
            warnings.add("there is no invariant: what is wrong for a while, such as data that is lost and created"
                    + " again, is not seen. Add one with always(...)");
        }
        return new Report(count, time, writes(calm), seed, failure, warnings);
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
     * that no longer disturbs the operator shows nothing.
     *
     * @param schedule as a failure printed it, such as {@code crash after create configmaps default/blog #1}
     * @throws IllegalArgumentException if it is not a schedule
     */
    public void replay(String schedule) {
        long began = System.nanoTime();
        FaultSchedule parsed = FaultSchedule.parse(schedule);
        EngineCluster.Builder clusters = spec.clusters();
        JosdkRun.Outcome calm = calm(clusters);
        require(report(1, began, calm, failure(FaultSchedule.NONE, calm), List.of()));
        JosdkRun.Outcome outcome = run(clusters, parsed, calm);
        require(report(2, began, calm, failure(parsed, outcome), List.of()));
        if (!outcome.missed().isEmpty()) {
            throw new AssertionFailedError("without effect in this schedule: \"" + new FaultSchedule(outcome.missed())
                    + "\"; adjust the schedule or remove the test. The places without faults are:\n    "
                    + String.join(
                            "\n    ",
                            calm.visits().stream()
                                    .map(visit -> visit.place().toString())
                                    .toList()));
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
     * @param schedules number of runs, with those of shrinking
     * @param duration real time
     * @param writes number of writes without faults
     * @param seed seed by which schedules were drawn
     * @param failure the first failure, reduced; empty if there was none
     * @param warnings what the check cannot see because its set-up has too little, and failures that did not happen again
     */
    public record Report(
            int schedules, Duration duration, int writes, long seed, Optional<Failure> failure, List<String> warnings) {
        /** Copies the list. */
        public Report {
            warnings = List.copyOf(warnings);
        }

        /** Returns whether no failure was found. */
        public boolean converges() {
            return failure.isEmpty();
        }

        /** Returns a line; for a failure, all that is needed to understand and to repeat it. */
        @Override
        public String toString() {
            String figures = String.format(
                    Locale.ROOT,
                    "%d runs around %d writes in %.2f s, seed %d",
                    schedules,
                    writes,
                    duration.toNanos() / 1e9,
                    seed);
            return failure.map(found -> words(found, figures))
                    .orElseGet(() -> "converges: " + figures
                            + String.join(
                                    "",
                                    warnings.stream()
                                            .map(warning -> "\n    warning: " + warning)
                                            .toList()));
        }

        private static String words(Failure found, String figures) {
            StringBuilder text = new StringBuilder("does not converge: ").append(found.problem());
            found.details().forEach(line -> text.append("\n    ").append(line));
            text.append("\n\n")
                    .append(found.schedule().isEmpty() ? "without faults:" : "by the schedule: " + found.schedule());
            found.steps().forEach(line -> text.append("\n    ").append(line));
            text.append("\n\nfound after ").append(figures);
            if (!found.schedule().isEmpty()) {
                text.append("\n\nto replay it: convergence.replay(\"")
                        .append(found.schedule())
                        .append("\")\n");
            }
            return text.toString();
        }
    }
}
