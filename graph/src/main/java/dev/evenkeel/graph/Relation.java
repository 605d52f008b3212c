package dev.evenkeel.graph;

import java.util.function.Function;

/**
 * A table of pairs, each with a weight: the number of rows that it was computed from, always positive. A pair is removed
 * with the last of these. A relation is a table, so all operators of tables apply to it, with pairs as keys and
 * weights as values.
 *
 * @param <A> left sides
 * @param <B> right sides
 */
public final class Relation<A, B> extends Table<Pair<A, B>, Integer> {
    Relation(Node<Pair<A, B>, Integer> node) {
        super(node);
    }

    @Override
    public Relation<A, B> rename(String name) {
        super.rename(name);
        return this;
    }

    /** Returns the weight of a pair, 0 if it is absent. */
    public int weight(A left, B right) {
        return get(new Pair<>(left, right)).orElse(0);
    }

    /** Returns the distinct left sides, with themselves as keys. */
    public Table<A, A> lefts() {
        return table(new GroupNode<Pair<A, B>, Integer, A, Object, A>(
                "lefts",
                node,
                (pair, weight) -> pair.left(),
                new Present<Pair<A, B>, Integer, A>((pair, weight) -> pair.left())));
    }

    /** Returns the distinct right sides, with themselves as keys. */
    public Table<B, B> rights() {
        return table(new GroupNode<Pair<A, B>, Integer, B, Object, B>(
                "rights",
                node,
                (pair, weight) -> pair.right(),
                new Present<Pair<A, B>, Integer, B>((pair, weight) -> pair.right())));
    }

    /** Returns the pairs of both relations; the weights of pairs that are in both are added. */
    public Relation<A, B> union(Relation<A, B> other) {
        return relation(new ZipNode<>("union", node, other.node, Combiner.sum()));
    }

    /** Returns the pairs, each with the weight 1. */
    public Relation<A, B> unweighted() {
        return relation(new MapNode<Pair<A, B>, Integer, Integer>("unweighted", node, (pair, weight) -> 1));
    }

    /**
     * Replaces the right side of each pair by the elements that are computed from the row to which it refers; a pair whose
     * right side has no row has none. The weight of an element is the number of the pairs that it was computed from.
     */
    public <V, M> Relation<A, M> expand(
            Table<B, V> rows, Function<? super V, ? extends Iterable<? extends M>> elements) {
        Table<Pair<A, B>, V> joined = join(rows, (pair, weight) -> pair.right(), (weight, value) -> value);
        return relation(new FlatMapNode<Pair<A, B>, V, Pair<A, M>>(
                "expand", joined.node, (pair, value) -> FlatMapNode.pairs(pair.left(), elements.apply(value))));
    }

    /** Returns the rows of a table to which the left sides refer, in groups by the right side. */
    public <V, S, R> Table<B, R> groupByRight(
            Table<A, V> rows, Aggregate<? super Pair<A, B>, ? super V, S, ? extends R> aggregate) {
        return this.<A, V, V>join(rows, (pair, weight) -> pair.left(), (weight, value) -> value)
                .groupBy((pair, value) -> pair.right(), aggregate);
    }

    /** Returns the rows of a table to which the right sides refer, in groups by the left side. */
    public <V, S, R> Table<A, R> groupByLeft(
            Table<B, V> rows, Aggregate<? super Pair<A, B>, ? super V, S, ? extends R> aggregate) {
        return this.<B, V, V>join(rows, (pair, weight) -> pair.right(), (weight, value) -> value)
                .groupBy((pair, value) -> pair.left(), aggregate);
    }
}
