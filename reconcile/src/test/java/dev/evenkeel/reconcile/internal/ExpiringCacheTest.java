package dev.evenkeel.reconcile.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ExpiringCacheTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(10);

    private final ExpiringCache<String> memory = new ExpiringCache<>();

    @Test
    void entriesStayUntilTheyExpire() {
        memory.keep("a", "1", NOW, LATER);
        assertThat(memory.of("a", NOW)).contains("1");
        assertThat(memory.of("a", LATER.minusNanos(1))).contains("1");
        assertThat(memory.of("a", LATER)).isEmpty();
        assertThat(memory.of("b", NOW)).isEmpty();
        memory.keep("a", "2", NOW, LATER);
        assertThat(memory.of("a", NOW)).contains("2");
        memory.forget("a");
        assertThat(memory.of("a", NOW)).isEmpty();
    }

    @Test
    void expiredEntriesAreDroppedByLaterOnes() {
        memory.keep("a", "1", NOW, LATER);
        memory.keep("b", "1", NOW, LATER.plusSeconds(1));
        memory.keep("c", "1", LATER, LATER.plusSeconds(2));
        assertThat(memory.size()).isEqualTo(2);
        assertThat(memory.of("b", LATER)).contains("1");
    }

    @Test
    void theSizeIsLimited() {
        for (int i = 0; i < ExpiringCache.MOST + 10; i++) {
            memory.keep(Integer.toString(i), "", NOW, LATER);
        }
        assertThat(memory.size()).isEqualTo(ExpiringCache.MOST);
        assertThat(memory.of("9", NOW)).isEmpty();
        assertThat(memory.of("10", NOW)).isPresent();
    }

    @Test
    void fingerprintsTellTextsApart() {
        assertThat(ExpiringCache.fingerprint("a", "b"))
                .isEqualTo(ExpiringCache.fingerprint("a", "b"))
                .isNotEqualTo(ExpiringCache.fingerprint("ab", ""))
                .isNotEqualTo(ExpiringCache.fingerprint("b", "a"))
                .hasSize(64);
    }
}
