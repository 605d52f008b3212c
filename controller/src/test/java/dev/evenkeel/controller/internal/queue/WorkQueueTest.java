package dev.evenkeel.controller.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.RateLimiter;
import dev.evenkeel.simulation.VirtualScheduler;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of client-go's queue, edge case by edge case, on virtual time. */
@Timeout(300)
class WorkQueueTest {
    private final VirtualScheduler time = new VirtualScheduler(1);
    private final WorkQueue<String> queue = queue(RateLimiter.exponential(ms(1), Duration.ofSeconds(1000)));

    private WorkQueue<String> queue(RateLimiter limiter) {
        return new WorkQueue<>(time, QueueOptions.<String>defaults().withLimiter(limiter));
    }

    static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    static Duration s(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    /** Takes and finishes all that waits. */
    static <K> List<K> taken(WorkQueue<K> queue) {
        List<K> taken = new ArrayList<>();
        for (Optional<Item<K>> item = queue.poll(); item.isPresent(); item = queue.poll()) {
            taken.add(item.get().key());
            queue.done(item.get());
        }
        return taken;
    }

    private List<String> taken() {
        return taken(queue);
    }

    private static <K> Item<K> poll(WorkQueue<K> queue) {
        return queue.poll().orElseThrow();
    }

    @Test
    void aKeyWaitsOnceInTheOrderOfItsFirstAdd() {
        queue.add("foo");
        queue.add("bar");
        queue.add("foo");

        assertThat(queue.size()).isEqualTo(2);
        assertThat(taken()).containsExactly("foo", "bar");
    }

    @Test
    void anAddDuringProcessingGivesItAgainWhenDoneAndNotBefore() {
        queue.add("foo");
        Item<String> item = poll(queue);
        queue.add("foo");
        assertThat(queue.size()).isZero();
        assertThat(queue.poll()).isEmpty();

        queue.done(item);

        assertThat(taken()).containsExactly("foo");
    }

    @Test
    void addsBeforeItIsTakenAreOneRun() {
        queue.add("bar");
        queue.add("bar");

        assertThat(taken()).containsExactly("bar");
        assertThat(queue.statistics().added()).isEqualTo(1);
    }

    @Test
    void severalAddsDuringProcessingAreOneFurtherRun() {
        queue.add("foo");
        Item<String> item = poll(queue);
        queue.add("foo");
        queue.add("foo");
        queue.done(item);

        assertThat(taken()).containsExactly("foo");
    }

    @Test
    void addsAfterShutDownAreIgnored() throws InterruptedException {
        queue.add("foo");
        queue.addAfter("late", ms(10));
        queue.shutDown();
        queue.add("bar");
        queue.addAfter("later", ms(10));
        queue.addRateLimited("worse");
        time.advance(ms(20));

        assertThat(queue.take().orElseThrow().key()).isEqualTo("foo");
        assertThat(queue.take()).isEmpty();
        assertThat(time.timers()).isZero();
    }

    /** controller-runtime: close of a closed channel. */
    @Test
    void aSecondShutDownIsHarmlessAndWaitingKeysAreStillHandedOut() {
        queue.add("a");
        queue.add("b");
        Item<String> a = poll(queue);
        queue.shutDown();
        queue.shutDown();
        queue.done(a);

        assertThat(taken()).containsExactly("b");
        assertThat(queue.kept()).isZero();
    }

    @Test
    void doneOfAKeyWithoutAWorkerIsRefused() {
        queue.add("foo");
        Item<String> item = poll(queue);
        queue.done(item);

        assertThatThrownBy(() -> queue.done(item))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("foo");
    }

    @Test
    void aWorkerCannotEndTheRunOfAnother() {
        queue.add("foo");
        Item<String> mine = poll(queue);
        queue.add("foo");
        queue.done(mine);
        Item<String> another = poll(queue);

        assertThatThrownBy(() -> queue.done(mine)).isInstanceOf(IllegalStateException.class);
        assertThat(queue.inFlight()).isEqualTo(1);
        queue.done(another);
    }

    @Test
    void delayedKeysComeWhenDueAndOnce() {
        queue.addAfter("foo", ms(50));
        time.advance(ms(49));
        assertThat(queue.size()).isZero();
        time.advance(ms(11));
        assertThat(queue.size()).isEqualTo(1);
        assertThat(taken()).containsExactly("foo");

        for (int i = 0; i < 10; i++) {
            time.advance(s(10));
            assertThat(queue.size()).isZero();
        }
    }

    @Test
    void ofTwoDelaysTheShorterCounts() {
        queue.addAfter("a", ms(50));
        queue.addAfter("a", ms(70));
        queue.addAfter("b", ms(50));
        queue.addAfter("b", ms(30));

        time.advance(ms(30));
        assertThat(taken()).containsExactly("b");
        time.advance(ms(20));
        assertThat(taken()).containsExactly("a");
        time.advance(ms(100));
        assertThat(taken()).isEmpty();
    }

    @Test
    void anEarlierDelayThatComesLaterIsServedInTime() {
        queue.addAfter("first", s(1));
        queue.addAfter("second", ms(50));

        time.advance(ms(60));
        assertThat(taken()).containsExactly("second");
        time.advance(s(1));
        assertThat(taken()).containsExactly("first");
    }

    @Test
    void delayedKeysComeInTheOrderOfTheirTimesEvenWhenTheTimerIsLate() {
        queue.addAfter("first", s(1));
        queue.addAfter("second", ms(500));
        queue.addAfter("third", ms(250));
        time.skip(s(2));

        assertThat(taken()).containsExactly("third", "second", "first");
    }

    @Test
    void dueKeysComeBeforeKeysAddedLaterEvenWhenTheTimerIsLate() {
        queue.addAfter("due", ms(10));
        time.skip(ms(20));
        queue.add("later");

        assertThat(taken()).containsExactly("due", "later");
    }

    @Test
    void noDelayIsAPlainAdd() {
        queue.addAfter("a", Duration.ZERO);
        queue.addAfter("b", ms(-1));
        queue.addAfter("c", Duration.ofSeconds(Long.MIN_VALUE));

        assertThat(taken()).containsExactly("a", "b", "c");
    }

    @Test
    void aDelayWithoutEndDoesNotOverflow() {
        queue.addAfter("never", Duration.ofSeconds(Long.MAX_VALUE));
        time.advance(Duration.ofDays(10_000));

        assertThat(queue.size()).isZero();
        assertThat(queue.delayed()).isEqualTo(1);
    }

    @Test
    void aDelayedKeyThatIsAddedDirectlyComesTwice() {
        queue.addAfter("a", ms(10));
        queue.add("a");
        assertThat(taken()).containsExactly("a");
        time.advance(ms(10));
        assertThat(taken()).containsExactly("a");
    }

    @Test
    void thereIsOneTimerHoweverManyDelays() {
        for (int i = 0; i < 1000; i++) {
            queue.addAfter("a" + i, ms(10_000 - i));
            assertThat(time.timers()).isEqualTo(1);
        }
        time.advance(s(20));

        assertThat(queue.size()).isEqualTo(1000);
        assertThat(time.timers()).isZero();
    }

    @Test
    void failuresGrowTheDelayOfTheirKeyUntilForgotten() {
        for (int delay : new int[] {1, 2, 4, 8, 16}) {
            assertThat(queue.addRateLimited("a")).isEqualTo(ms(delay));
            time.advance(ms(delay - 1));
            assertThat(queue.size()).isZero();
            time.advance(ms(1));
            assertThat(taken()).containsExactly("a");
        }
        assertThat(queue.failures("a")).isEqualTo(5);

        assertThat(queue.addRateLimited("b")).isEqualTo(ms(1));

        queue.forget("a");
        assertThat(queue.failures("a")).isZero();
        assertThat(queue.addRateLimited("a")).isEqualTo(ms(1));
    }

    @Test
    void forgetIsNotDone() {
        queue.add("a");
        Item<String> item = poll(queue);
        assertThat(queue.addRateLimited("a")).isEqualTo(ms(1));
        assertThat(queue.addRateLimited("a")).isEqualTo(ms(2));
        assertThat(queue.failures("a")).isEqualTo(2);
        queue.forget("a");
        assertThat(queue.failures("a")).isZero();

        time.advance(ms(5));
        assertThat(queue.poll()).as("still with its worker").isEmpty();
        queue.done(item);
        assertThat(taken()).containsExactly("a");
    }

    @Test
    void keysDoNotShareTheirDelays() {
        WorkQueue<String> slow = queue(RateLimiter.exponential(ms(5), s(1000)));
        for (int i = 0; i < 7; i++) {
            slow.addRateLimited("bar");
        }

        assertThat(slow.addRateLimited("foo")).isEqualTo(ms(5));
        assertThat(slow.addRateLimited("bar")).isEqualTo(ms(640));
    }

    @Test
    void aFailureIsCountedOnceHoweverManyOthersAddTheKey() {
        queue.addRateLimited("a");
        queue.addRateLimited("a");
        queue.addRateLimited("a");
        for (int i = 0; i < 100; i++) {
            queue.add("a");
            Item<String> item = poll(queue);
            assertThat(item.failures()).isEqualTo(3);
            queue.done(item);
        }

        assertThat(queue.addRateLimited("a")).isEqualTo(ms(8));
    }

    @Test
    void aKeyInBackoffThatIsAddedComesAtOnceAndThatWasItsNextTry() {
        for (int i = 0; i < 5; i++) {
            queue.addRateLimited("a");
        }
        time.advance(ms(1));
        assertThat(taken()).containsExactly("a");
        queue.addRateLimited("a", Priority.NORMAL, new Cause("retry", "a"));
        queue.add("a", Priority.NORMAL, new Cause("watch", "a"));
        Item<String> item = poll(queue);

        assertThat(item.failures()).isEqualTo(6);
        assertThat(item.causes().list()).containsExactly(new Cause("watch", "a"), new Cause("retry", "a"));
        queue.done(item);
        assertThat(queue.delayed()).isZero();
        time.advance(s(10));
        assertThat(queue.size()).isZero();
    }

    @Test
    void aPoppedKeyIsCollectable() {
        WorkQueue<Object> objects = WorkQueue.of(time);
        WeakReference<Object> popped = addAndTake(objects);
        objects.add("still here");
        while (popped.get() != null) {
            System.gc();
        }

        assertThat(objects.size()).isEqualTo(1);
    }

    private static WeakReference<Object> addAndTake(WorkQueue<Object> objects) {
        Object key = new Object();
        objects.add(key);
        objects.addAfter(key, ms(0));
        objects.done(poll(objects));
        return new WeakReference<>(key);
    }

    @Test
    void afterAMillionKeysNothingIsKept() {
        for (int i = 0; i < 1_000_000; i++) {
            String key = "key" + i;
            switch (i % 4) {
                case 0 -> queue.add(key);
                case 1 -> queue.addAfter(key, ms(i % 1000));
                case 2 -> queue.addRateLimited(key);
                default -> queue.add(key, i % 100, new Cause("test", key));
            }
        }
        time.advance(s(2));
        for (Optional<Item<String>> item = queue.poll(); item.isPresent(); item = queue.poll()) {
            queue.forget(item.get().key());
            queue.done(item.get());
        }

        assertThat(queue.kept()).isZero();
        assertThat(queue.room()).isLessThan(100);
    }

    @Test
    void metricsWithVirtualTime() {
        List<Long> waited = new ArrayList<>();
        List<Long> worked = new ArrayList<>();
        WorkQueue<String> measured = new WorkQueue<>(
                time, QueueOptions.<String>defaults().withMetrics(new QueueMetrics(waited::add, worked::add)));
        measured.add("foo");
        assertThat(measured.statistics().depth()).isEqualTo(1);
        assertThat(measured.statistics().added()).isEqualTo(1);
        time.advance(Duration.ofNanos(50_000));

        Item<String> item = poll(measured);
        assertThat(measured.statistics().depth()).isZero();
        assertThat(waited).containsExactly(50_000L);
        assertThat(item.waited()).isEqualTo(Duration.ofNanos(50_000));

        time.advance(ms(10));
        measured.add("bar");
        Item<String> other = poll(measured);
        time.advance(ms(5));
        measured.add("foo");
        QueueStatistics statistics = measured.statistics();
        assertThat(statistics.depth()).isZero();
        assertThat(statistics.added()).isEqualTo(3);
        assertThat(statistics.inFlight()).isEqualTo(2);
        assertThat(statistics.unfinished()).isEqualTo(ms(20));
        assertThat(statistics.longestRunning()).isEqualTo(ms(15));

        measured.done(item);
        assertThat(measured.statistics().depth()).isEqualTo(1);
        assertThat(measured.statistics().unfinished()).isEqualTo(ms(5));
        assertThat(measured.statistics().longestRunning()).isEqualTo(ms(5));
        measured.done(other);
        assertThat(worked).containsExactly(15_000_000L, 5_000_000L);
        measured.addAfter("x", ms(1));
        measured.addRateLimited("y");
        assertThat(measured.statistics().retried()).isEqualTo(2);
        assertThat(measured.statistics().delayed()).isEqualTo(2);
    }

    @Test
    void theStateOfAKeyTellsWhyItWaits() {
        assertThat(queue.state("a")).isEmpty();
        Cause seen = new Cause("watch", "a");
        Cause again = new Cause("owned", "b");
        queue.add("a", 3, seen);
        time.advance(ms(2));
        assertThat(queue.state("a"))
                .contains(new KeyState(
                        Optional.of(ms(2)), Optional.empty(), Optional.empty(), 3, 0, Causes.NONE.with(seen, 8)));
        Item<String> item = poll(queue);
        queue.addRateLimited("a", 5, new Cause("retry", "a"));
        time.advance(Duration.ofNanos(250_000));
        assertThat(queue.state("a"))
                .contains(new KeyState(
                        Optional.empty(),
                        Optional.of(Duration.ofNanos(250_000)),
                        Optional.of(Duration.ofNanos(750_000)),
                        3,
                        1,
                        Causes.NONE.with(seen, 8)));
        queue.add("a", 4, again);
        assertThat(queue.state("a").orElseThrow().waiting()).contains(Duration.ZERO);
        assertThat(queue.state("a").orElseThrow().causes().list()).containsExactly(again);
        queue.done(item);
        queue.done(poll(queue));
        queue.forget("a");
        assertThat(queue.state("a")).isEmpty();
    }

    @Test
    void theListenerHearsOfEachOperationThatMadeKeysAvailable() {
        AtomicInteger calls = new AtomicInteger();
        queue.add("early");
        queue.onReady(() -> {
            queue.size(); // no lock is held that would keep others out
            calls.incrementAndGet();
        });
        assertThat(calls).hasValue(1);
        queue.add("a");
        assertThat(calls).hasValue(2);
        queue.add("a");
        assertThat(calls).hasValue(2);
        queue.addAfter("b", ms(1));
        queue.addAfter("c", ms(1));
        assertThat(calls).hasValue(2);
        time.advance(ms(1));
        assertThat(calls).hasValue(3);
        Item<String> item = poll(queue);
        queue.add("early");
        assertThat(calls).hasValue(3);
        queue.done(item);
        assertThat(calls).hasValue(4);
    }

    @Test
    void theListenerHearsOfWhatAPollFoundDueBeforeTheTimer() {
        AtomicInteger calls = new AtomicInteger();
        queue.onReady(calls::incrementAndGet);
        queue.addAfter("a", ms(1));
        queue.addAfter("b", ms(1));
        time.skip(ms(5));

        assertThat(queue.poll()).isPresent();
        assertThat(calls).as("b waits for somebody").hasValue(1);
        time.run();
        assertThat(calls).hasValue(1);
    }

    @Test
    void discardedKeysDoNotCome() {
        queue.add("waits");
        queue.addAfter("delayed", ms(10));
        queue.add("works");
        queue.add("stays");
        assertThat(queue.discard("waits")).isTrue();
        assertThat(queue.discard("waits")).isFalse();
        queue.add("waits");
        Item<String> item = poll(queue);
        assertThat(item.key()).isEqualTo("works");
        queue.add("works");

        assertThat(queue.discardIf(key -> !key.equals("stays"))).isEqualTo(3);

        queue.done(item);
        time.advance(s(1));
        assertThat(taken()).containsExactly("stays");
        assertThat(queue.kept()).isZero();
    }

    @Test
    void causesAreMergedWhileAKeyWaitsAndWhileItIsProcessed() {
        Cause a = new Cause("watch", "a");
        Cause b = new Cause("owned", "b");
        Cause c = new Cause("timer", "c");
        queue.add("k", 0, a);
        queue.add("k", 0, b);
        queue.add("k", 0, new Cause("watch", "a"));
        Item<String> item = poll(queue);
        assertThat(item.causes().list()).containsExactly(a, b);

        queue.add("k", 0, c);
        queue.addAfter("k", ms(1), 0, a);
        queue.done(item);
        time.advance(ms(1));
        Item<String> next = poll(queue);
        assertThat(next.causes().list()).containsExactly(c, a);
        queue.done(next);

        queue.add("k");
        assertThat(poll(queue).causes()).isEqualTo(Causes.NONE);
    }

    @Test
    void causesThatRepeatCostNothingAndTooManyAreCounted() {
        Causes causes = Causes.NONE;
        for (int i = 0; i < 10; i++) {
            causes = causes.with(new Cause("watch", i), 8);
        }
        assertThat(causes.list()).hasSize(8);
        assertThat(causes.dropped()).isEqualTo(2);
        assertThat(causes.with(new Cause("watch", 3), 8)).isSameAs(causes);
        assertThat(causes)
                .hasToString("[watch 0, watch 1, watch 2, watch 3, watch 4, watch 5, watch 6, watch 7] and 2 more");
        assertThat(Causes.NONE.with(new Cause("watch", 3), 0)).isSameAs(Causes.NONE);
    }

    @Test
    void aParkedTakerIsWokenByAnAddAndByShutDown() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();
        Thread taker = Thread.ofVirtual().start(() -> {
            try {
                for (Optional<Item<String>> item = queue.take(); item.isPresent(); item = queue.take()) {
                    seen.add(item.get().key());
                    queue.done(item.get());
                    first.countDown();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        queue.add("foo");
        first.await();
        queue.shutDown();
        taker.join();

        assertThat(seen).containsExactly("foo");
    }

    @Test
    void requeueAfterASuccessKeepsItsPriorityAndForgetsFailures() {
        queue.addRateLimited("a", 7, new Cause("retry", "a"));
        time.advance(ms(1));
        Item<String> item = poll(queue);
        assertThat(item.priority()).isEqualTo(7);
        queue.forget(item.key());
        queue.addAfter(item.key(), ms(50), item.priority(), new Cause("again", "a"));
        queue.done(item);
        time.advance(ms(50));

        Item<String> next = poll(queue);
        assertThat(next.priority()).isEqualTo(7);
        assertThat(next.failures()).isZero();
    }

    @Test
    void itsTextHasTheNumbersOfKeys() {
        queue.add("a", 5, new Cause("x", ""));
        queue.add("b", 5, new Cause("x", ""));
        queue.add("c");

        assertThat(queue).hasToString("work queue : 3 waiting, 0 in flight, 0 delayed");
    }

    /** Otherwise a key stays with a worker, and failed keys are not tried again. */
    @Test
    void aThrowingComparatorLimiterOrMeterCostsNoKeyItsTurn() {
        LongConsumer failing = nanos -> {
            throw new AssertionError("metrics");
        };
        QueueMetrics metrics = new QueueMetrics(failing, failing);
        RateLimiter limiter = () -> new RateLimiter.Delays() {
            @Override
            public long nanos(Object key, int failures, long now, RandomGenerator random) {
                throw new AssertionError("limiter");
            }

            @Override
            public void forget(Object key) {
                throw new AssertionError("limiter");
            }
        };
        WorkQueue<String> unsteady = new WorkQueue<>(
                time,
                QueueOptions.<String>defaults()
                        .withMetrics(metrics)
                        .withLimiter(limiter)
                        .withFlow(key -> {
                            throw new AssertionError("flow");
                        }));
        unsteady.add("a");
        Item<String> item = poll(unsteady);
        assertThat(unsteady.addRateLimited("a")).isBetween(ms(5), ms(6));
        unsteady.done(item);
        time.advance(ms(6));
        Item<String> second = poll(unsteady);
        assertThat(second.failures()).isEqualTo(1);

        unsteady.forget("a");
        unsteady.done(second);

        assertThat(unsteady.kept()).isZero();
    }
}
