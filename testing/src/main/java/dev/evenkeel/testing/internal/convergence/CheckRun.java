package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Source;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualClock;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.simulation.internal.FaultInjectingClient;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.simulation.internal.ProcessCrashed;
import dev.evenkeel.simulation.internal.Schedule;
import dev.evenkeel.testing.internal.convergence.RunResult.Finding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One run of the controllers with one schedule of faults, from the given objects to the deletion of the reconciled
 * ones.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler is right if it reaches the same end whatever happens on the way. To see that, many hundred ways must
 * be tried in seconds, each repeatable, and what runs must be what runs in production: caches that are behind, a queue,
 * delays, a server with its refusals and its garbage collector.
 *
 * <h2>How</h2>
 *
 * <p>A {@link Manager} runs the controllers against an engine in memory, in virtual time. {@link ScheduledFaults}
 * numbers the writes over all restarts, and injects the faults; {@link RunChecks} compares what comes of it. The
 * phases:
 *
 * <ol>
 *   <li>the given objects exist, the process starts, and everything settles;
 *   <li>each change of a user, unless it was made before, and everything settles;
 *   <li>every object is reconciled again, for no reason, and without faults after a restart, too: nothing may be
 *       written;
 *   <li>one of several reconciled objects of a kind is deleted: the others are as if it had never existed;
 *   <li>the other reconciled objects are deleted, and everything settles.
 * </ol>
 *
 * <p>A run is at rest when it has nothing to do: no task, no event, no timer soon. Then its state is compared with that
 * of the run without faults after the same changes. Paused caches resume when all else is at rest, so a schedule delays
 * events but does not suppress them.
 */
public final class CheckRun<E> {
    private static final int RUNS_WITHOUT_WRITES = 1_000;
    private static final int RUNS_BEHIND = 8;
    private static final int RUNS_OVERLAPPING = 12;
    private static final int MOST_WRITING_RUNS = 40;
    /** After so many runs that write, time passes: a cache may have to wait until it can list again. */
    private static final int WRITING_RUNS_AT_ONCE = 10;

    private static final Duration TIME_OF_RUNS = Duration.ofSeconds(2);
    private static final Duration A_WHILE = Duration.ofSeconds(61);
    private static final Duration NEVER = Duration.ofDays(3650);
    private static final InformerOptions CACHING = InformerOptions.DEFAULT
            .mode(InformerOptions.Mode.WHOLE)
            .watchAtLeast(NEVER)
            .silence(NEVER)
            .callTimeout(NEVER);

    final CheckSpec<E> spec;
    private final Variant variant;
    /** The clock of the processes. */
    final VirtualClock clock;
    /** The clock of the server and of external systems: it does not jump. */
    final InstantSource steady;

    final Engine engine;
    final KnownObjects objects;
    final OtherActors others;
    final StaleCaches caches = new StaleCaches();
    private final boolean tracing;
    private final List<String> steps = new ArrayList<>();
    final RunChecks<E> checks;
    private final ScheduledFaults faults;
    private final Client user;
    private final Map<Kind<?>, Source.Sink> sinks = new LinkedHashMap<>();
    private final Map<ObjectRef, Integer> writingRuns = new HashMap<>();
    VirtualScheduler process;
    /** The process with the previous version that runs next to the present one. */
    private Optional<VirtualScheduler> alongside = Optional.empty();

    int edited;
    /** True if a change of a user could not be made. */
    boolean notAllEdited;

    boolean deleting;
    /** The reconciled objects that were deleted. */
    private final Set<ObjectRef> deleted = new LinkedHashSet<>();

    private int changes;
    private int runs;
    private int runsAtPause;
    private int runsSinceWrite;
    private int runsBeside;
    private long lastWrite;
    private boolean resync;
    private boolean restless;
    private boolean previous;
    private Duration jumped = Duration.ZERO;
    /** The time without writes after which all is at rest. */
    private Duration patience;

