package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.internal.ControllerLeases;
import dev.evenkeel.controller.internal.ControllerMetrics;
import dev.evenkeel.controller.internal.ManagerServices;
import dev.evenkeel.controller.internal.RunningController;
import dev.evenkeel.controller.internal.event.QueuedEventRecorder;
import dev.evenkeel.controller.schedule.SystemScheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs controllers over one client: starts their components in order, and stops them in reverse.
 *
 * <p>Start: caches; when they are in sync, sources and leader election; when the lease is acquired, the initializer;
 * then the workers. Stop: no new reconciliations; running ones may complete within a grace period, then they are
 * interrupted; leases are released; events are sent; caches are closed. Controllers can be added and removed at any
 * time.
 *
 * <p>Several managers in a process are independent. A manager needs no framework; within one it is a bean with
 * {@link #start} and {@link #close}. It never ends the process: losing a lease stops the work under the lease, until it
 * is acquired again.
 */
public final class Manager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Manager.class);

    /** The default time that closing waits for running reconciliations before it interrupts them. */
    public static final Duration GRACE = Duration.ofSeconds(30);

    /** The time that closing waits for interrupted reconciliations. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);

    private final Scheduler scheduler;
    private final Runnable release;
    private final Duration grace;
    private final Informers informers;
    private final Client client;
    private final String instance;
    private final ConcurrentMap<String, QueuedEventRecorder> recorders = new ConcurrentHashMap<>();
    private final ControllerMetrics metrics;
    private final ManagerServices parts;

    private final Map<String, RunningController<?>> controllers = new LinkedHashMap<>();
    private final Map<Kind<?>, Informers.Lease<?>> kept = new HashMap<>();
    private boolean started;
    private boolean closed;

    private Manager(Builder builder) {
        scheduler = builder.scheduler.orElseGet(SystemScheduler::new);
        release = builder.scheduler.isEmpty() && scheduler instanceof SystemScheduler own ? own::close : () -> {};
        grace = builder.grace;
        client = builder.client;
        informers = new Informers(client, client, builder.namespaces, scheduler, builder.informerOptions);
        instance = builder.leases.map(Leases::identity).orElse("manager");
        metrics = new ControllerMetrics(builder.registry);
        List<ControllerEvent.Listener> listeners = new ArrayList<>(builder.listeners);
        listeners.add(metrics);
        parts = new ManagerServices(
                informers.client(), client, informers, scheduler, builder.leases, this::events, metrics, listeners);
    }

    /**
     * Returns a manager with the defaults: in real time, without leases, so that all controllers are active in this
     * process.
     */
    public static Manager of(Client client) {
        return builder(client).build();
    }

    /** Returns a builder of a manager. */
    public static Builder builder(Client client) {
        return new Builder(client);
    }

    /** Builds a manager. */
    public static final class Builder {
        private final Client client;
        private Optional<Scheduler> scheduler = Optional.empty();
        private Optional<Leases> leases = Optional.empty();
        private MeterRegistry registry = new SimpleMeterRegistry();
        private Duration grace = GRACE;
        private Informers.Namespaces namespaces = Informers.Namespaces.ALL;
        private InformerOptions informerOptions = InformerOptions.DEFAULT;
        private final List<ControllerEvent.Listener> listeners = new ArrayList<>();

        private Builder(Client client) {
            this.client = client;
        }

        /** Sets the scheduler, by default one in real time. It is not closed with the manager. */
        public Builder scheduler(Scheduler value) {
            scheduler = Optional.of(value);
            return this;
        }

        /** Sets the leases by which the controllers are shared with other processes; by default there are none. */
        public Builder leases(Leases value) {
            leases = Optional.of(value);
            return this;
        }

        /** Sets the registry of the metrics; by default one of its own. */
        public Builder metrics(MeterRegistry value) {
            registry = value;
            return this;
        }

        /** Adds a listener to the events of controllers. */
        public Builder listener(ControllerEvent.Listener value) {
            listeners.add(value);
            return this;
        }

        /** Sets the time that closing waits for running reconciliations; by default 30 s. */
        public Builder grace(Duration value) {
            if (value.isNegative()) {
                throw new IllegalArgumentException("grace must not be negative: " + value);
            }
            grace = value;
            return this;
        }

        /**
         * Restricts the manager to these namespaces; by default it works in all. A Role in each is then enough, where
         * all namespaces need a ClusterRole.
         *
         * <p>Namespaced objects are listed, watched and cached in these namespaces, each of which is listed and watched
         * separately; cluster-scoped objects all. For other namespaces
         *
         * <ul>
         *   <li>no key is reconciled, whatever triggers it: it belongs to another manager;
         *   <li>reads from caches are refused: see {@link dev.evenkeel.controller.cache.Cache};
         *   <li>tracking an object by name, and selecting a namespace in a controller, are refused, since they could
         *       have no effect;
         *   <li>the {@linkplain Manager#client client} reads and writes what the server permits.
         * </ul>
         *
         * <p>Leases and events are not affected: leases are in the namespace of {@link Leases}, events in that of their
         * object, or in {@code default} if that has none. Managers of different namespaces need leases in different
         * namespaces, or controllers of different names: those of one name have one leader.
         *
         * @throws IllegalArgumentException when there are none, or one of them is not a valid name of a namespace
         */
        public Builder namespaces(String... values) {
            namespaces = Informers.Namespaces.of(values);
            return this;
        }

        /** Sets the options of the informers. */
        public Builder informerOptions(InformerOptions value) {
            informerOptions = value;
            return this;
        }

        /** Returns the manager, not started. */
        public Manager build() {
            return new Manager(this);
        }
    }

    /**
     * Adds a controller; it starts with the manager, or at once when that has started.
     *
     * @throws IllegalArgumentException when its name is in use or not valid for its leases, or it selects in a
     *     namespace that is none of the manager's
     */
    public <T extends HasMetadata> Manager add(Controller<T> controller) {
        controller.check(informers.namespaces());
        parts.leases().ifPresent(leases -> ControllerLeases.check(leases, controller));
        RunningController<T> running;
        boolean start;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("controller " + controller.name() + " was added to a closed manager");
            }
            if (controllers.containsKey(controller.name())) {
                throw new IllegalArgumentException(
                        "duplicate controller " + controller.name() + ": name this one with named(...)");
            }
            running = new RunningController<>(controller, parts);
            controllers.put(controller.name(), running);
            start = started;
        }
        metrics.bind(running);
        controller.dependencies().stream()
                .filter(edge -> edge.relation() != Controller.Dependencies.Relation.SOURCE)
                .forEach(edge -> metrics.bind(informers, edge.from()));
        if (start) {
            running.start();
        }
        return this;
    }

    /**
     * Stops a controller and removes it; other controllers and shared caches are not affected.
     *
     * @return completes when none of its reconciliations runs any more
     * @throws IllegalArgumentException when there is none of that name
     */
    public CompletableFuture<Void> remove(String controller) {
        RunningController<?> running;
        synchronized (this) {
            running = running(controller);
            controllers.remove(controller);
            metrics.unbind(controller);
        }
        return running.stop();
    }

    private synchronized RunningController<?> running(String controller) {
        RunningController<?> running = controllers.get(controller);
        if (running == null) {
            throw new IllegalArgumentException("unknown controller " + controller + "; known: " + controllers.keySet());
        }
        return running;
    }

    /**
     * Returns the informer of a kind, which is shared with the controllers, for reading and for additional handlers. It
     * is kept until the manager closes.
     */
    @SuppressWarnings("unchecked") // put there with its class
    public synchronized <T extends HasMetadata> Informer<T> informer(Kind<T> kind) {
        return (Informer<T>) kept.computeIfAbsent(kind, informers::acquire).informer();
    }

    /** Returns the client; its writes are visible in the caches when they return. */
    public Client client() {
        return parts.client();
    }

    /** Returns an event recorder that reports as the given component. */
    public EventRecorder events(String component) {
        return recorders.computeIfAbsent(
                component,
                name -> new QueuedEventRecorder(scheduler, client, name, instance, QueuedEventRecorder.Api.ANY));
    }

    /** Starts everything, and returns at once: workers start when their caches are in sync. */
    public Manager start() {
        List<RunningController<?>> all;
        synchronized (this) {
            if (started || closed) {
                throw new IllegalStateException("a manager can be started once only");
            }
            started = true;
            all = all();
        }
        all.forEach(RunningController::start);
        return this;
    }

    /** Returns the health, for probes. */
    public Health health() {
        Health.Builder health = new Health.Builder();
        if (!started || closed) {
            health.notReady(closed ? "the manager is closed" : "the manager is not started");
        }
        all().forEach(controller -> controller.health(health));
        return health.build();
    }

    /**
     * Explains why an object was reconciled, or why it waits.
     *
     * @throws IllegalArgumentException when there is no such controller, or the object is in none of the manager's
     *     namespaces
     */
    public Explanation explain(String controller, ObjectKey key) {
        return running(controller).explain(key);
    }

    /** Returns the explanations of all controllers of this kind. */
    public List<Explanation> explain(Kind<?> kind, ObjectKey key) {
        return all().stream()
                .filter(running -> running.controller().primary().id().equals(kind.id()))
                .map(running -> running.explain(key))
                .toList();
    }

    /** Returns the dependency graph of the controllers. */
    public Controller.Dependencies dependencies() {
        return new Controller.Dependencies(all().stream()
                .flatMap(running -> running.controller().dependencies().stream())
                .toList());
    }

    private synchronized List<RunningController<?>> all() {
        return List.copyOf(controllers.values());
    }

    /**
     * Stops everything: running reconciliations may complete, no further ones begin. Returns when nothing runs any
     * more, or when a reconciliation has ignored both the grace period and an interrupt.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        List<RunningController<?>> all = all();
        CompletableFuture<Void> still = all(all.stream().map(RunningController::stop));
        try {
            if (!scheduler.await(still, grace)) {
                all.forEach(RunningController::interrupt);
                if (!scheduler.await(still, LAST_WAIT)) {
                    LOG.atWarn().log("closed while reconciliations still run, which ignored an interrupt");
                }
            }
            CompletableFuture<Void> sent = all(recorders.values().stream().map(QueuedEventRecorder::stop));
            boolean unused = scheduler.await(sent, LAST_WAIT);
        } catch (InterruptedException e) {
            all.forEach(RunningController::interrupt);
            Thread.currentThread().interrupt();
        } finally {
            informers.close();
            metrics.close();
            release.run();
        }
    }

    private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> each) {
        return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new));
    }

    /**
     * The reasons why an object was reconciled, or why it waits.
     *
     * @param known whether the object is in the controller's cache
     * @param place process that may reconcile the object, for display
     * @param here whether that is this process
     * @param running time for which its reconciliation has been running; empty when it is not running
     * @param stack present stack of that; empty when it is unknown
     * @param waiting time for which it has been waiting for a worker; empty when it does not wait
     * @param nextTry time until its delay is over; empty when it is not delayed
     * @param causes causes of the running reconciliation, or else of the next one
     * @param failures number of failures in a row
     * @param last last reconciliation in this process; empty when there was none, or the object was deleted since
     */
    public record Explanation(
            String controller,
            ObjectKey key,
            boolean known,
            Phase phase,
            String place,
            boolean here,
            Optional<Duration> running,
            List<String> stack,
            Optional<Duration> waiting,
            Optional<Duration> nextTry,
            List<String> causes,
            int failures,
            Optional<Last> last) {
        /** Copies the lists. */
        public Explanation {
            stack = List.copyOf(stack);
            causes = List.copyOf(causes);
        }

        /** The phases of a controller. */
        public enum Phase {
            /** It has not been started, or has stopped. */
            STOPPED,
            /** It waits for the first lists. */
            SYNCING,
            /** It is in sync, and another process is active. */
            STANDBY,
            /** Its initializer is running. */
            INITIALIZING,
            /** It is active. */
            WORKING
        }

        /**
         * A completed reconciliation.
         *
         * @param at time of its end
         * @param error error; empty when there was none
         */
        public record Last(
                Instant at, Duration taken, ControllerEvent.Outcome outcome, List<String> causes, String error) {
            /** Copies the list. */
            public Last {
                causes = List.copyOf(causes);
            }
        }

        /** Returns readable text of several lines. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(controller + " " + key + ": " + state());
            if (!known) {
                text.append("\n  the object is not in the cache");
            }
            if (!here) {
                text.append("\n  reconciled by ").append(place);
            }
            if (!causes.isEmpty()) {
                text.append("\n  because of ").append(String.join(", ", causes));
            }
            if (failures > 0) {
                text.append("\n  failed ").append(failures).append(failures == 1 ? " time" : " times in a row");
            }
            last.ifPresent(run -> {
                String outcome = run.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                text.append("\n  last " + outcome + " at " + run.at() + " after " + shown(run.taken()));
                text.append(run.causes().isEmpty() ? "" : ", because of " + String.join(", ", run.causes()));
                text.append(run.error().isEmpty() ? "" : ": " + run.error());
            });
            stack.forEach(frame -> text.append("\n    at ").append(frame));
            return text.toString();
        }

        private String state() {
            if (running.isPresent()) {
                return "running for " + shown(running.get()) + (waiting.isPresent() ? ", and queued again" : "");
            }
            if (waiting.isPresent()) {
                return "waiting for a worker for " + shown(waiting.get());
            }
            if (nextTry.isPresent()) {
                return "next in " + shown(nextTry.get());
            }
            return switch (phase) {
                case STOPPED -> "the controller does not run";
                case SYNCING -> "the controller is waiting for the first lists";
                case STANDBY -> "the controller is on standby";
                case INITIALIZING -> "the controller is initializing";
                case WORKING -> "idle until something changes";
            };
        }

        private static String shown(Duration duration) {
            return duration.toMillis() < 10_000 ? duration.toMillis() + " ms" : duration.toSeconds() + " s";
        }
    }
}
