package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final Duration NONE = Duration.ZERO;

    @Test
    void pausesGrowWithJitterUpToTheLongest() {
        RetryPolicy policy = RetryPolicy.DEFAULT.attempts(100).total(Duration.ofHours(1));
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int failed = 1; failed < 100; failed++) {
            long most = Math.min(3000, failed > 6 ? 3000 : 100L << (failed - 1));
            long pause = policy.pause(failed, NONE, NONE, random).orElseThrow().toMillis();
            assertThat(pause).as("seed " + seed).isBetween(most / 2, most);
        }
    }

    @Test
    void attemptsAndTimeAreBounded() {
        Random random = new Random(1);
        assertThat(RetryPolicy.DEFAULT.pause(4, NONE, NONE, random)).isPresent();
        assertThat(RetryPolicy.DEFAULT.pause(5, NONE, NONE, random)).isEmpty();
        assertThat(RetryPolicy.DEFAULT.pause(1, Duration.ofSeconds(10), NONE, random))
                .isEmpty();
        assertThat(RetryPolicy.DEFAULT.pause(1, NONE, Duration.ofSeconds(11), random))
                .isEmpty();
        assertThat(RetryPolicy.DEFAULT
                        .pause(1, NONE, Duration.ofSeconds(9), random)
                        .orElseThrow())
                .isGreaterThan(Duration.ofSeconds(9));
        assertThat(RetryPolicy.NONE.pause(1, NONE, NONE, random)).isEmpty();
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.attempts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.total(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
