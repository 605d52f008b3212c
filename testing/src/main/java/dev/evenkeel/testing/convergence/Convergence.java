package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/**
 * Finds out whether a reconciler brings the world to the same end whatever goes wrong on the way.
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
 * <p>First nothing goes wrong: that says how the world is to be in the end. Then the process crashes before and after each
 * write; answers are lost; others change, undo or do already what is about to be written; caches stand still, and miss
 * what happened; users make their changes early, and delete what is reconciled at any point; others have a finalizer on
 * it: one of them, two, then several by chance. Each time, when all is told and nothing goes wrong any more,
 *
 * <ul>
 *   <li>it comes to rest, and reconciliations succeed;
 *   <li>the world is the same;
 *   <li>reconciled once more, nothing is written;
 *   <li>what others wrote into objects, and {@linkplain #foreign foreign objects}, are as they left them;
 *   <li>after the deletion of what is reconciled everything that was made is gone, in the cluster and outside, and what was
 *       there before is the same.
 * </ul>
 *
 * <p>What is found is made small and told step by step, with a test that shows it again. The engine behind it is the real
 * one, the controller runs as a manager runs it, in virtual time; a second is enough for some hundred schedules. The same
 * schedules are tried each time.
 *
 * <p>A value: each method gives another one.
 *
 * @param <E> what there is outside of the cluster
 */
public final class Convergence<E> {
    /** How many schedules are tried, unless told otherwise. */
    public static final int SCHEDULES = 1_000;

    private final Setup<E> setup;
    private final Set<Disturbance> disturbances;
    private final int schedules;
    private final long seed;

    private Convergence(Setup<E> setup, Set<Disturbance> disturbances, int schedules, long seed) {
        this.setup = setup;
        this.disturbances = disturbances;
        this.schedules = schedules;
        this.seed = seed;
    }

    /**
     * Of a controller, which may have a memory: it is made anew each time its process starts.
     *
     * @param controller makes it
     */
    public static Convergence<?> of(Supplier<? extends Controller<?>> controller) {
        return Convergence.<Optional<Void>>outside(clock -> Optional.empty(), nothing -> "")
                .controller(nothing -> controller.get());
    }

    /**
     * Of a controller that has to do with something outside of the cluster, such as the API of a cloud. That is made anew
     * for each trial, and is not lost when the process crashes.
     *
     * @param outside makes it; it takes its time from the clock
     * @param state what of it counts: compared by its text, in which uids mean the objects that have them
     */
    public static <E> Convergence<E> outside(Function<InstantSource, E> outside, Function<E, Object> state) {
        Setup<E> setup = new Setup<>(
                outside,
                state,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Duration.ofMinutes(10));
        return new Convergence<>(setup, EnumSet.allOf(Disturbance.class), SCHEDULES, 1);
    }

    private Convergence<E> with(Consumer<Parts<E>> change) {
        Parts<E> parts = new Parts<>(setup);
        change.accept(parts);
        return new Convergence<>(parts.setup(), disturbances, schedules, seed);
    }

    /** The lists of a setup, to be added to. */
    private static final class Parts<E> {
        private final Setup<E> from;
        private final List<Function<E, ? extends Controller<?>>> controllers;
        private final List<HasMetadata> types;
        private final List<Kind<?>> kinds;
        private final List<HasMetadata> given;
        private final List<HasMetadata> foreign;
        private final List<Setup.Edit> edits;
        private final List<Setup.Always> always;
        private final Set<String> outlives;
        private final Set<String> ignored;
        private Duration patience;

        Parts(Setup<E> from) {
            this.from = from;
            controllers = new ArrayList<>(from.controllers());
            types = new ArrayList<>(from.types());
            kinds = new ArrayList<>(from.kinds());
            given = new ArrayList<>(from.given());
            foreign = new ArrayList<>(from.foreign());
            edits = new ArrayList<>(from.edits());
            always = new ArrayList<>(from.always());
            outlives = new LinkedHashSet<>(from.outlives());
            ignored = new LinkedHashSet<>(from.ignored());
            patience = from.patience();
        }

        Setup<E> setup() {
            return new Setup<>(
                    from.outside(),
                    from.state(),
                    controllers,
                    types,
                    kinds,
                    given,
                    foreign,
                    edits,
                    always,
                    outlives,
                    ignored,
                    patience);
        }
    }

    /** The same with a controller, which is made anew each time the process starts; several run in one process. */
    public Convergence<E> controller(Function<E, ? extends Controller<?>> controller) {
        return with(parts -> parts.controllers.add(controller));
    }

    /** The same with types that the server has: CustomResourceDefinitions. */
    public Convergence<E> types(List<? extends HasMetadata> definitions) {
        return with(parts -> parts.types.addAll(definitions));
    }

    /** The same with types that the server has without a definition: anything goes, and the status is written apart. */
    @SafeVarargs
    public final Convergence<E> types(Class<? extends HasMetadata>... classes) {
        return with(parts -> {
            for (Class<? extends HasMetadata> type : classes) {
                parts.kinds.add(Kind.of(type));
            }
        });
    }

    /** The same in a world where these objects are, in the beginning: what is to be reconciled, and what else it needs. */
    public Convergence<E> given(HasMetadata... objects) {
        return with(parts -> parts.given.addAll(List.of(objects)));
    }

