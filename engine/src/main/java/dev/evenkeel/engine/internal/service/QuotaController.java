package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.plugin.ResourceQuotas;
import dev.evenkeel.engine.internal.plugin.Usage;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the objects of a namespace use of its resource quotas: when a quota is created or changed, and when an
 * object is deleted or uses something else. What new objects use is added by {@link ResourceQuotas} with their creation.
 *
 * <p>The usage is read from a state that is not older than the quota that it is written to, and a create changes the
 * quota in its own commit; so a create between both makes the write fail, and the usage is counted again. A quota that has
 * no effect yet is not changed by creates; therefore the usage is counted until it is the one that is stored.
 *
 * <p>Cost: a range read for each change in a namespace without quotas, and one over the namespace for each count.
 */
public final class QuotaController implements WriteContext.Services {
    private static final String MANAGER = "kube-controller-manager";
    private static final int ATTEMPTS = 5;

    private final SerialQueue queue;
    private final Verbs verbs;
    private final Set<Store.Key> pending = ConcurrentHashMap.newKeySet();

    /** Creates the service of a partition. */
    public QuotaController(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    private WriteContext cluster() {
        return verbs.cluster();
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (key.namespace().isEmpty()) {
            return;
        }
        if (current != null && key.collection().endsWith("/" + ResourceQuotas.ID)) {
            look(key);
            return;
        }
        if (previous == null) {
            return;
        }
        List<Store.Key> quotas = quotas(key.namespace());
        if (!quotas.isEmpty() && (current == null || usesOther(key, previous, current))) {
            quotas.forEach(this::look);
        }
    }

    private List<Store.Key> quotas(String namespace) {
        List<Store.Key> quotas = new ArrayList<>(0);
        cluster().each(cluster().collection(ResourceQuotas.ID), namespace, entry -> quotas.add(entry.key()));
        return quotas;
    }

    /** Returns true if an object uses something else than before. */
    private boolean usesOther(Store.Key key, Store.Entry previous, Store.Entry current) {
        Target target = verbs.target(key).orElse(null);
        if (target == null) {
            return false;
        }
        Usage rule = Usage.of(target.type());
        if (rule instanceof Usage.Count) {
            return false;
        }
        JsonObject before = cluster().tree(previous, target);
        JsonObject after = cluster().tree(current, target);
        Instant now = cluster().clock().instant();
        return !rule.usage(before, now).equals(rule.usage(after, now))
                || !rule.scoped(before).equals(rule.scoped(after));
    }

    /** Counts the usage of all quotas. */
    public void resume() {
        quotas("").forEach(this::look);
    }

    private void look(Store.Key quota) {
        if (verbs.leadership().held() && pending.add(quota)) {
            queue.add(() -> {
                pending.remove(quota);
                count(quota);
            });
        }
    }

    private void count(Store.Key key) {
        ResourceType type = cluster().types().get().type(ResourceQuotas.ID).orElseThrow();
        Target status = new Target(type, type.storageVersion(), key.namespace(), key.name(), "status");
        boolean[] changed = {true};
        for (int attempt = 0; changed[0] && attempt < ATTEMPTS; attempt++) {
            changed[0] = false;
            verbs.edit(status, MANAGER, live -> changed[0] = ResourceQuotas.count(cluster(), live, key.namespace()));
        }
    }
}
