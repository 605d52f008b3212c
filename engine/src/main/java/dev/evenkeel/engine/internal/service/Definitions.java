package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The types of a partition: the fixed ones, and those that its CustomResourceDefinitions define.
 *
 * <p>The problem: a definition is a plain object, yet from its commit on the engine has to serve another type.
 * Invariants:
 *
 * <ol>
 *   <li>When the write of a definition returns, its names are accepted or refused in its status, and its type is served
 *       if they are: clients need not wait.
 *   <li>{@link #types} is one immutable state; a type that did not change is the same instance in the next one.
 *   <li>The objects of a deleted definition are deleted too, each as its finalizers allow, and the definition is
 *       removed with the last of them.
 * </ol>
 *
 * <p>Definitions are settled under a lock, by the thread that committed one; requests only read {@link #types}.
 */
public final class Definitions implements WriteContext.Services {
    public static final String ID = "customresourcedefinitions.apiextensions.k8s.io";
    private static final String MANAGER = "kube-apiserver";

    private final List<ResourceType> fixed;
    private final SerialQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Custom> customs = new TreeMap<>();
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();
    private volatile Types types;
    private final Verbs verbs;
    private final Consumer<Types> onChange;

    /** A definition that is served, and its type. */
    private record Custom(@Nullable Object spec, @Nullable Object names, ResourceType type) {}

    /**
     * Creates the definitions of a partition.
     *
     * @param onChange receives each new state of the types
     */
    public Definitions(List<ResourceType> fixed, SerialQueue queue, Verbs verbs, Consumer<Types> onChange) {
        this.fixed = fixed;
        this.queue = queue;
        this.verbs = verbs;
        this.onChange = onChange;
        types = new Types(fixed);
    }

    /** Creates a copy of the present definitions of another partition. */
    public Definitions(Definitions origin, SerialQueue queue, Verbs verbs, Consumer<Types> onChange) {
        this(origin.fixed, queue, verbs, onChange);
        origin.lock.lock();
        try {
            customs.putAll(origin.customs);
            terminating.addAll(origin.terminating);
            types = origin.types;
        } finally {
            origin.lock.unlock();
        }
    }

    public Types types() {
        return types;
    }

    /** Returns true if a type's definition is being deleted: no objects may be created then. */
    public boolean terminating(ResourceType type) {
        return terminating.contains(type.id());
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (!key.collection().endsWith("/" + ID)) {
            String id = key.collection().substring(key.collection().indexOf('/') + 1);
            if (current == null && terminating.contains(id)) {
                queue.add(() -> empty(id));
            }
            return;
        }
        if (current != null && current.value().deleting()) {
            if (terminating.add(key.name())) {
                queue.add(() -> empty(key.name()));
            }
        } else {
            terminating.remove(key.name());
        }
        settle();
    }

    /** Serves the definitions of the store, and continues the deletion of those that are deleted. */
    public void resume() {
        List<String> deleted = new ArrayList<>();
        verbs.cluster().each(verbs.cluster().collection(ID), "", entry -> {
            if (entry.value().deleting()) {
                deleted.add(entry.key().name());
            }
        });
        terminating.addAll(deleted);
        settle();
        deleted.forEach(name -> queue.add(() -> empty(name)));
    }

    /** Updates the status of all definitions, and the types. */
    private void settle() {
        lock.lock();
        try {
            // Writing a status calls changed() recursively: the outer call does the work then.
            if (lock.getHoldCount() > 1) {
                return;
            }
            boolean again = true;
            while (again) {
                Map<String, JsonObject> all = definitions();
                again = false;
                for (Map.Entry<String, JsonObject> definition : all.entrySet()) {
                    JsonObject wanted = Crds.status(
                            definition.getValue(),
                            all.values(),
                            verbs.cluster().clock().instant());
                    if (!wanted.equals(definition.getValue().get("status"))) {
                        write(definition.getKey(), wanted);
                        again = true;
                    }
                }
                if (!again) {
                    publish(all);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(String name, JsonObject status) {
        try {
            verbs.edit(target(name, "status"), MANAGER, live -> live.put("status", Json.copy(status)));
        } catch (ConflictException e) {
            // Changed meanwhile: try again.
        }
    }

    private void publish(Map<String, JsonObject> all) {
        customs.keySet().retainAll(all.keySet());
        all.forEach((name, definition) -> {
            if (!Crds.isEstablished(definition)) {
                customs.remove(name);
                return;
            }
            Object spec = definition.get("spec");
            Object names = definition.at("status", "acceptedNames");
            Custom known = customs.get(name);
            if (known == null || !Objects.equals(known.spec(), spec) || !Objects.equals(known.names(), names)) {
                customs.put(name, new Custom(spec, names, Crds.resourceType(definition)));
            }
        });
        List<ResourceType> next = new ArrayList<>(fixed);
        customs.values().stream()
                .map(Custom::type)
                .sorted(Comparator.comparing(ResourceType::group).thenComparing(ResourceType::plural))
                .forEach(next::add);
        if (!next.equals(types.all())) {
            types = new Types(next);
            onChange.accept(types);
        }
    }

    private Map<String, JsonObject> definitions() {
        Map<String, JsonObject> all = new LinkedHashMap<>();
        WriteContext cluster = verbs.cluster();
        cluster.each(cluster.collection(ID), "", entry -> all.put(entry.key().name(), StoredObject.tree(entry)));
        return all;
    }

    /** Deletes the objects of a definition that is being deleted; removes its finalizer when there are none left. */
    private void empty(String name) {
        WriteContext cluster = verbs.cluster();
        Store.Entry entry = cluster.read(target(name, ""));
        if (entry == null || !entry.value().deleting()) {
            return;
        }
        List<Store.Key> keys = new ArrayList<>();
        String collection = cluster.collection(name);
        cluster.each(collection, "", object -> keys.add(object.key()));
        keys.forEach(key -> verbs.target(key).ifPresent(verbs::delete));
        if (cluster.store().snapshot().count(collection) == 0) {
            verbs.edit(
                    target(name, ""),
                    MANAGER,
                    live -> Metadata.removeFinalizer(live.withObject("metadata"), Crds.FINALIZER));
        }
    }

    private Target target(String name, String subresource) {
        ResourceType type = types.type(ID).orElseThrow();
        return new Target(type, type.storageVersion(), "", name, subresource);
    }
}
