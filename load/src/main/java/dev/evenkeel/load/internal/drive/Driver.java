package dev.evenkeel.load.internal.drive;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.load.LoadException;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.WorldState;
import dev.evenkeel.load.result.Latencies;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Makes operations when they are due.
 *
 * <p>A driver that waits for an answer before the next operation measures a slow server as a few slow answers: what it did not
 * send meanwhile is missing. Here an operation is due by the rate alone, and its latency counts from then.
 *
 * <ol>
 *   <li>Operations on one object are made in order, one at a time: each object has its lane, and a lane has one thread.
 *   <li>Before a barrier everything is finished, and what follows waits for it.
 *   <li>Patterns and the state of the world are used by the calling thread alone, so the operations do not depend on answers.
 *   <li>A full lane makes the caller wait, so memory is bounded; what is late then counts as late.
 * </ol>
 *
 * <p>A thread takes one phase at a time. With no lanes, everything is done by the calling thread, as virtual time needs it.
 */
public final class Driver implements AutoCloseable {
    private static final int QUEUED = 64;

    private static final long LONGEST_DELETION = 300_000_000_000L;
    private static final long DELETION_STEP = 10_000_000L;

    private final Client client;
    private final Disruption disruption;
    private final Effects effects;
    private final Pace pace;
    private final BlockingQueue<Task>[] lanes;
    private final Thread[] threads;

    private record Task(Operation operation, long due, Figures figures) {}

    /** The counts while operations are made. */
    static final class Figures {
        final Recorder acknowledged = new Recorder();
        final LongAdder operations = new LongAdder();
        final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
        final Phaser open = new Phaser(1);
        volatile long last;
    }

    /**
     * The result of a phase.
     *
     * @param duration the time from the first operation to the last acknowledgement
     * @param operations the number of acknowledged operations
     * @param refusals the number of operations that were refused, by reason
     * @param acknowledged the latencies from when operations were due to their acknowledgement
     * @param namespaces the number of operations in each namespace
     */
    public record Outcome(
            Duration duration,
            long operations,
            Map<String, Long> refusals,
            Latencies acknowledged,
            Map<String, Long> namespaces) {}

    /** Creates a driver with lanes, which have a thread each. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public Driver(Client client, Disruption disruption, Effects effects, Pace pace, int lanes) {
        this.client = client;
        this.disruption = disruption;
        this.effects = effects;
        this.pace = pace;
        this.lanes = new BlockingQueue[lanes];
        this.threads = new Thread[lanes];
        for (int i = 0; i < lanes; i++) {
            BlockingQueue<Task> lane = new ArrayBlockingQueue<>(QUEUED);
            this.lanes[i] = lane;
            threads[i] = Thread.ofVirtual().name("load-" + i).start(() -> work(lane));
        }
    }

    private void work(BlockingQueue<Task> lane) {
        try {
            while (true) {
                Task task = lane.take();
                try {
                    make(task);
                } finally {
                    task.figures().open.arriveAndDeregister();
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /**
     * Makes all operations, or those that are due within a time.
     *
     * @param operations the operations; each is applied to the state before the next one is taken
     * @param limit the time after which no operation is begun
     * @param progress receives the number of operations that were begun
     * @throws InterruptedException when interrupted while it waits
     */
    public Outcome run(
            Iterator<Operation> operations, WorldState state, Rate rate, Duration limit, LongConsumer progress)
            throws InterruptedException {
        Figures figures = new Figures();
        Map<String, Long> namespaces = new TreeMap<>();
        long start = pace.nanos();
        figures.last = start;
        for (long i = 0; operations.hasNext(); i++) {
            OptionalLong offset = rate.due(i);
            long due = start + offset.orElse(0);
            if (offset.isPresent()) {
                if (offset.getAsLong() > limit.toNanos()) {
                    break;
                }
                pace.until(due);
            }
            if (pace.nanos() - start > limit.toNanos()) {
                break;
            }
            Operation operation = operations.next();
            state.apply(operation);
            if (offset.isEmpty()) {
                due = pace.nanos();
            }
            if (!operation.barrier()) {
                namespaces.merge(key(operation).namespace(), 1L, Long::sum);
            }
            make(operation, due, figures);
            progress.accept(i + 1);
        }
        finish(figures);
        Map<String, Long> refusals = new TreeMap<>();
        figures.refusals.forEach((reason, number) -> refusals.put(reason, number.sum()));
        return new Outcome(
                Duration.ofNanos(figures.last - start),
                figures.operations.sum(),
                refusals,
                figures.acknowledged.latencies(),
                namespaces);
    }

