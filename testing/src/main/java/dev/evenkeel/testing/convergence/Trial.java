package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Source;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.ReflectorOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of the world with one schedule, from the given objects to the deletion of what is reconciled.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler is right if it comes to the same end whatever happens on the way. To see that, many hundred ways must be
 * gone in seconds, each the same when it is gone again, and what runs on them must be what runs in earnest: caches that
 * are behind, a queue, delays, a server with its refusals and its garbage collector.
 *
 * <h2>How</h2>
 *
 * <p>A {@link Manager} runs the controllers against an engine in memory; both have their threads from a {@link Machine} and
 * their time from a {@link VirtualClock}. Writes are numbered over all restarts, and before and after each of them happens
 * what the schedule has for it. The phases:
 *
 * <ol>
 *   <li>the given objects are there, the process starts, and all comes to rest;
 *   <li>each change of a user, unless it was made before, and all comes to rest;
 *   <li>every object is reconciled once more, for no reason: nothing may be written;
 *   <li>what is reconciled is deleted, and all comes to rest.
 * </ol>
 *
 * <p>At each rest the world is compared with the one that the run without faults had when the same changes were made. At
 * rest is what has nothing to do: no task, no event, no timer soon. Caches that stand still go on when all else rests, so
 * that a schedule delays things but takes nothing away.
 *
 * <p>Invariants: what a schedule does not name does not happen; a fault happens at most once; a fault whose object is not
 * there does nothing, so that every part of a schedule can be left out, and what is left is a schedule.
 */
final class Trial<E> implements Wire.Gate {
    private static final long MILLISECOND = 1_000_000;
    private static final int RUNS_WITHOUT_WRITES = 1_000;
    private static final int RUNS_BEHIND = 8;
    private static final int MOST_WRITING_RUNS = 40;
    private static final Duration A_WHILE = Duration.ofSeconds(61);
    private static final Duration NEVER = Duration.ofDays(3650);
    private static final InformerOptions CACHING = InformerOptions.DEFAULT.withReflector(new ReflectorOptions(
            ReflectorOptions.Mode.WHOLE,
            500,
            ReflectorOptions.DEFAULT.backoff(),
            Duration.ofMinutes(2),
            NEVER,
            NEVER,
            NEVER));

    private final Setup<E> setup;
    private final Schedule schedule;
    private final Optional<Reference> reference;
    private final boolean tracing;
    private final VirtualClock clock = new VirtualClock();
    private final Engine engine;
    private final Others others;
    private final Lags lags;
    private final Client user;
    private final E outside;

    private final Set<Place> givens = new LinkedHashSet<>();
    private final Set<String> primaryKinds = new TreeSet<>();
    private final Set<Place> primaries = new LinkedHashSet<>();
    private final Set<Place> foreign = new LinkedHashSet<>();
    private final Set<Place> holding = new LinkedHashSet<>();
    private final Set<String> touched = new TreeSet<>();
    private final Map<Place, String> failing = new TreeMap<>();
    private final Set<Place> inTheWay = new TreeSet<>();
    private final Map<Place, Integer> children = new TreeMap<>();
    private final List<Reference.Done> done = new ArrayList<>();
    private final List<World> worlds = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    private final Map<Place, Integer> writingRuns = new HashMap<>();

    private final Map<Kind<?>, Source.Sink> sinks = new LinkedHashMap<>();

    private Machine machine;
    private int writes;
    private int changes;
    private int runs;
    private int edited;
    private boolean deleting;
    private boolean calm;
    private final List<String> calmWrites = new ArrayList<>();
    private long lastWrite;
    private int runsSinceWrite;
    private int runsAtLag;
    private final Map<Integer, Integer> reads = new HashMap<>();
    private final Set<Fault> struck = new HashSet<>();
    private boolean resync;
    private @Nullable Finding finding;

    private Trial(Start<E> start, Schedule schedule, Optional<Reference> reference, boolean tracing) {
        this.setup = start.setup();
        this.schedule = schedule;
        this.reference = reference;
        this.tracing = tracing;
        givens.addAll(start.givens());
        foreign.addAll(start.foreign());
        engine = start.fork(clock);
        others = new Others(engine);
        lags = new Lags(others.client());
        machine = new Machine(clock, lags::holds);
        user = new Wire(machine, engine.partition(Engine.DEFAULT_PARTITION).client("user"), new User());
        outside = setup.outside().apply(clock);
    }

