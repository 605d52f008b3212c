package dev.evenkeel.simulation;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.client.ForwardingClient.Operation;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.FaultInjectingClient;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Answering;
import dev.evenkeel.simulation.internal.FaultInjectingClient.Injector;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Supplier;

/**
 * Draws faults for the calls of a process at the rates of its simulation: before a call reaches the server, or after.
 * At both points time may pass, in which other tasks run.
 */
final class RandomFaults implements Injector {
    private static final long MINUTE = 60_000_000_000L;

    private final Simulation simulation;
    private final SimulatedProcess process;
    private final VirtualScheduler scheduler;

    RandomFaults(Simulation simulation, SimulatedProcess process, VirtualScheduler scheduler) {
        this.simulation = simulation;
        this.process = process;
        this.scheduler = scheduler;
    }

    @Override
    public Answering begin(Operation operation, boolean versioned, Supplier<?> effect) {
        String what = operation.action() == Action.WATCH ? "" : operation.toString();
        depart(operation.toString());
        return FaultInjectingClient.reads(operation) ? new Read(what) : new Write(operation, what, versioned);
    }

    private void trace(String what) {
        simulation.trace(scheduler.toString(), what);
    }

    /** Injects faults on the way to the server. */
    private void depart(String what) {
        scheduler.requireAlive();
        simulation.latency(process, scheduler);
        if (simulation.happens(FaultKind.NO_CONNECTION)) {
            trace(what + ": no connection");
            throw simulation.lost(what);
        }
        if (simulation.happens(FaultKind.REFUSE)) {
            Status.Details later = Status.Details.EMPTY.retryAfterSeconds(1);
            throw refused(
                    what,
                    switch (simulation.below(3)) {
                        case 0 -> Status.of(429, "TooManyRequests", "simulated: too many requests", later);
                        case 1 -> Status.of(500, "InternalError", "simulated: an internal error");
                        default -> Status.of(503, "ServiceUnavailable", "simulated: the server is not available");
                    });
        }
        if (simulation.happens(FaultKind.TIMEOUT)) {
            throw refused(what, Status.of(504, "Timeout", "simulated: the server took too long"));
        }
    }

    private ApiException refused(String what, Status status) {
        trace(what + ": " + status.code() + " (fault)");
        return ApiException.of(status);
    }

    /** The answer to a read. */
    private class Read implements Answering {
        final String what;

        Read(String what) {
            this.what = what;
        }

        @Override
        public void answered(Object answer) {
            if (!what.isEmpty()) { // a watch is traced separately
                trace(what);
            }
            simulation.latency(process, scheduler);
        }

        @Override
        public void refused(ApiException e) {
            trace(what + ": " + e.code() + " " + e.reason());
            simulation.latency(process, scheduler);
        }
    }

    /** The answer to a write. */
    private final class Write extends Read {
        private final Operation operation;
        private final boolean crashes;

        Write(Operation operation, String what, boolean versioned) {
            super(what);
            this.operation = operation;
            if (versioned && simulation.happens(FaultKind.CONFLICT)) {
                String message = "simulated: the object has been modified";
                throw RandomFaults.this.refused(what, Status.of(409, "Conflict", message, Status.Details.EMPTY));
            }
            crashes = simulation.happens(FaultKind.CRASH);
            if (crashes && simulation.fraction() < 0.5) {
                trace(what + ": dies before");
                simulation.crash(process, scheduler);
            }
        }

        @Override
        public void answered(Object answer) {
            trace(what + summary(answer));
            simulation.changed();
            simulation.monitor().committed(scheduler, what);
            if (crashes) {
                trace(what + ": dies after");
                simulation.crash(process, scheduler);
            }
            boolean lost = simulation.happens(FaultKind.LOSE_ANSWER);
            if (lost) {
                trace(what + ": the answer is lost");
            }
            simulation.latency(process, scheduler);
            if (lost) {
                throw simulation.lost(what);
            }
            if (!operation.dryRun()) {
                report(answer);
            }
        }

        private void report(Object answer) {
            if (answer instanceof HasMetadata object) {
                simulation.monitor().wrote(scheduler, operation.kind(), object);
            } else if (answer instanceof Deletion<?> deletion) {
                simulation.monitor().deleted(scheduler, operation.kind(), operation.key(), deletion);
            }
        }
    }

    /** Formats the answer to a write for a trace. */
    private static String summary(Object answer) {
        return switch (answer) {
            case HasMetadata object -> " -> " + object.getMetadata().getResourceVersion();
            case Deletion<?> deletion -> deletion.remaining().isPresent() ? ": marked" : ": gone";
            case Client.Replicas replicas -> " to " + replicas.desired();
            case List<?> deleted -> ": " + deleted.size();
            default -> "";
        };
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Client server, Kind<T> kind, ListOptions options) {
        if (!options.continueToken().isEmpty() && simulation.happens(FaultKind.EXPIRED_PAGE)) {
            throw expired();
        }
        if (!options.resourceVersion().equals("0") || simulation.faults().rate(FaultKind.STALE_LIST) == 0) {
            return server.list(kind, options);
        }
        String question = kind + " " + options;
        @SuppressWarnings("unchecked") // the question begins with the kind
        Listing<T> before = (Listing<T>) simulation.earlierLists().get(question);
        if (before != null && simulation.happens(FaultKind.STALE_LIST)) {
            trace("an earlier list of " + kind.id());
            return copy(before);
        }
        Listing<T> present = server.list(kind, options);
        if (present.continueToken().isEmpty()) {
            simulation.earlierLists().put(question, copy(present));
        }
        return present;
    }

    private static <T extends HasMetadata> Listing<T> copy(Listing<T> listing) {
        List<T> items = listing.items().stream()
                .map(item -> item instanceof Encoded ? item : ModelCodec.copy(item))
                .toList();
        return new Listing<>(items, listing.resourceVersion(), listing.continueToken());
    }

    private static ApiException expired() {
        return ApiException.of(Status.of(410, "Expired", "simulated: too old"));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Client server, Kind<T> kind, ListOptions options) {
        String from = options.resourceVersion();
        String start = options.sendInitialEvents() ? "with initial events" : "from " + (from.isEmpty() ? "now" : from);
        trace("watch " + kind.id() + " " + start);
        if (options.sendInitialEvents() && simulation.happens(FaultKind.NO_STREAMING_LIST)) {
            String message = "simulated: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for"
                    + " watch unless the WatchList feature gate is enabled";
            throw ApiException.of(Status.of(422, "Invalid", message));
        }
        boolean resumes = !options.sendInitialEvents() && !from.isEmpty() && !from.equals("0");
        boolean old = resumes && simulation.happens(FaultKind.EXPIRED_WATCH);
        if (old && simulation.fraction() < 0.5) {
            throw expired();
        }
        long lifetime = options.timeout().isPositive()
                ? VirtualScheduler.nanos(options.timeout())
                : 30 * MINUTE + simulation.upTo(30 * MINUTE);
        FaultyWatch<T> watch = new FaultyWatch<>(simulation, scheduler, kind, server.watch(kind, options), lifetime);
        process.opened(watch);
        if (old) {
            watch.finish(expired());
        }
        return watch;
    }
}
