package dev.evenkeel.graph;

import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Sends the changes of tables to consumers, as messages in an order in which each reference resolves: a part is declared
 * after the parts that its messages refer to. Additions and updates are sent in the order of declaration, then removals
 * in the reverse order.
 *
 * <p>Each consumer has a {@link Cursor}, with the difference between what it received and the current state; so a row
 * that changes often costs one message, one that changes and returns costs none, and a slow consumer costs as much
 * memory as the keys that differ.
 *
 * @param <M> messages
 */
public final class Sink<M> {
    /** The only partition of the parts. */
    private static final Boolean ALL = true;

    private final Parts<Boolean, M> parts;

    Sink(Graph graph, String name) {
        parts = new Parts<>(graph, name);
    }

    /** Adds a part: the rows of a table, each with a message for its value, and one for its removal. */
    public <K, V> Sink<M> emit(
            String part,
            Table<K, V> table,
            BiFunction<? super K, ? super V, ? extends M> update,
            Function<? super K, ? extends M> removal) {
        parts.check(table);
        parts.add(part, (all, wake) -> new RowPart<>(table.node, update, removal, wake));
        return this;
    }

    /** Adds a part: groups and their members. Members whose group is not in the table are not sent. */
    public <A, V, B> Sink<M> emit(
            String part,
            Table<A, V> groups,
            Relation<A, B> members,
            GroupMessages<? super A, ? super V, B, ? extends M> messages) {
        parts.check(groups);
        parts.check(members);
        GroupPart.Index<A, B> index = parts.graph.read(() -> new GroupPart.Index<>(members.node));
        parts.add(part, (all, wake) -> new GroupPart<A, V, B, M>(groups.node, index, messages, wake));
        return this;
    }

    /**
     * Declares that the messages of the last part refer to those of others, which must be declared before it. While one of
     * these is held, it is held, too.
     */
    public Sink<M> after(String... others) {
        parts.after(others);
        return this;
    }

    /** Holds the last part back until a barrier opens. */
    public Sink<M> heldUntil(Barrier barrier) {
        parts.heldUntil(barrier);
        return this;
    }

    /** Adds a message to the end of the first batch after all barriers have opened, of each consumer. */
    public Sink<M> syncMessage(M message) {
        parts.syncMessage(message);
        return this;
    }

    /** Adds a consumer, to which nothing was sent. */
    public Cursor<M> open() {
        return parts.open(ALL);
    }
}
