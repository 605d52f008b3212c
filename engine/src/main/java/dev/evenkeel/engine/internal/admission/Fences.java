package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that depend on a lease.
 *
 * <p>The problem: the holder of a lease may be paused between checking it and writing, for longer than the lease lasts;
 * its write then meets the work of the next holder. No clock helps against that, only the store. Invariants:
 *
 * <ol>
 *   <li>A fenced write is committed only in a state of the store in which the lease has the fence's holder and
 *       transitions: the commit is conditional on the lease being the one that was checked.
 *   <li>A simultaneous renewal of the lease does not refuse the write: the lease is checked again.
 *   <li>A write that changes nothing, and a dry run, are refused too, so that a lost fence is noticed.
 * </ol>
 *
 * <p>Cost: a lookup and a small document read for each fenced write; nothing for other writes. The lease's version is
 * not compared, because its holder renews it every other second.
 */
public final class Fences {
    private static final Logger LOG = LoggerFactory.getLogger(Fences.class);

    private Fences() {}

    /**
     * Refuses a write whose fence does not hold.
     *
     * @throws dev.evenkeel.client.ConflictException with a cause of type {@link Fence#LOST}
     */
    public static void check(WriteContext cluster, Write write) {
        write.options().fence().ifPresent(fence -> {
            Target lease = lease(cluster, fence);
            check(cluster, fence, lease, cluster.read(lease), write.target());
        });
    }

    /**
     * Returns the conditions of a commit with a fence that holds.
     *
     * @param key the key that is written
     * @param previous the present entry of the key
     */
    public static List<Store.Condition> conditions(
            WriteContext cluster, Fence fence, Target target, Store.Key key, Store.@Nullable Entry previous) {
        Target lease = lease(cluster, fence);
        Store.Key at = cluster.key(lease);
        if (at.equals(key)) {
            // the lease itself is written, and the commit is conditional on it already
            check(cluster, fence, lease, previous, target);
            return List.of();
        }
        Store.Entry entry = cluster.read(lease);
        check(cluster, fence, lease, entry, target);
        return entry == null ? List.of() : List.of(new Store.Condition(at, entry.revision()));
    }

    private static Target lease(WriteContext cluster, Fence fence) {
        return cluster.types()
                .get()
                .resource("coordination.k8s.io", "v1", "leases")
                .orElseThrow(() -> new IllegalStateException("leases are not served"))
                .withName(fence.lease().namespace(), fence.lease().name());
    }

    private static void check(
            WriteContext cluster, Fence fence, Target lease, Store.@Nullable Entry entry, Target target) {
        if (entry == null) {
            throw lost(fence, target, "does not exist");
        }
        JsonObject tree = cluster.tree(entry, lease);
        String holder = tree.string("spec", "holderIdentity");
        long transitions = tree.integer("spec", "leaseTransitions");
        if (!holder.equals(fence.holder()) || transitions != fence.transitions()) {
            throw lost(
                    fence,
                    target,
                    (holder.isEmpty() ? "is free" : "is held by \"" + holder + "\"") + " with " + transitions
                            + " transitions");
        }
    }

    private static ApiException lost(Fence fence, Target target, String present) {
        String why = "the fence does not hold: lease " + fence.lease() + " " + present + ", not held by \""
                + fence.holder() + "\" with " + fence.transitions()
                + " transitions; stop the work that this write belongs to, another may be doing it";
        LOG.atWarn()
                .addKeyValue("resource", target.type().id())
                .addKeyValue("key", ObjectKey.of(target.namespace(), target.name()))
                .addKeyValue("lease", fence.lease())
                .addKeyValue("holder", fence.holder())
                .addKeyValue("transitions", fence.transitions())
                .log("refused by fence: the lease {}", present);
        ResourceType type = target.type();
        String message = "Operation cannot be fulfilled on " + type.id() + " \"" + target.name() + "\": " + why;
        Status.Cause cause = new Status.Cause(Fence.LOST, "lease " + fence.lease() + " " + present, "");
        Status.Details details = Status.Details.of(target.name(), type.group(), type.plural());
        return ApiException.of(Status.of(409, "Conflict", message, details.causes(List.of(cause))));
    }
}
