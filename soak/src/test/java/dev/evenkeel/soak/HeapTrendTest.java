package dev.evenkeel.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HeapTrendTest {
    @Test
    void findsTheSlopeInTheNoise() {
        HeapTrend trend = new HeapTrend();
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            trend.add(i / 4.0, Math.round(100_000_000 + 1_000_000 * (i / 4.0) + random.nextGaussian() * 500_000));
        }

        HeapTrend.Slope slope = trend.since(0);

        assertThat(slope.percentPerMinute()).isCloseTo(0.95, within(0.1));
        assertThat(slope.error()).isBetween(0.005, 0.1);
        assertThat(slope.samples()).isEqualTo(40);
    }

    @Test
    void earlierSamplesDoNotCount() {
        HeapTrend trend = new HeapTrend();
        trend.add(0, 10);
        for (int i = 1; i < 5; i++) {
            trend.add(i, 1000);
        }

        assertThat(trend.since(1).percentPerMinute()).isZero();
        assertThat(trend.since(0).percentPerMinute()).isGreaterThan(1);
    }

    @Test
    void hasNoSlopeWithTooFewSamples() {
        HeapTrend trend = new HeapTrend();
        trend.add(0, 10);
        trend.add(1, 20);

        assertThat(trend.since(0).percentPerMinute()).isNaN();
    }
}
