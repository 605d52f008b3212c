package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Controller.Watched;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Source;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.internal.queue.Cause;
import dev.evenkeel.controller.internal.queue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The events that trigger reconciliations of a controller: changes of its primary objects and of watched objects,
 * sources, and the resync interval. Each becomes a key with a priority and a cause.
 *
 * <p>When a trigger throws, the change counts; when a mapper throws, all keys are reconciled, since the affected ones
 * are unknown. Initial objects and periodic reconciliations have a low priority.
 */
public final class EventSources<T extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /** The number of parts of the interval; each has its share of the keys, by their hash. */
    private static final int SWEEP = 32;

    /** The delay before a source that did not start is tried again. */
    private static final Backoff SOURCE = Backoff.constant(Duration.ofSeconds(10));

    public interface Sink {
        /** Requests the reconciliation of a key, if it is reconciled in this process. */
        void add(ObjectKey key, int priority, Cause cause);

        /** Called when the object of a key was deleted, which ends its row of failures. */
        void gone(ObjectKey key);
    }

    private final Controller<T> controller;
    private final Informers.Namespaces namespaces;
    private final Caches<T> caches;
    private final References references;
    private final Scheduler scheduler;
    private final Sink sink;
    private final List<AutoCloseable> sources = new ArrayList<>();
    private boolean closed;

    public EventSources(
            Controller<T> controller,
            Informers.Namespaces namespaces,
            Caches<T> caches,
            References references,
            Scheduler scheduler,
            Sink sink) {
        this.controller = controller;
        this.namespaces = namespaces.of(controller.primary());
        this.caches = caches;
        this.references = references;
        this.scheduler = scheduler;
        this.sink = sink;
    }

    /** Listens to changes; completes when all initial objects have been delivered. */
    public CompletableFuture<Void> listen() {
        List<CompletableFuture<Void>> synced = new ArrayList<>();
        synced.add(listen(caches.primary(), this::primaryChanged));
        controller.watched().forEach(watched -> listen(watched).ifPresent(synced::add));
        return CompletableFuture.allOf(synced.toArray(CompletableFuture<?>[]::new));
    }

    private <W extends HasMetadata> Optional<CompletableFuture<Void>> listen(Watched<T, W> watched) {
        return mapper(watched)
                .map(mapper -> listen(caches.of(watched), change -> watchedChanged(watched, mapper, change)));
    }

    private <W extends HasMetadata> CompletableFuture<Void> listen(
            Informers.Lease<W> lease, Informer.Handler<W> handler) {
        return lease.handle(Informer.HandlerOptions.named(controller.name()), handler)
                .synced();
    }

    private <W extends HasMetadata> Optional<Mapper<T, W>> mapper(Watched<T, W> watched) {
        return watched.relation() == Relation.TRACKS
                ? Optional.of(new Mapper<>(
                        "tracked",
                        (object, any) -> references.observers(watched.kind(), object.key(), object.labels())))
                : watched.mapper();
    }

    public void start() {
        controller.sources().forEach(source -> start(source, 0));
        if (controller.resyncInterval().isPositive()) {
            sweep(0);
        }
    }

    // a source may throw anything: it must not affect the other sources
    @SuppressWarnings("CatchThrowable")
    private void start(Source source, int attempt) {
        AutoCloseable running;
        try {
            running = source.start(
                    (key, reason) -> wake(key, Priority.NORMAL, new Cause(source.name(), reason)), scheduler);
        } catch (Throwable e) {
            Duration retryAfter = SOURCE.delay(attempt, scheduler.random());
            error(e).addKeyValue("retryAfter", retryAfter).log("source {} did not start", source.name());
            Scheduler.Timer unused = scheduler.schedule(retryAfter, () -> {
                if (!isClosed()) {
                    var unused2 = scheduler.execute("source " + source.name(), () -> start(source, attempt + 1));
                }
            });
            return;
        }
        boolean late;
        synchronized (this) {
            late = closed;
            sources.add(running);
        }
        if (late) {
            close(running);
        }
    }

    @SuppressWarnings("CatchThrowable")
    private void primaryChanged(Informer.Change<T> change) {
        ObjectKey key = change.key();
        if (change instanceof Informer.Change.Deleted<T>) {
            // the next object of that name is a different one, whose failures are counted from zero
            sink.gone(key);
        }
        boolean counts = true;
        try {
            counts = controller.trigger().test(change);
        } catch (Throwable e) {
            error(e).addKeyValue("key", key).log("the trigger failed; the change counts");
        }
        if (counts) {
            sink.add(key, priority(change), new Cause(controller.primary().kind(), what(change)));
        }
    }

    @SuppressWarnings("CatchThrowable")
    private <W extends HasMetadata> void watchedChanged(
            Watched<T, W> watched, Mapper<T, W> mapper, Informer.Change<W> change) {
        String kind = watched.kind().kind();
        boolean tracked = watched.relation() == Relation.TRACKS;
        Cause cause = new Cause(tracked ? "tracked " + kind : kind, change.key() + " " + what(change));
        try {
            if (!watched.trigger().test(change)) {
                return;
            }
            Collection<ObjectKey> keys = mapper.keys().of(change.object(), caches);
            if (change instanceof Informer.Change.Updated<W>(Cache.Entry<W> before, Cache.Entry<W> unused)) {
                Set<ObjectKey> both = new HashSet<>(keys);
                both.addAll(mapper.keys().of(before, caches));
                keys = both;
            }
            keys.forEach(key -> wake(key, priority(change), cause));
        } catch (Throwable e) {
            var error = error(e).addKeyValue("kind", watched.kind().id()).addKeyValue("key", change.key());
            error.log("mapper {} failed; all objects are reconciled", mapper.name());
            everything(cause, key -> true);
        }
    }

    private LoggingEventBuilder error(Throwable cause) {
        return LOG.atError().addKeyValue("controller", controller.name()).setCause(cause);
    }

    /** Requests the reconciliation of a mapped key, unless it is in a namespace that this process does not watch. */
    private void wake(ObjectKey key, int priority, Cause cause) {
        if (namespaces.has(key.namespace())) {
            sink.add(key, priority, cause);
        }
    }

    private static int priority(Informer.Change<?> change) {
        return switch (change) {
            case Informer.Change.Added<?> added when added.initial() -> Priority.LOW;
            case Informer.Change.Resync<?> unused -> Priority.LOW;
            default -> Priority.NORMAL;
        };
    }

    private static String what(Informer.Change<?> change) {
        return switch (change) {
            case Informer.Change.Added<?> added -> added.initial() ? "present" : "added";
            case Informer.Change.Updated<?> unused -> "updated";
            case Informer.Change.Deleted<?> unused -> "deleted";
            case Informer.Change.Resync<?> unused -> "resync";
        };
    }

    /** Requests the reconciliation of the given keys among all: those of existing objects, and those that need none. */
    void everything(Cause cause, Predicate<ObjectKey> which) {
        Cache<T> primaries = caches.primary().cache();
        Stream.concat(
                        primaries.stream().map(Cache.Entry::key),
                        controller.always().stream()
                                .filter(key -> primaries.get(key).isEmpty()))
                .filter(which)
                .forEach(key -> sink.add(key, Priority.LOW, cause));
    }

    /** Requests the reconciliation of a part of all keys after a part of the interval, and schedules the next part. */
    private void sweep(int part) {
        Duration step = controller.resyncInterval().dividedBy(SWEEP);
        Scheduler.Timer unused = scheduler.schedule(step, () -> {
            if (isClosed()) {
                return;
            }
            Cause cause = new Cause("interval", controller.resyncInterval());
            var unused2 = scheduler.execute("controller " + controller.name() + " interval", () -> {
                everything(cause, key -> Math.floorMod(key.hashCode(), SWEEP) == part);
            });
            sweep((part + 1) % SWEEP);
        });
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends sources and the interval; changes are delivered until the caches are released. */
    public void close() {
        List<AutoCloseable> running;
        synchronized (this) {
            closed = true;
            running = List.copyOf(sources);
        }
        running.forEach(this::close);
    }

    @SuppressWarnings("CatchThrowable")
    private void close(AutoCloseable source) {
        try {
            source.close();
        } catch (Throwable e) {
            var warning = LOG.atWarn().addKeyValue("controller", controller.name());
            warning.setCause(e).log("a source did not close");
        }
    }
}
