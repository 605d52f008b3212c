package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The way from a process to the server: each write is numbered, and what the schedule has for it happens. */
final class Wire implements Client {
    /** Decides what becomes of calls. */
    interface Gate {
        /** Does a write, or does not; says what the process is to be told. */
        <R> R write(Write write, Supplier<R> effect);

        /** What a process that starts is told of a kind. */
        <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options);
    }

    private final Machine machine;
    private final Client server;
    private final Gate gate;

    Wire(Machine machine, Client server, Gate gate) {
        this.machine = machine;
        this.server = server;
        this.gate = gate;
    }

    private <R> R write(String verb, Kind<?> kind, ObjectKey key, boolean dryRun, Supplier<R> effect) {
        machine.requireAlive();
        // events are for people: nobody depends on them, and they are lost as it happens
        boolean counts = !dryRun && !kind.plural().equals("events");
        return counts ? gate.write(new Write(verb, kind, key), effect) : effect.get();
    }

    private static ObjectKey key(HasMetadata object) {
        return object instanceof Encoded encoded ? encoded.header().key() : ObjectKey.of(object);
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        machine.requireAlive();
        return server.find(kind, key);
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        machine.requireAlive();
        return gate.list(kind, options);
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        machine.requireAlive();
        return new Feed<>(kind.id(), server.watch(kind, options));
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return write("create", kind, key(object), options.dryRun(), () -> server.create(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write("update", kind, key(object), options.dryRun(), () -> server.update(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(
                Write.UPDATE_STATUS,
                kind,
                key(object),
                options.dryRun(),
                () -> server.updateStatus(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write("patch", kind, key, options.dryRun(), () -> server.patch(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write(
                Write.PATCH_STATUS, kind, key, options.dryRun(), () -> server.patchStatus(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return write("apply", kind, key(object), options.dryRun(), () -> server.apply(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(
                Write.APPLY_STATUS,
                kind,
                key(object),
                options.dryRun(),
                () -> server.applyStatus(kind, object, options));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        machine.requireAlive();
        return server.scale(kind, key);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return write("scale", kind, key, options.dryRun(), () -> server.scale(kind, key, replicas, options));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return write(Write.DELETE, kind, key, options.dryRun(), () -> server.delete(kind, key, options));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        return write(
                Write.DELETE_ALL,
                kind,
                ObjectKey.of(selection.namespace(), ""),
                options.dryRun(),
                () -> server.deleteAll(kind, selection, options));
    }
}
