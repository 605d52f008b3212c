package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Fence;
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

/**
 * A client that writes only as long as it may: it looks at a guard before each write, and fences the write, so that what is
 * under way when the guard turns is refused by the server.
 */
final class GuardedClient implements Client {
    /** Whether writes are allowed. */
    @FunctionalInterface
    interface Guard {
        /** Returns when they are; throws {@link PlaceLostException} when not. */
        void check();
    }

    private final Client client;
    private final Guard guard;
    private final Optional<Fence> fence;

    GuardedClient(Client client, Guard guard, Optional<Fence> fence) {
        this.client = client;
        this.guard = guard;
        this.fence = fence;
    }

    private WriteOptions fenced(WriteOptions options) {
        guard.check();
        return fence.isPresent() && options.fence().isEmpty() ? options.withFence(fence.get()) : options;
    }

    private DeleteOptions fenced(DeleteOptions options) {
        guard.check();
        return fence.isPresent() && options.fence().isEmpty() ? options.withFence(fence.get()) : options;
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return client.find(kind, key);
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return client.list(kind, options);
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        return client.watch(kind, options);
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return client.create(kind, object, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return client.update(kind, object, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return client.updateStatus(kind, object, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return client.patch(kind, key, patch, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return client.patchStatus(kind, key, patch, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return client.apply(kind, object, fenced(options));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return client.applyStatus(kind, object, fenced(options));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return client.scale(kind, key);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return client.scale(kind, key, replicas, fenced(options));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return client.delete(kind, key, fenced(options));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        return client.deleteAll(kind, selection, fenced(options));
    }
}
