package dev.evenkeel.graph;

import java.util.function.BiFunction;

/** Returns a value that all rows of the group have in common. */
record Present<K, V, T>(BiFunction<? super K, ? super V, ? extends T> common) implements Aggregate<K, V, Object, T> {
    @Override
    public Object empty() {
        return false;
    }

    @Override
    public Object add(Object accumulator, K key, V value) {
        return common.apply(key, value);
    }

    @Override
    public Object remove(Object accumulator, K key, V value) {
        return accumulator;
    }

    @Override
    @SuppressWarnings("unchecked") // a group has at least one row, which was added
    public T result(Object accumulator) {
        return (T) accumulator;
    }
}
