package dev.evenkeel.graph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/**
 * A consumer of a {@link Sink}. It takes batches at its own pace; several threads may, each batch goes to one.
 *
 * @param <M> messages
 */
public final class Cursor<M> implements AutoCloseable {
    private final Graph graph;
    private final List<? extends Parts.Part<?, M>> parts;
    private final List<Pending<M>> pending;
    private final Optional<M> syncedMessage;
    private final Condition wake;
    private long attempts;
    private boolean synced;
    private boolean closed;

    Cursor(
            Graph graph,
            List<? extends Parts.Part<?, M>> parts,
            List<Pending<M>> pending,
            Optional<M> syncedMessage,
            Condition wake) {
        this.graph = graph;
        this.parts = parts;
        this.pending = pending;
        this.syncedMessage = syncedMessage;
        this.wake = wake;
    }

    /**
     * Returns the messages for what has changed since the last batch; an empty batch if nothing has. An exception of a
     * function that makes a message leaves the difference to the next call.
     */
    public Batch<M> poll() {
        return graph.read(this::drain);
    }

    /**
     * Waits until there are messages, at most for this time; a step that does not change anything for this consumer does
     * not wake it. Returns an empty batch when it has elapsed.
     *
     * @throws InterruptedException when interrupted while it waits
     */
    public Batch<M> poll(Duration timeout) throws InterruptedException {
        return graph.await(wake, this::attempt, batch -> !batch.isEmpty(), timeout);
    }

    private Batch<M> attempt() {
        attempts++;
        return poll();
    }

    /** Returns how often threads that waited for messages have looked for them. */
    long attempts() {
        return graph.read(() -> attempts);
    }

    private Batch<M> drain() {
        if (closed) {
            throw new IllegalStateException("the cursor is closed: open another one");
        }
        Set<String> held = new HashSet<>();
        List<M> messages = new ArrayList<>();
        List<List<M>> removals = new ArrayList<>();
        List<Pending<M>> sent = new ArrayList<>();
        boolean open = true;
        for (int i = 0; i < parts.size(); i++) {
            Parts.Part<?, M> part = parts.get(i);
            boolean closedBarrier = !part.barriers().stream().allMatch(Barrier::open);
            open &= !closedBarrier;
            if (closedBarrier || part.after().stream().anyMatch(held::contains)) {
                held.add(part.name());
                continue;
            }
            List<M> removed = new ArrayList<>();
            pending.get(i).collect(messages, removed);
            removals.add(removed);
            sent.add(pending.get(i));
        }
        removals.reversed().forEach(messages::addAll);
        sent.forEach(Pending::sent);
        boolean firstSync = open && !synced;
        if (firstSync) {
            syncedMessage.ifPresent(messages::add);
        }
        synced |= open;
        return new Batch<>(messages, firstSync);
    }

    /** Returns true if this consumer has received the current state of all parts, also of those that are held. */
    public boolean isCurrent() {
        return graph.read(() -> pending.stream().allMatch(Pending::isEmpty));
    }

    /** Ends this consumer: the sink keeps nothing for it. */
    @Override
    public void close() {
        graph.locked(() -> {
            if (!closed) {
                closed = true;
                pending.forEach(Pending::close);
                graph.discard(wake);
            }
        });
    }
}
