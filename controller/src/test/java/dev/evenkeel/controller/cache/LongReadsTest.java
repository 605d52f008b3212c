package dev.evenkeel.controller.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LongReadsTest {
    @Test
    void longReadsTakeTurnsAndShortOnesDoNotWait() throws Exception {
        int turns = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        CountDownLatch begun = new CountDownLatch(turns);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> readers = new ArrayList<>();
        try {
            for (int i = 0; i < turns; i++) {
                readers.add(Thread.ofPlatform().start(() -> {
                    boolean unused = LongReads.read(LongReads.MANY, () -> {
                        begun.countDown();
                        return awaited(end);
                    });
                }));
            }
            begun.await();
            CountDownLatch served = new CountDownLatch(1);
            Thread next = Thread.ofPlatform().start(() -> {
                boolean unused = LongReads.read(LongReads.MANY, () -> {
                    served.countDown();
                    return true;
                });
            });
            readers.add(next);
            while (next.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(served.getCount()).isEqualTo(1);
            assertThat(LongReads.read(LongReads.MANY - 1, () -> "short")).isEqualTo("short");
            end.countDown();
            served.await();
        } finally {
            end.countDown();
            for (Thread reader : readers) {
                reader.join();
            }
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
