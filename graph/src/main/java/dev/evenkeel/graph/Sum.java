package dev.evenkeel.graph;

import java.util.function.ToLongBiFunction;

/** Adds up a number of each row; the sum is exact, or the step fails. */
record Sum<K, V>(ToLongBiFunction<? super K, ? super V> number) implements Aggregate<K, V, Long, Long> {
    @Override
    public Long empty() {
        return 0L;
    }

    @Override
    public Long add(Long accumulator, K key, V value) {
        return Math.addExact(accumulator, number.applyAsLong(key, value));
    }

    @Override
    public Long remove(Long accumulator, K key, V value) {
        return Math.subtractExact(accumulator, number.applyAsLong(key, value));
    }

    @Override
    public Long result(Long accumulator) {
        return accumulator;
    }
}
