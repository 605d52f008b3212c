package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.ControllerEvent.Outcome;
import dev.evenkeel.controller.Health;
import dev.evenkeel.controller.LeaseLostException;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Manager.Explanation.Phase;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.controller.internal.queue.Cause;
import dev.evenkeel.controller.internal.queue.Item;
import dev.evenkeel.controller.internal.queue.KeyState;
import dev.evenkeel.controller.internal.queue.QueueOptions;
import dev.evenkeel.controller.internal.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A running controller: {@link EventSources} turn changes into keys, and {@link Workers} reconcile them under the
 * activations of {@link PlacementRunner}.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler must see each key that may need it, soon, one at a time, and only in the process that is active for
 * it, while caches are filled, leases are acquired and lost, and the reconciler does what it likes.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>No key is reconciled before all caches that the controller declared are in sync and the initializer has
 *       succeeded.
 *   <li>A key is reconciled only under the {@link Activation} of its slot. Without one its keys are not queued; when it
 *       opens, all keys of its slot are. So no activation inherits the queue of an earlier one, and none misses a key.
 *   <li>An activation ends when its last key is left, and only then its lease is released.
 *   <li>After the term of an activation is over, its running reconciliations are interrupted and their client refuses
 *       to write.
 *   <li>A reconciler that throws does not affect other keys.
 * </ol>
 *
 * <p>Why not keep the queue of a standby warm: it would hold every key of the cluster, to be reconciled again by a
 * leader that lists them anyway.
 */
