package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Encoded;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A way to find objects of a cache by something else than their key. It is a value, used to {@linkplain Cache#index
 * declare} the index and to {@linkplain Cache#by ask} it. Two are the same when they have the same name.
 *
 * <p>There is none by namespace: objects are in its order anyway.
 *
 * @param <T> class of the objects
 * @param <V> what they are found by
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

    /** By the value of a label. Selectors that pin its value make use of it by themselves. */
    public static <T extends HasMetadata> Index<T, String> label(String label) {
        return new Index<>(
                "label " + label,
                label,
                object -> {
                    String value = object.labels().get(label);
                    return value == null ? List.of() : List.of(value);
                },
                false);
    }

    /** By the uid of each owner. */
    public static <T extends HasMetadata> Index<T, String> owner() {
        return new Index<>(
                "owner",
                "",
                object -> object.owners().stream()
                        .map(Encoded.Header.Owner::uid)
                        .distinct()
                        .toList(),
                false);
    }

    /** By the uid of the owner that manages it. */
    public static <T extends HasMetadata> Index<T, String> controller() {
        return new Index<>(
                "controller",
                "",
                object -> object.controller().map(Encoded.Header.Owner::uid).stream()
                        .toList(),
                false);
    }

    /**
     * By whatever a function finds in an object: none, one or many values. The function gets an object of its own, once
     * for each state; when it throws, that object is not in the index, and {@link Informer#problems} count it.
     *
     * @param name which no other index of the cache has
     */
    public static <T extends HasMetadata, V extends Comparable<? super V>> Index<T, V> of(
            String name, Function<? super T, ? extends Stream<? extends V>> values) {
        return ofCached(name, object -> values.apply(object.object()));
    }

    /** The same for a function that is content with the head of an object, which needs no decoding. */
    public static <T extends HasMetadata, V extends Comparable<? super V>> Index<T, V> ofCached(
            String name, Function<? super Cache.Entry<T>, ? extends Stream<? extends V>> values) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: an index needs one");
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
                    // one that cannot be compared is found out here, and not when it meets others in the index
                    Comparator<V> order = Comparator.naturalOrder();
                    for (V value : found) {
                        int unused = order.compare(value, value);
                    }
                    return found;
                },
                true);
    }

    /** What it is called in a cache. */
    public String name() {
        return name;
    }

    /** The label whose values it has; empty when it is not by label. */
    String label() {
        return label;
    }

    /** Whether somebody's code says what the values are. */
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
