package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.ApplyVerb;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives cluster roles with an aggregation rule the rules of the roles that it selects.
 *
 * <p>The selectors are kept in memory, so that a change of a role costs nothing unless a selector matches its labels,
 * before or after the change. An aggregating role may itself be selected, as {@code view} is for {@code edit}: its change
 * is reported like any other.
 */
public final class RoleAggregation implements WriteContext.Services {
    private static final String ID = "clusterroles.rbac.authorization.k8s.io";
    private static final String MANAGER = "clusterrole-aggregation-controller";

    private final SerialQueue queue;
    private final Verbs verbs;
    private final ApplyVerb applying;
    private final Map<String, List<JsonObject>> selectors = new ConcurrentHashMap<>();
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    /** Creates the service of a partition. */
    public RoleAggregation(SerialQueue queue, Verbs verbs, ApplyVerb applying) {
        this.queue = queue;
        this.verbs = verbs;
        this.applying = applying;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (!key.collection().endsWith("/" + ID)) {
            return;
        }
        if (remember(key.name(), current)) {
            look(key.name());
        }
        selectors.forEach((name, selected) -> {
            if (matches(selected, previous) || matches(selected, current)) {
                look(name);
            }
        });
    }

    /** Brings the roles of the store up to date, before changes are reported. */
    public void resume() {
        WriteContext cluster = verbs.cluster();
        cluster.each(cluster.collection(ID), "", entry -> remember(entry.key().name(), entry));
        // a role that aggregates aggregating roles is complete after them
        boolean again = verbs.leadership().held();
        for (int pass = 0; again && pass <= selectors.size(); pass++) {
            again = false;
            for (String name : selectors.keySet()) {
                again |= aggregate(name);
            }
        }
    }

    private boolean remember(String name, Store.@Nullable Entry entry) {
        List<JsonObject> own =
                entry == null ? List.of() : StoredObject.tree(entry).objects("aggregationRule", "clusterRoleSelectors");
        if (own.isEmpty()) {
            selectors.remove(name);
        } else {
            selectors.put(name, own);
        }
        return !own.isEmpty();
    }

    private static boolean matches(List<JsonObject> selectors, Store.@Nullable Entry entry) {
        if (entry == null) {
            return false;
        }
        JsonObject labels = new JsonObject(entry.value().labels());
        return selectors.stream().anyMatch(selector -> Selectors.matches(selector, labels));
    }

    private void look(String name) {
        if (verbs.leadership().held() && pending.add(name)) {
            queue.add(() -> {
                pending.remove(name);
                aggregate(name);
            });
        }
    }

    /** Applies the rules that a role should have; returns false when it has them. */
    private boolean aggregate(String name) {
        WriteContext cluster = verbs.cluster();
        Target target = cluster.types()
                .get()
                .kind("rbac.authorization.k8s.io/v1", "ClusterRole")
                .orElseThrow()
                .withName("", name);
        Store.Entry entry = cluster.read(target);
        if (entry == null) {
            return false;
        }
        JsonObject role = StoredObject.tree(entry);
        List<@Nullable Object> rules = rules(name, role.objects("aggregationRule", "clusterRoleSelectors"));
        if (!role.has("aggregationRule") || rules.equals(role.array("rules"))) {
            return false;
        }
        JsonObject wanted = JsonObject.of("apiVersion", target.apiVersion(), "kind", "ClusterRole")
                .set("metadata", JsonObject.of("name", name))
                .set("rules", rules);
        Body body = Body.of(wanted, 0);
        try {
            WriteOptions options = WriteOptions.of(MANAGER).withForce(true);
            verbs.fenced(fence -> applying.apply(target, body, options.withFence(fence)));
            return true;
        } catch (NotFoundException e) {
            return false; // gone already
        }
    }

    /** Returns the rules of the selected roles: by selector, then by name, each once. */
    private List<@Nullable Object> rules(String name, List<JsonObject> selected) {
        WriteContext cluster = verbs.cluster();
        List<@Nullable Object> rules = new ArrayList<>();
        for (JsonObject selector : selected) {
            Map<String, Store.Entry> roles = new TreeMap<>();
            cluster.each(cluster.collection(ID), "", entry -> {
                if (!entry.key().name().equals(name) && matches(List.of(selector), entry)) {
                    roles.put(entry.key().name(), entry);
                }
            });
            for (Store.Entry entry : roles.values()) {
                for (JsonObject rule : StoredObject.tree(entry).objects("rules")) {
                    if (!rules.contains(rule)) {
                        rules.add(rule);
                    }
                }
            }
        }
        return rules;
    }
}