    /** The same in a world where these objects are, which the controller must not touch; perhaps they are in its way. */
    public Convergence<E> foreign(HasMetadata... objects) {
        return with(parts -> parts.foreign.addAll(List.of(objects)));
    }

    /**
     * The same with a change that a user makes when all is at rest, after those that were added before; or early, if the
     * schedule has it.
     *
     * @param what for people
     */
    public Convergence<E> edit(String what, Consumer<Client> edit) {
        return with(parts -> parts.edits.add(new Setup.Edit(what, edit)));
    }

    /**
     * The same with something that must hold after each write.
     *
     * @param what for people
     */
    public Convergence<E> always(String what, Predicate<Client> holds) {
        return with(parts -> parts.always.add(new Setup.Always(what, holds)));
    }

    /** The same where objects of a kind stay when what is reconciled is deleted. */
    public Convergence<E> outlives(Class<? extends HasMetadata> type) {
        return with(parts -> parts.outlives.add(Kind.of(type).id()));
    }

    /** The same without looking at a field, such as {@code status.lastBackup}, of whatever object. */
    public Convergence<E> ignoring(String field) {
        return with(parts -> parts.ignored.add(field));
    }

    /** The same for a world that is at rest when nothing was written for so long; by default ten minutes. */
    public Convergence<E> patience(Duration value) {
        return with(parts -> parts.patience = value);
    }

    /** The same without disturbances that the controller need not bear. */
    public Convergence<E> without(Disturbance... those) {
        Set<Disturbance> fewer = EnumSet.copyOf(disturbances);
        fewer.removeAll(List.of(those));
        return new Convergence<>(setup, fewer, schedules, seed);
    }

    /** The same with so many schedules; by default {@value #SCHEDULES}. */
    public Convergence<E> schedules(int value) {
        return new Convergence<>(setup, disturbances, value, seed);
    }

    /** The same with other schedules, where they are drawn by chance. */
    public Convergence<E> seed(long value) {
        return new Convergence<>(setup, disturbances, schedules, value);
    }

    /** Tries schedules until one finds something, or as many as there are to be. */
    public Report check() {
        try (Start<E> start = new Start<>(setup)) {
            return check(start);
        }
    }

    private Report check(Start<E> start) {
        long began = System.nanoTime();
        Reference calm = calm(start);
        Predicate<Schedule> fails = schedule ->
                Trial.run(start, schedule, Optional.of(calm), false).finding().isPresent();
        Map<Disturbance, Integer> tried = new EnumMap<>(Disturbance.class);
        int count = 1;
        Optional<Failure> failure = failure(Schedule.CALM, calm);
        Iterator<Schedule> all = new Explorer(calm, disturbances, setup.edits().size(), seed)
                .schedules(schedules)
                .iterator();
        while (failure.isEmpty() && all.hasNext()) {
            Schedule schedule = all.next();
            count++;
            schedule.faults().forEach(fault -> tried.merge(fault.what(), 1, Integer::sum));
            if (fails.test(schedule)) {
                Shrinker shrinker = new Shrinker(fails);
                Schedule small = shrinker.shrink(schedule);
                count += shrinker.tried();
                failure = failure(small, Trial.run(start, small, Optional.of(calm), true));
            }
        }
        return new Report(
                count, Duration.ofNanos(System.nanoTime() - began), calm.done().size(), tried, seed, failure);
    }

    private Reference calm(Start<E> start) {
        if (setup.controllers().isEmpty()) {
            throw new IllegalStateException("there is no controller: add one with controller(...)");
        }
        Reference calm = Trial.run(start, Schedule.CALM, Optional.empty(), true);
        if (calm.primaries().isEmpty()) {
            throw new IllegalStateException(
                    "there is nothing to reconcile: give objects of the controller's kind with given(...)");
        }
        return calm;
    }

    private static Optional<Failure> failure(Schedule schedule, Reference trial) {
        return trial.finding()
                .map(finding -> new Failure(
                        finding.what(),
                        finding.details(),
                        schedule.toString(),
                        schedule.faults().size(),
                        trial.steps()));
    }

    /** Tries schedules; what is found fails the test that calls this. */
    public void assertConverges() {
        require(check());
    }

    /**
     * Runs one schedule; a finding fails the test that calls this, and so does a fault that has no effect: a schedule that no
     * longer disturbs the reconciler shows nothing.
     *
     * @param schedule as a failure printed it, such as {@code crash after write 3; lag configmaps after write 1}
     * @throws IllegalArgumentException when it is no schedule
     */
    public void replay(String schedule) {
        long began = System.nanoTime();
        Schedule parsed = Schedule.parse(schedule);
        try (Start<E> start = new Start<>(setup)) {
            Reference calm = calm(start);
            boolean calmFails = calm.finding().isPresent();
            Reference trial = calmFails ? calm : Trial.run(start, parsed, Optional.of(calm), true);
            require(new Report(
                    1,
                    Duration.ofNanos(System.nanoTime() - began),
                    calm.done().size(),
                    Map.of(),
                    seed,
                    failure(calmFails ? Schedule.CALM : parsed, trial)));
            requireEffect(parsed, trial, calm.done().size());
        }
    }

    private static void requireEffect(Schedule schedule, Reference trial, int writes) {
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
}
