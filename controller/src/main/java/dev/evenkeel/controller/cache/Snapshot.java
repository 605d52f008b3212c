package dev.evenkeel.controller.cache;

import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.collection.internal.PersistentTree;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a cache at one moment: objects and all indexes. It is immutable; taking it costs nothing, and keeping
 * it keeps its states. Reading a namespace that is not cached throws an {@link IllegalArgumentException}; see
 * {@link Cache}.
 *
 * @param slots number of custom indexes, whose values states keep
 * @param bytes approximate memory of the objects, without indexes
 */
record Snapshot<T extends HasMetadata>(
        Informers.Namespaces namespaces,
        PersistentTree<ObjectKey, Cache.Entry<T>> objects,
        List<Indexed<T>> indexes,
        int slots,
        long bytes) {
    /** After all names: none begins with it. */
    private static final String END = "\uffff";

    private static final ObjectKey FIRST = new ObjectKey("", "");

    private static final class ByKey<T extends HasMetadata> implements PersistentTree.Order<ObjectKey, Cache.Entry<T>> {
        @Override
        public ObjectKey key(Cache.Entry<T> entry) {
            return entry.key();
        }

        @Override
        public int compare(ObjectKey left, ObjectKey right) {
            // by UTF-16 units, where servers sort by code points: the same for all valid names
            return left.compareTo(right);
        }
    }

    /** An object at one of the values by which an index finds it. */
    record Posting<T extends HasMetadata>(Comparable<?> value, ObjectKey key, Cache.@Nullable Entry<T> object) {}

    private static final class ByValue<T extends HasMetadata> implements PersistentTree.Order<Posting<T>, Posting<T>> {
        @Override
        public Posting<T> key(Posting<T> entry) {
            return entry;
        }

        @Override
        // the values of an index are of one class, which is comparable with itself; equal labels share one instance
        @SuppressWarnings({"unchecked", "ReferenceEquality"})
        public int compare(Posting<T> left, Posting<T> right) {
            int result =
                    left.value() == right.value() ? 0 : ((Comparable<Object>) left.value()).compareTo(right.value());
            return result != 0 ? result : left.key().compareTo(right.key());
        }
    }

    /**
     * An index and its postings; {@code slot} is the position of its values in states, -1 when they are not kept there.
     */
    record Indexed<T extends HasMetadata>(
            Index<T, ?> index, int slot, PersistentTree<Posting<T>, Posting<T>> postings) {
        List<?> values(Cache.Entry<T> object) {
            return slot < 0 ? index.values(object) : (List<?>) object.values()[slot];
        }

        /** Returns a copy over equal objects. */
        Indexed<T> over(PersistentTree<ObjectKey, Cache.Entry<T>> equal) {
            List<Posting<T>> moved = new ArrayList<>(postings.size());
            postings.all(posting -> moved.add(new Posting<>(posting.value(), posting.key(), equal.get(posting.key()))));
            return new Indexed<>(index, slot, PersistentTree.of(new ByValue<>(), moved));
        }

        Indexed<T> replaced(Cache.@Nullable Entry<T> before, Cache.@Nullable Entry<T> after) {
            PersistentTree<Posting<T>, Posting<T>> tree = postings;
            List<?> kept = after == null ? List.of() : values(after);
            if (before != null) {
                for (Object value : values(before)) {
                    if (!kept.contains(value)) {
                        tree = tree.remove(new Posting<>((Comparable<?>) value, before.key(), null));
                    }
                }
            }
            if (after != null) {
                for (Object value : kept) {
                    tree = tree.put(new Posting<>((Comparable<?>) value, after.key(), after));
                }
            }
            return tree == postings ? this : new Indexed<>(index, slot, tree);
        }
    }

    static <T extends HasMetadata> Snapshot<T> empty(Informers.Namespaces namespaces) {
        return new Snapshot<>(namespaces, PersistentTree.empty(new ByKey<>()), List.of(), 0, 0);
    }

    public int size() {
        return objects.size();
    }

    public Optional<Cache.Entry<T>> get(ObjectKey key) {
        Cache.Entry<T> object = objects.get(key);
        return object == null ? none(key) : Optional.of(object);
    }

    Optional<Cache.Entry<T>> none(ObjectKey key) {
        known(key.namespace());
        return Optional.empty();
    }

    /** Refuses a namespace that is not cached; the empty one stands for all that are. */
    private void known(String namespace) {
        if (!namespace.isEmpty()) {
            namespaces.require(namespace, "cache", "read from the API, with client()");
        }
    }

    /** Returns all objects, in the order of their keys. */
    public List<Cache.Entry<T>> list() {
        return objects.toList();
    }

    List<Cache.Entry<T>> list(String namespace) {
        return list(namespace, LabelSelector.everything());
    }

    /** Returns the selected objects, in the order of their keys, by a label index when one value is required. */
    public List<Cache.Entry<T>> list(String namespace, LabelSelector labels) {
        known(namespace);
        List<Cache.Entry<T>> found = new ArrayList<>();
        Predicate<Cache.Entry<T>> take = object -> !object.matches(labels) || found.add(object);
        Optional<Indexed<T>> indexed = indexed(labels);
        if (indexed.isPresent()) {
            String value = labels.exactValue(indexed.get().index().label()).orElseThrow();
            postings(indexed.get(), value, namespace, take);
        } else if (namespace.isEmpty()) {
            objects.all(take);
        } else {
            objects.range(new ObjectKey(namespace, ""), new ObjectKey(namespace + "\0", ""), take);
        }
        return found;
    }

    /** Returns true if a list visits all objects. */
    boolean visitsAll(String namespace, LabelSelector labels) {
        return namespace.isEmpty() && indexed(labels).isEmpty();
    }

    /** Returns the label index of which one value is required. */
    private Optional<Indexed<T>> indexed(LabelSelector labels) {
        for (Indexed<T> indexed : indexes) {
            String label = indexed.index().label();
            if (!label.isEmpty() && labels.exactValue(label).isPresent()) {
                return Optional.of(indexed);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the selected objects: the namespace and the label selector count, and a limit.
     *
     * @throws IllegalArgumentException when fields are selected: only a server supports these, so use an {@link Index}
     */
    public List<Cache.Entry<T>> list(ListOptions selection) {
        if (!selection.fields().isEverything()) {
            throw new IllegalArgumentException("fields: a cache does not select by \"" + selection.fields()
                    + "\"; declare an Index and use by(index, value)");
        }
        List<Cache.Entry<T>> found = list(selection.namespace(), selection.labels());
        return selection.limit() > 0 && selection.limit() < found.size()
                ? found.subList(0, (int) selection.limit())
                : found;
    }

    /**
     * Returns the objects that an index finds by a value, in the order of their keys.
     *
     * @throws IllegalArgumentException when the index is not declared
     */
    public <V extends Comparable<? super V>> List<Cache.Entry<T>> by(Index<T, V> index, V value) {
        List<Cache.Entry<T>> found = new ArrayList<>();
        postings(indexed(index), value, "", found::add);
        return found;
    }

    /**
     * Returns the objects that an index finds by values with a prefix, in the order of these values; each object once.
     *
     * @throws IllegalArgumentException when the index is not declared
     */
    List<Cache.Entry<T>> byPrefix(Index<T, String> index, String prefix) {
        Set<Cache.Entry<T>> found = new LinkedHashSet<>();
        Posting<T> from = new Posting<>(prefix, FIRST, null);
        Posting<T> to = new Posting<>(prefix + END, FIRST, null);
        indexed(index).postings().range(from, to, posting -> {
            Cache.Entry<T> object = posting.object();
            if (object != null) {
                found.add(object);
            }
            return true;
        });
        return List.copyOf(found);
    }

    /** Returns the objects whose names start with a prefix, in a namespace or in all. */
    List<Cache.Entry<T>> startingWith(String namespace, String prefix) {
        known(namespace);
        List<Cache.Entry<T>> found = new ArrayList<>();
        if (!namespace.isEmpty()) {
            startingWith(namespace, prefix, found);
            return found;
        }
        // from each namespace to the next one
        Cache.Entry<T> next = from(FIRST);
        while (next != null) {
            String each = next.key().namespace();
            startingWith(each, prefix, found);
            next = from(new ObjectKey(each + "\0", ""));
        }
        return found;
    }

    private void startingWith(String namespace, String prefix, List<Cache.Entry<T>> found) {
        objects.range(new ObjectKey(namespace, prefix), new ObjectKey(namespace, prefix + END), found::add);
    }

    /** Returns the first object from a key; null when there is none. */
    private Cache.@Nullable Entry<T> from(ObjectKey key) {
        List<Cache.Entry<T>> first = new ArrayList<>(1);
        objects.range(key, new ObjectKey(END, ""), object -> !first.add(object));
        return first.isEmpty() ? null : first.getFirst();
    }

    /** Returns the values of an index that have objects, in their order. */
    @SuppressWarnings("unchecked")
    public <V extends Comparable<? super V>> List<V> values(Index<T, V> index) {
        List<V> values = new ArrayList<>();
        indexed(index).postings().all(posting -> {
            if (values.isEmpty() || !values.getLast().equals(posting.value())) {
                values.add((V) posting.value());
            }
            return true;
        });
        return values;
    }

    private static <T extends HasMetadata> void postings(
            Indexed<T> indexed, Comparable<?> value, String namespace, Predicate<Cache.Entry<T>> take) {
        ObjectKey from = new ObjectKey(namespace, "");
        ObjectKey to = namespace.isEmpty() ? new ObjectKey(END, "") : new ObjectKey(namespace + "\0", "");
        indexed.postings().range(new Posting<>(value, from, null), new Posting<>(value, to, null), posting -> {
            Cache.Entry<T> object = posting.object();
            return object == null || take.test(object);
        });
    }

    private Indexed<T> indexed(Index<T, ?> index) {
        for (Indexed<T> indexed : indexes) {
            if (indexed.index().equals(index)) {
                return indexed;
            }
        }
        throw new IllegalArgumentException(
                "index: this cache has no index \"" + index.name() + "\"; declare it with cache.index(...) first");
    }

    boolean has(Index<T, ?> index) {
        return indexes.stream().anyMatch(indexed -> indexed.index().equals(index));
    }

    /** Returns the custom indexes, in the order of the values that states keep. */
    List<Index<T, ?>> custom() {
        List<Index<T, ?>> custom = new ArrayList<>(slots);
        for (Indexed<T> indexed : indexes) {
            if (indexed.slot() >= 0) {
                custom.add(indexed.index());
            }
        }
        return custom;
    }

    /** Returns a snapshot with one state replaced; both null changes nothing. */
    Snapshot<T> replaced(Cache.@Nullable Entry<T> before, Cache.@Nullable Entry<T> after) {
        long sum = bytes - (before == null ? 0 : before.bytes()) + (after == null ? 0 : after.bytes());
        PersistentTree<ObjectKey, Cache.Entry<T>> tree =
                after != null ? objects.put(after) : before != null ? objects.remove(before.key()) : objects;
        List<Indexed<T>> changed = indexes;
        if (!indexes.isEmpty()) {
            changed = new ArrayList<>(indexes.size());
            for (Indexed<T> indexed : indexes) {
                changed.add(indexed.replaced(before, after));
            }
        }
        return new Snapshot<>(namespaces, tree, changed, slots, sum);
    }

    /** Returns a snapshot with an additional index over these objects, which have its values. */
    Snapshot<T> indexed(Index<T, ?> index, List<Cache.Entry<T>> all) {
        int slot = index.custom() ? slots : -1;
        List<Posting<T>> postings = new ArrayList<>(all.size());
        Indexed<T> empty = new Indexed<>(index, slot, PersistentTree.empty(new ByValue<>()));
        for (Cache.Entry<T> object : all) {
            for (Object value : empty.values(object)) {
                postings.add(new Posting<>((Comparable<?>) value, object.key(), object));
            }
        }
        ByValue<T> order = new ByValue<>();
        postings.sort(order::compare);
        PersistentTree<ObjectKey, Cache.Entry<T>> tree =
                index.custom() ? PersistentTree.of(new ByKey<>(), all) : objects;
        List<Indexed<T>> more = new ArrayList<>(indexes.size() + 1);
        indexes.forEach(other -> more.add(index.custom() ? other.over(tree) : other));
        more.add(new Indexed<>(index, slot, PersistentTree.of(order, postings)));
        return new Snapshot<>(namespaces, tree, List.copyOf(more), index.custom() ? slots + 1 : slots, bytes);
    }

    void validate() {
        objects.validate();
        long sum = list().stream().mapToLong(Cache.Entry::bytes).sum();
        if (sum != bytes) {
            throw new IllegalStateException("bytes: " + sum + ", counted: " + bytes);
        }
        for (Indexed<T> indexed : indexes) {
            indexed.postings().validate();
            int count = 0;
            for (Cache.Entry<T> object : list()) {
                for (Object value : indexed.values(object)) {
                    count++;
                    Posting<T> posting =
                            indexed.postings().get(new Posting<>((Comparable<?>) value, object.key(), null));
                    if (posting == null || posting.object() != object) {
                        throw new IllegalStateException(indexed.index() + " has not " + object + " by " + value);
                    }
                }
            }
            if (count != indexed.postings().size()) {
                throw new IllegalStateException(
                        indexed.index() + " has " + indexed.postings().size() + " postings instead of " + count);
            }
        }
    }
}
