package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.internal.queue.Cause;
import dev.evenkeel.controller.internal.queue.Item;
import dev.evenkeel.controller.internal.queue.WorkQueue;
import io.kubernetes.client.extended.workqueue.DefaultDelayingQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A work queue under measurement. */
interface KeyQueue extends AutoCloseable {
    record Key(String namespace, String name) {}

    void add(Key key);

    void addAfter(Key key, Duration delay);

    /** Takes a key, passes it to a worker, and marks it done; returns false when the queue is closed. */
    boolean work(Consumer<Key> worker) throws InterruptedException;

    int length();

    /** Closes the queue, so that workers end when it is empty. */
    void shutDown();

    @Override
    default void close() {
        shutDown();
    }

    /** Returns our queue; with a cause, as controllers have one, and the given number of priorities. */
    static KeyQueue evenkeel(Scheduler scheduler, int priorities) {
        WorkQueue<Key> queue = WorkQueue.of(scheduler);
        Cause cause = new Cause("benchmark", "");
        return new KeyQueue() {
            private int adds;

            @Override
            public void add(Key key) {
                queue.add(key, priorities == 1 ? 0 : adds++ % priorities, cause);
            }

            @Override
            public void addAfter(Key key, Duration delay) {
                queue.addAfter(key, delay);
            }

            @Override
            public boolean work(Consumer<Key> worker) throws InterruptedException {
                Optional<Item<Key>> item = queue.take();
                if (item.isEmpty()) {
                    return false;
                }
                worker.accept(item.get().key());
                queue.done(item.get());
                return true;
            }

            @Override
            public int length() {
                return queue.size();
            }

            @Override
            public void shutDown() {
                queue.shutDown();
            }
        };
    }

    /** Returns the queue of the official client. */
    static KeyQueue official() {
        ExecutorService executor =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
        DefaultDelayingQueue<Key> queue = new DefaultDelayingQueue<>(executor);
        return new KeyQueue() {
            @Override
            public void add(Key key) {
                queue.add(key);
            }

            @Override
            public void addAfter(Key key, Duration delay) {
                queue.addAfter(key, delay);
            }

            @Override
            public boolean work(Consumer<Key> worker) throws InterruptedException {
                @Nullable Key key = queue.get();
                if (key == null) {
                    return false;
                }
                worker.accept(key);
                queue.done(key);
                return true;
            }

            @Override
            public int length() {
                return queue.length();
            }

            @Override
            public void shutDown() {
                queue.shutDown();
                executor.shutdownNow();
            }
        };
    }
}
