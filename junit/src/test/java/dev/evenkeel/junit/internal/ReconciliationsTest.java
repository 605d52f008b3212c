package dev.evenkeel.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ReconciliationsTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Reconciliations reconciliations = new Reconciliations();

    @Test
    void aTestWaitsForTheNextEnd() {
        CountDownLatch waiting = new CountDownLatch(1);
        try (ExecutorService executor = reconciliations.countedBy(Executors.newSingleThreadExecutor())) {
            long before = reconciliations.ended();
            executor.execute(() -> {
                while (waiting.getCount() > 0) {
                    Thread.onSpinWait();
                }
            });
            assertThat(reconciliations.ended()).isEqualTo(before);
            waiting.countDown();
            reconciliations.awaitEnd(before, LONG);
            assertThat(reconciliations.ended()).isEqualTo(before + 1);
        }
    }

    @Test
    void anEndBeforeTheWaitIsNotMissedAndFailuresAreEnds() {
        long before = reconciliations.ended();
        try (ExecutorService executor = reconciliations.countedBy(Executors.newVirtualThreadPerTaskExecutor())) {
            var unused = executor.submit(() -> {
                throw new IllegalStateException("a failure");
            });
        }
        reconciliations.awaitEnd(before, LONG);
        assertThat(reconciliations.ended()).isEqualTo(before + 1);
    }

    @Test
    void anExecutorIsNotCountedTwice() {
        try (ExecutorService plain = Executors.newSingleThreadExecutor()) {
            assertThat(reconciliations.areCountedBy(plain)).isFalse();
            assertThat(reconciliations.areCountedBy(reconciliations.countedBy(plain)))
                    .isTrue();
            assertThat(reconciliations.areCountedBy(new Reconciliations().countedBy(plain)))
                    .isFalse();
        }
    }
}
