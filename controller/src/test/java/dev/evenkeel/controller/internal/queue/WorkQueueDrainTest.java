package dev.evenkeel.controller.internal.queue;

import static dev.evenkeel.controller.internal.queue.WorkQueueTest.ms;
import static dev.evenkeel.controller.internal.queue.WorkQueueTest.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.simulation.VirtualScheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a queue ends: what client-go's drain and controller-runtime's priority queue do wrong, each as a test, and the rest. */
@Timeout(60)
class WorkQueueDrainTest {
    private static final Drained<String> COMPLETE = new Drained<>(List.of(), 0, 0);

    private final VirtualScheduler time = new VirtualScheduler(1);
    private final WorkQueue<String> queue = WorkQueue.of(time);

    private Item<String> poll() {
        return queue.poll().orElseThrow();
    }

    /** client-go: with 2 queued and none in flight it returns at once. controller-runtime: they are dropped. */
    @Test
    void aDrainWaitsForWhatIsQueued() {
        queue.add("a");
        queue.add("b");
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        Item<String> a = poll();
        queue.done(a);
        Item<String> b = poll();
        assertThat(drain).isNotDone();

        queue.done(b);
        assertThat(drain).isCompletedWithValue(COMPLETE);
    }

    /** client-go: it returns when the first run is done, and the second is still queued. */
    @Test
    void aDrainWaitsForWhatWasAddedAgainWhileInFlight() throws InterruptedException {
        queue.add("a");
        Item<String> a = poll();
        queue.add("a");
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        queue.done(a);
        assertThat(drain).isNotDone();

        Item<String> again = queue.take().orElseThrow();
        assertThat(queue.take()).isEmpty();
        assertThat(drain).isNotDone();
        queue.done(again);
        assertThat(drain).isCompletedWithValue(COMPLETE);
    }

    /** client-go: one of two drainers is never woken. */
    @Test
    void allDrainersAreTold() {
        queue.add("a");
        Item<String> a = poll();
        CompletableFuture<Drained<String>> first = queue.drain(Drain.FLUSH);
        CompletableFuture<Drained<String>> second = queue.drain(Drain.RETURN);
        CompletableFuture<Drained<String>> third = queue.drain(Drain.FLUSH);
        queue.done(a);

        assertThat(List.of(first, second, third))
                .allSatisfy(drain -> assertThat(drain).isCompletedWithValue(COMPLETE));
        assertThat(queue.drain(Drain.FLUSH)).isCompletedWithValue(COMPLETE);
    }

    /** client-go: what is delayed is dropped, and nobody is told. */
    @Test
    void aDrainGivesBackWhatIsDelayed() {
        Cause cause = new Cause("test", "");
        queue.addAfter("late", ms(20), 7, cause);
        queue.addAfter("soon", ms(10));
        time.advance(ms(5));

        assertThat(queue.drain(Drain.RETURN).join().returned())
                .containsExactly(
                        new Delayed<>("soon", ms(5), 0, Causes.NONE),
                        new Delayed<>("late", ms(15), 7, Causes.NONE.with(cause, 8)));
        assertThat(queue.drain(Drain.RETURN).join().returned()).isEmpty();
        time.advance(ms(100));
        assertThat(queue.size()).isZero();
        assertThat(queue.kept()).isZero();
    }

    @Test
    void aDrainHandsOutWhatIsDelayedNow() {
        queue.addAfter("late", ms(20));
        queue.addAfter("soon", ms(10));
        AtomicInteger ready = new AtomicInteger();
        queue.onReady(ready::incrementAndGet);
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);

        assertThat(ready).hasValue(1);
        assertThat(drain).isNotDone();
        assertThat(taken(queue)).containsExactly("soon", "late");
        assertThat(drain).isCompletedWithValue(COMPLETE);
        assertThat(time.timers()).isZero();
    }

    /** controller-runtime: close of a closed channel. */
    @Test
    void aSecondShutDownIsHarmless() {
        queue.shutDown();
        queue.shutDown();
        assertThat(queue.drain(Drain.RETURN)).isCompletedWithValue(COMPLETE);
        queue.shutDown();

        assertThat(queue.isShutDown()).isTrue();
    }

    @Test
    void aDrainWithTwoInFlightEndsWithTheSecond() {
        queue.add("a");
        queue.add("b");
        Item<String> a = poll();
        Item<String> b = poll();
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        queue.done(b);
        assertThat(drain).isNotDone();
        queue.done(a);
        assertThat(drain).isCompletedWithValue(COMPLETE);
    }

    @Test
    void shutDownDoesNotWaitForThoseInFlightAndReleasesDrainers() {
        queue.add("a");
        queue.add("b");
        Item<String> a = poll();
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        queue.shutDown();

        assertThat(drain.join()).isEqualTo(new Drained<>(List.of(), 1, 1));
        assertThat(drain.join().complete()).isFalse();
        queue.done(a);
        assertThat(taken(queue)).containsExactly("b");
    }

    @Test
    void addsDuringADrainAreIgnored() {
        queue.add("a");
        Item<String> a = poll();
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        queue.add("a");
        queue.addRateLimited("a");
        queue.addAfter("a", ms(1));
        queue.done(a);

        assertThat(drain).isCompletedWithValue(COMPLETE);
        assertThat(queue.kept()).isZero();
    }

    @Test
    void aDiscardMayEndADrain() {
        queue.add("a");
        CompletableFuture<Drained<String>> drain = queue.drain(Drain.FLUSH);
        assertThat(queue.discard("a")).isTrue();
        assertThat(queue.discard("a")).isFalse();

        assertThat(drain).isCompletedWithValue(COMPLETE);
    }

    /** controller-runtime #3538: a parked Get that nobody lets go. */
    @Test
    void parkedTakersAreLetGo() throws InterruptedException {
        for (boolean drain : new boolean[] {false, true}) {
            WorkQueue<String> parked = WorkQueue.of(time);
            List<Thread> takers = List.of(parkedTaker(parked), parkedTaker(parked), parkedTaker(parked));
            if (drain) {
                assertThat(parked.drain(Drain.FLUSH)).isCompletedWithValue(COMPLETE);
            } else {
                parked.shutDown();
            }
            for (Thread taker : takers) {
                taker.join();
            }
        }
    }

    private static Thread parkedTaker(WorkQueue<String> queue) {
        return Thread.ofVirtual().start(() -> {
            try {
                assertThat(queue.take()).isEmpty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
