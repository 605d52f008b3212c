package dev.evenkeel.graph;

import org.jspecify.annotations.Nullable;

/**
 * A pair of a {@link Relation}: the key of its row.
 *
 * @param <A> the type of left sides
 * @param <B> the type of right sides
 */
public record Pair<A, B>(A left, B right) {
    // explicit, since most lookups of a graph are by pairs, also before they are compiled
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pair<?, ?> pair && left.equals(pair.left) && right.equals(pair.right);
    }

    @Override
    public int hashCode() {
        return 31 * left.hashCode() + right.hashCode();
    }

    @Override
    public String toString() {
        return "(" + left + ", " + right + ")";
    }
}
