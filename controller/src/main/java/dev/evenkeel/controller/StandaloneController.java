package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.internal.Caches;
import dev.evenkeel.controller.internal.EventSources;
import dev.evenkeel.controller.internal.ReconciliationContext;
import dev.evenkeel.controller.internal.References;
import dev.evenkeel.controller.internal.queue.Cause;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller without a manager: it reconciles a key when it is called, on the calling thread, with the caches, the
 * client and the rules that its reconciler has in a {@link Manager}. It has no queue, leases or deadlines. For test
 * kits, for tools that run once, and for hosts with a queue of their own: {@link #enqueueTo} passes them the keys that
 * a manager would add to its queue.
 *
 * <p>The scheduler runs the informers; with a {@link dev.evenkeel.simulation.VirtualScheduler} the caches are updated
 * only when it settles.
 *
 * @param <T> class of the primary objects
 */
public final class StandaloneController<T extends HasMetadata> implements AutoCloseable {
    private static final Duration SYNC = Duration.ofMinutes(1);

    /** Options without a silence limit, since watches may be left unread for a long time. */
    private static final InformerOptions OPTIONS = InformerOptions.DEFAULT.silence(Duration.ofDays(36_500));

    private final Controller<T> controller;
    private final Scheduler scheduler;
    private final EventRecorder events;
    private final Informers informers;
    private final Caches<T> caches;
    private final References references;
    private final List<EventSources<T>> sources = new CopyOnWriteArrayList<>();

    /** Creates a controller in all namespaces whose caches are filled. */
    public StandaloneController(
            Controller<T> controller, Client client, Client source, Scheduler scheduler, EventRecorder events) {
        this(controller, client, source, Informers.Namespaces.ALL, scheduler, events);
    }

    /**
     * Creates a controller whose caches are filled.
     *
     * @param source client of the caches: the same, or one that does not show all objects
     * @param namespaces namespaces it works in; see {@link Manager.Builder#namespaces}
     * @param events receives the events that the reconciler records
     * @throws IllegalStateException when the caches cannot be filled
     * @throws IllegalArgumentException when the controller selects in another namespace
     */
    public StandaloneController(
            Controller<T> controller,
            Client client,
            Client source,
            Informers.Namespaces namespaces,
            Scheduler scheduler,
            EventRecorder events) {
        controller.check(namespaces);
        this.controller = controller;
        this.scheduler = scheduler;
        this.events = events;
        this.informers = new Informers(client, source, namespaces, scheduler, OPTIONS);
        this.references = References.of(controller, namespaces, scheduler);
        this.caches = new Caches<>(controller, informers);
        if (!awaited(caches.synced())) {
            List<String> unsynced = caches.unsynced();
            close();
            throw new IllegalStateException("controller " + controller.name() + ": the caches of " + unsynced
                    + " are not filled; is the kind served, and may it be listed and watched?");
        }
    }

    /**
     * Runs the controller's initializer, as a manager does before the first reconciliation.
     *
     * @throws IllegalStateException when it throws a checked exception; any other is thrown as it is
     */
    public void initialize() {
        try {
            Logger logger = LoggerFactory.getLogger(controller.name());
            controller.initializer().initialize(new Initialization(informers.client(), caches, logger));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("controller " + controller.name() + ": the initializer failed", e);
        }
    }

    private boolean awaited(CompletableFuture<Void> synced) {
        try {
            return scheduler.await(synced, SYNC);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns the context of the reconciler for a key.
     *
     * @param stash values that parts pass to each other
     * @param tracking receives tracked dependencies before they take effect; an exception prevents that
     */
    public Reconciliation<T> reconciliation(ObjectKey key, Stash stash, Consumer<Tracker.Target> tracking) {
        return reconciliation(key, List.of("direct call"), 0, stash, tracking);
    }

    private Reconciliation<T> reconciliation(
            ObjectKey key, List<String> causes, int failures, Stash stash, Consumer<Tracker.Target> tracking) {
        Client client = informers.client();
        return new ReconciliationContext<>(
                controller,
                key,
                () -> causes,
                failures,
                controller::deadline,
                client,
                Optional.empty(),
                caches,
                stash,
                references.tracker(key, client, caches, tracking),
                () -> events,
                scheduler.clock(),
                scheduler.clock().instant());
    }

    /** Reconciles a key; exceptions of the reconciler are thrown. */
    public Result reconcile(ObjectKey key) {
        return reconcile(reconciliation(key, new Stash(), tracked -> {}));
    }

    /**
     * Reconciles a key; exceptions of the reconciler are thrown.
     *
     * @param failures number of failures in a row before, which the host counts
     */
    public Result reconcile(ObjectKey key, List<String> causes, int failures) {
        return reconcile(reconciliation(key, List.copyOf(causes), failures, new Stash(), tracked -> {}));
    }

    /**
     * Passes the keys to reconcile to a sink from now on, as triggered by changes of primary, owned and tracked
     * objects, by the sources and by the interval of the controller. Existing objects are included.
     *
     * @param sink receives keys, from any thread, and returns at once; the same key may be repeated
     */
    public void enqueueTo(Source.Sink sink) {
        EventSources.Sink keys = new EventSources.Sink() {
            @Override
            public void add(ObjectKey key, int priority, Cause cause) {
                sink.add(key, cause.toString());
            }

            @Override
            public void gone(ObjectKey key) {
                references.forget(key);
            }
        };
        EventSources<T> added =
                new EventSources<>(controller, informers.namespaces(), caches, references, scheduler, keys);
        sources.add(added);
        var unused = added.listen();
        added.start();
    }

    /** Reconciles; exceptions of the reconciler are thrown. */
    public Result reconcile(Reconciliation<T> reconciliation) {
        return controller.reconciler().reconcile(reconciliation);
    }

    /** Stops passing keys, and releases the caches. */
    @Override
    public void close() {
        sources.forEach(EventSources::close);
        caches.release();
        informers.close();
    }
}
