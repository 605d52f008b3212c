package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table of a {@link Graph}: at most one value for each key. Each operator returns a new table, which the graph keeps
 * current; its name is the operator's until it is {@link #rename renamed}.
 *
 * <p>Keys and values are immutable and have {@code equals} and {@code hashCode}: a row that is computed again with an
 * equal value is not a change, and nothing is computed from it. Functions depend on their arguments only; they must not
 * read tables, which would be a dependency that the graph does not know (it is refused): {@code join} gives a function
 * the rows that it needs.
 *
 * @param <K> keys
 * @param <V> values
 */
public sealed class Table<K, V> permits Input, Relation {
    final Node<K, V> node;

    Table(Node<K, V> node) {
        this.node = node;
    }

    /** Changes the name of this table in messages, {@link Graph#explain} and {@link Graph#why}; returns this table. */
    public Table<K, V> rename(String name) {
        node.graph.locked(() -> node.name = name);
        return this;
    }

    /** Returns the name. */
    public String name() {
        return node.name;
    }

    /** Returns the value of a key. */
    public Optional<V> get(K key) {
        return node.graph.read(() -> Optional.ofNullable(node.rows.get(key)));
    }

    /** Returns the number of rows. */
    public int size() {
        return node.graph.read(() -> node.rows.size());
    }

    /** Returns a copy of the rows, in no particular order. */
    public Map<K, V> toMap() {
        return node.graph.read(() -> {
            Map<K, V> all = new HashMap<>();
            node.rows.forEach(all::put);
            return all;
        });
    }

    /**
     * Returns the exceptions of the operator's function by key, if the graph's mode is {@link FailureMode#FAIL_KEY}. The
     * failure of a row to which {@code groupBy} assigns no group is listed as {@code row <key>}.
     */
    public Map<Object, RuntimeException> failures() {
        return node.graph.read(() -> {
            Map<Object, RuntimeException> all = new HashMap<>();
            node.failures.forEach(all::put);
            return all;
        });
    }

    /** Computes a value for each row. */
    public <R> Table<K, R> map(BiFunction<? super K, ? super V, ? extends R> function) {
        return table(new MapNode<>("map", node, function::apply));
    }

    /** Computes a value for each row, or null: such a row has no result. */
    public <R> Table<K, R> mapNotNull(BiFunction<? super K, ? super V, ? extends @Nullable R> function) {
        return table(new MapNode<>("mapNotNull", node, function::apply));
    }

    /**
     * Computes a value for each row when it is read, or null, instead of storing it: for accessors and the like, which are
     * cheaper than the memory. A function that throws fails the step in either mode.
     */
    public <R> Table<K, R> view(BiFunction<? super K, ? super V, ? extends @Nullable R> function) {
        return table(new ViewNode<K, V, R>("view", node, function::apply));
    }

    /** Returns the rows that match. */
    public Table<K, V> filter(BiPredicate<? super K, ? super V> predicate) {
        return table(new MapNode<K, V, V>("filter", node, (key, value) -> predicate.test(key, value) ? value : null));
    }

    /**
     * Computes any number of elements for each row, as pairs of the row's key and the element. An element that a row has
     * twice has the weight 2.
     */
    public <B> Relation<K, B> flatMap(BiFunction<? super K, ? super V, ? extends Iterable<? extends B>> function) {
        return relation(new FlatMapNode<K, V, Pair<K, B>>(
                "flatMap", node, (key, value) -> FlatMapNode.pairs(key, function.apply(key, value))));
    }

    /**
     * Computes any number of pairs for each row. The weight of a pair is how often it was computed, so it is removed with
     * the last row that has it.
     */
    public <A, B> Relation<A, B> pairs(
            BiFunction<? super K, ? super V, ? extends Iterable<? extends Pair<A, B>>> function) {
        return relation(new FlatMapNode<K, V, Pair<A, B>>("pairs", node, (key, value) -> {
            List<Pair<A, B>> all = new ArrayList<>();
            function.apply(key, value).forEach(all::add);
            return all;
        }));
    }

    /** Joins the rows of two tables with the same key. */
    public <W, R> Table<K, R> join(Table<K, W> right, BiFunction<? super V, ? super W, ? extends R> function) {
        return zip("join", right, Combiner.inner(function));
    }

