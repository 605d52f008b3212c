package dev.evenkeel.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.schedule.SystemScheduler;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that come and go, in real threads. */
@Timeout(300)
class WorkersTest {
    /** The race that loses wake-ups: work comes just when the last worker found none. */
    @Test
    void noWorkIsLeftWhenAllWorkersHaveEnded() throws InterruptedException {
        int rounds = 20_000;
        ConcurrentLinkedQueue<CountDownLatch> work = new ConcurrentLinkedQueue<>();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (SystemScheduler scheduler = new SystemScheduler()) {
            Workers workers = new Workers(
                    "test",
                    3,
                    scheduler,
                    worker -> {
                        CountDownLatch next = work.poll();
                        if (next == null) {
                            return false;
                        }
                        most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        atOnce.decrementAndGet();
                        next.countDown();
                        return true;
                    },
                    () -> !work.isEmpty());
            workers.open();
            for (int i = 0; i < rounds; i++) {
                CountDownLatch done = new CountDownLatch(1);
                work.add(done);
                workers.call();
                if (i % 3 == 0) {
                    // the next comes when the worker has just run out of work
                    done.await();
                }
            }
            CountDownLatch last = new CountDownLatch(1);
            work.add(last);
            workers.call();
            last.await();
            workers.close().join();

            assertThat(work).isEmpty();
            assertThat(most.get()).isLessThanOrEqualTo(3);
            assertThat(workers.active()).isZero();
        }
    }

    @Test
    void afterCloseNoWorkerTakesAKey() {
        AtomicInteger taken = new AtomicInteger();
        try (SystemScheduler scheduler = new SystemScheduler()) {
            Workers workers = new Workers("test", 2, scheduler, worker -> taken.incrementAndGet() > 0, () -> true);
            workers.call();
            assertThat(workers.active()).isZero();
            workers.open();
            while (taken.get() < 100) {
                Thread.onSpinWait();
            }
            workers.close().join();
            int after = taken.get();
            workers.call();

            assertThat(workers.active()).isZero();
            assertThat(taken).hasValue(after);
        }
    }
}
