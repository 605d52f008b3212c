package dev.evenkeel.graph;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The kinds of joins: the result for a left and a right value, of which null stands for absence. */
@FunctionalInterface
interface Combiner<V, W, R> {
    @Nullable
    R combine(@Nullable V left, @Nullable W right);

    static <V, W, R> Combiner<V, W, R> inner(BiFunction<? super V, ? super W, ? extends R> both) {
        return (left, right) -> left == null || right == null ? null : both.apply(left, right);
    }

    static <V, W, R> Combiner<V, W, R> left(
            BiFunction<? super V, ? super W, ? extends R> both, Function<? super V, ? extends R> alone) {
        return (left, right) -> {
            if (left == null) {
                return null;
            }
            return right == null ? alone.apply(left) : both.apply(left, right);
        };
    }

    static <V, W> Combiner<V, W, V> semi() {
        return (left, right) -> right == null ? null : left;
    }

    static <V, W> Combiner<V, W, V> anti() {
        return (left, right) -> right == null ? left : null;
    }

    /** Returns the left value if there is one. */
    static <V> Combiner<V, V, V> either() {
        return (left, right) -> left == null ? right : left;
    }

    /** Adds weights. */
    static Combiner<Integer, Integer, Integer> sum() {
        return (left, right) -> {
            if (left == null || right == null) {
                return left == null ? right : left;
            }
            return Math.addExact(left, right);
        };
    }
}
