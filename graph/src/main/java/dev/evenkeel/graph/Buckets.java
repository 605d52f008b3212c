package dev.evenkeel.graph;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sets of elements by key; a key without elements is absent. Most sets have one element, which costs nothing else. */
final class Buckets<K, E> {
    private final Journal journal;

    /** The only element of a key, or rows with its elements. */
    private final Rows<K, Object> buckets;

    Buckets(Journal journal) {
        this.journal = journal;
        this.buckets = Rows.in(journal);
    }

    void add(K key, E element) {
        Object bucket = buckets.get(key);
        if (bucket == null) {
            buckets.put(key, element);
        } else if (bucket instanceof Rows<?, ?>) {
            rows(bucket).put(element, element);
        } else if (!bucket.equals(element)) {
            Rows<E, E> both = Rows.in(journal);
            E first = element(bucket);
            both.put(first, first);
            both.put(element, element);
            buckets.put(key, both);
        }
    }

    void remove(K key, E element) {
        Object bucket = buckets.get(key);
        if (bucket instanceof Rows<?, ?>) {
            Rows<E, E> rows = rows(bucket);
            rows.remove(element);
            if (rows.size() == 0) {
                buckets.remove(key);
            }
        } else if (element.equals(bucket)) {
            buckets.remove(key);
        }
    }

    /** Passes each element; the sets must not be changed meanwhile. */
    void forEach(Object key, Consumer<? super E> action) {
        Object bucket = buckets.get(key);
        if (bucket instanceof Rows<?, ?>) {
            rows(bucket).forEach((element, same) -> action.accept(element));
        } else if (bucket != null) {
            action.accept(element(bucket));
        }
    }

    /** Passes each key that has elements; the sets must not be changed meanwhile. */
    void forEachKey(Consumer<? super K> action) {
        buckets.forEach((key, bucket) -> action.accept(key));
    }

    boolean contains(Object key, Object element) {
        Object bucket = buckets.get(key);
        return bucket instanceof Rows<?, ?> rows ? rows.contains(element) : element.equals(bucket);
    }

    /** Returns the instance of a key that has elements; the key itself if it has none. */
    K known(K key) {
        return buckets.known(key);
    }

    /** Returns the number of elements. */
    int size(Object key) {
        Object bucket = buckets.get(key);
        return bucket == null ? 0 : bucket instanceof Rows<?, ?> rows ? rows.size() : 1;
    }

    @SuppressWarnings("unchecked") // only rows of elements are stored
    private Rows<E, E> rows(Object bucket) {
        return (Rows<E, E>) bucket;
    }

    @SuppressWarnings("unchecked") // what is not rows is an element
    private E element(Object bucket) {
        return (E) bucket;
    }

    /** Returns the one of a selector's requirements for which the buckets have the fewest elements, or null. */
    static Map.@Nullable Entry<String, Set<String>> fewest(Buckets<Requirement, ?> index, LabelPredicate selector) {
        Map.Entry<String, Set<String>> best = null;
        long fewest = Long.MAX_VALUE;
        for (Map.Entry<String, Set<String>> required : selector.required().entrySet()) {
            long size = 0;
            if (required.getValue().isEmpty()) {
                size = index.size(new Requirement(required.getKey(), null));
            }
            for (String value : required.getValue()) {
                size += index.size(new Requirement(required.getKey(), value));
            }
            if (size < fewest) {
                fewest = size;
                best = required;
            }
        }
        return best;
    }
}
