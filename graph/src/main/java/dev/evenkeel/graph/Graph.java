package dev.evenkeel.graph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A graph of tables that are computed from tables, kept current incrementally.
 *
 * <p>The problem: the output is a function of many inputs, of which a few change at a time. Computing it again costs as
 * much as the inputs are large; updating it by hand for each kind of change is where the defects are. So the function is
 * composed of operators, each of which changes its result by the change of its inputs.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>After each step the rows of each table are what its operator computes from the rows of its inputs ({@link
 *       #verify()}). They depend on the rows of the inputs only, not on the transactions that led to them.
 *   <li>One transaction is one step. Each operator runs at most once in it, after all operators that it depends on, so
 *       that it never sees one of its inputs changed and another not yet.
 *   <li>An operator whose inputs have not changed does not run. A row that is computed again with an equal value is not a
 *       change.
 *   <li>A step succeeds, or leaves no trace: all state is in journaled tables.
 * </ol>
 *
 * <p>Concurrency: transactions and reads may come from any thread, and run one after the other: a step runs on the
 * thread of its transaction, and takes one lock. Operators take none.
 *
 * <p>Cost: a step costs as much as the rows that change, and those that are computed again for them. Not an
 * event-driven net with a queue for each table: that shows combinations of old and new rows. Not a memoized function
 * that is computed on demand: its cost is proportional to the output.
 */
public final class Graph {
    private static final int MOST_DIFFERENCES = 10;
    private static final int MOST_ORIGINS = 20;

    final Journal journal = new Journal();
    final FailureMode failureMode;

    private final ReentrantLock lock = new ReentrantLock();

    /** The conditions that consumers wait for, each its own. */
    private final Set<Condition> conditions = new LinkedHashSet<>();

    private final List<Node<?, ?>> nodes = new ArrayList<>();

    /** The operators to run in this step, by height. */
    private final List<List<Node<?, ?>>> queue = new ArrayList<>();

    private final List<Node<?, ?>> ran = new ArrayList<>();
    private boolean busy;
    private long steps;

    private Graph(FailureMode failureMode) {
        this.failureMode = failureMode;
    }

    /** Returns an empty graph that rolls back the step in which a function fails. */
    public static Graph create() {
        return create(FailureMode.ROLL_BACK);
    }

    /** Returns an empty graph. */
    public static Graph create(FailureMode failureMode) {
        return new Graph(failureMode);
    }

    /** Adds an input. */
    public <K, V> Input<K, V> input(String name) {
        InputNode<K, V> node = new InputNode<>(this);
        add(node);
        return new Input<>(node).rename(name);
    }

    /** Adds a sink. */
    public <M> Sink<M> sink(String name) {
        return new Sink<>(this, name);
    }

    /** Adds a sink whose consumers each receive the rows of one partition. */
    public <P, M> PartitionedSink<P, M> partitionedSink(String name) {
        return new PartitionedSink<>(this, name);
    }

    /** Returns a barrier that opens when each of these inputs is {@linkplain Transaction#synced in sync}. */
    public Barrier inSync(Input<?, ?>... inputs) {
        List<InputNode<?, ?>> synced = new ArrayList<>();
        for (Input<?, ?> input : inputs) {
            synced.add(checked(input));
        }
        return new Barrier(this, synced);
    }

    /**
     * Returns the pairs of selectors and rows that they match, with the weight 1. A selector that throws fails the step in
     * either mode.
     */
    public <S, K> Relation<S, K> match(Table<S, ? extends LabelPredicate> selectors, Labelled<K> labelled) {
        return Table.relation(new MatchNode<>(selectors.node, labelled));
    }

    /**
     * Changes inputs, and then all that is computed from them, in one step.
     *
     * @throws GraphException when a function fails and the mode is {@link FailureMode#ROLL_BACK}; the inputs are
     *     unchanged, as after any exception
     * @throws IllegalStateException when called by a function or a transaction of this graph
     */
    public void transact(Consumer<? super Transaction> body) {
        Transaction transaction = new Transaction(this);
        run(() -> {
            try {
                body.accept(transaction);
            } finally {
                transaction.end();
            }
            propagate();
            transaction.commit();
            if (!ran.isEmpty()) {
                steps++;
            }
        });
    }

    /**
     * Computes all tables from their inputs, and compares.
     *
     * @throws IllegalStateException when one differs: a function depends on something that is not among its arguments, its
     *     result has no correct {@code equals}, or a key or value was modified
     */
    public void verify() {
        List<String> differences = new ArrayList<>();
        run(() -> {
            for (Node<?, ?> node : nodes) {
                compare(node, differences);
            }
        });
        if (!differences.isEmpty()) {
            throw new IllegalStateException("tables differ from their recomputation:\n  "
                    + String.join("\n  ", differences.subList(0, Math.min(MOST_DIFFERENCES, differences.size())))
                    + (differences.size() > MOST_DIFFERENCES
                            ? "\n  and " + (differences.size() - MOST_DIFFERENCES) + " more"
                            : ""));
        }
    }

    /**
     * {@linkplain #verify Verifies} again and again, such as in production, where it costs a recomputation each time, which
     * steps wait for.
     *
     * @param interval from the end of one verification to the beginning of the next, first after one interval
     * @param failed receives the exception of each verification that fails
     * @return ends it when it is cancelled
     */
    public Future<?> verifyEvery(
            Duration interval, ScheduledExecutorService executor, Consumer<? super RuntimeException> failed) {
        Runnable verification = () -> {
            try {
                verify();
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        };
        return executor.scheduleWithFixedDelay(
                verification, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static <K, V> void compare(Node<K, V> node, List<String> differences) {
        Map<K, V> full = node.full();
        node.rows.forEach((key, value) -> {
            V expected = full.remove(key);
            if (!value.equals(expected)) {
                differences.add(node.name + ", key " + key + ": is " + value + ", recomputed "
                        + (expected == null ? "absent" : expected));
            }
        });
        full.forEach(
                (key, expected) -> differences.add(node.name + ", key " + key + ": is absent, recomputed " + expected));
    }

    /**
     * Describes the tables, a line each, inputs first: the table, its operator and inputs, its number of rows and failures,
     * and the changes and function calls of its last step and of all steps.
     */
    public String explain() {
        return read(() -> {
            StringBuilder text = new StringBuilder();
            nodes.stream()
                    .sorted((left, right) -> Integer.compare(left.height, right.height))
                    .forEach(node -> text.append(line(node)).append('\n'));
            return text.toString();
        });
    }

    private static String line(Node<?, ?> node) {
        return "%d %s = %s(%s): %d rows%s; last step %d changes, %d calls; in %d steps %d changes, %d calls"
                .formatted(
                        node.height,
                        node.name,
                        node.operator,
                        String.join(
                                ", ",
                                node.inputs.stream().map(input -> input.name).toList()),
                        node.rows.size(),
                        node.failures.size() == 0 ? "" : ", " + node.failures.size() + " failures",
                        node.lastChanges,
                        node.lastCalls,
                        node.steps,
                        node.changes,
                        node.earlierCalls);
    }

    /** Describes from which rows the row of a key is computed, back to the inputs. */
    public <K> String why(Table<K, ?> table, K key) {
        return read(() -> {
            StringBuilder text = new StringBuilder();
            why(table.node, key, "", text);
            return text.toString();
        });
    }

    private static <K, V> void why(Node<K, V> node, Object key, String indent, StringBuilder text) {
        V value = node.rows.get(key);
        RuntimeException failure = node.failures.get(key);
        text.append(indent).append(node.name).append(' ').append(key).append(": ");
        text.append(value != null ? value : failure != null ? "failed: " + failure : "absent")
                .append('\n');
        Set<Map.Entry<Node<?, ?>, Object>> origins = new LinkedHashSet<>();
        @SuppressWarnings("unchecked")
        K own = (K) key;
        node.origins(own, (input, inputKey) -> origins.add(Map.entry(input, inputKey)));
        origins.stream()
                .limit(MOST_ORIGINS)
                .forEach(origin -> why(origin.getKey(), origin.getValue(), indent + "  ", text));
        if (origins.size() > MOST_ORIGINS) {
            text.append(indent)
                    .append("  and ")
                    .append(origins.size() - MOST_ORIGINS)
                    .append(" more\n");
        }
    }

    /** Returns the number of successful steps in which inputs were written. */
    public long steps() {
        return read(() -> steps);
    }

    /** Adds an operator, and computes its rows. */
    void add(Node<?, ?> node) {
        run(() -> {
            for (Node<?, ?> input : node.inputs) {
                if (input.graph != this) {
                    throw new IllegalArgumentException(
                            input.name + " is a table of another graph: tables of one graph can be combined");
                }
            }
            if (node.inputs.stream().anyMatch(input -> input.rows.size() > 0)) {
                Set<Node<?, ?>> inputs = new LinkedHashSet<>(node.inputs);
                ran.add(node);
                try {
                    for (Node<?, ?> input : inputs) {
                        addAll(input);
                    }
                    node.step();
                } finally {
                    inputs.forEach(input -> input.delta.clear());
                }
            }
            while (queue.size() <= node.height) {
                queue.add(new ArrayList<>());
            }
            node.name = node.operator + "#" + nodes.size();
            nodes.add(node);
            new LinkedHashSet<>(node.inputs).forEach(input -> input.dependents.add(node));
        });
    }

    private static <K, V> void addAll(Node<K, V> node) {
        node.rows.forEach((key, value) -> node.delta.add(key, null, value));
    }

    InputNode<?, ?> checked(Input<?, ?> input) {
        if (input.node.graph != this) {
            throw new IllegalArgumentException(input.node.name + " is an input of another graph");
        }
        return input.input();
    }

    void queue(Node<?, ?> node) {
        if (!node.queued) {
            node.queued = true;
            queue.get(node.height).add(node);
        }
    }

    private void propagate() {
        for (List<Node<?, ?>> level : queue) {
            for (Node<?, ?> node : level) {
                ran.add(node);
                node.step();
                if (node.delta.size() > 0) {
                    node.dependents.forEach(this::queue);
                }
            }
        }
    }

    private void run(Runnable action) {
        lock.lock();
        try {
            if (busy) {
                throw new IllegalStateException(
                        "called during a step: a function or transaction must not read or change tables; join instead");
            }
            busy = true;
            boolean done = false;
            try {
                action.run();
                done = true;
                commit();
            } finally {
                if (!done) {
                    journal.rollBack();
                }
                end();
            }
        } finally {
            lock.unlock();
        }
    }

    private void commit() {
        for (Node<?, ?> node : ran) {
            node.count();
            publish(node);
        }
    }

    private static <K, V> void publish(Node<K, V> node) {
        if (node.delta.size() > 0) {
            node.listeners.forEach(listener -> listener.changed(node.delta));
        }
    }

    private void end() {
        journal.clear();
        for (List<Node<?, ?>> level : queue) {
            for (Node<?, ?> node : level) {
                node.queued = false;
                node.discard();
            }
            level.clear();
        }
        for (Node<?, ?> node : ran) {
            node.delta.clear();
            node.calls = 0;
        }
        ran.clear();
        busy = false;
    }

    /** Reads the state between steps. */
    <T> T read(Supplier<T> reader) {
        lock.lock();
        try {
            if (busy) {
                throw new IllegalStateException(
                        "called during a step: a function or transaction must not read or change tables; join instead");
            }
            return reader.get();
        } finally {
            lock.unlock();
        }
    }

    void locked(Runnable action) {
        read(() -> {
            action.run();
            return true;
        });
    }

    /** Returns a condition for {@link #await}, to be called with the lock held, as those below. */
    Condition condition() {
        Condition condition = lock.newCondition();
        conditions.add(condition);
        return condition;
    }

    /** Ends the use of a condition, and wakes the threads that wait for it. */
    void discard(Condition condition) {
        conditions.remove(condition);
        condition.signalAll();
    }

    /** Wakes all threads that wait. */
    void wakeAll() {
        conditions.forEach(Condition::signalAll);
    }

    /**
     * Tries whenever a condition is signalled until the result suffices, or this time has elapsed; returns the last result.
     */
    <T> T await(Condition wake, Supplier<T> attempt, Predicate<T> enough, Duration timeout)
            throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            T result = attempt.get();
            while (left > 0 && !enough.test(result)) {
                left = wake.awaitNanos(left);
                result = attempt.get();
            }
            return result;
        } finally {
            lock.unlock();
        }
    }
}
