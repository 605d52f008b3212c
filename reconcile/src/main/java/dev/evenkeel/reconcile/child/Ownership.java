package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** Recognises and finds the children of a primary object. */
interface Ownership<T extends HasMetadata, C extends HasMetadata> {
    /** Returns all existing children; as far as the cache knows, where it has them. */
    List<C> children(Reconciliation<T> reconciliation, T parent);

    /** Returns all existing children according to the API: for final decisions. */
    default List<C> stored(Reconciliation<T> reconciliation, T parent) {
        ListOptions selection = selection(reconciliation, parent);
        return reconciliation.client().list(kind(), selection).items().stream()
                .filter(child -> ours(parent, child))
                .toList();
    }

    /** Returns those of some objects in the cache that are children. */
    default List<C> cached(T parent, List<Cache.Entry<C>> some) {
        List<C> children = new ArrayList<>(some.size());
        for (Cache.Entry<C> one : some) {
            C child = one.object();
            if (ours(parent, child)) {
                children.add(child);
            }
        }
        return children;
    }

    Kind<C> kind();

    /** Returns the selection that has all children. */
    ListOptions selection(Reconciliation<T> reconciliation, T parent);

    boolean ours(T parent, C child);

    /**
     * Prepares a child to be written, so that it will be found again.
     *
     * @param desired the child, which is changed
     * @throws TerminalException when it would not be found again, or must not be; the message gives the reason
     */
    void claim(Reconciliation<T> reconciliation, T parent, C desired);

    /** Returns whether the garbage collector deletes them with the primary object. */
    default boolean collected() {
        return false;
    }

    /**
     * Returns whether a child that is created now will last. The primary object may be deleted already, unknown to its
     * cache: then the garbage collector deletes the child, which triggers another one; or nothing collects it, and it
     * is left behind. So the API is read, before the first child that is created in a reconciliation.
     */
    default boolean lasting(Reconciliation<T> reconciliation, T parent) {
        String uid = uid(parent);
        if (reconciliation.stash().get(PRESENT).filter(uid::equals).isPresent()) {
            return true;
        }
        Reconciliation<?> original = ReconciliationView.original(reconciliation);
        boolean present = original.client()
                .find(original.kind().metadataOnly(), ObjectKey.of(parent))
                .filter(stored -> uid.equals(stored.getMetadata().getUid()))
                .isPresent();
        if (present) {
            reconciliation.stash().put(PRESENT, uid);
        }
        return present;
    }

    List<Part.Requirement> needs();

    /** The uid of the primary object, once the API has confirmed that it exists. */
    Stash.Key<String> PRESENT = new Stash.Key<>("primary object that is there", String.class);

    /** Finds children by the owner reference that names the primary object as their controller. */
    record ByReference<T extends HasMetadata, C extends HasMetadata>(
            Kind<T> parentKind, Kind<C> kind, BiPredicate<T, C> filter) implements Ownership<T, C> {
        @Override
        public List<C> children(Reconciliation<T> reconciliation, T parent) {
            String uid = uid(parent);
            return ReconciliationView.cached(reconciliation)
                    ? cached(parent, reconciliation.cache(kind).by(Index.controller(), uid))
                    : stored(reconciliation, parent);
        }

        @Override
        public ListOptions selection(Reconciliation<T> reconciliation, T parent) {
            return kind.namespaced() ? ListOptions.in(ObjectKey.of(parent).namespace()) : ListOptions.ALL;
        }

        @Override
        public boolean ours(T parent, C child) {
            return OwnerReferences.isControlledBy(child, parent) && filter.test(parent, child);
        }

        @Override
        public void claim(Reconciliation<T> reconciliation, T parent, C desired) {
            if (Part.Config.of(reconciliation).elsewhere()) {
                throw new TerminalException("ownerReferences: " + named(kind, desired)
                        + " is in another cluster than its owner, where it would be taken for an orphan and deleted:"
                        + " use selection(...), ours(...) and finalizer(...) instead of owner references");
            }
            checkNamespace(ObjectKey.of(parent).namespace(), desired);
            Optional<OwnerReference> controller = OwnerReferences.controllerOf(desired);
            if (controller.isPresent() && !OwnerReferences.isControlledBy(desired, parent)) {
                throw new TerminalException("ownerReferences: the desired " + named(kind, desired) + " names "
                        + controller.get().getKind() + " \"" + controller.get().getName()
                        + "\" as its controller, so it would never be recognised as a child of "
                        + named(parentKind, parent) + ": leave the reference out, it is set here");
            }
            if (controller.isEmpty()) {
                List<OwnerReference> references = new ArrayList<>(
                        Objects.requireNonNullElse(desired.getMetadata().getOwnerReferences(), List.of()));
                OwnerReference reference = OwnerReferences.controller(parent);
                // the object's class may be a view of many kinds
                reference.setApiVersion(reconciliation.kind().apiVersion());
                reference.setKind(reconciliation.kind().kind());
                references.removeIf(other -> reference.getUid().equals(other.getUid()));
                references.add(reference);
                desired.getMetadata().setOwnerReferences(references);
            }
            checkFilter(kind, filter, parent, desired);
        }

        private void checkNamespace(String owner, C desired) {
            String namespace = ObjectKey.of(desired).namespace();
            if (owner.isEmpty() || owner.equals(namespace)) {
                return;
            }
            if (!namespace.isEmpty()) {
                throw new TerminalException(named(kind, desired)
                        + ": cross-namespace owner references are disallowed, owner's namespace " + owner
                        + ", obj's namespace " + namespace);
            }
            if (kind.namespaced()) {
                throw new TerminalException("metadata.namespace: the desired " + named(kind, desired)
                        + " has none: give it that of its owner, " + owner);
            }
            throw new TerminalException(named(kind, desired)
                    + ": cluster-scoped resource must not have a namespace-scoped owner, owner's namespace " + owner);
        }

        @Override
        public boolean collected() {
            return true;
        }

        @Override
        public List<Part.Requirement> needs() {
            return List.of(
                    new Part.Requirement.Owns<>(kind),
                    new Part.Requirement.Tracks<>(kind),
                    new Part.Requirement.May(parentKind, "finalizers", Set.of("update")));
        }
    }

