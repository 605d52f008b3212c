package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.admission.ServiceIpAddresses;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapRoles;
import dev.evenkeel.engine.internal.builtin.kinds.LocalApiServices;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a partition has from its beginning.
 *
 * <p>Those that are missing are created. Of default roles and bindings that exist, rules and subjects that are missing are
 * added, so that a new version of the server, or one whose administrator removed too much, works; what was added to them
 * stays. A binding whose role was changed is replaced. The annotation {@code rbac.authorization.kubernetes.io/autoupdate:
 * "false"} protects a role or binding from this. So does kube-apiserver.
 *
 * <p>The day since which uses of tokens in secrets are known is recorded at the first start, and again if it cannot be read.
 *
 * @param roles whether there are roles, bindings, priority levels, flow schemas, API services, the range of service
 *     addresses and the record of that day, as in a server with access control
 */
public record InitialObjects(Verbs verbs, boolean roles) {
    private static final WriteOptions OPTIONS = WriteOptions.of("kube-apiserver");

    /** Creates and completes the objects. */
    public void ensure() {
        BootstrapObjects.all().forEach(object -> create(target(object), object));
        if (roles) {
            BootstrapRoles.all().forEach(this::ensureRole);
            LocalApiServices.builtIn().forEach(api -> create(target(api), api));
            JsonObject range = BootstrapObjects.serviceRange();
            create(target(range), range);
            ensureAddresses();
            BootstrapObjects.priorityLevels().forEach(level -> create(target(level), level));
            BootstrapObjects.flowSchemas().forEach(schema -> create(target(schema), schema));
            ensureTokenTracking();
        }
    }

    private WriteContext cluster() {
        return verbs.cluster();
    }

    private Target target(JsonObject object) {
        return cluster()
                .types()
                .get()
                .kind(object.string("apiVersion"), object.string("kind"))
                .orElseThrow()
                .withName(object.string("metadata", "namespace"), object.string("metadata", "name"));
    }

    private void create(Target target, JsonObject object) {
        if (cluster().read(target) == null) {
            try {
                verbs.creating().create(target, object, List.of(), OPTIONS);
            } catch (AlreadyExistsException e) {
                // Another engine on the same store was faster.
            } catch (InvalidException e) {
                // So it was, if the address of the service is in use by that service.
                if (cluster().latestForWrite().get(cluster().key(target)) == null) {
                    throw e;
                }
            }
        }
    }

    /** Creates the objects of the addresses of services that were stored before there were such objects. */
    private void ensureAddresses() {
        cluster()
                .each(
                        cluster().collection(ServiceIpAddresses.SERVICES),
                        "",
                        entry -> ServiceIpAddresses.of(entry).forEach(address -> create(target(address), address)));
    }

    private void ensureTokenTracking() {
        LocalDate today = LocalDate.ofInstant(cluster().clock().instant(), ZoneOffset.UTC);
        JsonObject wanted = BootstrapObjects.tokenTracking(today);
        Target target = target(wanted);
        Store.Entry entry = cluster().read(target);
        if (entry == null) {
            create(target, wanted);
        } else if (!isDay(cluster().tree(entry, target))) {
            try {
                verbs.updating()
                        .edit(
                                target,
                                OPTIONS,
                                tree -> tree.withObject("data").put(BootstrapObjects.TRACKED_SINCE, today.toString()));
            } catch (NotFoundException e) {
                // A user deletes it.
            }
        }
    }

    private static boolean isDay(JsonObject tracking) {
        try {
            var unused = LocalDate.parse(tracking.string("data", BootstrapObjects.TRACKED_SINCE));
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private void ensureRole(JsonObject wanted) {
        Target target = target(wanted);
        Store.Entry entry = cluster().read(target);
        if (entry == null) {
            create(target, wanted);
            return;
        }
        JsonObject live = cluster().tree(entry, target);
        if (!BootstrapRoles.updated(live)) {
            return;
        }
        try {
            if (!live.object("roleRef").equals(wanted.object("roleRef"))) {
                verbs.deleting().delete(target, DeleteOptions.DEFAULT);
                create(target, wanted);
            } else if (complete(live.copy(), wanted)) {
                verbs.updating().edit(target, OPTIONS, tree -> complete(tree, wanted));
            }
        } catch (NotFoundException e) {
            // Another engine does the same, or a user deletes it.
        }
    }

    /** Adds what is missing of a role or binding; returns true if something was. */
    private static boolean complete(JsonObject live, JsonObject wanted) {
        boolean changed = false;
        for (String map : List.of("labels", "annotations")) {
            JsonObject present = live.withObject("metadata").withObject(map);
            for (var entry : wanted.object("metadata").object(map).entrySet()) {
                changed |= present.putIfAbsent(entry.getKey(), entry.getValue()) == null;
            }
        }
        if (!wanted.has("aggregationRule")) { // else the rules are those of other roles
            List<PolicyRule> missing = PolicyRule.uncovered(PolicyRule.of(wanted), PolicyRule.of(live));
            changed |= add(live, "rules", missing.stream().map(PolicyRule::tree).toList());
        }
        List<JsonObject> present = live.objects("subjects");
        changed |= add(
                live,
                "subjects",
                wanted.objects("subjects").stream()
                        .filter(subject -> !present.contains(subject))
                        .toList());
        return changed;
    }

    private static boolean add(JsonObject live, String field, List<JsonObject> missing) {
        if (!missing.isEmpty()) {
            List<@Nullable Object> all = new ArrayList<>(live.array(field));
            all.addAll(missing);
            live.put(field, all);
        }
        return !missing.isEmpty();
    }
}
