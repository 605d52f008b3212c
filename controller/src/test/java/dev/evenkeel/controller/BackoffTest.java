package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void doublesUpToTheMaximum() {
        Backoff backoff = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10), 0, new SplittableRandom(1));

        assertThat(IntStream.of(0, 1, 2, 3, 4, 5).mapToObj(backoff::delay))
                .extracting(Duration::toMinutes)
                .containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    }

    @Test
    void neverOverflows() {
        Backoff backoff = Backoff.standard(new SplittableRandom(1));

        assertThat(IntStream.of(31, 62, 63, 64, 1000, Integer.MAX_VALUE).mapToObj(backoff::delay))
                .containsOnly(Duration.ofSeconds(1000));
    }

    @Test
    void spreadsDelaysByItsJitter() {
        Backoff backoff = Backoff.standard(new SplittableRandom(1));

        assertThat(IntStream.range(0, 1000).mapToObj(i -> backoff.delay(0).toNanos()))
                .allMatch(nanos -> nanos >= 5_000_000 && nanos <= 5_500_000)
                .doesNotHaveDuplicates();
    }

    @Test
    void refusesNonsense() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), 0, new SplittableRandom(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
