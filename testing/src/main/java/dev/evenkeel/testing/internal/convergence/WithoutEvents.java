package dev.evenkeel.testing.internal.convergence;

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

/** A reconciliation whose events are lost, as they may be: nothing depends on them, and to write them takes time. */
record WithoutEvents<T extends HasMetadata>(Reconciliation<T> original) implements Reconciliation<T> {
    private static final EventRecorder LOST = (object, type, reason, action, message) -> {};

    @Override
    public EventRecorder events() {
        return LOST;
    }

    @Override
    public ObjectKey key() {
        return original.key();
    }

    @Override
    public Kind<T> kind() {
        return original.kind();
    }

    @Override
    public Optional<T> resource() {
        return original.resource();
    }

    @Override
    public Client client() {
        return original.client();
    }

    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> kind) {
        return original.cache(kind);
    }

    @Override
    public List<String> causes() {
        return original.causes();
    }

    @Override
    public int failures() {
        return original.failures();
    }

    @Override
    public Duration remaining() {
        return original.remaining();
    }

    @Override
    public Optional<Fence> fence() {
        return original.fence();
    }

    @Override
    public boolean updateStatus(T object) {
        return original.updateStatus(object);
    }

    @Override
    public Stash stash() {
        return original.stash();
    }

    @Override
    public Tracker tracker() {
        return original.tracker();
    }

    @Override
    public Instant now() {
        return original.now();
    }

    @Override
    public Clock clock() {
        return original.clock();
    }

    @Override
    public Logger logger() {
        return original.logger();
    }
}