    /** Finds children by a selection, and recognises them by a predicate. */
    record BySelection<T extends HasMetadata, C extends HasMetadata>(
            Kind<C> kind, BiFunction<Reconciliation<T>, T, ListOptions> selecting, BiPredicate<T, C> filter)
            implements Ownership<T, C> {
        @Override
        public List<C> children(Reconciliation<T> reconciliation, T parent) {
            ListOptions selection = selecting.apply(reconciliation, parent);
            if (!Part.Config.of(reconciliation).elsewhere()) {
                reconciliation
                        .tracker()
                        .track(Tracker.Target.selecting(kind, selection.namespace(), selection.labels()));
            }
            return ReconciliationView.cached(reconciliation)
                            && selection.fields().isEverything()
                    ? cached(parent, reconciliation.cache(kind).list(selection))
                    : stored(reconciliation, parent);
        }

        @Override
        public ListOptions selection(Reconciliation<T> reconciliation, T parent) {
            return selecting.apply(reconciliation, parent);
        }

        @Override
        public boolean ours(T parent, C child) {
            return filter.test(parent, child);
        }

        @Override
        public void claim(Reconciliation<T> reconciliation, T parent, C desired) {
            ListOptions selection = selecting.apply(reconciliation, parent);
            LabelSelector labels = selection.labels();
            if (!selection.namespace().isEmpty()
                    && !selection.namespace().equals(ObjectKey.of(desired).namespace())) {
                throw new TerminalException("metadata.namespace: the desired " + named(kind, desired)
                        + " is not in namespace " + selection.namespace()
                        + ", where children are selected, so it would be orphaned");
            }
            if (!labels.matches(Objects.requireNonNullElse(desired.getMetadata().getLabels(), Map.of()))) {
                throw new TerminalException("metadata.labels: the desired " + named(kind, desired)
                        + " is not selected by \"" + labels + "\", as children are, so it would be orphaned");
            }
            checkFilter(kind, filter, parent, desired);
        }

        @Override
        public List<Part.Requirement> needs() {
            return List.of(new Part.Requirement.Reads<>(kind, List.of()), new Part.Requirement.Tracks<>(kind));
        }
    }

    private static String uid(HasMetadata parent) {
        return Objects.requireNonNull(parent.getMetadata().getUid(), "metadata.uid: the primary object has none");
    }

    private static <T extends HasMetadata, C extends HasMetadata> void checkFilter(
            Kind<C> kind, BiPredicate<T, C> filter, T parent, C desired) {
        if (!filter.test(parent, desired)) {
            throw new TerminalException("the desired " + named(kind, desired)
                    + " does not match ours, so it would be orphaned: what desired gives must be what ours accepts");
        }
    }

    /** Returns a text such as {@code ConfigMap default/a}; for a generated name, its prefix. */
    static String named(Kind<?> kind, HasMetadata object) {
        ObjectKey key = ObjectKey.of(object);
        String generated = object.getMetadata().getGenerateName();
        return kind.kind() + " "
                + (key.name().isEmpty() && generated != null ? new ObjectKey(key.namespace(), generated + "*") : key);
    }
}
