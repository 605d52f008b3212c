package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Watched;
import dev.evenkeel.controller.ControllerCaches;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.cache.Projection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The caches that a controller declared; controllers with equal declarations share them. */
public final class Caches<T extends HasMetadata> implements ControllerCaches<T> {
    private static final Projection WHOLE = Projection.withoutManagedFields();

    private final String controller;
    private final Informers.Lease<T> primary;
    private final Map<Watched<T, ?>, Informers.Lease<?>> watched = new LinkedHashMap<>();
    private final Map<Kind<?>, Informers.Lease<?>> byKind = new LinkedHashMap<>();

    public Caches(Controller<T> controller, Informers informers) {
        this.controller = controller.name();
        this.primary = acquire(
                informers, controller.primary(), controller.selection(), controller.projection(), controller.indexes());
        for (Watched<T, ?> other : controller.watched()) {
            watched.put(other, acquire(informers, other));
        }
    }

    private <W extends HasMetadata> Informers.Lease<W> acquire(Informers informers, Watched<T, W> other) {
        return acquire(informers, other.kind(), other.selection(), other.projection(), other.indexes());
    }

    private <W extends HasMetadata> Informers.Lease<W> acquire(
            Informers informers,
            Kind<W> kind,
            ListOptions selection,
            Projection projection,
            List<? extends Index<W, ?>> indexes) {
        Informers.Lease<W> lease = informers.acquire(kind, selection, projection);
        indexes.forEach(lease.cache()::index);
        Informers.Lease<?> unused = byKind.putIfAbsent(kind, lease);
        return lease;
    }

    Informers.Lease<T> primary() {
        return primary;
    }

    @SuppressWarnings("unchecked") // put there with its class
    <W extends HasMetadata> Informers.Lease<W> of(Watched<T, W> other) {
        Informers.Lease<?> lease = watched.get(other);
        if (lease == null) {
            throw new IllegalStateException("controller " + controller + " does not watch "
                    + other.kind().id());
        }
        return (Informers.Lease<W>) lease;
    }

    @Override
    public Cache<T> primaries() {
        return primary.cache();
    }

    @Override
    @SuppressWarnings("unchecked") // put there with its class
    public <W extends HasMetadata> Cache<W> cache(Kind<W> kind) {
        Informers.Lease<?> lease = byKind.get(kind);
        if (lease == null) {
            throw new IllegalArgumentException("controller " + controller + " has no cache of " + kind.id() + " as "
                    + kind.javaType().getSimpleName()
                    + ": declare it with owns, watches, tracks or reads; it has caches of "
                    + byKind.keySet().stream().map(Kind::id).distinct().toList());
        }
        return (Cache<W>) lease.cache();
    }

    /** Returns a cache with the whole objects of a kind; empty when there is none, or it has a selection of them. */
    @SuppressWarnings("unchecked") // declared with its class
    <W extends HasMetadata> Optional<Cache<W>> complete(Kind<W> kind) {
        return watched.entrySet().stream()
                .filter(entry -> entry.getKey().kind().equals(kind)
                        && entry.getKey().selection().equals(ListOptions.ALL)
                        && entry.getKey().projection().equals(WHOLE))
                .findFirst()
                .map(entry -> (Cache<W>) entry.getValue().cache());
    }

    private List<Informers.Lease<?>> all() {
        List<Informers.Lease<?>> all = new ArrayList<>(watched.values());
        all.addFirst(primary);
        return all;
    }

    public CompletableFuture<Void> synced() {
        return CompletableFuture.allOf(
                all().stream().map(lease -> lease.informer().synced()).toArray(CompletableFuture<?>[]::new));
    }

    /** Returns the kinds of the caches that do not have their first list. */
    public List<String> unsynced() {
        return all().stream()
                .flatMap(lease -> lease.informer().unsynced().stream())
                .distinct()
                .toList();
    }

    public void release() {
        all().forEach(Informers.Lease::close);
    }
}