    /** Tries a schedule; without a reference it becomes one. */
    static <E> Reference run(Start<E> start, Schedule schedule, Optional<Reference> reference, boolean tracing) {
        return new Trial<>(start, schedule, reference, tracing).run();
    }

    private Reference run() {
        try (engine) {
            begin();
            for (int phase = 0; phase <= setup.edits().size() && finding == null; phase++) {
                if (phase > 0) {
                    boolean unused = edit(phase);
                }
                settle();
                checkRest();
            }
            if (finding == null) {
                runAgain();
            }
            if (finding == null) {
                deleteAll();
            }
        } catch (Crashed e) {
            throw new IllegalStateException("nobody is there who could crash", e);
        }
        return new Reference(
                Optional.ofNullable(finding),
                worlds,
                done,
                children,
                primaries,
                inTheWay,
                lags.followed(),
                reads,
                struck,
                steps);
    }

    // ---- the beginning

    private void begin() {
        boot();
        after(0, null);
    }

    /** Starts the process, for the first time or once more. */
    private void boot() {
        machine = new Machine(clock, lags::holds);
        sinks.clear();
        Manager manager = Manager.builder(new Wire(
                        machine, engine.partition(Engine.DEFAULT_PARTITION).client("controller"), this))
                .scheduler(machine)
                .caching(CACHING)
                .metrics(new CompositeMeterRegistry()) // without a registry in it nothing is measured
                .build();
        setup.controllers().forEach(maker -> manager.add(ours(maker.apply(outside))));
        manager.start();
    }

    private <T extends HasMetadata> Controller<T> ours(Controller<T> controller) {
        String id = controller.primary().id();
        primaryKinds.add(id);
        givens.stream().filter(place -> place.kind().equals(id)).forEach(primaries::add);
        Machine mine = machine;
        return controller
                .workers(1)
                .every(Duration.ZERO)
                .deadline(Duration.ofHours(1))
                .around(reconciler -> reconciliation -> run(mine, controller, reconciler, reconciliation))
                .source(new Again(controller.primary()));
    }

    /** Lets a trial have objects reconciled. */
    private final class Again implements Source {
        private final Kind<?> kind;

        Again(Kind<?> kind) {
            this.kind = kind;
        }

        @Override
        public String name() {
            return "convergence";
        }

        @Override
        public AutoCloseable start(Sink sink, Scheduler scheduler) {
            sinks.put(kind, sink);
            return () -> {};
        }
    }

    // whatever a reconciler throws, it is called again; the manager would do the same, and log it thousands of times
    @SuppressWarnings("CatchThrowable")
    private <T extends HasMetadata> Result run(
            Machine mine, Controller<T> controller, Reconciler<T> reconciler, Reconciliation<T> reconciliation) {
        boolean unused = mine.deliver();
        Place place =
                new Place(controller.primary().id(), reconciliation.request().key());
        runs++;
        runsSinceWrite++;
        trace(() -> "reconcile " + place + " (" + String.join(", ", reconciliation.causes()) + ")");
        int changesBefore = changes;
        try {
            Outcome outcome = Outcome.of(reconciler.reconcile(reconciliation));
            if (mine.dead() || mine.overtaken()) {
                return outcome;
            }
            if (!outcome.succeeded()) {
                failed(place, outcome.problems().getFirst().error());
                // it is told here; the manager would log it thousands of times
                return new Outcome(false, outcome.delay(), outcome.retries(), outcome.priority(), false, List.of());
            }
            if (outcome.retries()) {
                failing.put(place, "it asks to be called again, each time");
            } else {
                failing.remove(place);
            }
            return outcome;
        } catch (Crashed e) {
            return Result.done();
        } catch (Throwable e) {
            if (mine.dead() || mine.overtaken()) {
                return Result.done();
            }
            failed(place, e);
            return e instanceof TerminalException ? Result.done() : Result.retry();
        } finally {
            if (changes > changesBefore && writingRuns.merge(place, 1, Integer::sum) > MOST_WRITING_RUNS) {
                fail(Finding.of(
                        "it does not come to rest: " + place + " was reconciled " + MOST_WRITING_RUNS
                                + " times, each time something was written, and on it goes",
                        lastWrites()));
            }
        }
    }

    private void failed(Place place, Throwable error) {
        failing.put(place, String.valueOf(error));
        trace(() -> "    it fails: " + error);
    }

    // ---- until all is at rest

    private void settle() {
        writingRuns.clear();
        rest();
    }

