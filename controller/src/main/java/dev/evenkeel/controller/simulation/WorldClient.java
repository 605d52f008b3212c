package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
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

/** The server as the world sees it: at once, and always there. */
record WorldClient(Simulation simulation, Client server) implements Client {
    private <R> R write(String verb, Kind<?> kind, ObjectKey key, Supplier<R> effect) {
        R answer = effect.get();
        simulation.changed();
        simulation.trace("world", verb + " " + kind.id() + " " + key);
        return answer;
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return server.find(kind, key);
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return server.list(kind, options);
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        return server.watch(kind, options);
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return write("create", kind, ObjectKey.of(object), () -> server.create(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write("update", kind, ObjectKey.of(object), () -> server.update(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write("update status", kind, ObjectKey.of(object), () -> server.updateStatus(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write("patch", kind, key, () -> server.patch(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write("patch status", kind, key, () -> server.patchStatus(kind, key, patch, options));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return write("apply", kind, ObjectKey.of(object), () -> server.apply(kind, object, options));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return write("apply status", kind, ObjectKey.of(object), () -> server.applyStatus(kind, object, options));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return server.scale(kind, key);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return write("scale", kind, key, () -> server.scale(kind, key, replicas, options));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return write("delete", kind, key, () -> server.delete(kind, key, options));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        return write(
                "delete all",
                kind,
                ObjectKey.of(selection.namespace(), ""),
                () -> server.deleteAll(kind, selection, options));
    }
}
