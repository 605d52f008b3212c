package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.CreateVerb;
import dev.evenkeel.engine.internal.write.Leadership;
import dev.evenkeel.engine.internal.write.UpdateVerb;
import dev.evenkeel.engine.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the engine whose services act in a partition, among the engines on one store.
 *
 * <p>The problem: cascades, the deletion of namespaces and the names of definitions are decided from a view of the whole
 * partition; if two engines decided at once, they would at best do everything twice. As everywhere in Kubernetes, a
 * Lease names the one that acts. Invariants:
 *
 * <ol>
 *   <li>Whatever the clocks do, at most one engine's services write: each of their writes carries the {@link Fence} of
 *       the lease, and the number of transitions grows with each change of the holder.
 *   <li>The lease is taken over when its holder released it, or when this engine has not seen it change for its
 *       duration: times that other engines wrote are not compared with the own clock.
 *   <li>A holder that could not renew the lease for its duration no longer acts, and acts again after the next renewal.
 *   <li>A failure to write, such as that of an unreachable store, changes nothing: the next {@link #tick} decides.
 * </ol>
 *
 * <p>{@link #tick} runs at most once at a time; a simultaneous call returns at once. Cost: one write for each renewal.
 */
public final class LeaseElection implements Leadership {
    static final ObjectKey LEASE = ObjectKey.of("kube-system", "evenkeel-engine");
    private static final Logger LOG = LoggerFactory.getLogger(LeaseElection.class);
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final WriteOptions OPTIONS = WriteOptions.of("evenkeel-engine");

    private final WriteContext cluster;
    private final CreateVerb creating;
    private final UpdateVerb updating;
    private final String identity;
    private final Duration duration;
    private final Duration interval;
    private final Runnable onElected;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Fence held;
    private volatile boolean closed;
    private long seen = -1;
    private Instant seenAt = Instant.MIN;
    private Instant renewedAt = Instant.MIN;

    /**
     * Creates the election of one engine, which holds nothing yet.
     *
     * @param identity of the engine; unlike that of any other
     * @param duration of the lease
     * @param interval between renewals
     * @param onElected runs, in {@link #tick}, when the services of this engine have to act from now on
     */
    public LeaseElection(
            WriteContext cluster,
            CreateVerb creating,
            UpdateVerb updating,
            String identity,
            Duration duration,
            Duration interval,
            Runnable onElected) {
        this.cluster = cluster;
        this.creating = creating;
        this.updating = updating;
        this.identity = identity;
        this.duration = duration;
        this.interval = interval;
        this.onElected = onElected;
    }

    @Override
    public boolean held() {
        return held != null;
    }

    @Override
    public Optional<Fence> fence() {
        Fence fence = held;
        if (fence == null) {
            throw new NotLeaderException();
        }
        return Optional.of(fence);
    }

    @Override
    public void lost(Fence fence) {
        lock.lock();
        try {
            if (fence.equals(held)) {
                end("its fence is lost");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if a key of the partition is that of the lease. */
    public static boolean isLease(Store.Key key) {
        return key.name().equals(LEASE.name())
                && key.namespace().equals(LEASE.namespace())
                && key.collection().endsWith("/leases.coordination.k8s.io");
    }

    /** Renews the lease, or takes it when it is free. */
    public void tick() {
        if (closed || !lock.tryLock()) {
            return;
        }
        boolean elected = false;
        try {
            elected = observe(cluster.clock().instant());
        } catch (ApiException e) {
            // Another engine was faster, or the store cannot be reached.
            LOG.debug("lease {} of partition {} not written", LEASE, cluster.partition(), e);
        } finally {
            lock.unlock();
        }
        if (elected) {
            onElected.run();
        }
    }

    /** Returns true if this engine leads from now on. */
    private boolean observe(Instant now) {
        if (held != null && now.isAfter(renewedAt.plus(duration))) {
            end("it was not renewed in time");
        }
        Store.Entry entry = cluster.read(target());
        if (entry == null) {
            end("it was deleted");
            return take(now, 0, spec -> {}, 0);
        }
        if (entry.revision() != seen) {
            seen = entry.revision();
            seenAt = now;
        }
        JsonObject spec = cluster.tree(entry, target()).object("spec");
        String holder = spec.string("holderIdentity");
        int transitions = (int) spec.integer("leaseTransitions");
        if (holder.equals(identity)) {
            boolean due = held == null || !now.isBefore(renewedAt.plus(interval));
            return due && take(now, transitions, renewed -> {}, entry.revision());
        }
        end("it is held by \"" + holder + "\"");
        boolean free = holder.isEmpty() || now.isAfter(seenAt.plusSeconds(spec.integer("leaseDurationSeconds")));
        return free
                && take(
                        now,
                        transitions + 1,
                        taken -> taken.set("holderIdentity", identity).set("acquireTime", MICRO_TIME.format(now)),
                        entry.revision());
    }

    /**
     * Writes the lease on the condition that it is at a revision, and holds it if that succeeds.
     *
     * @return true if it was not held before
     */
    private boolean take(Instant now, int transitions, Consumer<JsonObject> change, long revision) {
        Consumer<JsonObject> renewal = spec -> {
            change.accept(spec);
            spec.set("leaseDurationSeconds", duration.toSeconds())
                    .set("leaseTransitions", (long) transitions)
                    .set("renewTime", MICRO_TIME.format(now));
        };
        if (revision == 0) {
            JsonObject spec = JsonObject.of("holderIdentity", identity, "acquireTime", MICRO_TIME.format(now));
            renewal.accept(spec);
            JsonObject metadata = JsonObject.of("name", LEASE.name(), "namespace", LEASE.namespace());
            creating.create(
                    target(),
                    JsonObject.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease", "metadata", metadata)
                            .set("spec", spec),
                    List.of(),
                    OPTIONS);
        } else {
            edit(revision, renewal);
        }
        renewedAt = now;
        Fence fence = new Fence(LEASE, identity, transitions);
        if (fence.equals(held)) {
            return false;
        }
        held = fence;
        LOG.info("leads partition {}, transition {}", cluster.partition(), transitions);
        return true;
    }

    private void edit(long revision, Consumer<JsonObject> change) {
        updating.edit(target(), OPTIONS, live -> {
            live.withObject("metadata").put("resourceVersion", Long.toString(revision));
            change.accept(live.withObject("spec"));
        });
    }

    private void end(String why) {
        if (held != null) {
            held = null;
            LOG.info("no longer leads partition {}: {}", cluster.partition(), why);
        }
    }

    /** Ends the leadership for good, and releases the lease so that another engine need not wait for its expiry. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            Store.Entry entry = cluster.read(target());
            if (held != null
                    && entry != null
                    && cluster.tree(entry, target())
                            .string("spec", "holderIdentity")
                            .equals(identity)) {
                edit(entry.revision(), spec -> spec.set("holderIdentity", "").set("leaseDurationSeconds", 1L));
            }
        } catch (ApiException e) {
            LOG.debug("lease {} of partition {} not released", LEASE, cluster.partition(), e);
        } finally {
            end("the engine is closed");
            lock.unlock();
        }
    }

    /** Ends the election without a write, since the lease is deleted: a write could create it again. */
    public void abandon() {
        lock.lock();
        try {
            closed = true;
            end("the partition is deleted");
        } finally {
            lock.unlock();
        }
    }

    private Target target() {
        return cluster.types()
                .get()
                .resource("coordination.k8s.io", "v1", "leases")
                .orElseThrow(() -> new IllegalStateException("leases are not served"))
                .withName(LEASE.namespace(), LEASE.name());
    }
}
