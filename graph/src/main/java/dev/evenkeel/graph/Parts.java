package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.function.BiFunction;

/**
 * The parts of a sink, in the order of their references.
 *
 * @param <P> names of partitions
 * @param <M> messages
 */
final class Parts<P, M> {
    /**
     * One table.
     *
     * @param tables returns the observation of a partition, of which nothing was sent, and which calls a function when it
     *     changes
     */
    record Part<P, M>(
            String name, BiFunction<P, Runnable, Pending<M>> tables, Set<String> after, List<Barrier> barriers) {}

    final Graph graph;
    private final String name;
    private final List<Part<P, M>> parts = new ArrayList<>();
    private Optional<M> synced = Optional.empty();
    private boolean opened;

    Parts(Graph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    /** Refuses a table of another graph. */
    void check(Table<?, ?> table) {
        if (table.node.graph != graph) {
            throw new IllegalArgumentException(table.name() + " is a table of another graph");
        }
    }

    void add(String part, BiFunction<P, Runnable, Pending<M>> tables) {
        if (parts.stream().anyMatch(one -> one.name().equals(part))) {
            throw new IllegalArgumentException("the part \"" + part + "\" of " + name + " is declared twice");
        }
        checkNotOpened();
        parts.add(new Part<>(part, tables, new HashSet<>(), new ArrayList<>()));
    }

    private void checkNotOpened() {
        if (opened) {
            throw new IllegalStateException("the sink " + name + " has consumers: declare its parts before");
        }
    }

    void after(String... others) {
        Part<P, M> part = last();
        for (String other : others) {
            if (parts.stream()
                    .limit(parts.size() - 1L)
                    .noneMatch(one -> one.name().equals(other))) {
                throw new IllegalArgumentException("the part \"" + part.name() + "\" is after \"" + other
                        + "\", which is not declared before it: declare parts in the order of their references");
            }
            part.after().add(other);
        }
    }

    void heldUntil(Barrier barrier) {
        if (barrier.graph != graph) {
            throw new IllegalArgumentException("the barrier is one of another graph");
        }
        last().barriers().add(barrier);
    }

    void syncMessage(M message) {
        checkNotOpened();
        synced = Optional.of(message);
    }

    private Part<P, M> last() {
        if (parts.isEmpty()) {
            throw new IllegalStateException("the sink " + name + " has no part yet: call emit first");
        }
        return parts.getLast();
    }

    Cursor<M> open(P partition) {
        return graph.read(() -> {
            opened = true;
            Condition wake = graph.condition();
            List<Pending<M>> pending = new ArrayList<>();
            for (Part<P, M> part : parts) {
                pending.add(part.tables().apply(partition, wake::signalAll));
            }
            return new Cursor<>(graph, List.copyOf(parts), pending, synced, wake);
        });
    }
}
