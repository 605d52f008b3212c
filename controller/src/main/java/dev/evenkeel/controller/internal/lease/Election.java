package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Leases;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of many candidates by a Lease object, with the records and rules of client-go.
 *
 * <p>The problem: exactly one of the candidates must act, and another soon after that one has failed; clocks differ,
 * the API may be slow or unavailable, processes pause and resume. Invariants:
 *
 * <ol>
 *   <li>A lease is taken only when it is free, or when it did not change for its duration, measured by the clock of the
 *       candidate from when the candidate saw it. Times in the object are for display.
 *   <li>Every write is conditional on what was read, so of several candidates that take it one succeeds.
 *   <li>A term is over {@code renewDeadline} after its last renewal was <em>sent</em>: before 1 allows another holder,
 *       as long as clocks run equally fast within the ratio of the two times. A later answer does not revive it.
 *   <li>Acquiring a lease increases its transitions, also for the same identity, whose earlier run it may have been; a
 *       renewal keeps them. (client-go keeps them in both cases; the fence of an earlier run would hold then.)
 *   <li>In this process a term begins only after the scope of the previous one has ended.
 *   <li>After a loss, and after any failure, the campaign continues until {@link #stop}. Nothing exits the process.
 * </ol>
 *
 * <p>Concurrency: one attempt at a time calls the API, in a task of the scheduler, without a lock; an attempt that
 * hangs for half the renew deadline is abandoned, and 2 and 3 make its late effects harmless. Scopes are called in
 * tasks of their own, so that a slow one delays no renewal. Cost: one write each {@code retry} for the holder, without
 * a read as long as no other candidate writes; one read each one to two times that for the others.
 *
 * <p>Why not judge by the times in the object: then the clocks of two machines decide, and a skew of seconds gives two
 * holders at once. Why not a watch: losing it looks like silence, and reading a lease occasionally costs nothing.
 */
public final class Election {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    /** The work that runs while a lease is held. */
    @FunctionalInterface
    public interface Scope {
        /**
         * Starts the work of a term, and returns its completion.
         *
         * <p>The work must end gracefully soon after {@link Term#ending()}, and at once after {@link Term#lost()}. No other
         * term of the same lease begins in this process before the future is done; until then the lease is renewed if it
         * was not lost. A future that completes during the term releases the lease, and the campaign starts again; its
         * failure, or that of this method, is logged.
         */
        CompletableFuture<Void> begin(Term term);

        /** Called when this process or another one was observed to hold the lease. */
        default void observed(String holder) {}

        /** Called when the election has stopped, also if there never was a term. */
        default void stopped() {}
    }

    private final Scheduler scheduler;
    private final Client client;
    private final ObjectKey key;
    private final String identity;
    private final Leases.Timing timing;
    private final Records records;
    private final Scope scope;
    private final Loop loop;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    // guarded by this
    private @Nullable Lease known;
    private @Nullable LeaseSpec observed;
    private long observedAt;
    private String reported = "";
    private @Nullable Run run;
    private boolean started;
    private boolean stopping;

    private static final class Run {
        final Term term;
        final CompletableFuture<Void> end = new CompletableFuture<>();
        volatile long deadline;

        Run(Fence fence, Scheduler scheduler, long deadline) {
            this.deadline = deadline;
            this.term = new Term(fence, scheduler, () -> this.deadline - scheduler.nanoTime());
        }
    }

    /**
     * Creates a campaign for a lease, not yet started.
     *
     * @param key key of the Lease, which is created if absent
     * @param identity identity of this candidate, unlike that of every other
     * @throws IllegalArgumentException when the key lacks namespace or name, or the identity is empty
     */
    public Election(
            Scheduler scheduler,
            Client client,
            ObjectKey key,
            String identity,
            Leases.Timing timing,
            Map<String, String> labels,
            Scope scope) {
        if (key.namespace().isEmpty() || key.name().isEmpty()) {
            throw new IllegalArgumentException("key: \"" + key + "\" must have a namespace and a name");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException(
                    "identity: must not be empty, and unlike that of every other candidate, such as host name and UUID");
        }
        this.scheduler = scheduler;
        this.client = client;
        this.key = key;
        this.identity = identity;
        this.timing = timing;
        this.records = new Records(client, Map.copyOf(labels), identity, timing.lease(), scheduler);
        this.scope = scope;
        this.loop = new Loop(scheduler, "election " + key, timing, this::attempt);
    }

    public void start() {
        synchronized (this) {
            if (started || stopping) {
                throw new IllegalStateException("the election for " + key + " was started or stopped before");
            }
            started = true;
        }
        loop.wake();
    }

    /** Ends the term, renews until its scope has ended, releases the lease, and completes. */
    public CompletableFuture<Void> stop() {
        Run present;
        boolean never;
        synchronized (this) {
            stopping = true;
            never = !started;
            started = true;
            present = run;
        }
        if (present != null) {
            present.term.end();
        }
        if (never) {
            finish();
        } else {
            loop.wake();
        }
        return stopped.copy();
    }

    /** Returns the last observed holder of the lease; empty if it was free. */
    public synchronized String holder() {
        return observed == null || observed.getHolderIdentity() == null ? "" : observed.getHolderIdentity();
    }

    /** Returns the present term; empty when this candidate does not hold the lease. */
    public synchronized Optional<Term> term() {
        return run != null && run.term.holds() ? Optional.of(run.term) : Optional.empty();
    }

    /**
     * Returns false when by the record this candidate holds the lease, but has neither released nor renewed it for
     * longer than its duration and the tolerance: then nothing works here any more, not even releasing. A candidate
     * that released it while the API is unavailable is healthy.
     */
    public synchronized boolean healthy(Duration tolerance) {
        Duration unchanged = Duration.ofNanos(scheduler.nanoTime() - observedAt);
        return run == null
                || !identity.equals(holder())
                || unchanged.compareTo(timing.lease().plus(tolerance)) <= 0;
    }

    private Duration attempt(BooleanSupplier current) {
        Run present;
        boolean last;
        synchronized (this) {
            present = run;
            last = stopping;
        }
        if (present == null && last) {
            finish();
            return timing.retry();
        }
        if (present == null) {
            return campaign(current);
        }
        if (present.end.isDone()) {
            return leave(present, current);
        }
        if (!present.term.holds()) {
            // the work has not ended yet; its end wakes the loop
            present.term.lose();
            return timing.retry();
        }
        return renew(present, current);
    }

    // --- acquiring

    private Duration campaign(BooleanSupplier current) {
        Optional<Lease> found = client.find(Records.KIND, key);
        if (!free(found, current)) {
            return jittered();
        }
        long sent = scheduler.nanoTime();
        Lease taken;
        try {
            taken = found.isPresent() ? records.take(found.get()) : records.create(key, 0);
        } catch (ConflictException | AlreadyExistsException e) {
            // another candidate was faster
            return jittered();
        }
        return acquired(taken, sent, current) ? timing.retry() : Duration.ZERO;
    }

    /**
     * Returns whether the lease may be taken, or created: one that is absent may have been deleted without its holder's
     * knowledge, so the last observed holder keeps it for its duration.
     */
    private synchronized boolean free(Optional<Lease> found, BooleanSupplier current) {
        if (!current.getAsBoolean()) {
            return false;
        }
        found.ifPresent(this::observe);
        String holder = holder();
        return observed == null
                || holder.isEmpty()
                || holder.equals(identity)
                || scheduler.nanoTime() - observedAt
                        >= Records.duration(observed).toNanos();
    }

    private boolean acquired(Lease lease, long sent, BooleanSupplier current) {
        Run begun;
        synchronized (this) {
            if (!current.getAsBoolean()) {
                return false;
            }
            observe(lease);
            known = lease;
            Fence fence = new Fence(key, identity, Records.transitions(lease));
            begun = new Run(fence, scheduler, sent + timing.renewDeadline().toNanos());
            if (!begun.term.holds()) {
                // the answer took too long: this candidate holds the lease in the record only
                return false;
            }
            run = begun;
            if (stopping) {
                begun.term.end();
            }
        }
        int number = begun.term.fence().transitions();
        LOG.atInfo().addKeyValue("lease", key).addKeyValue("term", number).log("acquired");
        var unused = begun.end.whenComplete((nothing, failure) -> loop.wake());
        watchDeadline(begun);
        scheduler.execute("scope of " + key, () -> {
            var unused2 = begun.term.run(scope::begin).thenRun(() -> begun.end.complete(null));
        });
        return true;
    }

    private void watchDeadline(Run watched) {
        Duration left = watched.term.remaining();
        if (left.isZero()) {
            if (!watched.end.isDone()) {
                LOG.atWarn().addKeyValue("lease", key).log("lost: not renewed for {}", timing.renewDeadline());
            }
            watched.term.lose();
            return;
        }
        scheduler.schedule(left, () -> watchDeadline(watched));
    }

    // --- renewing

    private Duration renew(Run present, BooleanSupplier current) {
        Lease latest = known();
        if (latest != null) {
            long sent = scheduler.nanoTime();
            try {
                return renewed(present, records.renew(latest), sent, current);
            } catch (ApiException e) {
                LOG.atDebug().addKeyValue("lease", key).setCause(e).log("renewal failed: reading the lease");
            }
        }
        Optional<Lease> found = client.find(Records.KIND, key);
        if (found.isPresent() && !Records.isOf(present.term.fence(), found.get())) {
            synchronized (this) {
                if (current.getAsBoolean()) {
                    observe(found.get());
                    known = null;
                }
            }
            String holder = Records.holder(found.get());
            LOG.atWarn().addKeyValue("lease", key).addKeyValue("holder", holder).log("lost");
            present.term.lose();
            return timing.retry();
        }
        long sent = scheduler.nanoTime();
        Lease renewed = found.isPresent()
                ? records.renew(found.get())
                : records.create(key, present.term.fence().transitions());
        return renewed(present, renewed, sent, current);
    }

    private synchronized @Nullable Lease known() {
        return known;
    }

    private synchronized Duration renewed(Run present, Lease lease, long sent, BooleanSupplier current) {
        if (current.getAsBoolean()) {
            observe(lease);
            known = lease;
            if (present.term.holds()) {
                present.deadline = sent + timing.renewDeadline().toNanos();
            } else {
                present.term.lose();
            }
        }
        return timing.retry();
    }

    /** Records the state of a lease; a change restarts its time. */
    private void observe(Lease lease) {
        LeaseSpec spec = Records.spec(lease);
        if (!spec.equals(observed)) {
            observed = spec;
            observedAt = scheduler.nanoTime();
        }
        String holder = Records.holder(lease);
        if (!holder.isEmpty() && !holder.equals(reported)) {
            reported = holder;
            scheduler.execute("holder of " + key, () -> scope.observed(holder));
        }
    }

    // --- releasing

    /** Releases the lease after the work has ended, if this candidate still holds it. */
    private Duration leave(Run ended, BooleanSupplier current) {
        if (ended.term.holds()) {
            try {
                release(ended, current);
            } catch (RuntimeException e) {
                var warning = LOG.atWarn().addKeyValue("lease", key).setCause(e);
                warning.log("not released: other candidates wait until it expires");
            }
        }
        ended.term.lose();
        boolean last;
        synchronized (this) {
            if (!current.getAsBoolean()) {
                return Duration.ZERO;
            }
            run = null;
            known = null;
            last = stopping;
        }
        if (last) {
            finish();
        }
        return jittered();
    }

    private void release(Run ended, BooleanSupplier current) {
        BooleanSupplier wanted = () -> ended.term.holds() && current.getAsBoolean();
        records.release(ended.term.fence(), known(), wanted).ifPresent(released -> {
            synchronized (this) {
                if (current.getAsBoolean()) {
                    observe(released);
                }
            }
            LOG.atInfo().addKeyValue("lease", key).log("released");
        });
    }

    private void finish() {
        loop.stop();
        scheduler.execute("stop of " + key, () -> {
            try {
                scope.stopped();
            } finally {
                stopped.complete(null);
            }
        });
    }

    private Duration jittered() {
        double factor = 1 + Leases.Timing.JITTER * scheduler.random().nextDouble();
        return Duration.ofNanos((long) (timing.retry().toNanos() * factor));
    }
}