    /** Makes one operation now. */
    public void make(Operation operation) throws InterruptedException {
        make(new Task(operation, pace.nanos(), new Figures()));
    }

    private void make(Operation operation, long due, Figures figures) throws InterruptedException {
        Task task = new Task(operation, due, figures);
        if (lanes.length == 0) {
            make(task);
        } else if (operation.barrier()) {
            finish(figures);
            make(task);
        } else {
            figures.open.register();
            lanes[Math.floorMod(key(operation).hashCode(), lanes.length)].put(task);
        }
    }

    private static void finish(Figures figures) throws InterruptedException {
        figures.open.awaitAdvanceInterruptibly(figures.open.arrive());
    }

    private static ObjectKey key(Operation operation) {
        return switch (operation) {
            case Operation.Create(var object) -> object.key();
            case Operation.Edit edit -> edit.key();
            case Operation.Delete(var kind, var key) -> key;
            default -> throw new IllegalStateException("not of one object: " + operation);
        };
    }

    private void make(Task task) throws InterruptedException {
        Figures figures = task.figures();
        try {
            send(task.operation());
            figures.operations.increment();
        } catch (ApiException | ConnectionException | LoadException e) {
            figures.refusals
                    .computeIfAbsent(reason(e), unused -> new LongAdder())
                    .increment();
        }
        long now = pace.nanos();
        figures.last = Math.max(figures.last, now);
        figures.acknowledged.record(now - task.due());
    }

    private static String reason(RuntimeException e) {
        return e instanceof ApiException refused
                ? refused.status().code() + " " + refused.status().reason()
                : String.valueOf(e.getMessage());
    }

    private void send(Operation operation) throws InterruptedException {
        switch (operation) {
            case Operation.Create(var object) -> {
                effects.expect(operation);
                Encoded created = client.create(object.kind(), object.content(), WriteOptions.DEFAULT);
                effects.acknowledged(operation, created, pace.nanos());
            }
            case Operation.Edit edit -> {
                effects.expect(operation);
                Patch patch = Json.patch(edit.patch());
                Encoded changed = edit.status()
                        ? client.patchStatus(edit.kind(), edit.key(), patch, WriteOptions.DEFAULT)
                        : client.patch(edit.kind(), edit.key(), patch, WriteOptions.DEFAULT);
                effects.acknowledged(operation, changed, pace.nanos());
            }
            case Operation.Delete(var kind, var key) -> {
                effects.expect(operation);
                try {
                    client.delete(kind, key, DeleteOptions.DEFAULT);
                } catch (NotFoundException e) {
                    // something else was faster, such as the deletion of its owner
                }
            }
            case Operation.AwaitDeleted await -> awaitDeleted(await);
            case Operation.CutWatches cut -> disruption.cutWatches();
            case Operation.Outage(Duration duration) -> disruption.outage(duration);
        }
    }

    private void awaitDeleted(Operation.AwaitDeleted await) throws InterruptedException {
        long deadline = pace.nanos() + LONGEST_DELETION;
        while (client.find(await.kind(), await.key()).isPresent()) {
            if (pace.nanos() > deadline) {
                throw ApiException.of(Status.of(504, "Timeout", await.key() + " is not deleted in time"));
            }
            pace.until(pace.nanos() + DELETION_STEP);
        }
    }

    @Override
    public void close() {
        for (Thread thread : threads) {
            thread.interrupt();
        }
    }
}
