package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Explanation;
import dev.evenkeel.controller.Health;
import dev.evenkeel.controller.LeaseLostException;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Placement;
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

/**
 * A controller at work: {@link EventSources} turn changes into keys, and {@link Workers} reconcile them at {@link PlacementRunner}.
 *
 * <h2>The problem</h2>
 *
 * <p>A reconciler must see each key that may need it, soon, one at a time, and only in the process whose turn it is; and
 * all that while caches fill, leases come and go, and the reconciler does what it likes.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>No key is reconciled before all caches that the controller declared are in sync and the initializer has succeeded.
 *   <li>A key is reconciled only at the {@link Activation} of its slot. Without a post its keys are not queued; when a post
 *       opens, all keys of its slot are. So no post inherits what another left behind, and none misses anything.
 *   <li>A post ends when its last key is left, and only then the lease behind it is given up.
 *   <li>After the term of a post is over, what runs there is interrupted and its client refuses to write.
 *   <li>Whatever a reconciler throws stays its own: other keys go on.
 * </ol>
 *
 * <p>Why not keep the queue of a standby warm: it would hold every key of the cluster, to be reconciled once more by a
 * leader who lists them anyway.
 */
public final class RunningController<T extends HasMetadata> implements PlacementRunner.Owner, EventSources.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final Controller<T> controller;
    private final ManagerServices parts;
    private final Scheduler scheduler;
    private final WorkQueue<ObjectKey> queue;
    private final Workers workers;
    private final Watchdog watchdog;
    private final History history;
    private final Caches<T> caches;
    private final References references;
    private final EventSources<T> wakers;
    private final PlacementRunner posts;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public RunningController(Controller<T> controller, ManagerServices parts) {
        this.controller = controller;
        this.parts = parts;
        this.scheduler = parts.scheduler();
        QueueOptions<ObjectKey> options = QueueOptions.<ObjectKey>defaults()
                .withName(controller.name())
                .withLimiter(controller.backoff())
                .withMetrics(parts.metrics().queue(controller.name()));
        this.queue = new WorkQueue<>(
                scheduler, controller.flow().map(options::withFlow).orElse(options));
        this.workers = new Workers(
                "controller " + controller.name(), controller.workers(), scheduler, this::take, () -> queue.size() > 0);
        this.watchdog = new Watchdog(scheduler, controller.deadline());
        this.history = new History(scheduler.clock());
        this.caches = new Caches<>(controller, parts.informers());
        this.references = References.of(controller, parts.informers().namespaces(), scheduler);
        this.wakers =
                new EventSources<>(controller, parts.informers().namespaces(), caches, references, scheduler, this);
        this.posts = new PlacementRunner(controller, parts, this);
        queue.onReady(workers::call);
    }

    public Controller<T> controller() {
        return controller;
    }

    WorkQueue<ObjectKey> queue() {
        return queue;
    }

    /** How many keys are being reconciled. */
    int active() {
        return watchdog.running().size();
    }

    /** Where it works: in each process, when they share nothing. */
    Placement placement() {
        return posts.placement();
    }

    /** Of how many slots it reconciles the keys; 1 when all keys are its own. */
    int slots() {
        return posts.occupied();
    }

    /** Begins; returns at once. */
    public void start() {
        if (!posts.enter(Explanation.Phase.SYNCING)) {
            return;
        }
        workers.open();
        CompletableFuture<Void> all = CompletableFuture.allOf(wakers.listen(), caches.synced());
        var unused = all.thenRun(() -> scheduler.execute("controller " + controller.name() + " synced", this::synced));
        Scheduler.Timer unused2 = scheduler.schedule(parts.syncTimeout(), () -> {
            if (!all.isDone() && posts.phase() == Explanation.Phase.SYNCING) {
                LOG.atWarn()
                        .addKeyValue("controller", controller.name())
                        .log("not in sync after {}: waiting for {}", parts.syncTimeout(), caches.unsynced());
            }
        });
    }

    private void synced() {
        if (!posts.enter(Explanation.Phase.STANDBY)) {
            return;
        }
        parts.tell(new ControllerEvent.Synced(controller.name()));
        wakers.start();
        posts.start();
    }

    @Override
    public void opened(int slot) {
        wakers.everything(new Cause("start", controller.name()), key -> posts.slot(key) == slot);
    }

    @Override
    public void closed(int slot) {
        // what was queued for the slot is another process's now
        int unused = queue.discardIf(key -> posts.slot(key) == slot && !posts.has(key));
    }

    @Override
    public void interrupt(int slot) {
        for (Watchdog.Run run : watchdog.running()) {
            if (posts.slot(run.key()) == slot) {
                run.interrupt();
            }
        }
    }

    @Override
    public void add(ObjectKey key, int priority, Cause cause) {
        if (posts.has(key)) {
            queue.add(key, priority, cause);
        }
    }

    @Override
    public void gone(ObjectKey key) {
        queue.forget(key);
        references.forget(key);
        // whoever reconciles that it is gone may be another process
        history.remove(key);
    }

    /** Takes a key and reconciles it; false when none waits. */
    private boolean take(Workers.Worker worker) {
        Optional<Item<ObjectKey>> next = queue.poll();
        if (next.isEmpty()) {
            return false;
        }
        Item<ObjectKey> item = next.get();
        try {
            Activation post = posts.of(item.key());
            if (post == null || !post.enter()) {
                queue.forget(item.key());
                return true;
            }
            try {
                reconcile(item, post, worker);
            } finally {
                post.leave();
            }
        } finally {
            queue.done(item);
        }
        return true;
    }

    // Whatever a reconciler does wrong is its own: the worker goes on with other keys.
    @SuppressWarnings("CatchThrowable")
    private void reconcile(Item<ObjectKey> item, Activation post, Workers.Worker worker) {
        ObjectKey key = item.key();
        parts.tell(new ControllerEvent.Reconciling(controller.name(), key));
        Watchdog.Run run = watchdog.begin(key, worker);
        Outcome wanted = Outcome.done();
        ControllerEvent.Outcome ending;
        Throwable failure = null;
        try {
            wanted = Outcome.of(controller.reconciler().reconcile(call(item, post, run)));
            ending = ending(wanted, run);
            failure = wanted.failure().orElse(null);
        } catch (Throwable e) {
            ending = ending(e, run);
            failure = e;
        } finally {
            run.end();
        }
        Duration taken = run.taken();
        boolean again = next(item, post, ending, wanted);
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
            // people who ask are told of quiet failures too
            Throwable known =
                    failure == null ? wanted.worst().map(Outcome.Problem::error).orElse(null) : failure;
            history.record(key, taken, ending, item.causes(), known);
        }
        parts.tell(new ControllerEvent.Reconciled(controller.name(), key, ending, taken, Optional.ofNullable(failure)));
    }

    /** When the key comes again; whether it does so by itself, here. */
    private boolean next(Item<ObjectKey> item, Activation post, ControllerEvent.Outcome ending, Outcome wanted) {
        ObjectKey key = item.key();
        if (ending == ControllerEvent.Outcome.PLACE_LOST && !post.isOpen()) {
            return false;
        }
        boolean again = switch (ending) {
            case SUCCESS, REQUEUE_AFTER, TERMINAL -> wanted.retries();
            case REQUEUE, ERROR, CONFLICT, PANIC, TIMEOUT, PLACE_LOST -> true;
        };
        int priority = wanted.priority().orElse(item.priority());
        if (again) {
            Duration unused = queue.addRateLimited(key, priority, new Cause("retry", ending));
        } else {
            queue.forget(key);
        }
        // beside a retry, the shorter of the two delays counts
        wanted.delay().ifPresent(delay -> queue.addAfter(key, delay, priority, new Cause("requeue", delay)));
        return again || wanted.delay().isPresent();
    }

    private ReconciliationContext<T> call(Item<ObjectKey> item, Activation post, Watchdog.Run run) {
        GuardedClient client = new GuardedClient(
                parts.client(),
                () -> {
                    if (!post.holds()) {
                        throw new LeaseLostException("controller " + controller.name() + " has lost its place: "
                                + item.key() + " is another process's to reconcile");
                    }
                    if (run.expired()) {
                        throw new LeaseLostException(
                                "the deadline of " + controller.deadline() + " is over for " + item.key());
                    }
                },
                post.fence());
        return new ReconciliationContext<>(
                controller,
                new ReconciliationContext.Occasion(
                        item.key(), () -> History.texts(item.causes()), item.failures(), run::remaining),
                client,
                post.fence(),
                caches,
                new Stash(),
                references.tracker(item.key(), client),
                () -> parts.events().apply(controller.name()),
                parts.scheduler().clock());
    }

    private static ControllerEvent.Outcome ending(Outcome wanted, Watchdog.Run run) {
        return switch (wanted.severity()) {
            case FAILED -> ending(wanted.worst().orElseThrow().error(), run);
            case DURABLE -> ControllerEvent.Outcome.TERMINAL;
            case QUIET, HALTED, DONE -> {
                if (wanted.retries()) {
                    yield ControllerEvent.Outcome.REQUEUE;
                }
                yield wanted.delay().isPresent()
                        ? ControllerEvent.Outcome.REQUEUE_AFTER
                        : ControllerEvent.Outcome.SUCCESS;
            }
        };
    }

    private static ControllerEvent.Outcome ending(Throwable failure, Watchdog.Run run) {
        if (run.expired()) {
            return ControllerEvent.Outcome.TIMEOUT;
        }
        return switch (failure) {
            case LeaseLostException unused -> ControllerEvent.Outcome.PLACE_LOST;
            case TerminalException unused -> ControllerEvent.Outcome.TERMINAL;
            case ConflictException conflict when isFence(conflict) -> ControllerEvent.Outcome.PLACE_LOST;
            case ConflictException unused -> ControllerEvent.Outcome.CONFLICT;
            case Error unused -> ControllerEvent.Outcome.PANIC;
            default -> ControllerEvent.Outcome.ERROR;
        };
    }

    /** Whether the server knows that another process has taken over. */
    private static boolean isFence(ConflictException conflict) {
        return conflict.status().details().stream()
                .flatMap(details -> details.causes().stream())
                .anyMatch(cause -> cause.reason().equals(Fence.LOST));
    }

    private void log(ObjectKey key, ControllerEvent.Outcome ending, Throwable failure) {
        var event = ending == ControllerEvent.Outcome.CONFLICT || ending == ControllerEvent.Outcome.PLACE_LOST
                ? LOG.atDebug()
                : LOG.atError();
        event.addKeyValue("controller", controller.name())
                .addKeyValue("key", key)
                .addKeyValue("outcome", ending)
                .addKeyValue("failures", queue.failures(key))
                .setCause(failure)
                .log("reconciliation failed");
    }

    /** Lets reconciliations that run come to their end, begins no others, and gives up its place. Done when all is still. */
    public CompletableFuture<Void> stop() {
        if (stopping.getAndSet(true)) {
            return stopped;
        }
        wakers.close();
        var unused = posts.stop().thenCompose(nothing -> workers.close()).whenComplete((nothing, failure) -> {
            queue.shutDown();
            caches.release();
            stopped.complete(null);
        });
        return stopped;
    }

    /** Interrupts all that runs. */
    public void interrupt() {
        watchdog.running().forEach(Watchdog.Run::interrupt);
    }

    /** What keeps it from working. */
    public void health(Health.Builder health) {
        String name = "controller " + controller.name();
        switch (posts.phase()) {
            case SYNCING -> health.notReady(name + " waits for the first list of " + caches.unsynced());
            case INITIALIZING -> health.notReady(name + " has not been initialized");
            case STOPPED, STANDBY, WORKING -> {}
        }
        if (!posts.healthy()) {
            health.notLive(name + " neither renews its lease nor gives it up");
        }
        posts.health(health);
        for (Watchdog.Run run : watchdog.running()) {
            if (run.taken().minus(controller.deadline()).compareTo(controller.deadline()) > 0) {
                health.notLive(name + " has been reconciling " + run.key() + " for "
                        + run.taken().toSeconds() + " s, and does not heed its deadline of " + controller.deadline());
            }
        }
    }

    public Explanation explain(ObjectKey key) {
        Optional<Watchdog.Run> run = watchdog.running().stream()
                .filter(candidate -> candidate.key().equals(key))
                .findFirst();
        Optional<KeyState> state = queue.state(key);
        return new Explanation(
                controller.name(),
                key,
                caches.primary().cache().get(key).isPresent(),
                posts.phase(),
                posts.place(key),
                posts.has(key),
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