    private void rest() {
        lastWrite = clock.nanos();
        runsSinceWrite = 0;
        while (finding == null) {
            if (machine.dead()) {
                boot();
            }
            if (!lags.none() && runs - runsAtLag > RUNS_BEHIND) {
                // no cache stands still for ever; who writes and writes until then is only impatient
                caughtUp();
            }
            if (machine.work()) {
                continue;
            }
            if (caughtUp()) {
                continue;
            }
            if (resync) {
                resync = false;
                trace(() -> "everything is reconciled once more");
                addAll();
                continue;
            }
            OptionalLong next = machine.nextTimer();
            if (next.isEmpty()
                    || next.getAsLong() - lastWrite > setup.patience().toNanos()
                    || runsSinceWrite > RUNS_WITHOUT_WRITES) {
                return;
            }
            machine.fire();
        }
    }

    private String[] lastWrites() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        List<Reference.Done> last = done.subList(Math.max(0, done.size() - MOST_WRITING_RUNS), done.size());
        last.forEach(write -> counts.merge(write.what(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(write -> write.getValue() + " of the last " + last.size() + " writes: " + write.getKey())
                .limit(5)
                .toArray(String[]::new);
    }

    /** Tells what was held back; false when nothing was. */
    private boolean caughtUp() {
        if (lags.none()) {
            return false;
        }
        lags.end().forEach((kind, lastOnly) -> {
            trace(() -> "the cache of " + kind + " goes on");
            if (lastOnly) {
                machine.deliverLast(kind);
            }
        });
        return true;
    }

    // ---- what must be

    private void fail(Finding what) {
        if (finding == null) {
            finding = what;
            trace(() -> "WRONG: " + what.what());
        }
    }

    private void checkRest() {
        trace(() -> "at rest");
        if (finding != null) {
            return;
        }
        World world = world();
        if (reference.isEmpty()) {
            worlds.add(world);
        }
        checkTouched();
        checkHeld();
        checkFailing();
        if (finding != null || deleting) {
            return;
        }
        reference.ifPresent(before -> {
            World expected = before.worlds().get(edited);
            if (!world.equals(expected)) {
                fail(new Finding(
                        "at rest the world is another one than without the faults",
                        World.differences(expected, world)));
            }
        });
    }

    private void checkFailing() {
        Map<Place, String> wrong = new TreeMap<>(failing);
        if (!foreign.isEmpty()) {
            // who finds what is not its own in its way can do no more than say so
            inTheWay.addAll(failing.keySet());
            wrong.keySet().removeAll(reference.map(Reference::inTheWay).orElse(inTheWay));
        }
        if (!wrong.isEmpty()) {
            fail(new Finding(
                    reference.isEmpty()
                            ? "it fails although nothing goes wrong"
                            : "it still fails when nothing goes wrong any more",
                    wrong.entrySet().stream()
                            .map(one -> one.getKey() + ": " + one.getValue())
                            .toList()));
        }
    }

    /** What somebody else put on an object that is not the reconciler's must still be there. */
    private void checkTouched() {
        for (String text : touched) {
            Place place = Place.parse(text);
            Optional<Encoded> object = others.find(place);
            if (object.isPresent() && !object.get().header().annotations().containsKey(World.TOUCH)) {
                fail(Finding.of(
                        "what somebody else wrote into " + place + " is lost",
                        "annotation " + World.TOUCH + " was put there, and is gone: an update must be of the object as"
                                + " it is, with its resourceVersion, or a patch of what it is about"));
                return;
            }
        }
    }

    /** What somebody else holds is there until that one lets it go. */
    private void checkHeld() {
        for (Place place : holding) {
            if (others.finalizers(place).filter(all -> all.contains(World.HOLD)).isEmpty()) {
                fail(Finding.of(
                        "what somebody else holds is let go: " + place,
                        "finalizer " + World.HOLD + " was put there, and is gone: who cleans up takes away its own"
                                + " finalizer, and no other"));
                return;
            }
        }
    }

    private void runAgain() {
        trace(() -> "all is at rest: everything is reconciled once more");
        clock.advanceTo(clock.nanos() + A_WHILE.toNanos());
        int before = changes;
        calm = true;
        addAll();
        settle();
        calm = false;
        if (changes > before) {
            fail(new Finding(
                    "it writes although nothing is to be done",
                    calmWrites.stream().limit(5).toList()));
        }
    }

    /** A write while nothing is to be done: it has no number, and nothing happens to it. */
    private <R> R calmWrite(Write write, Supplier<R> effect) {
        Optional<Encoded> was = write.named() ? others.find(write.place()) : Optional.empty();
        long revision = engine.store().revision();
        R answer = effect.get();
        boolean effective = engine.store().revision() > revision;
        String difference = effective && write.named() ? difference(was, write.place()) : "";
        trace(() -> "    " + write + ": " + (effective ? difference : "changes nothing"));
        if (effective) {
            changes++;
            lastWrite = clock.nanos();
            runsSinceWrite = 0;
            calmWrites.add(write + (difference.isEmpty() ? "" : ": " + difference));
        }
        return answer;
    }

    private void addAll() {
        sinks.forEach((kind, sink) -> others.client()
                .list(kind.encoded(), ListOptions.ALL)
                .items()
                .forEach(object -> sink.add(object.header().key(), "once more")));
    }

    private void deleteAll() {
        deleting = true;
        for (Place place : primaries) {
            trace(() -> "the user deletes " + place);
            boolean unused = others.remove(place);
        }
        settle();
        trace(() -> "at rest");
        if (finding == null) {
            checkFailing();
        }
        if (finding == null && !holding.isEmpty()) {
            letGo();
        }
        if (finding == null) {
            checkGone();
        }
        if (finding == null) {
            checkLeft();
        }
    }

    /** What was there before, and is not reconciled, is as without the faults: nothing that was made of it is left. */
    private void checkLeft() {
        World left = World.of(
                everything().stream()
                        .filter(found -> {
                            Place place = new Place(found.kind(), found.header().key());
                            return givens.contains(place)
                                    && !primaries.contains(place)
                                    && !setup.outlives().contains(place.kind());
                        })
                        .toList(),
                "",
                setup.ignored());
        if (reference.isEmpty()) {
            worlds.add(left);
        } else if (!left.equals(reference.get().worlds().getLast())) {
            fail(new Finding(
                    "after the deletion what was there before is another than without the faults",
                    World.differences(reference.get().worlds().getLast(), left)));
        }
    }

    private void checkGone() {
        List<String> lines = new ArrayList<>();
        for (World.Found found : everything()) {
            Place place = new Place(found.kind(), found.header().key());
            if (givens.contains(place) && !primaries.contains(place)) {
                continue;
            }
            if (primaries.contains(place)) {
                lines.add(place + " was deleted, and is still there: held by "
                        + found.header().finalizers());
            } else if (!setup.outlives().contains(place.kind())) {
                lines.add(place + " is left: "
                        + (found.header().deleted()
                                ? "held by " + found.header().finalizers()
                                : found.header().owners().isEmpty()
                                        ? "it has no owner, so the garbage collector does not take it"
                                        : "its owners are "
                                                + found.header().owners().stream()
                                                        .map(owner -> owner.kind() + " " + owner.name())
                                                        .toList()));
            }
        }
        for (Place place : givens) {
            if (!primaries.contains(place) && others.find(place).isEmpty()) {
                lines.add(place + " was there before, and is gone");
            }
        }
        String left = state(outside);
        String nothing = state(setup.outside().apply(clock));
        if (!left.equals(nothing)) {
            lines.add(World.OUTSIDE + " there is " + left + ", and should be " + nothing);
        }
        if (!lines.isEmpty()) {
            fail(new Finding("something is left after the deletion", lines));
        }
    }

    private String state(E of) {
        return String.valueOf(setup.state().apply(of));
    }

    // ---- what there is

    private World world() {
        return World.of(everything(), state(outside), setup.ignored());
    }

    /** All objects, of all kinds that anybody had to do with. */
    private List<World.Found> everything() {
        Set<String> kinds = new TreeSet<>();
        givens.forEach(place -> kinds.add(place.kind()));
        done.forEach(write -> kinds.add(write.kind()));
        return others.all(kinds);
    }

    // ---- what others do

    private boolean edit(int number) {
        boolean some = edited < number;
        while (edited < number) {
            Setup.Edit next = setup.edits().get(edited++);
            trace(() -> "the user: " + next.what());
            try {
                next.edit().accept(user);
            } catch (NotFoundException e) {
                if (!deleting) {
                    throw e;
                }
            }
        }
        return some;
    }

    /** What users make is there like what was given. */
    private final class User implements Wire.Gate {
        @Override
        public <R> R write(Write write, Supplier<R> effect) {
            if (write.deletes() && write.named()) {
                // who deletes it may want to make it anew
                release(write.place());
            }
            R answer = effect.get();
            Place place = new Place(
                    write.kind().id(),
                    answer instanceof HasMetadata object && !write.named() ? keyOf(object) : write.key());
            if (write.deletes()) {
                givens.remove(place);
            } else if (!children.containsKey(place)) {
                givens.add(place);
                if (primaryKinds.contains(place.kind())) {
                    primaries.add(place);
                }
            }
            return answer;
        }

        @Override
        public void read() {}

        @Override
        public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
            return others.client().list(kind, options);
        }
    }

    /** Somebody else wants to know when it is deleted. */
    private boolean hold(Place place) {
        List<String> wanted = new ArrayList<>(others.finalizers(place).orElse(List.of(World.HOLD)));
        if (wanted.contains(World.HOLD)) {
            return false;
        }
        wanted.add(World.HOLD);
        others.finalize(place, wanted);
        return holding.add(place);
    }

    /** Somebody else is content. */
    private void release(Place place) {
        if (holding.remove(place)) {
            List<String> wanted = new ArrayList<>(others.finalizers(place).orElse(List.of()));
            if (wanted.remove(World.HOLD)) {
                others.finalize(place, wanted);
            }
        }
    }

    private void letGo() {
        checkHeld();
        if (finding == null) {
            trace(() -> "somebody else lets go of " + holding);
            List.copyOf(holding).forEach(this::release);
            settle();
            trace(() -> "at rest");
            checkFailing();
        }
    }

    private boolean touch(Place place) {
        if (foreign.contains(place) || !others.touch(place, String.valueOf(writes))) {
            return false;
        }
        if (givens.contains(place)) {
            touched.add(place.toString());
        }
        return true;
    }

    // ---- calls of the process

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return lags.list(kind, options);
    }