    private CheckRun(
            Baseline<E> baseline, Variant variant, Schedule schedule, Optional<RunResult> reference, boolean tracing) {
        spec = baseline.spec;
        this.variant = variant;
        patience = spec.patience();
        Instant start = Baseline.START.plus(variant.later());
        clock = new VirtualClock(start);
        steady = () -> start.plusNanos(clock.nanos());
        process = new VirtualScheduler(clock, variant.seed());
        engine = baseline.fork(steady, variant.seed() + 1);
        objects = new KnownObjects(baseline);
        others = new OtherActors(engine, objects, baseline.initial);
        this.tracing = tracing;
        checks = new RunChecks<>(this, reference);
        faults = new ScheduledFaults(schedule, this, tracing || reference.isEmpty());
        user = new UserClient(engine.partition(Engine.DEFAULT_PARTITION).client("user"));
    }

    /** Runs a schedule, and compares it with the run without faults. */
    public static <E> RunResult run(Baseline<E> baseline, Schedule schedule, RunResult calm, boolean tracing) {
        CheckRun<E> run = new CheckRun<>(baseline, Variant.PLAIN, schedule, Optional.of(calm), tracing);
        RunResult result = run.run();
        if (result.finding().isEmpty() || run.jumped.isZero()) {
            return result;
        }
        // a controller that waits for a time of the other clock has to wait that much longer; most do not
        CheckRun<E> patient = new CheckRun<>(baseline, Variant.PLAIN, schedule, Optional.of(calm), tracing);
        patient.patience = run.patience.plus(run.jumped);
        return patient.run();
    }

    /** Runs without faults. */
    static <E> RunResult undisturbed(Baseline<E> baseline, Variant variant) {
        return new CheckRun<>(baseline, variant, Schedule.NONE, Optional.empty(), true).run();
    }

    private RunResult run() {
        try (engine) {
            variant.absent().ifPresent(this::neverCreate);
            boot();
            faults.start();
            for (int phase = 0; phase <= spec.edits().size() && !checks.failed(); phase++) {
                if (phase > 0) {
                    edit(phase).ifPresent(this::editFailed);
                }
                settle();
                checks.atRest(edited, deleting);
            }
            if (!checks.failed() && variant.absent().isEmpty()) {
                reconcileAgain();
            }
            if (!checks.failed() && variant.absent().isEmpty()) {
                deleteAll();
            }
            return new RunResult(
                    checks.finding,
                    checks.states,
                    checks.keptTimes,
                    checks.survivors,
                    faults.observed(),
                    checks.inTheWay,
                    faults.struck,
                    List.copyOf(steps));
        }
    }

    /** Makes the run one without this object. */
    private void neverCreate(ObjectRef object) {
        others.delete(object);
        objects.given.remove(object);
        deleted.add(object);
    }

    private void boot() {
        process = process.next();
        sinks.clear();
        caches.processEnded();
        start(process, previous ? spec.previous() : spec.controllers(), sinks);
    }

    private void start(
            VirtualScheduler starting,
            List<Function<E, ? extends Controller<?>>> controllers,
            Map<Kind<?>, Source.Sink> sinksOf) {
        Client server = engine.partition(Engine.DEFAULT_PARTITION).client("controller");
        Manager manager = Manager.builder(new FaultInjectingClient(server, faults.new Calls(starting)))
                .scheduler(starting)
                .informerOptions(CACHING)
                .metrics(new CompositeMeterRegistry()) // without a registry in it nothing is measured
                .build();
        E system = checks.outside.system();
        E seen = spec.calls()
                .map(calls -> calls.through(faults, starting, system))
                .orElse(system);
        controllers.forEach(maker -> manager.add(prepared(starting, maker.apply(seen), sinksOf)));
        manager.start();
    }

