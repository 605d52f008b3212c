package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.event.EventRecorder;
import dev.evenkeel.controller.queue.Item;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a reconciler is called with. */
record Call<T extends HasMetadata>(
        Controller<T> controller,
        Item<ObjectKey> item,
        Watchdog.Run run,
        Client client,
        Optional<Fence> fence,
        Caches<T> caches,
        Stash stash,
        References references,
        Parts parts)
        implements Reconciliation<T> {
    @Override
    public Request request() {
        return new Request(item.key());
    }

    @Override
    public Optional<T> resource() {
        return caches.primary().cache().find(item.key());
    }

    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> kind) {
        return caches.cache(kind);
    }

    @Override
    public List<String> causes() {
        return History.texts(item.causes());
    }

    @Override
    public int failures() {
        return item.failures();
    }

    @Override
    public Duration remaining() {
        return run.remaining();
    }

    @Override
    public EventRecorder events() {
        return parts.events().apply(controller.name());
    }

    @Override
    public Tracker tracker() {
        return references.tracker(item.key(), client);
    }

    @Override
    public boolean updateStatus(T object) {
        Optional<T> present = resource();
        if (present.isPresent() && ModelCodec.sameStatus(present.get(), object)) {
            return false;
        }
        T _ = client.updateStatus(controller.primary(), object, WriteOptions.DEFAULT);
        return true;
    }

    @Override
    public Clock clock() {
        return parts.scheduler().clock();
    }
}
