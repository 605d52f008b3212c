package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RandomGenerator UNUSED = () -> {
        throw new AssertionError("random numbers are not needed without jitter");
    };

    @Test
    void delaysGrowByTheFactorUpToTheMaximum() {
        Backoff backoff = new Backoff(SECOND, 3, Duration.ofSeconds(20), 0);

        assertThat(backoff.delay(0, UNUSED)).isEqualTo(SECOND);
        assertThat(backoff.delay(1, UNUSED)).isEqualTo(Duration.ofSeconds(3));
        assertThat(backoff.delay(2, UNUSED)).isEqualTo(Duration.ofSeconds(9));
        assertThat(backoff.delay(3, UNUSED)).isEqualTo(Duration.ofSeconds(20));
        assertThat(backoff.delay(Integer.MAX_VALUE, UNUSED)).isEqualTo(Duration.ofSeconds(20));
        assertThat(Backoff.constant(SECOND).delay(1000, UNUSED)).isEqualTo(SECOND);
    }

    @Test
    void jitterLengthensDelaysAlsoAtTheMaximum() {
        Backoff backoff = Backoff.exponential(SECOND, Duration.ofSeconds(4)).jitter(0.5);
        RandomGenerator random = new SplittableRandom(1);

        for (int i = 0; i < 1000; i++) {
            assertThat(backoff.delay(1, random)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
            assertThat(backoff.delay(9, random)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
        }
        assertThat(backoff.delay(9, random)).isNotEqualTo(backoff.delay(9, random));
    }

    @Test
    void theLongestDelaysDoNotOverflow() {
        Backoff backoff = new Backoff(SECOND, 1e300, Duration.ofSeconds(Long.MAX_VALUE), 1e300);

        assertThat(backoff.delay(1000, new SplittableRandom(1)).toNanos()).isPositive();
    }

    @Test
    void invalidValuesAreRefused() {
        assertThatThrownBy(() -> Backoff.constant(Duration.ZERO)).hasMessage("base must be positive: PT0S");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), SECOND))
                .hasMessage("max must be at least base (PT2S): PT1S");
        assertThatThrownBy(() -> new Backoff(SECOND, 0.5, SECOND, 0)).hasMessage("factor must be at least 1: 0.5");
        assertThatThrownBy(() -> Backoff.constant(SECOND).jitter(Double.NaN))
                .hasMessage("jitter must be 0 or more: NaN");
    }
}