    private <T extends HasMetadata> Controller<T> prepared(
            VirtualScheduler mine, Controller<T> controller, Map<Kind<?>, Source.Sink> sinksOf) {
        objects.reconciled(controller.primary().id());
        return controller
                .workers(1)
                .resyncInterval(Duration.ZERO)
                .deadline(Duration.ofHours(1))
                .around(reconciler -> reconciliation -> reconcile(mine, controller, reconciler, reconciliation))
                .source(new Again("convergence", controller.primary(), sinksOf));
    }

    private record Again(String name, Kind<?> kind, Map<Kind<?>, Sink> sinks) implements Source {
        @Override
        public AutoCloseable start(Sink sink, Scheduler scheduler) {
            sinks.put(kind, sink);
            return () -> {};
        }
    }

    // after any exception the reconciler is called again; the manager would do the same, and log it thousands of times
    @SuppressWarnings("CatchThrowable")
    private <T extends HasMetadata> Result reconcile(
            VirtualScheduler mine, Controller<T> controller, Reconciler<T> reconciler, Reconciliation<T> request) {
        mine.readWatches();
        ObjectRef object = new ObjectRef(controller.primary().id(), request.key());
        runs++;
        runsSinceWrite++;
        boolean isBeside = isBeside(mine);
        if (isBeside) {
            runsBeside++;
        }
        step(() -> (isBeside ? "previous version: " : "") + "reconcile " + object + " ("
                + String.join(", ", request.causes()) + ")");
        int changesBefore = changes;
        try {
            Result outcome = reconciler.reconcile(new WithoutEvents<>(request));
            if (mine.stopped()) {
                return outcome;
            }
            if (!outcome.succeeded()) {
                failed(mine, object, outcome.problems().getFirst().error());
                // without its problems: the manager would log them thousands of times
                return new Result(false, outcome.delay(), outcome.retries(), outcome.priority(), false, List.of());
            }
            if (isBeside) {
                return outcome;
            }
            if (outcome.retries()) {
                checks.failing.put(object, "it requests another call, each time");
            } else {
                checks.failing.remove(object);
            }
            return outcome;
        } catch (ProcessCrashed e) {
            return Result.done();
        } catch (Throwable e) {
            if (mine.stopped()) {
                return Result.done();
            }
            failed(mine, object, e);
            return e instanceof TerminalException ? Result.done() : Result.retry();
        } finally {
            if (changes > changesBefore) {
                wroteAgain(object);
            }
        }
    }

    private void wroteAgain(ObjectRef object) {
        int times = writingRuns.merge(object, 1, Integer::sum);
        restless |= times % WRITING_RUNS_AT_ONCE == 0;
        if (times > MOST_WRITING_RUNS) {
            checks.fail(new Finding(
                    "it does not settle: " + object + " was reconciled " + MOST_WRITING_RUNS
                            + " times, with writes each time",
                    lastWrites()));
        }
    }

    private boolean isBeside(VirtualScheduler mine) {
        return alongside.filter(other -> other == mine).isPresent();
    }

    private void failed(VirtualScheduler mine, ObjectRef object, Throwable error) {
        if (!isBeside(mine)) {
            checks.failing.put(object, String.valueOf(error));
        }
        step(() -> "    it fails: " + error);
    }

    private List<String> lastWrites() {
        List<String> last = faults.last(MOST_WRITING_RUNS);
        String of = " of the last " + last.size() + " writes: ";
        return last.stream()
                .distinct()
                .limit(5)
                .map(write -> Collections.frequency(last, write) + of + write)
                .toList();
    }

    private void settle() {
        writingRuns.clear();
        rest();
    }

    private void rest() {
        progress();
        while (!checks.failed()) {
            if (process.dead()) {
                boot();
            }
            if (runsBeside > RUNS_OVERLAPPING) {
                endOverlap();
            }
            if (runs - runsAtPause > RUNS_BEHIND) {
                // no cache is paused indefinitely; a reconciler that writes until then is only impatient
                resumeCaches();
            }
            if (restless) {
                restless = false;
                clock.advance(TIME_OF_RUNS);
            }
            if (process.step() || resumeCaches() || endOverlap()) {
                continue;
            }
            if (previous) {
                previous = false;
                step(() -> "at rest: the present version starts");
                crash(process);
                continue;
            }
            if (resync) {
                resync = false;
                step(() -> "everything is reconciled again");
                reconcileAll();
                continue;
            }
            Duration sinceWrite = Duration.ofNanos(clock.nanos() - lastWrite);
            if (runsSinceWrite > RUNS_WITHOUT_WRITES || !process.advanceToNext(patience.minus(sinceWrite))) {
                faults.rest();
                return;
            }
        }
    }

