package dev.evenkeel.graph;

import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A {@link Sink} whose consumers each receive a part of the rows: those of one partition, such as a host.
 *
 * <p>A relation tells which rows are in which partition; a row may be in many, and its partitions may change. Rows and
 * members of groups are kept once, and a change is passed to the consumers of its partitions only, so it costs as much as
 * these are, however many there are in all.
 *
 * @param <P> names of partitions
 * @param <M> messages
 */
public final class PartitionedSink<P, M> {
    private final Parts<P, M> parts;

    PartitionedSink(Graph graph, String name) {
        parts = new Parts<>(graph, name);
    }

    /**
     * Adds a part: the rows of a table, each with a message for its value, and one for its removal.
     *
     * @param partitions the partitions, and the keys of the rows in them; a key without row is not sent
     */
    public <K, V> PartitionedSink<P, M> emit(
            String part,
            Relation<P, K> partitions,
            Table<K, V> table,
            BiFunction<? super K, ? super V, ? extends M> update,
            Function<? super K, ? extends M> removal) {
        Partitions<P, K, V> rows = rows(part, partitions, table);
        parts.add(part, (name, wake) -> new RowPart<>(rows.get(name), update, removal, wake));
        return this;
    }

    /**
     * Adds a part: groups and their members. Members whose group is not in the partition are not sent.
     *
     * @param partitions the partitions, and the groups in them; a group without row is not sent
     */
    public <A, V, B> PartitionedSink<P, M> emit(
            String part,
            Relation<P, A> partitions,
            Table<A, V> groups,
            Relation<A, B> members,
            GroupMessages<? super A, ? super V, B, ? extends M> messages) {
        parts.check(members);
        Partitions<P, A, V> rows = rows(part, partitions, groups);
        GroupPart.Index<A, B> index = parts.graph.read(() -> new GroupPart.Index<>(members.node));
        parts.add(part, (name, wake) -> new GroupPart<A, V, B, M>(rows.get(name), index, messages, wake));
        return this;
    }

    private <K, V> Partitions<P, K, V> rows(String part, Relation<P, K> partitions, Table<K, V> table) {
        parts.check(partitions);
        parts.check(table);
        Table<Pair<P, K>, V> rows = partitions
                .<K, V, V>join(table, (pair, weight) -> pair.right(), (weight, value) -> value)
                .rename(part + " by partition");
        return parts.graph.read(() -> new Partitions<>(rows.node));
    }

    /**
     * Declares that the messages of the last part refer to those of others, which must be declared before it. While one of
     * these is held, it is held, too.
     */
    public PartitionedSink<P, M> after(String... others) {
        parts.after(others);
        return this;
    }

    /** Holds the last part back until a barrier opens. */
    public PartitionedSink<P, M> heldUntil(Barrier barrier) {
        parts.heldUntil(barrier);
        return this;
    }

    /** Adds a message to the end of the first batch after all barriers have opened, of each consumer. */
    public PartitionedSink<P, M> syncMessage(M message) {
        parts.syncMessage(message);
        return this;
    }

    /** Adds a consumer of a partition, to which nothing was sent. The partition may have no rows yet. */
    public Cursor<M> open(P partition) {
        return parts.open(partition);
    }
}
