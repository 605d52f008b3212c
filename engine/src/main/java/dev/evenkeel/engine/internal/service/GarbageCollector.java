package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects that have lost their owners, and carries out the two propagation policies that keep the owner.
 *
 * <p>The problem: owner references point upwards, cascades go downwards. Therefore an index from an owner's uid to its
 * dependents is updated at each commit; and since all objects are in one store, "the owner is absent" is one read.
 * Invariants:
 *
 * <ol>
 *   <li>An object is deleted only after a read that found none of its owners, and on the condition that it has not
 *       changed since.
 *   <li>An owner with another uid, or one that would have to be in another namespace, is absent. An owner of an unknown
 *       kind, or a namespaced owner of a cluster-scoped object, is not known to be absent and causes no deletion.
 *   <li>{@code foregroundDeletion} is removed once no dependent blocks the owner; {@code orphan} once no dependent
 *       refers to it.
 *   <li>Objects that own each other in a circle do not block each other's foreground deletion.
 * </ol>
 *
 * <p>The index is updated by reading the object again under its lock, so that changes may be reported in any order.
 * Cascades run one after another on the services' queue, if this engine leads: the index is kept in any case. Objects without owner references cost nothing.
 */
public final class GarbageCollector implements WriteContext.Services {
    private static final String MANAGER = "kube-controller-manager";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private final SerialQueue queue;
    private final Map<String, Set<Store.Key>> dependents = new HashMap<>();
    private final Map<Store.Key, List<String>> owners = new HashMap<>();
    private final Verbs verbs;

    public GarbageCollector(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        List<String> before = previous == null ? List.of() : previous.value().ownerUids();
        List<String> after = current == null ? List.of() : current.value().ownerUids();
        if (!before.isEmpty() || !after.isEmpty()) {
            index(key);
        }
        if (!verbs.leadership().held()) {
            return; // the index is ready when this engine becomes the leader
        }
        if (current == null) {
            if (previous != null && (!before.isEmpty() || indexed())) {
                queue.add(() -> gone(previous));
            }
            return;
        }
        boolean ownersChanged = !before.equals(after);
        if (ownersChanged && !after.isEmpty()) {
            queue.add(() -> collect(key));
        }
        if (ownersChanged && !before.isEmpty() && previous != null) {
            queue.add(() -> released(previous));
        }
        Store.Value object = current.value();
        if (object.deleting() && object.hasFinalizers()) {
            queue.add(() -> finalizers(key));
        }
    }

    /** Continues the deletions of the store: after all owners are indexed, since the index decides what still has dependents. */
    public void resume(Store.Snapshot snapshot, List<String> collections) {
        List<Store.Entry> entries = new ArrayList<>();
        for (String collection : collections) {
            snapshot.range(collection, "", null, entry -> {
                Store.Value value = entry.value();
                if (!value.ownerUids().isEmpty() || (value.deleting() && value.hasFinalizers())) {
                    entries.add(entry);
                }
                return true;
            });
        }
        entries.forEach(entry -> index(entry.key()));
        entries.forEach(entry -> changed(entry.key(), null, entry));
    }

    /** Forgets the index: changes may have been missed. */
    public void reset() {
        synchronized (dependents) {
            dependents.clear();
            owners.clear();
        }
    }

    private void index(Store.Key key) {
        synchronized (dependents) {
            Store.Entry now = verbs.cluster().store().snapshot().get(key);
            List<String> wanted = now == null ? List.of() : now.value().ownerUids();
            List<String> known = wanted.isEmpty() ? owners.remove(key) : owners.put(key, wanted);
            if (known != null) {
                known.forEach(uid -> dependents.computeIfPresent(uid, (u, keys) -> {
                    keys.remove(key);
                    return keys.isEmpty() ? null : keys;
                }));
            }
            wanted.forEach(
                    uid -> dependents.computeIfAbsent(uid, u -> new TreeSet<>()).add(key));
        }
    }

    private boolean indexed() {
        synchronized (dependents) {
            return !dependents.isEmpty();
        }
    }

    /** Returns the objects with an owner reference to this uid, in order. */
    public List<Store.Key> dependents(String uid) {
        synchronized (dependents) {
            return List.copyOf(dependents.getOrDefault(uid, Set.of()));
        }
    }

    /** Handles a deleted object: its dependents, and owners that waited for it. */
    private void gone(Store.Entry last) {
        if (indexed()) {
            dependents(uid(last)).forEach(this::collect);
        }
        released(last);
    }

    /** Handles the former owners of an object, which may have waited for it. */
    private void released(Store.Entry last) {
        if (last.value().ownerUids().isEmpty()) {
            return;
        }
        for (Encoded.Header.Owner reference : last.value().header().owners()) {
            owner(last.key(), reference).map(verbs.cluster()::read).ifPresent(owner -> {
                if (owner.value().deleting()) {
                    finalizers(owner.key());
                }
            });
        }
    }