    private boolean resumeCaches() {
        Set<String> resumed = caches.resume();
        resumed.forEach(kind -> step(() -> "the cache of " + kind + " resumes"));
        return !resumed.isEmpty();
    }

    private void progress() {
        lastWrite = clock.nanos();
        runsSinceWrite = 0;
    }

    private void reconcileAgain() {
        step(() -> "everything is reconciled again, for no reason");
        clock.advance(A_WHILE);
        int before = changes;
        List<String> written = faults.quietly(() -> {
            reconcileAll();
            settle();
        });
        if (changes > before) {
            List<String> some = written.stream().limit(5).toList();
            checks.fail(new Finding("it writes although nothing has changed", some));
        }
        if (!checks.failed() && checks.undisturbed()) {
            startAgain();
        }
    }

    private void startAgain() {
        step(() -> "the process starts again, for no reason");
        clock.advance(A_WHILE);
        int before = changes;
        List<String> written = faults.quietly(() -> {
            crash(process);
            settle();
        });
        if (changes > before) {
            List<String> some = written.stream().limit(5).toList();
            checks.fail(new Finding("it writes after a restart although nothing has changed", some));
        }
    }

    private void deleteAll() {
        deleting = true;
        Optional<ObjectRef> one = variant.first().or(this::oneOfSeveral);
        if (one.isPresent() && checks.comparesSurvivors(one.get())) {
            step(() -> "the user deletes " + one.get() + ", and no other");
            delete(one.get());
            settle();
            if (deleted.equals(Set.of(one.get()))) { // and no fault has deleted another one meanwhile
                checks.survivors(one.get());
            }
            if (checks.failed()) {
                return;
            }
        }
        for (ObjectRef object : objects.primaries) {
            step(() -> "the user deletes " + object);
            others.delete(object);
        }
        settle();
        checks.afterDeletion();
        if (!checks.failed() && others.holds()) {
            step(() -> "another actor removes its finalizers");
            others.releaseAll();
            settle();
            checks.afterDeletion();
        }
        checks.nothingLeft();
    }

    /** Returns the one of several reconciled objects of a kind that was deleted, or the first; empty if more were. */
    private Optional<ObjectRef> oneOfSeveral() {
        List<ObjectRef> several = severalOfAKind(objects.primaries);
        return deleted.isEmpty()
                ? several.stream().findFirst()
                : several.stream()
                        .filter(object -> deleted.equals(Set.of(object)))
                        .findFirst();
    }

    /** Returns the objects with others of the same kind. */
    static List<ObjectRef> severalOfAKind(Collection<ObjectRef> objects) {
        return objects.stream()
                .filter(one ->
                        objects.stream().anyMatch(other -> other.kind().equals(one.kind()) && !other.equals(one)))
                .toList();
    }

    void step(Supplier<String> line) {
        if (tracing) {
            steps.add(line.get());
        }
    }

    boolean restartsOnly() {
        return faults.restartsOnly();
    }

    /** Called after a write of a controller that has changed an object. */
    void wrote() {
        changes++;
        progress();
    }

    /** Kills a process. */
    void crash(VirtualScheduler crashing) {
        crashing.kill();
        if (isBeside(crashing)) {
            alongside = Optional.empty();
        } else {
            checks.failing.clear();
        }
    }

    /** Has the next process run the previous version; false if there is none. */
    boolean downgrade() {
        previous = !spec.previous().isEmpty();
        return previous;
    }

