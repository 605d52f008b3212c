package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleSuiteTest {
    @Test
    void slopesAreExponents() {
        assertThat(ScaleSuite.slope(Map.of(10, 7.0, 100, 7.0, 1_000, 7.0))).isCloseTo(0, within(1e-9));
        assertThat(ScaleSuite.slope(Map.of(10, 2.0, 100, 20.0, 1_000, 200.0))).isCloseTo(1, within(1e-9));
        assertThat(ScaleSuite.slope(Map.of(10, 1.0, 1_000, 10_000.0))).isCloseTo(2, within(1e-9));
    }

    @Test
    void slopesOfNoisyCostsAreNear() {
        assertThat(ScaleSuite.slope(Map.of(1_000, 11.0, 10_000, 9.0, 100_000, 10.5)))
                .isCloseTo(0, within(0.05));
        assertThat(ScaleSuite.slope(Map.of(1_000, 1.1, 10_000, 9.5, 100_000, 105.0)))
                .isCloseTo(1, within(0.05));
    }
}
