package dev.evenkeel.controller.internal;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.ControllerCaches;
import dev.evenkeel.controller.ControllerEvent;
import dev.evenkeel.controller.Health;
import dev.evenkeel.controller.Initialization;
import dev.evenkeel.controller.LeaseLostException;
import dev.evenkeel.controller.Manager.Explanation.Phase;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The activations of a controller in this process: the slots of keys that it reconciles now.
 *
 * <p>The placements on a leader and on every server have one slot; sharded controllers have many. Whatever the
 * placement:
 *
 * <ol>
 *   <li>A slot has at most one {@link Activation} at a time; the next begins when it has ended and its queue was
 *       cleared.
 *   <li>Activations open when the initializer has succeeded. It is called when the first activation begins, and again
 *       when the first one begins after there was none; after a failure it is called again, after 0.5 s, doubled up to
 *       60 s.
 *   <li>An initializer that exceeds its deadline is interrupted and the lease released, so that another process can
 *       work. This process competes again when the initializer has returned and a lease duration has passed.
 *   <li>When the term of an activation is over, its running reconciliations are interrupted.
 * </ol>
 */
final class PlacementRunner {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final Duration LEASE_TOLERANCE = Duration.ofSeconds(20);
    private static final Backoff INITIALIZER = Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(60));

    interface Owner {
        /** Called when reconciliations of the keys of this slot may begin here. */
        void opened(int slot);

        /** Called when no reconciliation of this slot runs here any more. */
        void closed(int slot);

        /** Called when the running reconciliations of this slot must end at once. */
        void interrupt(int slot);
    }

    private final Controller<?> controller;
    private final ManagerServices parts;
    private final ControllerCaches<?> caches;
    private final Scheduler scheduler;
    private final Owner owner;
    private final Placement placement;
    private final AtomicReferenceArray<@Nullable Activation> activations;

    private Phase phase = Phase.STOPPED;
    private @Nullable Election election;
    private volatile @Nullable Shards shards;
    private int occupied;

    private int activationCount;

    /** The call of the initializer that exceeded its deadline, until this process competes again. */
    private @Nullable InitializerCall overdue;

    private CompletableFuture<Void> initialized = new CompletableFuture<>();
    private volatile boolean stopping;

    PlacementRunner(Controller<?> controller, ManagerServices parts, ControllerCaches<?> caches, Owner owner) {
        this.controller = controller;
        this.parts = parts;
        this.caches = caches;
        this.scheduler = parts.scheduler();
        this.owner = owner;
        this.placement = parts.leases().isPresent() ? controller.placement() : Placement.everyServer();
        this.activations = new AtomicReferenceArray<>(placement instanceof Placement.Sharded(int slots) ? slots : 1);
    }

    int slot(ObjectKey key) {
        Shards member = shards;
        return member == null ? 0 : member.slot(key);
    }

    /** Returns the activation of a key; null when the key is not reconciled in this process. */
    @Nullable
    Activation of(ObjectKey key) {
        return activations.get(slot(key));
    }

    boolean has(ObjectKey key) {
        Activation activation = of(key);
        return activation != null && activation.isOpen();
    }

    /** Returns the placement of the controller; {@link Placement.EveryServer} without leases. */
    Placement placement() {
        return placement;
    }

    synchronized int occupied() {
        return occupied;
    }

    synchronized Phase phase() {
        return phase;
    }

    /** Sets the phase; returns false when the controller is stopping. */
    synchronized boolean enter(Phase next) {
        if (!stopping) {
            phase = next;
        }
        return !stopping;
    }

    void start() {
        switch (placement) {
            case Placement.EveryServer unused -> {
                var unused2 = begin(0, Optional.empty());
            }
            case Placement.Leader unused -> {
                Election campaign =
                        ControllerLeases.election(parts, controller.name(), term -> begin(0, Optional.of(term)));
                if (enlist(campaign, null)) {
                    campaign.start();
                }
            }
            case Placement.Sharded(int slots) -> {
                Shards member = ControllerLeases.shards(
                        parts, controller.name(), slots, (slot, term) -> begin(slot, Optional.of(term)));
                if (enlist(null, member)) {
                    member.start();
                }
            }
        }
    }

    private synchronized boolean enlist(@Nullable Election campaign, @Nullable Shards member) {
        if (!stopping) {
            election = campaign;
            shards = member;
        }
        return !stopping;
    }

    /** Activates a slot for a term; completes when no reconciliation of it runs here any more. */
    private CompletableFuture<Void> begin(int slot, Optional<Term> term) {
        Activation activation = new Activation(slot, term);
        CompletableFuture<Void> ready;
        boolean first;
        int present;
        synchronized (this) {
            if (stopping) {
                return CompletableFuture.completedFuture(null);
            }
            activations.set(slot, activation);
            first = occupied++ == 0;
            if (first) {
                activationCount++;
                initialized = new CompletableFuture<>();
                phase = Phase.INITIALIZING;
            }
            ready = initialized;
            present = activationCount;
        }
        CompletableFuture<Void> left = activation.end().thenRun(() -> left(activation));
        term.ifPresent(held -> {
            var unused = held.ending().thenRun(activation::close);
            var unused2 = held.lost().thenRun(() -> {
                activation.close();
                owner.interrupt(slot);
            });
        });
        var unused = ready.thenRun(() -> scheduler.execute(name("opens"), () -> {
            if (activation.open()) {
                owner.opened(slot);
            }
        }));
        if (first) {
            initialize(activation, present, ready, 0);
        }
        return left;
    }

    private void initialize(Activation activation, int present, CompletableFuture<Void> ready, int attempt) {
        InitializerCall call =
                new InitializerCall(scheduler, name("initializer"), controller.initializerDeadline(), () -> {
                    if (isCurrent(present)) {
                        Client client = client(activation, present);
                        Logger logger = LoggerFactory.getLogger(controller.name());
                        controller.initializer().initialize(new Initialization(client, caches, logger));
                    }
                    return null;
                });
        var unused = call.result.whenComplete((nothing, failure) -> {
            if (failure == null) {
                if (isCurrent(present) && enter(Phase.WORKING)) {
                    parts.tell(new ControllerEvent.Active(controller.name()));
                    ready.complete(null);
                }
                return;
            }
            boolean late = call.expired;
            Duration backoff = INITIALIZER.delay(attempt, scheduler.random());
            Duration retryAfter = parts.leases()
                    .filter(leases -> late)
                    .map(leases -> leases.timing().lease())
                    .orElse(backoff);
            LOG.atError()
                    .addKeyValue("controller", controller.name())
                    .addKeyValue("retryAfter", retryAfter)
                    .setCause(failure)
                    .log("the initializer failed");
            parts.tell(new ControllerEvent.InitializerFailed(controller.name(), failure, retryAfter));
            Runnable again = () -> initialize(activation, present, ready, attempt + 1);
            if (late) {
                stepDown(call, present, retryAfter, again);
            } else if (isCurrent(present)) {
                Scheduler.Timer unused2 = scheduler.schedule(retryAfter, again);
            }
        });
    }

    /** Releases the lease, if there is one, and begins again when the initializer has returned and after a delay. */
    private void stepDown(InitializerCall call, int present, Duration delay, Runnable again) {
        synchronized (this) {
            if (!isCurrent(present)) {
                return;
            }
            overdue = call;
        }
        Optional<CompletableFuture<Void>> released = lease(Election::stop, Shards::stop);
        Runnable next = released.isPresent() ? this::start : again;
        var unused = released.orElse(call.returned())
                .thenCombine(
                        call.returned(),
                        (nothing, none) -> scheduler.schedule(delay, () -> {
                            synchronized (this) {
                                overdue = null;
                                if (stopping) {
                                    return;
                                }
                            }
                            next.run();
                        }));
    }

    void health(Health.Builder health) {
        InitializerCall late;
        synchronized (this) {
            late = overdue;
        }
        if (late == null) {
            return;
        }
        Duration deadline = controller.initializerDeadline();
        String running = "has been initializing for " + late.age().toSeconds() + " s, ";
        if (late.returned().isDone()) {
            health.notReady(name("waits: the initializer did not return within its deadline of " + deadline));
        } else if (late.age().compareTo(deadline.multipliedBy(2)) > 0) {
            health.notLive(name(running + "and ignores its deadline of " + deadline));
        } else {
            health.notReady(name(running + "longer than its deadline of " + deadline));
        }
    }

    private synchronized boolean isCurrent(int begun) {
        return !stopping && activationCount == begun && occupied > 0;
    }

    /** Returns the client of an initializer, fenced by the first activation while that lasts. */
    private Client client(Activation activation, int begun) {
        return new GuardedClient(
                parts.client(),
                () -> {
                    if (!isCurrent(begun)) {
                        throw new LeaseLostException("controller " + controller.name() + " is not active any more");
                    }
                },
                activation.holds() ? activation.fence() : Optional.empty());
    }

    private void left(Activation activation) {
        boolean last;
        synchronized (this) {
            boolean unused = activations.compareAndSet(activation.slot, activation, null);
            last = --occupied == 0;
            if (last && !stopping) {
                phase = Phase.STANDBY;
            }
        }
        owner.closed(activation.slot);
        if (last) {
            parts.tell(new ControllerEvent.Inactive(controller.name()));
        }
    }

    /** Refuses further keys, and releases the leases; completes when no reconciliation runs any more. */
    CompletableFuture<Void> stop() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        synchronized (this) {
            stopping = true;
            phase = Phase.STOPPED;
        }
        for (int slot = 0; slot < activations.length(); slot++) {
            Activation activation = activations.get(slot);
            if (activation != null) {
                activation.close();
                ends.add(activation.end());
            }
        }
        lease(Election::stop, Shards::stop).ifPresent(ends::add);
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    /** Applies a function to the lease, whichever it is; empty when there is none. */
    private <R> Optional<R> lease(Function<Election, R> ofElection, Function<Shards, R> ofShards) {
        Election campaign;
        Shards member;
        synchronized (this) {
            campaign = election;
            member = shards;
        }
        if (campaign != null) {
            return Optional.of(ofElection.apply(campaign));
        }
        return member == null ? Optional.empty() : Optional.of(ofShards.apply(member));
    }

    /** Returns whether leases are renewed, or released when that fails. */
    boolean healthy() {
        return lease(e -> e.healthy(LEASE_TOLERANCE), s -> s.healthy(LEASE_TOLERANCE))
                .orElse(true);
    }

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
