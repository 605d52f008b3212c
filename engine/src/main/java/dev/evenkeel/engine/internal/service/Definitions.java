package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.crd.NamesInUse;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
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
 *
 * <p>Several engines on one store each serve the definitions that are established in it, in the order of its events; only
 * the leader settles them, on the services' queue, and {@link #awaitSettled} keeps the first invariant. Since one engine
 * settles all, of two definitions with the same names one is refused, wherever they were written.
 */
public final class Definitions implements WriteContext.Services {
    public static final String ID = "customresourcedefinitions.apiextensions.k8s.io";
    private static final String MANAGER = "kube-apiserver";
    private static final JsonObject NONE = new JsonObject();

    private volatile List<ResourceType> fixed;
    private final SerialQueue queue;
    private final boolean shared;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition published = lock.newCondition();
    private final Map<String, Custom> customs = new TreeMap<>();
    private final Map<String, Parsed> parsed = new TreeMap<>();
    private final NamesInUse inUse = new NamesInUse();
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();
    private Set<String> unsettled = Set.of();
    private volatile Types types;
    private final Verbs verbs;
    private final Consumer<Types> onChange;

    /**
     * A definition at a revision, as a tree that does not change.
     *
     * @param settled whether its status was found to be right, with all names accepted: then it stays so until the definition
     *     changes, whatever other definitions do
     */
    private record Parsed(long revision, JsonObject tree, boolean settled) {}

    /** A definition that is served, and its type. */
    private record Custom(@Nullable Object spec, @Nullable Object names, ResourceType type) {}

    /**
     * Creates the definitions of a partition.
     *
     * @param onChange receives each new state of the types
     */
    public Definitions(List<ResourceType> fixed, SerialQueue queue, Verbs verbs, Consumer<Types> onChange) {
        this(fixed, new Types(fixed), queue, verbs, onChange);
    }

    private Definitions(
            List<ResourceType> fixed, Types types, SerialQueue queue, Verbs verbs, Consumer<Types> onChange) {
        this.fixed = fixed;
        this.types = types;
        this.queue = queue;
        this.verbs = verbs;
        shared = verbs.cluster().store().shared();
        this.onChange = onChange;
    }

    /** Creates a copy of the present definitions of another partition. */
    public Definitions(Definitions origin, SerialQueue queue, Verbs verbs, Consumer<Types> onChange) {
        this(origin.fixed, origin.types, queue, verbs, onChange);
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

    /** Replaces the types that no definition defines. */
    public void fix(List<ResourceType> value) {
        lock.lock();
        try {
            fixed = value;
            publish(definitions());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (!key.collection().endsWith("/" + ID)) {
            String id = key.collection().substring(key.collection().indexOf('/') + 1);
            if (current == null && terminating.contains(id)) {
                look(id);
            }
            return;
        }
        if (current != null && current.value().deleting()) {
            if (terminating.add(key.name())) {
                look(key.name());
            }
        } else {
            terminating.remove(key.name());
        }
        changed();
    }

    private void look(String name) {
        if (verbs.leadership().held()) {
            queue.add(() -> empty(name));
        }
    }

    /** Serves and settles what the store has now. */
    private void changed() {
        if (!shared) {
            settle();
            return;
        }
        publish();
        if (verbs.leadership().held()) {
            queue.add(() -> {
                var unused = settled();
            });
        }
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
        changed();
        deleted.forEach(this::look);
    }

    /**
     * Waits until a definition is settled in the state that is served: its names are accepted or refused by whichever
     * engine leads. Returns earlier when that takes too long.
     */
    public void awaitSettled(String name, Duration timeout) {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (unsettled.contains(name) && left > 0) {
                left = published.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Updates the status of all definitions, and the types. */
    private void settle() {
        lock.lock();
        try {
            // Writing a status calls changed() recursively: the outer call does the work then.
            if (lock.getHoldCount() > 1) {
                return;
            }
            publish(settled());
        } finally {
            lock.unlock();
        }
    }

    /** Writes the status of the definitions that need another one, and returns all. */
    private Map<String, JsonObject> settled() {
        while (true) {
            Map<String, JsonObject> all = definitions();
            Map<String, JsonObject> wanted = unsettled();
            if (wanted.isEmpty()) {
                return all;
            }
            wanted.forEach(this::write);
        }
    }

    /**
     * Returns the status that definitions ought to have, of those that have another one. A name that is accepted for one
     * of them is in use for those after it.
     */
    private Map<String, JsonObject> unsettled() {
        lock.lock();
        try {
            Map<String, JsonObject> unsettled = new LinkedHashMap<>();
            List<Runnable> undo = new ArrayList<>();
            parsed.replaceAll((name, known) -> {
                if (known.settled()) {
                    return known;
                }
                JsonObject definition = known.tree();
                JsonObject wanted =
                        Crds.status(definition, inUse, verbs.cluster().clock().instant());
                if (wanted.equals(definition.get("status"))) {
                    return new Parsed(known.revision(), definition, Crds.hasItsNames(definition));
                }
                unsettled.put(name, wanted);
                JsonObject next = new JsonObject(definition).set("status", wanted);
                inUse.replace(definition, next);
                undo.add(() -> inUse.replace(next, definition));
                return known;
            });
            undo.forEach(Runnable::run);
            return unsettled;
        } finally {
            lock.unlock();
        }
    }

    /** Updates the types. */
    private void publish() {
        lock.lock();
        try {
            Map<String, JsonObject> all = definitions();
            unsettled = unsettled().keySet();
            publish(all);
            published.signalAll();
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

    /** Returns all definitions of the store; their trees must not be changed. */
    private Map<String, JsonObject> definitions() {
        lock.lock();
        try {
            Map<String, JsonObject> all = new LinkedHashMap<>();
            WriteContext cluster = verbs.cluster();
            cluster.each(cluster.collection(ID), "", entry -> {
                String name = entry.key().name();
                Parsed known = parsed.get(name);
                if (known == null || known.revision() != entry.revision()) {
                    JsonObject tree = StoredObject.tree(entry);
                    inUse.replace(known == null ? NONE : known.tree(), tree);
                    known = new Parsed(entry.revision(), tree, false);
                    parsed.put(name, known);
                }
                all.put(name, known.tree());
            });
            parsed.entrySet().removeIf(one -> {
                boolean gone = !all.containsKey(one.getKey());
                if (gone) {
                    inUse.replace(one.getValue().tree(), NONE);
                }
                return gone;
            });
            return all;
        } finally {
            lock.unlock();
        }
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
