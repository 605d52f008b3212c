package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A queue of changes of a graph's inputs, for sources that report single changes from many threads: those that arrive
 * during a step are the next step together. A full queue makes sources wait.
 *
 * <p>A change that fails does not affect the others: these are applied without it.
 */
public final class Feed {
    private record Change(Consumer<? super Transaction> body, CompletableFuture<Void> applied) {}

    private final Graph graph;
    private final Executor executor;
    private final BlockingQueue<Change> queue;
    private final AtomicBoolean draining = new AtomicBoolean();

    /**
     * Returns an empty queue.
     *
     * @param executor runs the steps, one at a time
     * @param capacity the number of changes from which sources wait
     */
    public Feed(Graph graph, Executor executor, int capacity) {
        this.graph = graph;
        this.executor = executor;
        this.queue = new ArrayBlockingQueue<>(capacity);
    }

    /**
     * Adds a change; its changes of inputs are part of a later step. Waits while the queue is full.
     *
     * @return completes after that step, or with the exception of a change that failed
     * @throws IllegalStateException when interrupted while it waits; the thread's interrupt status is set
     */
    public CompletableFuture<Void> submit(Consumer<? super Transaction> body) {
        Change change = new Change(body, new CompletableFuture<>());
        try {
            queue.put(change);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the queue was full: the change was not added", e);
        }
        if (draining.compareAndSet(false, true)) {
            try {
                executor.execute(this::drain);
            } catch (RejectedExecutionException e) {
                draining.set(false);
                throw e;
            }
        }
        return change.applied();
    }

    private void drain() {
        do {
            List<Change> changes = new ArrayList<>();
            while (queue.drainTo(changes) > 0) {
                apply(changes);
                changes.clear();
            }
            draining.set(false);
            // a change that was added in between has found this drain active
        } while (!queue.isEmpty() && draining.compareAndSet(false, true));
    }

    private void apply(List<Change> changes) {
        try {
            graph.transact(
                    transaction -> changes.forEach(change -> change.body().accept(transaction)));
        } catch (RuntimeException | Error e) {
            if (changes.size() == 1) {
                boolean unused = changes.getFirst().applied().completeExceptionally(e);
            } else {
                int half = changes.size() / 2;
                apply(changes.subList(0, half));
                apply(changes.subList(half, changes.size()));
            }
            return;
        }
        for (Change change : changes) {
            boolean unused = change.applied().complete(null);
        }
    }
}
