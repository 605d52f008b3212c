package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.StatusDetails;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
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
final class FaultyClient implements Client {
    private static final long MINUTE = 60_000_000_000L;

    private final Simulation simulation;
    private final Incarnation incarnation;
    private final Client server;

    FaultyClient(Simulation simulation, Incarnation incarnation, Client server) {
        this.simulation = simulation;
        this.incarnation = incarnation;
        this.server = server;
    }

    private <R> R read(String what, Supplier<R> effect) {
        depart(what);
        R answer = done(what, effect);
        simulation.trace(incarnation.toString(), what);
        arrive();
        return answer;
    }

    private <R> R write(String what, boolean versioned, Supplier<R> effect) {
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

    private static String name(String verb, Kind<?> kind, ObjectKey key) {
        return verb + " " + kind.id() + " " + key;
    }

    /** A write that answers with the object. */
    private <T extends HasMetadata> T stored(
            String verb, Kind<T> kind, ObjectKey key, boolean versioned, boolean dryRun, Supplier<T> effect) {
        String what = name(verb, kind, key);
        T answer = write(what, versioned, () -> {
            T stored = effect.get();
            simulation.trace(
                    incarnation.toString(), what + " -> " + stored.getMetadata().getResourceVersion());
            return stored;
        });
        if (!dryRun) {
            simulation.monitor().wrote(incarnation, kind, answer);
        }
        return answer;
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return read(name("find", kind, key), () -> server.find(kind, key));
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        String what = "list " + kind.id() + (options.namespace().isEmpty() ? "" : " in " + options.namespace());
        return read(what, () -> {
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
        return read("watch " + kind.id() + " " + from, () -> {
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
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return stored(
                "create",
                kind,
                ObjectKey.of(object),
                false,
                options.dryRun(),
                () -> server.create(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return stored(
                "update",
                kind,
                ObjectKey.of(object),
                true,
                options.dryRun(),
                () -> server.update(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return stored(
                "update status",
                kind,
                ObjectKey.of(object),
                true,
                options.dryRun(),
                () -> server.updateStatus(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return stored("patch", kind, key, true, options.dryRun(), () -> server.patch(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return stored(
                "patch status", kind, key, true, options.dryRun(), () -> server.patchStatus(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return stored(
                "apply", kind, ObjectKey.of(object), true, options.dryRun(), () -> server.apply(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return stored(
                "apply status",
                kind,
                ObjectKey.of(object),
                true,
                options.dryRun(),
                () -> server.applyStatus(kind, object, options));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return read(name("get scale", kind, key), () -> server.scale(kind, key));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        String what = name("scale", kind, key);
        return write(what, true, () -> {
            Replicas answer = server.scale(kind, key, replicas, options);
            simulation.trace(incarnation.toString(), what + " to " + replicas);
            return answer;
        });
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        String what = name("delete", kind, key);
        boolean versioned =
                options.uid().isPresent() || options.resourceVersion().isPresent();
        Deletion<T> answer = write(what, versioned, () -> {
            Deletion<T> deletion = server.delete(kind, key, options);
            simulation.trace(
                    incarnation.toString(), what + (deletion.remaining().isPresent() ? ": marked" : ": gone"));
            return deletion;
        });
        if (!options.dryRun()) {
            simulation.monitor().deleted(incarnation, kind, key, answer);
        }
        return answer;
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        String what = "delete all " + kind.id();
        return write(what, false, () -> {
            List<T> deleted = server.deleteAll(kind, selection, options);
            simulation.trace(incarnation.toString(), what + ": " + deleted.size());
            return deleted;
        });
    }
}
