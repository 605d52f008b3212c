package dev.evenkeel.load.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Series.Sample;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleBufferTest {
    private static Series of(int values, int capacity) {
        SampleBuffer buffer = new SampleBuffer("a", "b", capacity);
        for (int i = 1; i <= values; i++) {
            buffer.add(Duration.ofSeconds(i), i);
        }
        return buffer.series();
    }

    private static Sample sample(int second, double value) {
        return new Sample(Duration.ofSeconds(second), value);
    }

    @Test
    void fewValuesAreSamplesAsTheyAre() {
        assertThat(of(3, 4)).isEqualTo(new Series("a", "b", List.of(sample(1, 1), sample(2, 2), sample(3, 3))));
        assertThat(of(0, 4).samples()).isEmpty();
    }

    @Test
    void pairsAreMergedWhenItIsFull() {
        assertThat(of(4, 4).samples()).containsExactly(sample(2, 1.5), sample(4, 3.5));
        assertThat(of(5, 4).samples()).containsExactly(sample(2, 1.5), sample(4, 3.5), sample(5, 5));
        assertThat(of(6, 4).samples()).containsExactly(sample(2, 1.5), sample(4, 3.5), sample(6, 5.5));
        assertThat(of(8, 4).samples()).containsExactly(sample(4, 2.5), sample(8, 6.5));
    }

    @Test
    void aLongRunHasItsMeanAndIsBounded() {
        Series series = of(1 << 20, 2_000);
        assertThat(series.samples()).hasSizeBetween(1_000, 2_000);
        assertThat(series.samples().getLast().at()).isEqualTo(Duration.ofSeconds(1 << 20));
        assertThat(series.samples()).isSortedAccordingTo(Comparator.comparing(Sample::at));
        double first = series.samples().getFirst().value();
        assertThat(series.samples().get(1).value() - first).isEqualTo(1024);
    }

    @Test
    void anOddCapacityIsRefused() {
        assertThatThrownBy(() -> new SampleBuffer("a", "b", 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be even and positive: 3");
    }
}
