package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LargeRequestsTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final LargeRequests requests = LargeRequests.of("test");

    private static boolean spin(CountDownLatch started, AtomicBoolean end) {
        started.countDown();
        while (!end.get()) {
            Thread.onSpinWait();
        }
        return Thread.currentThread().isVirtual();
    }

    /** On virtual threads as many as there are processors would leave none for the small one. */
    @Test
    void smallRequestsAreProcessedWhileLargeOnesOccupyTheProcessors() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        int count = PROCESSORS + 1;
        CountDownLatch started = new CountDownLatch(count);
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> large = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String user = "user-" + i;
                large.add(virtual.submit(() -> requests.process(user, 1 << 20, () -> spin(started, end))));
            }
            started.await();
            try {
                Future<Boolean> small = virtual.submit(() -> requests.process(
                        "other", 100, () -> Thread.currentThread().isVirtual()));
                assertThat(small.get()).isTrue();
            } finally {
                end.set(true);
            }
            for (Future<Boolean> each : large) {
                assertThat(each.get()).isFalse();
            }
        }
    }

    @Test
    void aUserHasAFewLargeRequestsAtOnceAndOthersAreNotHeldUp() throws Exception {
        int limit = Math.max(4, 2 * PROCESSORS);
        CountDownLatch started = new CountDownLatch(limit);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 3 * limit; i++) {
                all.add(virtual.submit(() -> requests.process("greedy", 1 << 20, () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    started.countDown();
                    await(end);
                    return running.decrementAndGet();
                })));
            }
            started.await();
            assertThat(virtual.submit(() -> requests.process("other", 1 << 20, () -> "served"))
                            .get())
                    .isEqualTo("served");
            end.countDown();
            for (Future<Integer> each : all) {
                each.get();
            }
        }
        assertThat(most.get()).isEqualTo(limit);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFailureIsThatOfTheRequest() throws Exception {
        IllegalArgumentException failure = new IllegalArgumentException("refused");
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int bytes : new int[] {0, 1 << 20}) {
                Future<?> result = virtual.submit(() -> requests.process("user", bytes, () -> {
                    throw failure;
                }));
                assertThatThrownBy(result::get)
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isSameAs(failure);
            }
        }
    }
}
