package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
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
import java.util.function.Supplier;
import org.slf4j.Logger;

/** The context of one call of a reconciler. */
public record ReconciliationContext<T extends HasMetadata>(
        Controller<T> controller,
        ObjectKey key,
        Supplier<List<String>> reasons,
        int failures,
        Supplier<Duration> rest,
        Client client,
        Optional<Fence> fence,
        Caches<T> caches,
        Stash stash,
        Tracker tracker,
        Supplier<EventRecorder> recorder,
        Clock clock,
        Instant now)
        implements Reconciliation<T> {
    @Override
    public Logger logger() {
        return ContextLogger.of(controller.name(), key);
    }

    @Override
    public Kind<T> kind() {
        return controller.primary();
    }

    @Override
    public Optional<T> resource() {
        return caches.primaries().find(key);
    }

    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> kind) {
        return caches.cache(kind);
    }

    @Override
    public List<String> causes() {
        return reasons.get();
    }

    @Override
    public Duration remaining() {
        return rest.get();
    }

    @Override
    public EventRecorder events() {
        return recorder.get();
    }

    @Override
    public boolean updateStatus(T object) {
        Optional<T> present = resource();
        if (present.isPresent() && SemanticEquality.sameStatus(present.get(), object)) {
            return false;
        }
        T unused = client.updateStatus(controller.primary(), object, WriteOptions.DEFAULT);
        return true;
    }
}
