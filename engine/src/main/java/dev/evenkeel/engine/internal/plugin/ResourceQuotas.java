package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.syntax.Quantity;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The plugin ResourceQuota: refuses what exceeds a quota of the namespace, and counts what is admitted.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The new usage is stored in the status of the quotas in the same commit as the object, on the condition that the
 *       quotas did not change since they were read. So simultaneous writes never exceed a quota together: one of them
 *       starts again from the new usage.
 *   <li>A write only adds to the usage; what is released is counted by the {@code QuotaController}.
 *   <li>What is limited is {@code status.hard}, as upstream: a quota has no effect before its usage was counted.
 *   <li>A dry run is refused like a real write, and counts nothing.
 * </ol>
 *
 * <p>Cost: one range read for each create in a namespace without quotas. Messages: upstream's.
 */
public record ResourceQuotas(WriteContext cluster, Ownership ownership) {
    /** The id of the type. */
    public static final String ID = "resourcequotas";

    private static final String WRITER = "kube-apiserver";

    /** A quota that a write uses, and what is used of it. */
    private record Charge(Store.Entry entry, JsonObject quota, ResourceAmounts used) {}

    /** Checks a write, and adds its usage to the commit. */
    public void charge(Write write) {
        ResourceType type = write.target().type();
        if (!type.namespaced()
                || !write.is(Operation.CREATE, Operation.UPDATE)
                || Usage.UNLIMITED.contains(type.id())) {
            return;
        }
        Usage rule = Usage.of(type);
        if (!rule.handles(write)) {
            return;
        }
        List<Store.Entry> entries = new ArrayList<>(0);
        cluster.each(cluster.collection(ID), write.target().namespace(), entries::add);
        if (!entries.isEmpty()) {
            check(write, rule, entries).forEach(charge -> count(write, charge));
        }
    }

    private Target target() {
        ResourceType type = cluster.types().get().type(ID).orElseThrow();
        return new Target(type, type.storageVersion(), "", "", "status");
    }

    private List<Charge> check(Write write, Usage rule, List<Store.Entry> entries) {
        Instant now = cluster.clock().instant();
        ResourceAmounts usage = rule.usage(write.tree(), now);
        List<String> negative = usage.amounts().entrySet().stream()
                .filter(amount -> amount.getValue().value().signum() < 0)
                .map(amount -> amount.getKey())
                .toList();
        List<Charge> concerned = new ArrayList<>();
        Target target = target();
        for (Store.Entry entry : entries) {
            JsonObject quota = cluster.tree(entry, target);
            List<String> tracked = rule.tracked(quota.object("status", "hard").keySet());
            if (tracked.isEmpty() || !rule.inScope(quota, write.tree())) {
                continue;
            }
            String name = quota.string("metadata", "name");
            String problem = rule.problem(tracked, write.tree());
            if (!problem.isEmpty()) {
                throw Plugin.refuse(write, "failed quota: " + name + ": " + problem);
            }
            ResourceAmounts used = ResourceAmounts.of(quota, "status", "used");
            if (!used.names().containsAll(tracked)) {
                throw Plugin.refuse(
                        write, "status unknown for quota: " + name + ", resources: " + String.join(",", tracked));
            }
            concerned.add(new Charge(entry, quota, used));
        }
        if (!concerned.isEmpty() && !negative.isEmpty()) {
            throw Plugin.refuse(write, "quota usage is negative for resource(s): " + String.join(",", negative));
        }
        List<Charge> charges = new ArrayList<>();
        JsonObject old = write.old();
        for (Charge present : concerned) {
            JsonObject quota = present.quota();
            ResourceAmounts hard = ResourceAmounts.of(quota, "status", "hard");
            ResourceAmounts added =
                    old == null || !rule.inScope(quota, old) ? usage : usage.beyond(rule.usage(old, now));
            ResourceAmounts requested = added.withoutZeros().only(hard.names());
            if (!requested.isEmpty()) {
                ResourceAmounts next = present.used().plus(requested);
                if (!write.target().subresource().equals("status")) {
                    checkLimits(write, quota.string("metadata", "name"), requested, present.used(), next, hard);
                }
                charges.add(new Charge(present.entry(), quota, next));
            }
        }
        return charges;
    }

    private static void checkLimits(
            Write write,
            String quota,
            ResourceAmounts requested,
            ResourceAmounts used,
            ResourceAmounts next,
            ResourceAmounts hard) {
        Set<String> exceeded = new HashSet<>();
        for (String name : requested.names()) {
            if (next.amount(name).orElseThrow().compareTo(hard.amount(name).orElseThrow()) > 0) {
                exceeded.add(name);
            }
        }
        if (!exceeded.isEmpty()) {
            throw Plugin.refuse(
                    write,
                    "exceeded quota: " + quota + ", requested: "
                            + requested.only(exceeded).text() + ", used: "
                            + used.only(exceeded).text() + ", limited: "
                            + hard.only(exceeded).text());
        }
    }

    private void count(Write write, Charge charge) {
        JsonObject changed = charge.quota().copy();
        changed.withObject("status").put("used", charge.used().tree());
        Target target = target().withName(
                        write.target().namespace(), charge.entry().key().name());
        ownership.written(changed, charge.quota(), target, WRITER, cluster.now());
        write.alsoChange(
                new Store.Change(charge.entry().key(), charge.entry().revision(), cluster.encode(changed, target)));
    }

    /**
     * Counts what the objects of a namespace use of a quota, and writes it to its status, with the present limits.
     *
     * @return true if the status has changed
     */
    public static boolean count(WriteContext cluster, JsonObject quota, String namespace) {
        ResourceAmounts hard = ResourceAmounts.of(quota, "spec", "hard");
        JsonObject status = quota.withObject("status");
        ResourceAmounts counted = usage(cluster, quota, namespace);
        ResourceAmounts used = ResourceAmounts.of(status, "used");
        for (String name : counted.names()) {
            used = used.with(name, counted.amount(name).orElseThrow());
        }
        used = used.only(hard.names());
        if (hard.equals(ResourceAmounts.of(status, "hard")) && used.equals(ResourceAmounts.of(status, "used"))) {
            return false;
        }
        status.put("hard", hard.tree());
        status.put("used", used.tree());
        return true;
    }

    /** Returns what the objects of a namespace use of the resources that a quota limits. */
    private static ResourceAmounts usage(WriteContext cluster, JsonObject quota, String namespace) {
        Set<String> hard = quota.object("spec", "hard").keySet();
        ResourceAmounts used = ResourceAmounts.NONE;
        Set<String> seen = new HashSet<>();
        Instant now = cluster.clock().instant();
        for (ResourceType type : cluster.types().get().all()) {
            if (!type.namespaced() || Usage.UNLIMITED.contains(type.id())) {
                continue;
            }
            Usage rule = Usage.of(type);
            List<String> tracked = rule.tracked(hard);
            if (tracked.isEmpty() || !seen.add(cluster.collection(type))) {
                continue;
            }
            for (String name : tracked) {
                used = used.with(name, used.amount(name).orElse(Quantity.ZERO));
            }
            Target target = Target.of(type, type.storageVersion(), "", "");
            ResourceAmounts[] sum = {used};
            cluster.each(cluster.collection(type), namespace, entry -> {
                JsonObject tree = cluster.tree(entry, target);
                if (rule.inScope(quota, tree)) {
                    sum[0] = sum[0].plus(rule.usage(tree, now).only(tracked));
                }
            });
            used = sum[0];
        }
        return used;
    }
}
