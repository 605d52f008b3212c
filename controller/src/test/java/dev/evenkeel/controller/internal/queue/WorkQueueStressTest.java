package dev.evenkeel.controller.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.schedule.SystemScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads in real time: no key with two workers, no add lost, and all come to an end. */
@Timeout(300)
class WorkQueueStressTest {
    private static final int KEYS = 20;
    private static final int PRODUCERS = 50;
    private static final int ADDS = 400;

    private final AtomicIntegerArray added = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray seen = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray running = new AtomicIntegerArray(KEYS);
    private final AtomicInteger collisions = new AtomicInteger();
    private volatile boolean failing = true;

    @Test
    void takersAndProducers() throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler()) {
            WorkQueue<Integer> queue = WorkQueue.of(scheduler);
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                workers.add(Thread.ofVirtual().start(() -> {
                    try {
                        for (Optional<Item<Integer>> item = queue.take(); item.isPresent(); item = queue.take()) {
                            work(queue, item.get());
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
            produce(queue);
            finish(queue);
            for (Thread worker : workers) {
                worker.join();
            }
            check(queue);
        }
    }

    /** As a controller does it: workers are started on demand, and go when there is nothing. */
    @Test
    void workersOnDemand() throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler()) {
            WorkQueue<Integer> queue =
                    new WorkQueue<>(scheduler, QueueOptions.<Integer>defaults().withFlow(key -> key % 3));
            AtomicInteger workers = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            queue.onReady(() -> {
                if (workers.incrementAndGet() > 8) {
                    workers.decrementAndGet();
                    return;
                }
                most.accumulateAndGet(workers.get(), Math::max);
                Thread.ofVirtual().start(() -> {
                    do {
                        for (Optional<Item<Integer>> item = queue.poll(); item.isPresent(); item = queue.poll()) {
                            work(queue, item.get());
                        }
                        workers.decrementAndGet();
                        // what came between the last poll and now found all places taken
                    } while (queue.size() > 0 && workers.incrementAndGet() <= 8);
                });
            });
            produce(queue);
            finish(queue);
            check(queue);
        }
    }

    private void work(WorkQueue<Integer> queue, Item<Integer> item) {
        int key = item.key();
        if (running.incrementAndGet(key) > 1) {
            collisions.incrementAndGet();
        }
        seen.set(key, added.get(key));
        Thread.yield();
        running.decrementAndGet(key);
        if (failing && added.get(key) % 7 == 0) {
            queue.addRateLimited(key);
        } else {
            queue.forget(key);
        }
        queue.done(item);
    }

    private void produce(WorkQueue<Integer> queue) throws InterruptedException {
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int seed = i;
            producers.add(Thread.ofVirtual().start(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                for (int n = 0; n < ADDS; n++) {
                    int key = random.nextInt(KEYS);
                    added.incrementAndGet(key);
                    if (random.nextInt(10) == 0) {
                        queue.addAfter(key, Duration.ofNanos(random.nextInt(2_000_000)));
                    } else {
                        queue.add(key, random.nextInt(3), new Cause("test", seed));
                    }
                    if (n % 16 == 0) {
                        Thread.yield();
                    }
                }
            }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
    }

    private void finish(WorkQueue<Integer> queue) {
        failing = false;
        QueueStatistics now = queue.statistics();
        while (now.depth() + now.inFlight() + now.delayed() > 0) {
            Thread.yield();
            now = queue.statistics();
        }
        queue.shutDown();
    }

    private void check(WorkQueue<Integer> queue) {
        assertThat(collisions).hasValue(0);
        for (int key = 0; key < KEYS; key++) {
            assertThat(seen.get(key)).as("what the last run of %s saw", key).isEqualTo(added.get(key));
        }
        assertThat(queue.size()).isZero();
        assertThat(queue.inFlight()).isZero();
        assertThat(queue.delayed()).isZero();
    }
}