    @Override
    public <R> R write(Write write, Supplier<R> effect) {
        if (calm) {
            return calmWrite(write, effect);
        }
        int number = ++writes;
        if (finding != null) {
            // whatever it still does, nobody looks
            die();
        }
        clock.advanceTo(clock.nanos() + MILLISECOND);
        before(number, write);
        List<Fault> at = schedule.at(number, Fault.When.AT);
        for (Fault fault : at) {
            trace(() -> "    " + number + " " + write + " <- " + fault.words());
            switch (fault.what()) {
                case REFUSE -> {
                    struck.add(fault);
                    done.add(new Reference.Done(number, edited, deleting, write, false, ""));
                    throw ApiException.of(Status.of(503, "ServiceUnavailable", "the schedule refuses write " + number));
                }
                case CONFLICT -> {
                    if (write.named() && touch(write.place())) {
                        struck.add(fault);
                    }
                }
                case REPEAT -> {
                    if (write.named()) {
                        struck.add(fault);
                        repeated(effect);
                    }
                }
                default -> {}
            }
        }
        boolean undo = !schedule.at(number, Fault.When.AFTER).isEmpty();
        boolean looks = write.named() && (undo || reference.isEmpty() || tracing);
        Optional<Encoded> was = looks ? others.find(write.place()) : Optional.empty();
        long revision = engine.store().revision();
        R answer;
        try {
            answer = effect.get();
        } catch (ApiException e) {
            done.add(new Reference.Done(number, edited, deleting, write, false, ""));
            trace(() -> "    " + number + " " + write + ": " + e.code() + " " + e.reason());
            after(number, null);
            throw e;
        }
        boolean effective = engine.store().revision() > revision;
        ObjectKey key = answer instanceof HasMetadata object && !write.named() ? keyOf(object) : write.key();
        Place place = new Place(write.kind().id(), key);
        String difference = looks && effective ? difference(was, place) : "";
        done.add(new Reference.Done(number, edited, deleting, write, effective, difference));
        trace(() -> "    " + number + " " + write + (write.named() ? "" : " -> " + key.name())
                + (effective ? difference.isEmpty() ? "" : ": " + difference : ": changes nothing"));
        if (effective) {
            changes++;
            lastWrite = clock.nanos();
            runsSinceWrite = 0;
            if (!givens.contains(place) && !write.deletes()) {
                children.putIfAbsent(place, number);
            }
            if (foreign.contains(place)) {
                fail(Finding.of(
                        "it writes to " + place + ", which is not its own",
                        "write " + number + " is " + write + (difference.isEmpty() ? "" : ": " + difference)));
            }
            checkAlways(number);
        }
        after(number, new Wrote(write, place, was));
        for (Fault fault : at) {
            if (fault.what() == Disturbance.LOSE_ANSWER) {
                struck.add(fault);
                throw new UncheckedIOException(
                        new IOException("the schedule loses the answer to write " + number + ": the connection broke"));
            }
        }
        return answer;
    }

