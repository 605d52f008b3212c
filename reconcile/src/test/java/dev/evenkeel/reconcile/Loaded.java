package dev.evenkeel.reconcile;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Cache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/** A reconciliation that has loaded an object which no server would have. */
record Loaded<T extends HasMetadata>(Reconciliation<T> reconciliation, T object) implements Reconciliation<T> {
    @Override
    public ObjectKey key() {
        return reconciliation.key();
    }

    @Override
    public Kind<T> kind() {
        return reconciliation.kind();
    }

    @Override
    public Optional<T> resource() {
        return Optional.of(object);
    }

    @Override
    public Client client() {
        return reconciliation.client();
    }

    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> kind) {
        return reconciliation.cache(kind);
    }

    @Override
    public List<String> causes() {
        return reconciliation.causes();
    }

    @Override
    public int failures() {
        return reconciliation.failures();
    }

    @Override
    public Duration remaining() {
        return reconciliation.remaining();
    }

    @Override
    public Optional<Fence> fence() {
        return reconciliation.fence();
    }

    @Override
    public EventRecorder events() {
        return reconciliation.events();
    }

    @Override
    public boolean updateStatus(T resource) {
        return reconciliation.updateStatus(resource);
    }

    @Override
    public Stash stash() {
        return reconciliation.stash();
    }

    @Override
    public Tracker tracker() {
        return reconciliation.tracker();
    }

    @Override
    public Clock clock() {
        return reconciliation.clock();
    }

    @Override
    public Instant now() {
        return reconciliation.now();
    }

    @Override
    public Logger logger() {
        return reconciliation.logger();
    }
}