public final class RunningController<T extends HasMetadata> implements PlacementRunner.Owner, EventSources.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(2);

    private final Controller<T> controller;
    private final ManagerServices parts;
    private final Scheduler scheduler;
    private final WorkQueue<ObjectKey> queue;
    private final Workers workers;
    private final Watchdog watchdog;
    private final History history;
    private final Caches<T> caches;
    private final References references;
    private final EventSources<T> sources;
    private final PlacementRunner activations;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public RunningController(Controller<T> controller, ManagerServices parts) {
        this.controller = controller;
        this.parts = parts;
        this.scheduler = parts.scheduler();
        QueueOptions<ObjectKey> options = QueueOptions.<ObjectKey>defaults()
                .withName(controller.name())
                .withLimiter(controller.retry())
                .withMetrics(parts.metrics().queue(controller.name()));
        this.queue = new WorkQueue<>(
                scheduler, controller.fairnessKey().map(options::withFlow).orElse(options));
        this.workers = new Workers(
                "controller " + controller.name(), controller.workers(), scheduler, this::take, () -> queue.size() > 0);
        this.watchdog = new Watchdog(scheduler, controller.deadline());
        this.history = new History(scheduler.clock());
        this.caches = new Caches<>(controller, parts.informers());
        this.references = References.of(controller, parts.informers().namespaces(), scheduler);
        this.sources =
                new EventSources<>(controller, parts.informers().namespaces(), caches, references, scheduler, this);
        this.activations = new PlacementRunner(controller, parts, caches, this);
        queue.onReady(workers::call);
    }

    public Controller<T> controller() {
        return controller;
    }

    WorkQueue<ObjectKey> queue() {
        return queue;
    }

    int active() {
        return watchdog.running().size();
    }

    Placement placement() {
        return activations.placement();
    }

    /** Returns the number of slots whose keys it reconciles; 1 when all keys are its own. */
    int slots() {
        return activations.occupied();
    }

    public void start() {
        if (!activations.enter(Phase.SYNCING)) {
            return;
        }
        workers.open();
        CompletableFuture<Void> all = CompletableFuture.allOf(sources.listen(), caches.synced());
        var unused = all.thenRun(() -> scheduler.execute("controller " + controller.name() + " synced", this::synced));
        Scheduler.Timer unused2 = scheduler.schedule(SYNC_TIMEOUT, () -> {
            if (!all.isDone() && activations.phase() == Phase.SYNCING) {
                LOG.atWarn()
                        .addKeyValue("controller", controller.name())
                        .log("not in sync after {}: waiting for {}", SYNC_TIMEOUT, caches.unsynced());
            }
        });
    }

    private void synced() {
        if (!activations.enter(Phase.STANDBY)) {
            return;
        }
        parts.tell(new ControllerEvent.Synced(controller.name()));
        sources.start();
        activations.start();
    }

    @Override
    public void opened(int slot) {
        sources.everything(new Cause("start", controller.name()), key -> activations.slot(key) == slot);
    }

    @Override
    public void closed(int slot) {
        // keys queued for the slot are reconciled by another process now
        int unused = queue.discardIf(key -> activations.slot(key) == slot && !activations.has(key));
    }

    @Override
    public void interrupt(int slot) {
        watchdog.running().stream()
                .filter(run -> activations.slot(run.key) == slot)
                .forEach(Watchdog.Run::interrupt);
    }

    @Override
    public void add(ObjectKey key, int priority, Cause cause) {
        if (activations.has(key)) {
            queue.add(key, priority, cause);
        }
    }

    @Override
    public void gone(ObjectKey key) {
        queue.forget(key);
        references.forget(key);
        // the deletion may be reconciled by another process
        history.remove(key);
    }

    /** Takes a key and reconciles it; returns false when none waits. */
    private boolean take(Workers.Worker worker) {
        Item<ObjectKey> item = queue.poll().orElse(null);
        if (item == null) {
            return false;
        }
        try {
            Activation activation = activations.of(item.key());
            if (activation == null || !activation.enter()) {
                queue.forget(item.key());
                return true;
            }
            try {
                reconcile(item, activation, worker);
            } finally {
                activation.leave();
            }
        } finally {
            queue.done(item);
        }
        return true;
    }

    // Reconciles a key. Anything that the reconciler throws is caught: the worker continues with other keys.
    @SuppressWarnings("CatchThrowable")
    private void reconcile(Item<ObjectKey> item, Activation activation, Workers.Worker worker) {
        ObjectKey key = item.key();
        parts.tell(new ControllerEvent.Reconciling(controller.name(), key));
        Watchdog.Run run = watchdog.begin(key, worker);
        Result wanted = Result.done();
        Outcome ending;
        Throwable failure = null;
        try {
            wanted = controller.reconciler().reconcile(call(item, activation, run));
            ending = ending(wanted, run);
            failure = wanted.failure().orElse(null);
        } catch (Throwable e) {
            ending = ending(e, run);
            failure = e;
        } finally {
            run.end();
        }
        Duration taken = run.taken();
        boolean again = next(item, activation, ending, wanted);
        if (failure != null) {
            log(key, ending, failure);
        }
        boolean gone = !controller.always().contains(key)
                && caches.primary().cache().get(key).isEmpty();
        if (gone) {
            references.forget(key);
        }
        if (gone && !again) {
            history.remove(key);
        } else {
            // explanations include quiet failures
            Throwable known =
                    failure == null ? wanted.worst().map(Result.Problem::error).orElse(null) : failure;
            history.record(key, taken, ending, item.causes(), known);
        }
        parts.tell(new ControllerEvent.Reconciled(controller.name(), key, ending, taken, Optional.ofNullable(failure)));
    }

    /** Requeues the key as its outcome demands; returns whether it is requeued here. */
    private boolean next(Item<ObjectKey> item, Activation activation, Outcome ending, Result wanted) {
        ObjectKey key = item.key();
        if (ending == Outcome.LEASE_LOST && !activation.isOpen()) {
            return false;
        }
        boolean again = switch (ending) {
            case SUCCESS, REQUEUE_AFTER, TERMINAL -> wanted.retries();
            case REQUEUE, ERROR, CONFLICT, PANIC, TIMEOUT, LEASE_LOST -> true;
        };
        int priority = wanted.priority().orElse(item.priority());
        if (again) {
            Duration unused = queue.addRateLimited(key, priority, new Cause("retry", ending));
        } else {
            queue.forget(key);
        }
        // with a retry, the shorter of the two delays counts
        wanted.delay().ifPresent(delay -> queue.addAfter(key, delay, priority, new Cause("requeue", delay)));
        return again || wanted.delay().isPresent();
    }

    private ReconciliationContext<T> call(Item<ObjectKey> item, Activation activation, Watchdog.Run run) {
        GuardedClient client = new GuardedClient(
                parts.client(),
                () -> {
                    if (!activation.holds()) {
                        throw new LeaseLostException("controller " + controller.name() + " is not active any more for "
                                + item.key() + ": another process reconciles it");
                    }
                    if (run.expired) {
                        throw new LeaseLostException(
                                "the deadline of " + controller.deadline() + " has passed for " + item.key());
                    }
                },
                activation.fence());
        return new ReconciliationContext<>(
                controller,
                item.key(),
                () -> History.texts(item.causes()),
                item.failures(),
                run::remaining,
                client,
                activation.fence(),
                caches,
                new Stash(),
                references.tracker(item.key(), client, caches, tracked -> {}),
                () -> parts.events().apply(controller.name()),
                parts.scheduler().clock(),
                parts.scheduler().clock().instant());
    }

    private static Outcome ending(Result wanted, Watchdog.Run run) {
        return switch (wanted.severity()) {
            case FAILED -> ending(wanted.worst().orElseThrow().error(), run);
            case DURABLE -> Outcome.TERMINAL;
            case QUIET, HALTED, DONE ->
                wanted.retries()
                        ? Outcome.REQUEUE
                        : wanted.delay().isPresent() ? Outcome.REQUEUE_AFTER : Outcome.SUCCESS;
        };
    }

    private static Outcome ending(Throwable failure, Watchdog.Run run) {
        if (run.expired) {
            return Outcome.TIMEOUT;
        }
        return switch (failure) {
            case LeaseLostException unused -> Outcome.LEASE_LOST;
            case TerminalException unused -> Outcome.TERMINAL;
            case ConflictException conflict when isFence(conflict) -> Outcome.LEASE_LOST;
            case ConflictException unused -> Outcome.CONFLICT;
            case Error unused -> Outcome.PANIC;
            default -> Outcome.ERROR;
        };
    }

    /** Returns whether the server refused the write since another process has taken over. */
    private static boolean isFence(ConflictException conflict) {
        return conflict.causes().stream().anyMatch(cause -> cause.reason().equals(Fence.LOST));
    }

    private void log(ObjectKey key, Outcome ending, Throwable failure) {
        boolean expected = ending == Outcome.CONFLICT || ending == Outcome.LEASE_LOST;
        LOG.atLevel(expected ? Level.DEBUG : Level.ERROR)
                .addKeyValue("controller", controller.name())
                .addKeyValue("key", key)
                .addKeyValue("outcome", ending)
                .addKeyValue("failures", queue.failures(key))
                .setCause(failure)
                .log("reconciliation failed");
    }

    /**
     * Completes running reconciliations, begins no further ones, and releases the leases; completes when nothing runs.
     */
    public CompletableFuture<Void> stop() {
        if (stopping.getAndSet(true)) {
            return stopped;
        }
        sources.close();
        var unused = activations.stop().thenCompose(nothing -> workers.close()).whenComplete((nothing, failure) -> {
            queue.shutDown();
            caches.release();
            stopped.complete(null);
        });
        return stopped;
    }

    public void interrupt() {
        watchdog.running().forEach(Watchdog.Run::interrupt);
    }

    public void health(Health.Builder health) {
        String name = "controller " + controller.name();
        switch (activations.phase()) {
            case SYNCING -> health.notReady(name + " is waiting for the first list of " + caches.unsynced());
            case INITIALIZING -> health.notReady(name + " has not been initialized");
            case STOPPED, STANDBY, WORKING -> {}
        }
        if (!activations.healthy()) {
            health.notLive(name + " neither renews nor releases its lease");
        }
        activations.health(health);
        Duration deadline = controller.deadline();
        for (Watchdog.Run run : watchdog.running()) {
            Duration taken = run.taken();
            if (taken.minus(deadline).compareTo(deadline) > 0) {
                health.notLive(name + " has been reconciling " + run.key + " for " + taken.toSeconds()
                        + " s, and ignores its deadline of " + deadline);
            }
        }
    }

    public Manager.Explanation explain(ObjectKey key) {
        Optional<Watchdog.Run> run = watchdog.running().stream()
                .filter(candidate -> candidate.key.equals(key))
                .findFirst();
        Optional<KeyState> state = queue.state(key);
        return new Manager.Explanation(
                controller.name(),
                key,
                caches.primary().cache().get(key).isPresent(),
                activations.phase(),
                activations.place(key),
                activations.has(key),
                run.map(Watchdog.Run::taken),
                run.map(Watchdog.Run::stack).stream()
                        .flatMap(Arrays::stream)
                        .map(StackTraceElement::toString)
                        .toList(),
                state.flatMap(KeyState::waiting),
                state.flatMap(KeyState::delayed),
                state.map(known -> History.texts(known.causes())).orElse(List.of()),
                queue.failures(key),
                history.last(key));
    }
}
