package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private static List<Integer> failed(Failures failures) {
        return IntStream.range(0, 10_000)
                .filter(i -> failures.next().isPresent())
                .boxed()
                .toList();
    }

    @Test
    void theSameRequestsFailForTheSameSeed() {
        List<Integer> first = failed(Failures.of(0.05, 500, 1));

        assertThat(first).hasSizeBetween(400, 600);
        assertThat(failed(Failures.of(0.05, 500, 1))).isEqualTo(first);
        assertThat(failed(Failures.of(0.05, 500, 2))).isNotEqualTo(first);
    }

    @Test
    void noneAndAll() {
        assertThat(failed(Failures.NONE)).isEmpty();
        assertThat(failed(Failures.of(1, 429, 1))).hasSize(10_000);
    }

    @Test
    void refusesOtherSharesAndCodes() {
        assertThatThrownBy(() -> Failures.of(1.5, 500, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("share must be from 0 to 1: 1.5");
        assertThatThrownBy(() -> Failures.of(Double.NaN, 500, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Failures.of(0.5, 200, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("status must be from 400 to 599: 200");
    }
}
