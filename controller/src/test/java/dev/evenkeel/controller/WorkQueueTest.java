package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkQueueTest {
    private final VirtualTime time = new VirtualTime();
    private final WorkQueue<String> queue = new WorkQueue<>(
            time, time, new Backoff(Duration.ofMillis(1), Duration.ofSeconds(1000), 0, new SplittableRandom(1)));

    private static Duration ms(int millis) {
        return Duration.ofMillis(millis);
    }

    /** Takes and finishes all that waits. */
    private List<String> drain() throws InterruptedException {
        List<String> taken = new ArrayList<>();
        while (queue.size() > 0) {
            String key = queue.take().orElseThrow();
            taken.add(key);
            queue.done(key);
        }
        return taken;
    }

    @Test
    void aKeyWaitsOnceInTheOrderOfItsFirstAdd() throws InterruptedException {
        queue.add("foo");
        queue.add("bar");
        queue.add("foo");

        assertThat(queue.size()).isEqualTo(2);
        assertThat(drain()).containsExactly("foo", "bar");
    }

    @Test
    void anAddDuringProcessingCountsOnceAndWhenDone() throws InterruptedException {
        queue.add("foo");
        String key = queue.take().orElseThrow();
        queue.add("foo");
        queue.add("foo");
        assertThat(queue.size()).isZero();

        queue.done(key);

        assertThat(drain()).containsExactly("foo");
    }

    @Test
    void doneOfWhatWasNotHandedOutIsAMistake() {
        assertThatThrownBy(() -> queue.done("foo")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTakerWaitsForAnAdd() throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        Thread taker = Thread.ofVirtual().start(() -> {
            try {
                queue.take().ifPresent(key -> taken.incrementAndGet());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        queue.add("foo");
        taker.join();

        assertThat(taken).hasValue(1);
    }

    @Test
    void afterShutDownAddsAreIgnoredAndWhatWaitsIsHandedOut() throws InterruptedException {
        queue.add("foo");
        queue.addAfter("late", ms(10));
        queue.shutDown();
        queue.add("bar");
        queue.addAfter("later", ms(10));
        time.advance(ms(20));

        assertThat(queue.take()).contains("foo");
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void whatWasAddedAgainBeforeShutDownComesAgain() throws InterruptedException {
        queue.add("foo");
        String key = queue.take().orElseThrow();
        queue.add("foo");
        queue.shutDown();
        queue.done(key);

        assertThat(queue.take()).contains("foo");
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void delayedKeysComeWhenDue() throws InterruptedException {
        queue.addAfter("foo", ms(50));
        time.advance(ms(49));
        assertThat(queue.size()).isZero();
        time.advance(ms(1));

        assertThat(drain()).containsExactly("foo");
        time.advance(Duration.ofSeconds(100));
        assertThat(queue.size()).isZero();
    }

    @Test
    void delayedKeysComeInTheOrderOfTheirTimes() throws InterruptedException {
        queue.addAfter("first", ms(1000));
        queue.addAfter("second", ms(500));
        queue.addAfter("third", ms(250));
        time.advance(ms(2000));

        assertThat(drain()).containsExactly("third", "second", "first");
    }

    @Test
    void ofTwoDelaysTheShorterCounts() throws InterruptedException {
        queue.addAfter("a", ms(50));
        queue.addAfter("a", ms(70));
        queue.addAfter("b", ms(50));
        queue.addAfter("b", ms(30));

        time.advance(ms(30));
        assertThat(drain()).containsExactly("b");
        time.advance(ms(20));
        assertThat(drain()).containsExactly("a");
        time.advance(ms(100));
        assertThat(drain()).isEmpty();
    }

    @Test
    void noDelayIsAPlainAdd() {
        queue.addAfter("a", Duration.ZERO);
        queue.addAfter("b", ms(-1));

        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void failuresGrowTheDelayOfTheirKeyUntilForgotten() throws InterruptedException {
        for (int delay : new int[] {1, 2, 4, 8, 16}) {
            queue.addRateLimited("a");
            time.advance(ms(delay - 1));
            assertThat(queue.size()).isZero();
            time.advance(ms(1));
            assertThat(drain()).containsExactly("a");
        }
        assertThat(queue.failures("a")).isEqualTo(5);

        queue.addRateLimited("b");
        time.advance(ms(1));
        assertThat(drain()).containsExactly("b");

        queue.forget("a");
        assertThat(queue.failures("a")).isZero();
        queue.addRateLimited("a");
        time.advance(ms(1));
        assertThat(drain()).containsExactly("a");
    }

    @Test
    void noKeyIsWithTwoWorkersAndNoAddIsLost() throws InterruptedException {
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        Map<String, Integer> added = new ConcurrentHashMap<>();
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        AtomicInteger collisions = new AtomicInteger();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            workers.add(Thread.ofVirtual().start(() -> work(running, added, seen, collisions)));
        }
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int seed = i;
            producers.add(Thread.ofVirtual().start(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                for (int n = 0; n < 200; n++) {
                    String key = "key" + random.nextInt(20);
                    added.merge(key, 1, Integer::sum);
                    queue.add(key);
                }
            }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
        queue.shutDown();
        for (Thread worker : workers) {
            worker.join();
        }

        assertThat(collisions).hasValue(0);
        assertThat(seen).isEqualTo(added);
    }

    private void work(
            Map<String, AtomicInteger> running,
            Map<String, Integer> added,
            Map<String, Integer> seen,
            AtomicInteger collisions) {
        try {
            for (Optional<String> key = queue.take(); key.isPresent(); key = queue.take()) {
                AtomicInteger workers = running.computeIfAbsent(key.get(), k -> new AtomicInteger());
                if (workers.incrementAndGet() > 1) {
                    collisions.incrementAndGet();
                }
                seen.put(key.get(), added.get(key.get()));
                Thread.yield();
                workers.decrementAndGet();
                queue.done(key.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
