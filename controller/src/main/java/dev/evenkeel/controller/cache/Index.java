package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Encoded.Header.Owner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A way to find objects of a cache other than by key. It is a value, used to {@linkplain Cache#index declare} the index
 * and to {@linkplain Cache#by query} it. Two are equal when they have the same name.
 *
 * <p>There is none by namespace, since objects are ordered by namespace.
 *
 * @param <T> class of the objects
 * @param <V> class of the values
 */
public final class Index<T extends HasMetadata, V extends Comparable<? super V>> {
    private final String name;
    private final String label;
    private final Function<Cache.Entry<T>, List<V>> values;
    private final boolean custom;

    private Index(String name, String label, Function<Cache.Entry<T>, List<V>> values, boolean custom) {
        this.name = name;
        this.label = label;
        this.values = values;
        this.custom = custom;
    }

    /** Returns the index by the value of a label. Selectors that require one value use it automatically. */
    public static <T extends HasMetadata> Index<T, String> label(String label) {
        return new Index<>("label " + label, label, object -> found(object.label(label)), false);
    }

    /** Returns the index by the uid of each owner. */
    public static <T extends HasMetadata> Index<T, String> owner() {
        return new Index<>(
                "owner",
                "",
                object -> object.owners().stream().map(Owner::uid).distinct().toList(),
                false);
    }

    /** Returns the index by the uid of the owner that manages the object. */
    public static <T extends HasMetadata> Index<T, String> controller() {
        return new Index<>("controller", "", object -> found(object.controller().map(Owner::uid)), false);
    }

    private static List<String> found(Optional<String> value) {
        return value.isPresent() ? List.of(value.get()) : List.of();
    }

    /**
     * Returns an index by the values that a function finds in an object: none, one or many. The function is called with
     * an object of its own, once for each state; when it throws, that object is not in the index, and is counted by
     * {@link Informer#problems}.
     *
     * @param name name of the index, unique in the cache
     */
    public static <T extends HasMetadata, V extends Comparable<? super V>> Index<T, V> of(
            String name, Function<? super T, ? extends Stream<? extends V>> values) {
        return ofCached(name, object -> values.apply(object.object()));
    }

    /** Returns an index like {@link #of} by a function that uses the metadata only, without decoding. */
    public static <T extends HasMetadata, V extends Comparable<? super V>> Index<T, V> ofCached(
            String name, Function<? super Cache.Entry<T>, ? extends Stream<? extends V>> values) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: must not be empty");
        }
        return new Index<>(
                "custom " + name,
                "",
                object -> {
                    List<V> found = values.apply(object)
                            .<V>map(value -> value)
                            .sorted()
                            .distinct()
                            .toList();
                    // a value that cannot be compared is refused here, and not when it is compared in the index
                    Comparator<V> order = Comparator.naturalOrder();
                    for (V value : found) {
                        int unused = order.compare(value, value);
                    }
                    return found;
                },
                true);
    }

    /** Returns the name of the index in a cache. */
    public String name() {
        return name;
    }

    /** Returns the label of the index; empty when it is not by label. */
    String label() {
        return label;
    }

    /** Returns whether foreign code computes the values. */
    boolean custom() {
        return custom;
    }

    List<V> values(Cache.Entry<T> object) {
        return values.apply(object);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Index<?, ?> index && name.equals(index.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
