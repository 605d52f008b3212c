package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.builtin.kinds.LocalApiServices;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an API service for each served version of custom resources. Those that carry the label of {@link LocalApiServices}
 * are changed back when they are changed, and deleted when the version is served no longer. The range of service addresses
 * comes back when it is deleted.
 */
public final class LocalApis implements WriteContext.Services {
    private static final String ID = "apiservices.apiregistration.k8s.io";
    private static final String RANGES = "servicecidrs.networking.k8s.io";
    private static final String MANAGER = "kube-apiserver";

    private final SerialQueue queue;
    private final Verbs verbs;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    /** Creates the service of a partition. */
    public LocalApis(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (current == null && key.collection().endsWith("/" + RANGES)) {
            queue.add(this::ensureRange);
        }
        boolean definition = key.collection().endsWith("/" + Definitions.ID);
        boolean api = key.collection().endsWith("/" + ID)
                && (current == null || isManaged(current) || (previous != null && isManaged(previous)));
        if (definition || api) {
            String group = group(key.name());
            if (pending.add(group)) {
                queue.add(() -> {
                    pending.remove(group);
                    settle(group);
                });
            }
        }
    }

    /** Returns the group in the name of a definition or an API service. */
    private static String group(String name) {
        return name.substring(name.indexOf('.') + 1);
    }

    private static boolean isManaged(Store.Entry entry) {
        return LocalApiServices.ALWAYS.equals(entry.value().labels().get(LocalApiServices.LABEL));
    }

    /** Creates, changes and deletes what is not as it should be. */
    public void resume() {
        Set<String> groups = new HashSet<>();
        for (ResourceType type : verbs.cluster().types().get().all()) {
            if (type.origin() != ResourceType.Origin.BUILT_IN) {
                groups.add(type.group());
            }
        }
        managed("").keySet().forEach(name -> groups.add(group(name)));
        groups.forEach(this::settle);
    }

    private void ensureRange() {
        if (verbs.leadership().held()) {
            create(target(RANGES, BootstrapObjects.SERVICE_RANGE), BootstrapObjects.serviceRange());
        }
    }

    /** Returns the managed API services of a group, or of all if that is empty, by name. */
    private Map<String, Store.Entry> managed(String group) {
        Map<String, Store.Entry> managed = new HashMap<>();
        verbs.cluster().each(verbs.cluster().collection(ID), "", entry -> {
            String name = entry.key().name();
            if (isManaged(entry) && (group.isEmpty() || group(name).equals(group))) {
                managed.put(name, entry);
            }
        });
        return managed;
    }

    private void settle(String group) {
        if (!verbs.leadership().held()) {
            return;
        }
        Map<String, Store.Entry> stray = managed(group);
        wanted(group).forEach((name, wanted) -> {
            Target target = target(name);
            Store.Entry present = stray.remove(name);
            if (present == null) {
                create(target, wanted);
            } else if (!verbs.cluster().tree(present, target).object("spec").equals(wanted.object("spec"))) {
                verbs.edit(target, MANAGER, live -> live.put("spec", wanted.object("spec")));
            }
        });
        stray.keySet().forEach(name -> verbs.delete(target(name)));
    }

    private Map<String, JsonObject> wanted(String group) {
        Map<String, JsonObject> wanted = new HashMap<>();
        for (ResourceType type : verbs.cluster().types().get().all()) {
            if (type.group().equals(group) && type.origin() != ResourceType.Origin.BUILT_IN) {
                for (ResourceType.Version version : type.versions()) {
                    if (version.served()) {
                        wanted.put(version.name() + "." + group, LocalApiServices.custom(group, version.name()));
                    }
                }
            }
        }
        return wanted;
    }

    private Target target(String name) {
        return target(ID, name);
    }

    private Target target(String id, String name) {
        ResourceType type = verbs.cluster().types().get().type(id).orElseThrow();
        return Target.of(type, type.storageVersion(), "", name);
    }

    /** Creates an object, unless there is one: an API service of another server, or without the label. */
    private void create(Target target, JsonObject wanted) {
        if (verbs.cluster().read(target) != null) {
            return;
        }
        try {
            WriteOptions options = WriteOptions.of(MANAGER);
            verbs.fenced(fence -> verbs.creating().create(target, wanted, List.of(), options.withFence(fence)));
        } catch (AlreadyExistsException e) {
            // Another engine was faster, or a user.
        }
    }
}
