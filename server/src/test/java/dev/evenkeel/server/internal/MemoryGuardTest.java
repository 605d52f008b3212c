package dev.evenkeel.server.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryGuardTest {
    private long kept;
    private long now;
    private int collections;
    private final MemoryGuard guard = new MemoryGuard(() -> kept, 1000, () -> collections++, () -> now);

    @Test
    void aHeapIsExhaustedWhenItIsFullAfterACollection() {
        kept = 900;
        assertThat(guard.exhausted()).isFalse();
        kept = 901;
        assertThat(guard.exhausted()).isTrue();
        kept = 500;
        assertThat(guard.exhausted()).isFalse();
    }

    @Test
    void whileItIsExhaustedCollectionsAreRequestedNowAndThen() {
        kept = 950;
        for (int i = 0; i < 100; i++) {
            guard.exhausted();
        }
        assertThat(collections).isEqualTo(1);
        now += Duration.ofSeconds(11).toNanos();
        guard.exhausted();
        assertThat(collections).isEqualTo(2);
    }

    @Test
    void theHeapOfThisProcessIsKnown() {
        assertThat(MemoryGuard.ofHeap().exhausted()).isFalse();
    }
}
