package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Explanation.Phase;
import dev.evenkeel.controller.Health;
import dev.evenkeel.controller.LeaseLostException;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.internal.lease.Election;
import dev.evenkeel.controller.internal.lease.Shards;
import dev.evenkeel.controller.internal.lease.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The posts of a controller in this process: which slots of keys are its own to reconcile now.
 *
 * <p>A leader has one slot, as has a controller that is placed everywhere; shards have many. Whatever the placement:
 *
 * <ol>
 *   <li>A slot has at most one {@link Activation} at a time; the next begins when it has ended, and what it left was cleared up.
 *   <li>Posts open when the initializer has succeeded. It is called when the first post begins, and again when the first
 *       one begins after there was none; while it fails it is tried again, after 0.5 s, doubled up to 60 s.
 *   <li>An initializer that exceeds its deadline is interrupted and the lease released, so that another process can work.
 *       This one competes again when the initializer has returned and a lease duration has passed.
 *   <li>When the term of a post is over, what runs there is interrupted.
 * </ol>
 */
final class PlacementRunner {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final Duration LEASE_TOLERANCE = Duration.ofSeconds(20);
    private static final Backoff INITIALIZER = Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(60));

    /** The controller that has the posts. */
    interface Owner {
        /** Keys of this slot are reconciled here from now on. */
        void opened(int slot);

        /** Nothing of this slot runs here any more. */
        void closed(int slot);

        /** What runs of this slot must end at once. */
        void interrupt(int slot);
    }

    private final Controller<?> controller;
    private final ManagerServices parts;
    private final Scheduler scheduler;
    private final Owner owner;
    private final Placement placement;
    private final AtomicReferenceArray<@Nullable Activation> posts;

    private final ReentrantLock lock = new ReentrantLock();
    private Phase phase = Phase.STOPPED;
    private @Nullable Election election;
    private volatile @Nullable Shards shards;
    private int occupied;

    /** Counts how often the controller began to work. */
    private int activation;

    /** The call of the initializer that exceeded its deadline, until this process competes again. */
    private @Nullable InitializerCall overdue;

    private CompletableFuture<Void> initialized = new CompletableFuture<>();
    private volatile boolean stopping;

    PlacementRunner(Controller<?> controller, ManagerServices parts, Owner owner) {
        this.controller = controller;
        this.parts = parts;
        this.scheduler = parts.scheduler();
        this.owner = owner;
        this.placement = parts.leases().isPresent() ? controller.placement() : Placement.everyServer();
        this.posts = new AtomicReferenceArray<>(placement instanceof Placement.Sharded(int slots) ? slots : 1);
    }

    /** The slot of a key. */
    int slot(ObjectKey key) {
        Shards member = shards;
        return member == null ? 0 : member.slot(key);
    }

    /** The post of a key; null when it is not this process's to reconcile. */
    @Nullable
    Activation of(ObjectKey key) {
        return posts.get(slot(key));
    }

    /** Whether a key is to be reconciled here. */
    boolean has(ObjectKey key) {
        Activation post = of(key);
        return post != null && post.isOpen();
    }

    /** Where the controller works: in each process, when they share nothing. */
    Placement placement() {
        return placement;
    }

    /** Of how many slots the keys are reconciled here. */
    int occupied() {
        lock.lock();
        try {
            return occupied;
        } finally {
            lock.unlock();
        }
    }

    Phase phase() {
        lock.lock();
        try {
            return phase;
        } finally {
            lock.unlock();
        }
    }

    /** What the controller is doing now; false when it is stopping, and does nothing any more. */
    boolean enter(Phase next) {
        lock.lock();
        try {
            if (!stopping) {
                phase = next;
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Strives for what the placement gives. */
    void start() {
        switch (placement) {
            case Placement.EveryServer unused -> {
                CompletableFuture<Void> unused2 = begin(0, Optional.empty());
            }
            case Placement.Leader unused -> {
                Election campaign = ControllerLeases.election(
                        leases(), scheduler, parts.rawClient(), controller.name(), term -> begin(0, Optional.of(term)));
                if (enlist(campaign, null)) {
                    campaign.start();
                }
            }
            case Placement.Sharded(int slots) -> {
                Shards member = ControllerLeases.shards(
                        leases(),
                        scheduler,
                        parts.rawClient(),
                        controller.name(),
                        slots,
                        (slot, term) -> begin(slot, Optional.of(term)));
                if (enlist(null, member)) {
                    member.start();
                }
            }
        }
    }

    private Leases leases() {
        return parts.leases().orElseThrow();
    }

    private boolean enlist(@Nullable Election campaign, @Nullable Shards member) {
        lock.lock();
        try {
            if (!stopping) {
                election = campaign;
                shards = member;
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    /** A slot is this process's for a term; the future is done when nothing of it runs here any more. */
    private CompletableFuture<Void> begin(int slot, Optional<Term> term) {
        Activation post = new Activation(slot, term);
        CompletableFuture<Void> ready;
        boolean first;
        int present;
        lock.lock();
        try {
            if (stopping) {
                return CompletableFuture.completedFuture(null);
            }
            posts.set(slot, post);
            first = occupied++ == 0;
            if (first) {
                activation++;
                initialized = new CompletableFuture<>();
                phase = Phase.INITIALIZING;
            }
            ready = initialized;
            present = activation;
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> left = post.end().thenRun(() -> left(post));
        term.ifPresent(held -> {
            var unused = held.ending().thenRun(post::close);
            var unused2 = held.lost().thenRun(() -> {
                post.close();
                owner.interrupt(slot);
            });
        });
        var unused = ready.thenRun(() -> scheduler.execute(name("opens"), () -> {
            if (post.open()) {
                owner.opened(slot);
            }
        }));
        if (first) {
            initialize(post, present, ready, 0);
        }
        return left;
    }

    private void initialize(Activation post, int present, CompletableFuture<Void> ready, int attempt) {
        InitializerCall call =
                new InitializerCall(scheduler, name("initializer"), controller.initializerDeadline(), () -> {
                    if (isCurrent(present)) {
                        controller.initializer().initialize(client(post, present));
                    }
                    return null;
                });
        var unused = call.result().whenComplete((nothing, failure) -> {
            if (failure == null) {
                if (isCurrent(present) && enter(Phase.WORKING)) {
                    parts.tell(new ControllerEvent.Active(controller.name()));
                    ready.complete(null);
                }
                return;
            }
            boolean late = call.expired();
            Duration retryAfter = INITIALIZER.delay(attempt, scheduler.random());
            if (late && parts.leases().isPresent()) {
                retryAfter = leases().timing().lease();
            }
            LOG.atError()
                    .addKeyValue("controller", controller.name())
                    .addKeyValue("retryAfter", retryAfter)
                    .setCause(failure)
                    .log("the initializer failed");
            parts.tell(new ControllerEvent.InitializerFailed(controller.name(), failure, retryAfter));
            Runnable again = () -> initialize(post, present, ready, attempt + 1);
            if (late) {
                stepDown(call, present, retryAfter, again);
            } else if (isCurrent(present)) {
                Scheduler.Timer unused2 = scheduler.schedule(retryAfter, again);
            }
        });
    }

    /** Releases the lease, if there is one, and begins again when the initializer has returned and after a delay. */
    private void stepDown(InitializerCall call, int present, Duration delay, Runnable again) {
        lock.lock();
        try {
            if (!isCurrent(present)) {
                return;
            }
            overdue = call;
        } finally {
            lock.unlock();
        }
        Optional<CompletableFuture<Void>> released = lease(Election::stop, Shards::stop);
        Runnable next = released.isPresent() ? this::start : again;
        var unused = released.orElse(call.returned())
                .thenCombine(
                        call.returned(),
                        (nothing, none) -> scheduler.schedule(delay, () -> {
                            lock.lock();
                            try {
                                overdue = null;
                                if (stopping) {
                                    return;
                                }
                            } finally {
                                lock.unlock();
                            }
                            next.run();
                        }));
    }

    /** Reports an initializer that exceeded its deadline. */
    void health(Health.Builder health) {
        InitializerCall late;
        lock.lock();
        try {
            late = overdue;
        } finally {
            lock.unlock();
        }
        if (late == null) {
            return;
        }
        Duration deadline = controller.initializerDeadline();
        if (late.returned().isDone()) {
            health.notReady(name("waits: the initializer did not return within its deadline of " + deadline));
        } else if (late.age().compareTo(deadline.multipliedBy(2)) > 0) {
            health.notLive(name("has been initializing for " + late.age().toSeconds()
                    + " s, and does not heed its deadline of " + deadline));
        } else {
            health.notReady(name("has been initializing for " + late.age().toSeconds()
                    + " s, longer than its deadline of " + deadline));
        }
    }

    private boolean isCurrent(int begun) {
        lock.lock();
        try {
            return !stopping && activation == begun && occupied > 0;
        } finally {
            lock.unlock();
        }
    }

    /** For an initializer, which works as long as there are posts; fenced by the first of them while that lasts. */
    private Client client(Activation post, int begun) {
        return new GuardedClient(
                parts.client(),
                () -> {
                    if (!isCurrent(begun)) {
                        throw new LeaseLostException("controller " + controller.name() + " has lost its place");
                    }
                },
                post.holds() ? post.fence() : Optional.empty());
    }

    private void left(Activation post) {
        boolean last;
        lock.lock();
        try {
            boolean unused = posts.compareAndSet(post.slot(), post, null);
            last = --occupied == 0;
            if (last && !stopping) {
                phase = Phase.STANDBY;
            }
        } finally {
            lock.unlock();
        }
        owner.closed(post.slot());
        if (last) {
            parts.tell(new ControllerEvent.Inactive(controller.name()));
        }
    }

    /** Lets no more keys in, and gives up what the placement gave; done when nothing runs any more. */
    CompletableFuture<Void> stop() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        lock.lock();
        try {
            stopping = true;
            phase = Phase.STOPPED;
        } finally {
            lock.unlock();
        }
        for (int slot = 0; slot < posts.length(); slot++) {
            Activation post = posts.get(slot);
            if (post != null) {
                post.close();
                ends.add(post.end());
            }
        }
        ends.addAll(lease(Election::stop, Shards::stop).stream().toList());
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    /** Something of the lease, whichever it is; empty when there is none. */
    private <R> Optional<R> lease(Function<Election, R> ofElection, Function<Shards, R> ofShards) {
        Election campaign;
        Shards member;
        lock.lock();
        try {
            campaign = election;
            member = shards;
        } finally {
            lock.unlock();
        }
        if (campaign != null) {
            return Optional.of(ofElection.apply(campaign));
        }
        return member == null ? Optional.empty() : Optional.of(ofShards.apply(member));
    }

    /** Whether leases are renewed, or given up when that fails. */
    boolean healthy() {
        return lease(e -> e.healthy(LEASE_TOLERANCE), s -> s.healthy(LEASE_TOLERANCE))
                .orElse(true);
    }

    /** Who reconciles a key, for people. */
    String place(ObjectKey key) {
        return lease(
                        campaign -> "leader " + campaign.holder(),
                        member -> "the holder of slot " + member.slot(key) + " among " + member.members())
                .orElse("every server");
    }

    private String name(String what) {
        return "controller " + controller.name() + " " + what;
    }
}
