package dev.evenkeel.josdk;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.StandaloneController;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.internal.event.QueuedEventRecorder;
import dev.evenkeel.controller.schedule.SystemScheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.NamespaceChangeable;
import io.javaoperatorsdk.operator.api.config.informer.InformerConfiguration;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event source of JOSDK backed by the caches of a controller: it triggers JOSDK for the events of the controller,
 * and reconciles with these caches. They are filled when it has started. When JOSDK changes its namespaces, which it
 * does between reconciliations, the caches are filled again.
 */
final class ControllerEventSource<T extends HasMetadata> extends AbstractEventSource<Void, T>
        implements NamespaceChangeable {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerEventSource.class);

    /** The time that stopping waits for events that are not written yet. */
    private static final Duration LAST_EVENTS = Duration.ofSeconds(5);

    /** The time that a reconciliation waits for the deletion of its object in the caches. */
    private static final Duration LAST_STATE = Duration.ofSeconds(5);

    private static final Duration STEP = Duration.ofMillis(1);

    private final Controller<T> controller;
    private final Client client;
    private final Map<ObjectKey, String> causes = new ConcurrentHashMap<>();
    private Informers.Namespaces namespaces = Informers.Namespaces.ALL;
    private @Nullable Running<T> running;

    /** The state between start and stop. */
    private record Running<T extends HasMetadata>(
            SystemScheduler scheduler, QueuedEventRecorder events, StandaloneController<T> rehearsal) {}

    private boolean initialized;

    ControllerEventSource(Controller<T> controller, Client client) {
        super(Void.class, "evenkeel-" + controller.name());
        this.controller = controller;
        this.client = client;
    }

    @Override
    public void start() {
        super.start();
        open();
    }

    private void open() {
        Informers.Namespaces here;
        synchronized (this) {
            here = namespaces;
        }
        SystemScheduler scheduler = new SystemScheduler();
        QueuedEventRecorder events =
                new QueuedEventRecorder(scheduler, client, controller.name(), "josdk", QueuedEventRecorder.Api.ANY);
        StandaloneController<T> rehearsal =
                new StandaloneController<>(controller, client, client, here, scheduler, events);
        synchronized (this) {
            running = new Running<>(scheduler, events, rehearsal);
        }
        rehearsal.enqueueTo(this::wake);
    }

    @Override
    public void changeNamespaces(Set<String> names) {
        boolean open;
        synchronized (this) {
            namespaces = InformerConfiguration.allNamespacesWatched(names)
                    ? Informers.Namespaces.ALL
                    : Informers.Namespaces.of(names);
            open = running != null;
        }
        if (open) {
            shut();
            open();
        }
    }

    private void wake(ObjectKey key, String cause) {
        // only the last cause is kept
        causes.put(key, cause);
        getEventHandler()
                .handleEvent(
                        new Event(new ResourceID(key.name(), key.namespace().isEmpty() ? null : key.namespace())));
    }

    void wakeAfter(ObjectKey key, Duration delay) {
        Scheduler.Timer unused = running().scheduler().schedule(delay, () -> wake(key, "after " + delay));
    }

    /**
     * Waits until the caches have seen the deletion of an object that JOSDK has seen: it calls for no later event of that
     * object, so a reconciliation that finds it in the caches would be the last one.
     */
    void awaitDeletion(ObjectKey key, String uid) {
        StandaloneController<T> rehearsal = running().rehearsal();
        long end = System.nanoTime() + LAST_STATE.toNanos();
        while (System.nanoTime() < end
                && rehearsal
                        .reconciliation(key, new Stash(), unused -> {})
                        .resource()
                        .filter(present -> uid.equals(present.getMetadata().getUid()))
                        .isPresent()) {
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    /** Reconciles; an exception is a failure. */
    Result reconcile(ObjectKey key, int failures) {
        Running<T> here = running();
        String cause = causes.remove(key);
        try {
            initialize(here.rehearsal());
            return here.rehearsal().reconcile(key, cause == null ? List.of() : List.of(cause), failures);
        } catch (RuntimeException e) {
            return Result.failed(e);
        }
    }

    /** Initializes once, before the first reconciliation: where JOSDK elects leaders, in the leader. */
    private synchronized void initialize(StandaloneController<T> rehearsal) {
        if (!initialized) {
            rehearsal.initialize();
            initialized = true;
        }
    }

    private synchronized Running<T> running() {
        if (running == null) {
            throw new IllegalStateException("controller " + controller.name() + " is not started: start the operator");
        }
        return running;
    }

    @Override
    public void stop() {
        super.stop();
        shut();
    }

    private void shut() {
        Running<T> here;
        synchronized (this) {
            here = running;
            running = null;
        }
        if (here == null) {
            return;
        }
        here.rehearsal().close();
        try {
            var unused = here.events().stop().get(LAST_EVENTS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.atWarn()
                    .addKeyValue("controller", controller.name())
                    .setCause(e)
                    .log("some events were not written");
        }
        here.scheduler().close();
    }

    @Override
    public Set<Void> getSecondaryResources(T primary) {
        return Set.of();
    }
}
