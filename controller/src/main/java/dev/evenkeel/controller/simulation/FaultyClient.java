package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.StatusDetails;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A process' connection to the server.
 *
 * <p>Each call may meet a fault before it reaches the server, or after; and at both places time may pass, in which others
 * run.
 */
final class FaultyClient extends ForwardingClient {
    private static final long MINUTE = 60_000_000_000L;

    private final Simulation simulation;
    private final Incarnation incarnation;
    private final Client server;

    FaultyClient(Simulation simulation, Incarnation incarnation, Client server) {
        super(server);
        this.simulation = simulation;
        this.incarnation = incarnation;
        this.server = server;
    }

    @Override
    protected <R> R read(Operation operation, Supplier<R> effect) {
        return reading(operation.toString(), effect);
    }

    private <R> R reading(String what, Supplier<R> effect) {
        depart(what);
        R answer = done(what, effect);
        simulation.trace(incarnation.toString(), what);
        arrive();
        return answer;
    }

    @Override
    protected <R> R write(Operation operation, Supplier<R> effect) {
        Action action = operation.action();
        R answer = writing(operation, action != Action.CREATE && !action.deletes(), effect);
        if (!operation.dryRun() && answer instanceof HasMetadata object) {
            simulation.monitor().wrote(incarnation, operation.kind(), object);
        }
        return answer;
    }

    /** @param versioned whether somebody else may have changed what it is about */
    private <R> R writing(Operation operation, boolean versioned, Supplier<R> effect) {
        String what = operation.toString();
        depart(what);
        if (versioned && simulation.happens(Fault.CONFLICT)) {
            throw refused(
                    what, Status.of(409, "Conflict", "simulated: the object has been modified", StatusDetails.EMPTY));
        }
        boolean dies = simulation.happens(Fault.CRASH);
        if (dies && simulation.fraction() < 0.5) {
            simulation.trace(incarnation.toString(), what + ": dies before");
            die();
        }
        R answer = done(what, effect);
        simulation.trace(incarnation.toString(), what + said(answer));
        simulation.changed();
        simulation.monitor().committed(incarnation, what);
        if (dies) {
            simulation.trace(incarnation.toString(), what + ": dies after");
            die();
        }
        if (simulation.happens(Fault.LOST_ANSWER)) {
            simulation.trace(incarnation.toString(), what + ": the answer is lost");
            arrive();
            throw simulation.lost(what);
        }
        arrive();
        return answer;
    }

    /** What was answered, in a trace. */
    private static String said(Object answer) {
        return switch (answer) {
            case HasMetadata object -> " -> " + object.getMetadata().getResourceVersion();
            case Deletion<?> deletion -> deletion.remaining().isPresent() ? ": marked" : ": gone";
            case Replicas replicas -> " to " + replicas.desired();
            case List<?> deleted -> ": " + deleted.size();
            default -> "";
        };
    }

    private void die() {
        incarnation.process.crash(simulation.downtime());
        incarnation.requireAlive();
    }

    /** What happens on the way there. */
    private void depart(String what) {
        incarnation.requireAlive();
        simulation.latency(incarnation);
        if (simulation.happens(Fault.NO_CONNECTION)) {
            simulation.trace(incarnation.toString(), what + ": no connection");
            throw simulation.lost(what);
        }
        if (simulation.happens(Fault.REFUSED)) {
            throw refused(
                    what,
                    switch (simulation.below(3)) {
                        case 0 ->
                            Status.of(
                                    429,
                                    "TooManyRequests",
                                    "simulated: too many requests",
                                    StatusDetails.EMPTY.withRetryAfterSeconds(1));
                        case 1 -> Status.of(500, "InternalError", "simulated: an internal error");
                        default -> Status.of(503, "ServiceUnavailable", "simulated: the server is not available");
                    });
        }
        if (simulation.happens(Fault.TIMEOUT)) {
            throw refused(what, Status.of(504, "Timeout", "simulated: the server took too long"));
        }
    }

    /** What happens on the way back. */
    private void arrive() {
        simulation.latency(incarnation);
    }

    private ApiException refused(String what, Status status) {
        simulation.trace(incarnation.toString(), what + ": " + status.code() + " (fault)");
        return ApiException.of(status);
    }

    private <R> R done(String what, Supplier<R> effect) {
        try {
            return effect.get();
        } catch (ApiException e) {
            simulation.trace(incarnation.toString(), what + ": " + e.code() + " " + e.reason());
            arrive();
            throw e;
        }
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        String what = "list " + kind.id() + (options.namespace().isEmpty() ? "" : " in " + options.namespace());
        return reading(what, () -> {
            if (!options.continueToken().isEmpty() && simulation.happens(Fault.EXPIRED_PAGE)) {
                throw expired();
            }
            if (!options.resourceVersion().equals("0") || simulation.faults().rate(Fault.STALE_LIST) == 0) {
                return server.list(kind, options);
            }
            return old(kind, options);
        });
    }

    /** A list as it was for whoever asked before, or the present one. */
    private <T extends HasMetadata> Listing<T> old(Kind<T> kind, ListOptions options) {
        String question = kind + " " + options;
        Optional<Listing<T>> before = simulation.earlier(question, kind);
        if (before.isPresent() && simulation.happens(Fault.STALE_LIST)) {
            simulation.trace(incarnation.toString(), "a list of " + kind.id() + " as it was before");
            return copy(before.get());
        }
        Listing<T> present = server.list(kind, options);
        if (present.continueToken().isEmpty()) {
            simulation.keep(question, copy(present));
        }
        return present;
    }

    private static <T extends HasMetadata> Listing<T> copy(Listing<T> listing) {
        List<T> items = new ArrayList<>();
        for (T item : listing.items()) {
            items.add(item instanceof dev.evenkeel.client.Encoded ? item : ModelCodec.copy(item));
        }
        return new Listing<>(items, listing.resourceVersion(), listing.continueToken());
    }

    private static ApiException expired() {
        return ApiException.of(Status.of(410, "Expired", "simulated: too old"));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        String from = options.sendInitialEvents()
                ? "with what is there"
                : "from " + (options.resourceVersion().isEmpty() ? "now" : options.resourceVersion());
        return reading("watch " + kind.id() + " " + from, () -> {
            if (options.sendInitialEvents() && simulation.happens(Fault.NO_STREAMING_LIST)) {
                throw ApiException.of(Status.of(
                        422,
                        "Invalid",
                        "simulated: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for"
                                + " watch unless the WatchList feature gate is enabled"));
            }
            boolean resumes = !options.sendInitialEvents()
                    && !options.resourceVersion().isEmpty()
                    && !options.resourceVersion().equals("0");
            boolean old = resumes && simulation.happens(Fault.EXPIRED_WATCH);
            if (old && simulation.fraction() < 0.5) {
                throw expired();
            }
            Watch<T> inner = server.watch(kind, options);
            if (old) {
                return FaultyWatch.failed(simulation, incarnation, kind, inner, expired());
            }
            long lifetime = options.timeout().isPositive()
                    ? Simulation.nanos(options.timeout())
                    : 30 * MINUTE + simulation.upTo(30 * MINUTE);
            return FaultyWatch.of(simulation, incarnation, kind, inner, lifetime);
        });
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        boolean versioned =
                options.uid().isPresent() || options.resourceVersion().isPresent();
        Deletion<T> answer = writing(
                new Operation(Action.DELETE, kind, key, options.dryRun()),
                versioned,
                () -> server.delete(kind, key, options));
        if (!options.dryRun()) {
            simulation.monitor().deleted(incarnation, kind, key, answer);
        }
        return answer;
    }
}