    /** Deletes an object if it has lost its owners; removes dangling references. */
    private void collect(Store.Key key) {
        WriteContext cluster = verbs.cluster();
        Store.Entry entry = cluster.store().snapshot().get(key);
        Optional<Target> target = verbs.target(key);
        if (entry == null || target.isEmpty()) {
            return;
        }
        Store.Value object = entry.value();
        if (object.ownerUids().isEmpty()) {
            return;
        }
        Encoded.Header header = object.header();
        List<Encoded.Header.Owner> references = header.owners();
        List<String> finalizers = header.finalizers();
        if (object.deleting() && !finalizers.contains(FOREGROUND)) {
            return;
        }
        boolean solid = false;
        Set<String> waiting = new HashSet<>();
        Set<String> dangling = new HashSet<>();
        for (Encoded.Header.Owner reference : references) {
            String uid = reference.uid();
            Optional<Target> owner = owner(key, reference);
            Store.Entry found = owner.map(cluster::read).orElse(null);
            if (owner.isPresent() && (found == null || !uid(found).equals(uid))) {
                dangling.add(uid);
            } else if (found != null && foreground(found)) {
                waiting.add(uid);
            } else {
                solid = true;
            }
        }
        if (solid) {
            dangling.addAll(waiting);
            if (!dangling.isEmpty()) {
                strip(target.get(), dangling::contains);
            }
            return;
        }
        Set<String> circle = circle(key, header.uid(), waiting);
        if (!circle.isEmpty()) {
            Store.Entry blocking = entry;
            unblock(target.get(), circle);
            queue.add(() -> released(blocking));
            entry = cluster.store().snapshot().get(key);
        }
        if (object.deleting() || entry == null) {
            return;
        }
        boolean waits = !waiting.isEmpty() && !dependents(header.uid()).isEmpty();
        Propagation propagation = finalizers.contains(ORPHAN)
                ? Propagation.ORPHAN
                : waits || finalizers.contains(FOREGROUND) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
        delete(target.get(), entry, propagation);
    }

    /**
     * Returns the waiting owners that are also dependents of the object, directly or through other objects in
     * foreground deletion.
     */
    private Set<String> circle(Store.Key key, String uid, Set<String> waiting) {
        Set<String> found = new HashSet<>();
        Set<Store.Key> seen = new HashSet<>(Set.of(key));
        Deque<String> next = new ArrayDeque<>(waiting.isEmpty() ? List.of() : List.of(uid));
        while (!next.isEmpty()) {
            for (Store.Key dependent : dependents(next.remove())) {
                Store.Entry entry = verbs.cluster().store().snapshot().get(dependent);
                if (entry != null && foreground(entry)) {
                    found.add(uid(entry));
                    if (seen.add(dependent)) {
                        next.add(uid(entry));
                    }
                }
            }
        }
        found.retainAll(waiting);
        return found;
    }

    private void unblock(Target target, Set<String> circle) {
        change(
                target,
                metadata -> metadata.objects("ownerReferences").stream()
                        .filter(reference -> circle.contains(reference.string("uid")))
                        .forEach(reference -> reference.put("blockOwnerDeletion", false)));
    }

    private void delete(Target target, Store.Entry entry, Propagation propagation) {
        Optional<String> version = Optional.of(Long.toString(entry.revision()));
        DeleteOptions options =
                DeleteOptions.of(Optional.of(propagation), OptionalLong.empty(), Optional.of(uid(entry)), version);
        try {
            verbs.delete(target, options);
        } catch (NotFoundException e) {
            // Gone already.
        } catch (ConflictException e) {
            queue.add(() -> collect(entry.key()));
        }
    }

    /** Carries out the finalizers of a marked object. */
    private void finalizers(Store.Key key) {
        Store.Entry entry = verbs.cluster().store().snapshot().get(key);
        Optional<Target> target = verbs.target(key);
        if (entry == null || target.isEmpty() || !entry.value().deleting()) {
            return;
        }
        Encoded.Header header = entry.value().header();
        List<String> finalizers = header.finalizers();
        String uid = header.uid();
        if (finalizers.contains(ORPHAN)) {
            for (Store.Key dependent : dependents(uid)) {
                verbs.target(dependent).ifPresent(t -> strip(t, uid::equals));
            }
            release(target.get(), ORPHAN);
        } else if (finalizers.contains(FOREGROUND)) {
            dependents(uid).forEach(this::collect);
            boolean blocked = dependents(uid).stream().anyMatch(dependent -> blocks(dependent, uid));
            if (!blocked) {
                release(target.get(), FOREGROUND);
            }
        }
    }

    private boolean blocks(Store.Key dependent, String uid) {
        Store.Entry entry = verbs.cluster().store().snapshot().get(dependent);
        return entry != null
                && StoredObject.tree(entry).objects("metadata", "ownerReferences").stream()
                        .anyMatch(reference ->
                                reference.string("uid").equals(uid) && reference.bool("blockOwnerDeletion"));
    }

    /** Removes the references to owners with such uids. */
    private void strip(Target target, Predicate<String> uids) {
        change(target, metadata -> {
            List<JsonObject> kept = metadata.objects("ownerReferences");
            kept.removeIf(reference -> uids.test(reference.string("uid")));
            metadata.setOrRemove("ownerReferences", kept);
        });
    }

    private void release(Target target, String finalizer) {
        change(target, metadata -> Metadata.removeFinalizer(metadata, finalizer));
    }

    private void change(Target target, Consumer<JsonObject> change) {
        verbs.edit(target, MANAGER, live -> change.accept(live.withObject("metadata")));
    }

    /** Returns the target of an owner; empty when its kind is unknown. */
    private Optional<Target> owner(Store.Key dependent, Encoded.Header.Owner reference) {
        return verbs.cluster()
                .types()
                .get()
                .kind(normal(reference.apiVersion()), reference.kind())
                .filter(target ->
                        !(target.type().namespaced() && dependent.namespace().isEmpty()))
                .map(target ->
                        target.withName(target.type().namespaced() ? dependent.namespace() : "", reference.name()));
    }

    /** Returns an apiVersion without the slash behind an empty group, which upstream accepts: {@code /v1}. */
    private static String normal(String apiVersion) {
        return apiVersion.startsWith("/") ? apiVersion.substring(1) : apiVersion;
    }

    private static boolean foreground(Store.Entry owner) {
        Store.Value object = owner.value();
        return object.deleting()
                && object.hasFinalizers()
                && object.header().finalizers().contains(FOREGROUND);
    }

    private static String uid(Store.Entry entry) {
        return entry.value().header().uid();
    }
}
