package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RateLimitTest {
    @Test
    void aRateLimitLetsABurstThroughAndThenItsRate() {
        RateLimit limit = new RateLimit(10, 2, 0);
        assertThat(limit.take(0)).isZero();
        assertThat(limit.take(0)).isZero();
        assertThat(limit.take(0)).isEqualTo(100_000_000L);
        assertThat(limit.take(0)).as("behind the one before").isEqualTo(200_000_000L);
        assertThat(limit.take(1_000_000_000L)).isZero();
        assertThat(limit.take(100_000_000_000L))
                .as("an idle period does not enlarge the burst")
                .isZero();
        assertThat(limit.take(100_000_000_000L)).isZero();
        assertThat(limit.take(100_000_000_000L)).isPositive();
        assertThatThrownBy(() -> new RateLimit(0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RateLimit(Double.NaN, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