    private static ObjectKey keyOf(HasMetadata object) {
        return object instanceof Encoded encoded ? encoded.header().key() : ObjectKey.of(object);
    }

    private record Wrote(Write write, Place place, Optional<Encoded> was) {}

    private static <R> void repeated(Supplier<R> effect) {
        try {
            R unused = effect.get();
        } catch (ApiException e) {
            // who did it first was refused, and so will this one be
        }
    }

    private String difference(Optional<Encoded> was, Place place) {
        Optional<Encoded> is = others.find(place);
        if (was.isEmpty() || is.isEmpty()) {
            return was.isEmpty() && is.isPresent() ? "it is new" : is.isEmpty() ? "it is gone" : "";
        }
        return Fields.changed(was.get(), is.get());
    }

    private void checkAlways(int number) {
        for (Setup.Always always : setup.always()) {
            if (!always.holds().test(others.client())) {
                fail(Finding.of("what must always be so is not: " + always.what(), "from write " + number + " on"));
            }
        }
    }

    private void before(int number, Write write) {
        for (Fault fault : schedule.faults()) {
            if (fault.what() == Disturbance.RESTART_BEHIND && fault.since() == number) {
                lags.keep(fault.kindBehind());
            }
        }
        for (Fault fault : schedule.at(number, Fault.When.BEFORE)) {
            trace(() -> "    " + number + " " + write + " <- " + fault.words());
            happens(fault, null);
        }
    }

