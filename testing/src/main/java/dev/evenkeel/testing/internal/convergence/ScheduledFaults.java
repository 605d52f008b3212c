package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.client.ForwardingClient.Operation;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Fault;
import dev.evenkeel.simulation.internal.FaultInjectingClient;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Answering;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Injector;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.simulation.internal.ObservedRun;
import dev.evenkeel.simulation.internal.Place;
import dev.evenkeel.simulation.internal.Place.Side;
import dev.evenkeel.simulation.internal.Place.Step;
import dev.evenkeel.simulation.internal.Schedule;
import dev.evenkeel.testing.diff.Difference;
import dev.evenkeel.testing.diff.Normalization;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the writes of the controllers and their calls of external systems over all restarts, and injects before, at
 * and after each of them the faults that the schedule has there.
 *
 * <p>Invariants: what a schedule does not name does not happen; a fault happens at most once; a fault whose object does
 * not exist does nothing, so that every part of a schedule can be left out, and what is left is a schedule.
 */
final class ScheduledFaults {
    private static final int MOST_FIELDS = 4;
    private static final Normalization COUNTING =
            Normalization.exact().ignoring("metadata.resourceVersion", "metadata.managedFields", "metadata.generation");
    private static final Duration WRITE_TAKES = Duration.ofMillis(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Schedule schedule;
    private final Map<Place, List<Fault>> faults = new HashMap<>();
    private final CheckRun<?> run;
    private final boolean compares;
    private final List<ObservedRun.Write> done = new ArrayList<>();
    private final List<ObservedRun.Call> called = new ArrayList<>();
    private final Map<Integer, Integer> reads = new HashMap<>();
    /** The faults that had an effect. */
    final Set<Fault> struck = new HashSet<>();

    /** The denials that are in force, and how often they still apply. */
    private final Map<Fault, Integer> denials = new LinkedHashMap<>();

    private final List<String> quietWrites = new ArrayList<>();
    private int writes;
    private int calls;
    private boolean quiet;

    /** @param compares whether the fields that each write changes are wanted */
    ScheduledFaults(Schedule schedule, CheckRun<?> run, boolean compares) {
        this.schedule = schedule;
        this.run = run;
        this.compares = compares;
        schedule.faults().forEach(fault -> faults.computeIfAbsent(fault.place(), schedule::at));
    }

    private List<Fault> at(Place place) {
        return faults.getOrDefault(place, List.of());
    }

    ObservedRun observed() {
        return new ObservedRun(
                done,
                called,
                run.objects.children,
                run.objects.primaries,
                run.caches.cached(),
                reads,
                compares ? run.others.migratable() : Set.of());
    }

    /** Returns whether all faults are restarts, which let all else continue as if nothing had happened. */
    boolean restartsOnly() {
        return schedule.faults().stream().allMatch(fault -> fault.kind() == FaultKind.CRASH);
    }

    List<String> last(int count) {
        return done.subList(Math.max(0, done.size() - count), done.size()).stream()
                .map(write -> write.operation().toString())
                .toList();
    }

    void start() {
        after(run.process, 0, null);
    }

    /** Ends the denials that are left. */
    void rest() {
        denials.clear();
    }

    /** Runs a part in which no write is necessary, and returns its writes. */
    List<String> quietly(Runnable part) {
        quiet = true;
        quietWrites.clear();
        part.run();
        quiet = false;
        return quietWrites;
    }

    /** The calls of a process, from one start to its end. */
    final class Calls implements Injector {
        private final VirtualScheduler process;
        private boolean ofCache;

        Calls(VirtualScheduler process) {
            this.process = process;
        }

        @Override
        public Answering begin(Operation operation, boolean versioned, Supplier<?> effect) {
            process.requireAlive();
            if (FaultInjectingClient.reads(operation)) {
                ofCache = operation.action() == Action.WATCH;
                return answer -> {
                    if (!ofCache && !process.stopped() && !quiet) {
                        int count = reads.merge(writes, 1, Integer::sum);
                        at(new Place(count, Side.AFTER, Step.WRITE, writes))
                                .forEach(fault -> inject(process, fault, null));
                    }
                };
            }
            if (process.stopped()) {
                throw ApiException.of(Status.of(409, "Conflict", "another process has taken over"));
            }
            // events are for users: nothing depends on them, and they may be lost
            if (operation.dryRun() || operation.kind().plural().equals("events")) {
                return answer -> {};
            }
            return quiet ? new Write(process, operation, 0, List.of()) : write(process, operation, effect);
        }

        @Override
        public <T extends HasMetadata> Listing<T> list(Client server, Kind<T> kind, ListOptions options) {
            ofCache = StaleCaches.isOfCache(options);
            return run.caches.list(server, kind, options);
        }

        @Override
        public <T extends HasMetadata> Watch<T> watch(Client server, Kind<T> kind, ListOptions options) {
            return run.caches.watch(kind, server.watch(kind, options));
        }
    }

    private Answering write(VirtualScheduler process, Operation operation, Supplier<?> effect) {
        int number = ++writes;
        if (run.checks.failed()) {
            crash(process); // nothing is checked any more
        }
        run.clock.advance(WRITE_TAKES);
        for (Fault fault : schedule.faults()) {
            if (fault.subject() instanceof Fault.CacheBehind cache && fault.since(cache) == number) {
                run.caches.keep(cache.cached());
            }
        }
        for (Fault fault : at(Place.ofWrite(Side.BEFORE, number))) {
            run.step(() -> "    " + number + " " + operation + " <- " + fault.description());
            inject(process, fault, null);
        }
        List<Fault> at = at(Place.ofWrite(Side.AT, number));
        ObjectRef object = ObjectRef.of(operation);
        for (Fault fault : at) {
            run.step(() -> "    " + number + " " + operation + " <- " + fault.description());
            switch (fault.kind()) {
                case REFUSE -> {
                    struck.add(fault);
                    throw refused(number, operation, 503, "ServiceUnavailable", "the schedule refuses write " + number);
                }
                case TIMEOUT -> {
                    struck.add(fault);
                    run.clock.advance(TIMEOUT);
                    throw refused(number, operation, 504, "Timeout", "in the schedule write " + number + " times out");
                }
                case CONFLICT -> strike(fault, object.named() && run.others.touch(object, number));
                case REPEAT -> strike(fault, object.named() && repeated(effect));
                default -> {}
            }
        }
        if (denied(operation)) {
            String message = operation.kind().plural() + " is forbidden: exceeded quota (in the schedule)";
            run.step(() -> "    " + number + " " + operation + ": denied, 403");
            throw refused(number, operation, 403, "Forbidden", message);
        }
        return new Write(process, operation, number, at);
    }

    private ApiException refused(int number, Operation operation, int code, String reason, String message) {
        record(number, operation, false);
        return ApiException.of(Status.of(code, reason, message));
    }

    private boolean denied(Operation operation) {
        Action action = operation.action();
        if (denials.isEmpty() || action.deletes() || action.ofStatus()) {
            return false;
        }
        for (Fault fault : List.copyOf(denials.keySet())) {
            if (fault.subject() instanceof Fault.Denial denial
                    && denial.id().equals(operation.kind().id())) {
                denials.computeIfPresent(fault, (same, left) -> left > 1 ? left - 1 : null);
                struck.add(fault);
                run.resyncs(); // a reconciler may report what is denied, and leave it at that until then
                return true;
            }
        }
        return false;
    }

    /** Performs a call of an external system by a process, with the faults that the schedule has there. */
    Object call(VirtualScheduler process, String words, ExternalCalls api, ExternalCalls.Call effect) throws Exception {
        process.requireAlive();
        if (quiet || process.stopped() || run.checks.failed()) {
            return effect.perform(); // nothing stops the calls of a process that was overtaken
        }
        int number = ++calls;
        for (Fault fault : at(Place.ofCall(Side.BEFORE, number))) {
            run.step(() -> "    call " + number + " " + words + " <- " + fault.description());
            inject(process, fault, null);
        }
        if (process.stopped()) {
            return effect.perform();
        }
        boolean loses = false;
        for (Fault fault : at(Place.ofCall(Side.AT, number))) {
            run.step(() -> "    call " + number + " " + words + " <- " + fault.description());
            struck.add(fault);
            switch (fault.kind()) {
                case REFUSE -> throw api.failure().apply("the schedule refuses call " + number + ": " + words);
                case TIMEOUT -> {
                    run.clock.advance(TIMEOUT);
                    throw api.failure().apply("in the schedule call " + number + " times out: " + words);
                }
                case LOSE_ANSWER -> loses = true;
                default -> struck.remove(fault);
            }
        }
        String before = compares ? run.checks.outside.text() : "";
        boolean ends = false;
        try {
            Object answer = effect.perform();
            ends = true;
            return loses ? lost(api, number, words) : answer;
        } finally {
            String after = compares ? run.checks.outside.text() : "";
            boolean returned = ends;
            run.step(() -> "    call " + number + " " + words + (returned ? "" : ": it fails")
                    + (after.equals(before) ? "" : ": " + before + " -> " + after));
            called.add(new ObservedRun.Call(number, writes, run.edited, run.deleting, !after.equals(before)));
            for (Fault fault : at(Place.ofCall(Side.AFTER, number))) {
                run.step(() -> "    after call " + number + ": " + fault.description());
                inject(process, fault, null);
            }
        }
    }

    private static Object lost(ExternalCalls api, int number, String words) throws Exception {
        throw api.failure().apply("the schedule loses the answer to call " + number + ": " + words);
    }

    private void strike(Fault fault, boolean effective) {
        if (effective) {
            struck.add(fault);
        }
    }

    private void record(int number, Operation operation, boolean effective) {
        run.checks.kinds.add(operation.kind().id());
        done.add(new ObservedRun.Write(number, run.edited, run.deleting, operation, effective));
    }

    private static boolean repeated(Supplier<?> effect) {
        try {
            Object unused = effect.get();
        } catch (ApiException e) {
            // the same write was refused before, and will be refused again
        }
        return true;
    }

    /** A write on its way to the server and back; its number is zero in a part in which no write is necessary. */
    private final class Write implements Answering {
        private final VirtualScheduler process;
        private final Operation operation;
        private final int number;
        private final List<Fault> at;
        private final boolean looks;
        private final Optional<Encoded> was;
        private final long revision;

        Write(VirtualScheduler process, Operation operation, int number, List<Fault> at) {
            this.process = process;
            this.operation = operation;
            this.number = number;
            this.at = at;
            ObjectRef object = ObjectRef.of(operation);
            boolean relevant = number == 0
                    || compares
                    || !at(Place.ofWrite(Side.AFTER, number)).isEmpty();
            looks = object.named() && relevant;
            was = looks ? run.others.find(object) : Optional.empty();
            revision = run.engine.store().revision();
        }

        private String name() {
            return number == 0 ? operation.toString() : number + " " + operation;
        }

        @Override
        public void refused(ApiException e) {
            run.step(() -> "    " + name() + ": " + e.code() + " " + e.reason());
            if (number > 0) {
                record(number, operation, false);
                after(process, number, null);
            }
        }

        @Override
        public void answered(Object answer) {
            boolean effective = run.engine.store().revision() > revision;
            ObjectRef asked = ObjectRef.of(operation);
            ObjectRef object = KnownObjects.written(asked, answer);
            String difference = looks && effective ? difference(object) : "";
            String detail = difference.isEmpty() ? "" : ": " + difference;
            String generated = object.equals(asked) ? "" : " -> " + object.key().name();
            run.step(() -> "    " + name() + generated + (effective ? detail : ": changes nothing"));
            if (effective) {
                run.wrote();
            }
            if (number == 0) {
                if (effective) {
                    quietWrites.add(operation + detail);
                }
                return;
            }
            record(number, operation, effective);
            if (effective) {
                if (!run.objects.given.contains(object) && !operation.action().deletes()) {
                    run.objects.children.putIfAbsent(object, number);
                }
                run.checks.afterWrite(number, object, operation + detail);
                if (looks && was.isPresent()) {
                    run.others.find(object).ifPresent(is -> run.checks.transitions(object, was.get(), is));
                }
            }
            after(process, number, new Wrote(operation.action(), object, was));
            for (Fault fault : at) {
                if (fault.kind() == FaultKind.LOSE_ANSWER) {
                    struck.add(fault);
                    throw new UncheckedIOException(new IOException(
                            "the schedule loses the answer to write " + number + ": the connection broke"));
                }
            }
        }

        private String difference(ObjectRef object) {
            Optional<Encoded> is = run.others.find(object);
            if (was.isEmpty() || is.isEmpty()) {
                return is.isPresent() ? "it is new" : "it is gone";
            }
            List<Difference.Change> changes =
                    Difference.between(was.get(), is.get(), COUNTING).changes();
            String shown = changes.stream()
                    .limit(MOST_FIELDS)
                    .map(change -> change.path() + ": " + brief(change.expected()) + " -> " + brief(change.observed()))
                    .collect(Collectors.joining(", "));
            int more = changes.size() - MOST_FIELDS;
            return more > 0 ? shown + " and " + more + " more fields" : shown;
        }

        private static String brief(String value) {
            String text = value.isEmpty() ? "nothing" : value;
            return text.length() <= 60 ? text : text.substring(0, 57) + "...";
        }
    }

    private record Wrote(Action action, ObjectRef object, Optional<Encoded> was) {}

    private void after(VirtualScheduler process, int number, @Nullable Wrote wrote) {
        for (Fault fault : at(Place.ofWrite(Side.AFTER, number))) {
            run.step(() -> "    after " + number + ": " + fault.description());
            inject(process, fault, wrote);
        }
    }

    private void inject(VirtualScheduler process, Fault fault, @Nullable Wrote wrote) {
        strike(
                fault,
                switch (fault.subject()) {
                    case Fault.OfKind of ->
                        switch (fault.kind()) {
                            case LAG -> run.pause(of.id(), false);
                            case MISS -> run.pause(of.id(), true);
                            default -> run.others.migrate(of.id());
                        };
                    case Fault.CacheBehind cache -> run.pause(cache.cached(), false);
                    case Fault.Edit edit -> run.editEarly(edit.number());
                    case Fault.OfObject of ->
                        fault.kind() == FaultKind.DELETE ? run.delete(of.object()) : run.others.hold(of.object());
                    case Fault.Denial denial -> denials.put(fault, denial.times()) != null; // strikes when it denies
                    case Fault.Seconds seconds -> run.jump(Duration.ofSeconds(seconds.number()));
                    case Fault.Self self ->
                        switch (fault.kind()) {
                            case CRASH -> true;
                            case RUN_AGAIN -> run.reconcileAll();
                            case TELL -> process.readWatches();
                            case UNDO -> wrote != null && undone(wrote);
                            case OVERTAKE -> process == run.process && run.overtake();
                            case DOWNGRADE -> run.downgrade();
                            case OVERLAP -> run.overlap();
                            default -> false;
                        };
                });
        if (fault.crashes()) {
            crash(process);
        }
    }

    private boolean undone(Wrote wrote) {
        return !run.objects.given.contains(wrote.object())
                && !wrote.action().deletes()
                && !wrote.action().ofStatus()
                && run.others.restore(wrote.object(), wrote.was());
    }

    private void crash(VirtualScheduler process) {
        run.crash(process);
        if (writes + calls > 0) {
            process.requireAlive();
        }
    }
}