    /** Starts a process with the previous version next to the present one; false if there is none. */
    boolean overlap() {
        if (spec.previous().isEmpty() || alongside.isPresent()) {
            return false;
        }
        VirtualScheduler other = process.next();
        alongside = Optional.of(other);
        runsBeside = 0;
        start(other, spec.previous(), new LinkedHashMap<>());
        return true;
    }

    private boolean endOverlap() {
        runsBeside = 0;
        boolean ends = alongside.isPresent();
        if (ends) {
            step(() -> "the previous version ends");
            crash(alongside.get());
        }
        return ends;
    }

    /** Lets the clock of the processes jump; always true. */
    boolean jump(Duration by) {
        clock.jump(by);
        jumped = jumped.plus(by.abs());
        return true;
    }

    /** Lets another process take over until all is at rest; then the present one continues. Always true. */
    boolean overtake() {
        step(() -> "another process takes over");
        process.stop();
        checks.failing.clear();
        boot();
        rest();
        step(() -> "at rest: the frozen process continues");
        progress();
        resyncs();
        return true;
    }

    /** Has everything reconciled again when all else is at rest. */
    void resyncs() {
        resync = true;
    }

    /** Pauses the cache of a kind; false if it is not cached. */
    boolean pause(String kind, boolean misses) {
        runsAtPause = runs;
        return caches.pause(kind, misses);
    }

    /** Has all objects reconciled; always true. */
    boolean reconcileAll() {
        sinks.forEach((kind, sink) -> others.client
                .list(kind.encoded(), ListOptions.ALL)
                .items()
                .forEach(object -> sink.add(object.header().key(), "again")));
        return true;
    }

    boolean delete(ObjectRef object) {
        if (objects.primaries.contains(object)) {
            deleting = true;
            deleted.add(object);
        }
        return !objects.foreign.contains(object) && others.delete(object);
    }

    /** Makes the changes of users up to this one, unless one of them fails; false if there was none to make. */
    boolean editEarly(int number) {
        int before = edited;
        Optional<ApiException> failure = edit(number);
        failure.ifPresent(problem -> step(() -> "    it fails, and is made later: " + problem.getMessage()));
        return edited > before;
    }

    /** Makes the changes of users up to this one, and returns the failure of the first that cannot be made. */
    private Optional<ApiException> edit(int number) {
        while (edited < Math.min(number, spec.edits().size())) {
            CheckSpec.Edit next = spec.edits().get(edited);
            step(() -> "the user: " + next.what());
            try {
                next.edit().accept(user);
            } catch (ApiException e) {
                return Optional.of(e);
            }
            edited++;
        }
        return Optional.empty();
    }

    /** Takes a change for made that needs an object which was deleted, or that is still being deleted. */
    private void editFailed(ApiException failure) {
        String what = spec.edits().get(edited++).what();
        notAllEdited = true;
        if (!deleted.isEmpty()) {
            step(() -> "    it fails: " + failure.getMessage());
        } else if (checks.undisturbed()) {
            throw failure;
        } else {
            checks.fail(Finding.of(
                    "the user can no longer make the change: " + what, String.valueOf(failure.getMessage())));
        }
    }

    /** The client of users: objects that they create count as given. */
    private final class UserClient extends ForwardingClient {
        UserClient(Client server) {
            super(server);
        }

        @Override
        protected <R> R write(Operation operation, Supplier<R> effect) {
            ObjectRef object = ObjectRef.of(operation);
            if (operation.action().deletes() && object.named()) {
                others.forget(object); // the user may want to create it again
            }
            boolean isNew = !object.named() || others.find(object).isEmpty();
            R answer = effect.get();
            if (operation.action().deletes()) {
                objects.given.remove(object);
                if (objects.primaries.contains(object)) {
                    deleted.add(object);
                }
            } else if (isNew) { // one that is being deleted, and changed, remains deleted
                deleted.remove(object);
                objects.createdByUser(KnownObjects.written(object, answer));
            }
            return answer;
        }
    }
}