    private void after(int number, @Nullable Wrote wrote) {
        for (Fault fault : schedule.at(number, Fault.When.AFTER)) {
            if (fault.what() != Disturbance.OVERTAKE) {
                trace(() -> "    after " + number + ": " + fault.words());
                happens(fault, wrote);
            }
        }
        if (number > 0) {
            overtake(0);
        }
    }

    private void happens(Fault fault, @Nullable Wrote wrote) {
        if (strikes(fault, wrote)) {
            struck.add(fault);
        }
        if (fault.ends()) {
            die();
        }
    }

    /** Injects a fault, a crash aside; false when it has no effect. */
    private boolean strikes(Fault fault, @Nullable Wrote wrote) {
        return switch (fault.what()) {
            case CRASH -> true;
            case RESTART_BEHIND -> lag(fault.kindBehind());
            case EDIT ->
                edit(Math.min(Integer.parseInt(fault.subject()), setup.edits().size()));
            case DELETE -> {
                Place place = Place.parse(fault.subject());
                deleting |= primaries.contains(place);
                yield !foreign.contains(place) && others.remove(place);
            }
            case LAG -> lag(fault.subject());
            case HOLD -> hold(Place.parse(fault.subject()));
            case MISS -> {
                boolean followed = lag(fault.subject());
                lags.miss(fault.subject());
                yield followed;
            }
            case RUN_AGAIN -> {
                addAll();
                yield true;
            }
            case TELL -> machine.deliver();
            case UNDO ->
                wrote != null
                        && !givens.contains(wrote.place())
                        && !wrote.write().deletes()
                        && !wrote.write().ofStatus()
                        && others.restore(wrote.place(), wrote.was());
            case REFUSE, LOSE_ANSWER, CONFLICT, REPEAT, OVERTAKE -> false;
        };
    }

    @Override
    public void read() {
        if (calm) {
            return;
        }
        int after = reads.getOrDefault(writes, 0) + 1;
        reads.put(writes, after);
        overtake(after);
    }

    /** Another process takes over here, if the schedule says so. */
    private void overtake(int after) {
        for (Fault fault : schedule.at(writes, Fault.When.AFTER)) {
            if (fault.what() == Disturbance.OVERTAKE && fault.reads() == after && struck.add(fault)) {
                trace(() -> "    after " + writes + ": " + fault.words());
                overtake();
            }
        }
    }

    private void overtake() {
        trace(() -> "another process takes over");
        machine.overtake();
        failing.clear();
        boot();
        rest();
        trace(() -> "at rest: who stood still goes on");
        lastWrite = clock.nanos();
        runsSinceWrite = 0;
        resync = true;
    }

    private boolean lag(String kind) {
        runsAtLag = runs;
        lags.begin(kind);
        return lags.followed().contains(kind);
    }

    private void die() {
        boolean began = writes > 0;
        machine.die();
        failing.clear();
        if (began) {
            throw new Crashed();
        }
    }

    // ---- for people

    private void trace(Supplier<String> line) {
        if (tracing) {
            steps.add(line.get());
        }
    }
}