    /**
     * Joins each row with the row of another table to which it refers. Rows without reference (null), or whose reference
     * has no row, have no result.
     */
    public <J, W, R> Table<K, R> join(
            Table<J, W> right,
            BiFunction<? super K, ? super V, ? extends @Nullable J> reference,
            BiFunction<? super V, ? super W, ? extends R> function) {
        return lookup("join", right, reference, Combiner.inner(function));
    }

    /** Joins the rows of this table with those of another one; {@code alone} computes the others. */
    public <W, R> Table<K, R> leftJoin(
            Table<K, W> right,
            BiFunction<? super V, ? super W, ? extends R> function,
            Function<? super V, ? extends R> alone) {
        return zip("leftJoin", right, Combiner.left(function, alone));
    }

    /**
     * Joins each row with the row of another table to which it refers; {@code alone} computes rows without reference
     * (null), and those whose reference has no row.
     */
    public <J, W, R> Table<K, R> leftJoin(
            Table<J, W> right,
            BiFunction<? super K, ? super V, ? extends @Nullable J> reference,
            BiFunction<? super V, ? super W, ? extends R> function,
            Function<? super V, ? extends R> alone) {
        return lookup("leftJoin", right, reference, Combiner.left(function, alone));
    }

    /** Returns the rows whose key is in another table. */
    public Table<K, V> semijoin(Table<K, ?> right) {
        return zip("semijoin", right, Combiner.semi());
    }

    /** Returns the rows that refer to a row of another table. */
    public <J> Table<K, V> semijoin(
            Table<J, ?> right, BiFunction<? super K, ? super V, ? extends @Nullable J> reference) {
        return lookup("semijoin", right, reference, Combiner.semi());
    }

    /** Returns the rows whose key is not in another table. */
    public Table<K, V> antijoin(Table<K, ?> right) {
        return zip("antijoin", right, Combiner.anti());
    }

    /** Returns the rows that do not refer to a row of another table. */
    public <J> Table<K, V> antijoin(
            Table<J, ?> right, BiFunction<? super K, ? super V, ? extends @Nullable J> reference) {
        return lookup("antijoin", right, reference, Combiner.anti());
    }

    /** Returns the rows of both tables; of a key that is in both, the row of this one. */
    public Table<K, V> union(Table<K, V> other) {
        return zip("union", other, Combiner.either());
    }

    /**
     * Groups the rows, and computes a value for each group that has rows; rows for which {@code group} returns null are in
     * none.
     */
    public <G, A, R> Table<G, R> groupBy(
            BiFunction<? super K, ? super V, ? extends @Nullable G> group,
            Aggregate<? super K, ? super V, A, ? extends R> aggregate) {
        return table(new GroupNode<K, V, G, A, R>("groupBy", node, group::apply, aggregate));
    }

    /** Returns the distinct values, with themselves as keys. */
    public Table<V, V> distinct() {
        return table(new GroupNode<K, V, V, Object, V>(
                "distinct", node, (key, value) -> value, new Present<K, V, V>((key, value) -> value)));
    }

    /**
     * Gives each row labels: own ones, and those that it inherits from rows of another table, for {@link Graph#match}.
     * Parents without row have no labels.
     */
    public <P> Labelled<K> inherit(
            BiFunction<? super K, ? super V, ? extends Map<String, String>> own,
            BiFunction<? super K, ? super V, ? extends List<? extends P>> parents,
            Table<P, Map<String, String>> labels) {
        ViewNode<K, V, Labelled.Labels> rows = new ViewNode<>(
                "inherit",
                node,
                (key, value) -> new Labelled.Labels(own.apply(key, value), List.copyOf(parents.apply(key, value))));
        node.graph.add(rows);
        return new Labelled<>(rows, labels.node);
    }

    private <W, R> Table<K, R> zip(String operator, Table<K, W> right, Combiner<V, W, R> combiner) {
        return table(new ZipNode<>(operator, node, right.node, combiner));
    }

    private <J, W, R> Table<K, R> lookup(
            String operator,
            Table<J, W> right,
            BiFunction<? super K, ? super V, ? extends @Nullable J> reference,
            Combiner<V, W, R> combiner) {
        return table(new LookupNode<K, V, J, W, R>(operator, node, right.node, reference::apply, combiner));
    }

    static <K, V> Table<K, V> table(Node<K, V> node) {
        node.graph.add(node);
        return new Table<>(node);
    }

    static <A, B> Relation<A, B> relation(Node<Pair<A, B>, Integer> node) {
        node.graph.add(node);
        return new Relation<>(node);
    }
}
