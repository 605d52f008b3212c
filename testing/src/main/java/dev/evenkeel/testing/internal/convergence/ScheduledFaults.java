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
import dev.evenkeel.simulation.internal.Fault.Side;
import dev.evenkeel.simulation.internal.FaultInjectingClient;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Answering;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Injector;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.simulation.internal.ObservedRun;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the writes of the controllers over all restarts, and injects before and after each of them the faults that
 * the schedule has there.
 *
 * <p>Invariants: what a schedule does not name does not happen; a fault happens at most once; a fault whose object does
 * not exist does nothing, so that every part of a schedule can be left out, and what is left is a schedule.
 */
final class ScheduledFaults {
    private static final int MOST_FIELDS = 4;
    private static final Normalization COUNTING =
            Normalization.exact().ignoring("metadata.resourceVersion", "metadata.managedFields", "metadata.generation");
    private static final Duration WRITE_TAKES = Duration.ofMillis(1);

    private final Schedule schedule;
    private final CheckRun<?> run;
    private final boolean compares;
    private final List<ObservedRun.Write> done = new ArrayList<>();
    private final Map<Integer, Integer> reads = new HashMap<>();
    /** The faults that had an effect. */
    final Set<Fault> struck = new HashSet<>();

    private final List<String> quietWrites = new ArrayList<>();
    private int writes;
    private boolean quiet;

    /** @param compares whether the fields that each write changes are wanted */
    ScheduledFaults(Schedule schedule, CheckRun<?> run, boolean compares) {
        this.schedule = schedule;
        this.run = run;
        this.compares = compares;
    }

    ObservedRun observed() {
        return new ObservedRun(done, run.objects.children, run.objects.primaries, run.caches.cached(), reads);
    }

    List<String> last(int count) {
        return done.subList(Math.max(0, done.size() - count), done.size()).stream()
                .map(write -> write.operation().toString())
                .toList();
    }

    void start() {
        after(0, null);
    }

    /** Runs a part in which no write is necessary, and returns its writes. */
    List<String> quietly(Runnable part) {
        quiet = true;
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
                        overtake(reads.merge(writes, 1, Integer::sum));
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
            return quiet ? new Write(operation, 0, List.of()) : write(operation, effect);
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

    private Answering write(Operation operation, Supplier<?> effect) {
        int number = ++writes;
        if (run.checks.failed()) {
            crash(); // nothing is checked any more
        }
        run.clock.advance(WRITE_TAKES);
        before(number, operation);
        List<Fault> at = schedule.at(number, Side.AT);
        ObjectRef object = ObjectRef.of(operation);
        for (Fault fault : at) {
            run.step(() -> "    " + number + " " + operation + " <- " + fault.description());
            switch (fault.kind()) {
                case REFUSE -> {
                    struck.add(fault);
                    record(number, operation, false);
                    throw ApiException.of(Status.of(503, "ServiceUnavailable", "the schedule refuses write " + number));
                }
                case CONFLICT -> strike(fault, object.named() && run.others.touch(object, number));
                case REPEAT -> strike(fault, object.named() && repeated(effect));
                default -> {}
            }
        }
        return new Write(operation, number, at);
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
        private final Operation operation;
        private final int number;
        private final List<Fault> at;
        private final boolean looks;
        private final Optional<Encoded> was;
        private final long revision;

        Write(Operation operation, int number, List<Fault> at) {
            this.operation = operation;
            this.number = number;
            this.at = at;
            ObjectRef object = ObjectRef.of(operation);
            boolean relevant =
                    number == 0 || compares || !schedule.at(number, Side.AFTER).isEmpty();
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
                after(number, null);
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
            }
            after(number, new Wrote(operation.action(), object, was));
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

    private void before(int number, Operation operation) {
        for (Fault fault : schedule.faults()) {
            if (fault.subject() instanceof Fault.CacheBehind cache && fault.since(cache) == number) {
                run.caches.keep(cache.cached());
            }
        }
        for (Fault fault : schedule.at(number, Side.BEFORE)) {
            run.step(() -> "    " + number + " " + operation + " <- " + fault.description());
            inject(fault, null);
        }
    }

    private void after(int number, @Nullable Wrote wrote) {
        for (Fault fault : schedule.at(number, Side.AFTER)) {
            if (fault.kind() != FaultKind.OVERTAKE) {
                run.step(() -> "    after " + number + ": " + fault.description());
                inject(fault, wrote);
            }
        }
        if (number > 0) {
            overtake(0);
        }
    }

    private void inject(Fault fault, @Nullable Wrote wrote) {
        strike(
                fault,
                switch (fault.subject()) {
                    case Fault.Cache cache -> run.pause(cache.cached(), fault.kind() == FaultKind.MISS);
                    case Fault.CacheBehind cache -> run.pause(cache.cached(), false);
                    case Fault.Edit edit -> run.edit(edit.number());
                    case Fault.OfObject of ->
                        fault.kind() == FaultKind.DELETE ? run.delete(of.object()) : run.others.hold(of.object());
                    case Fault.Self self ->
                        switch (fault.kind()) {
                            case CRASH -> true;
                            case RUN_AGAIN -> run.reconcileAll();
                            case TELL -> run.process.readWatches();
                            case UNDO -> wrote != null && undone(wrote);
                            default -> false;
                        };
                    case Fault.Overtake overtake -> false;
                });
        if (fault.crashes()) {
            crash();
        }
    }

    private boolean undone(Wrote wrote) {
        return !run.objects.given.contains(wrote.object())
                && !wrote.action().deletes()
                && !wrote.action().ofStatus()
                && run.others.restore(wrote.object(), wrote.was());
    }

    private void crash() {
        VirtualScheduler process = run.crash();
        if (writes > 0) {
            process.requireAlive();
        }
    }

    /** Lets another process take over here, if the schedule has it. */
    private void overtake(int after) {
        for (Fault fault : schedule.at(writes, Side.AFTER)) {
            if (fault.subject() instanceof Fault.Overtake overtake && overtake.reads() == after && struck.add(fault)) {
                run.step(() -> "    after " + writes + ": " + fault.description());
                run.overtake();
            }
        }
    }
}
