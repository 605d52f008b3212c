package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HolmTest {
    @Test
    void theLeastProbabilityIsTestedMostStrictly() {
        assertThat(Holm.corrected(Map.of("a", 0.0625, "b", 0.125, "c", 0.5)))
                .isEqualTo(Map.of("a", 0.1875, "b", 0.25, "c", 0.5));
    }

    @Test
    void correctedProbabilitiesAscendAndAreAtMostOne() {
        assertThat(Holm.corrected(Map.of("a", 0.25, "b", 0.26, "c", 0.9)))
                .isEqualTo(Map.of("a", 0.75, "b", 0.75, "c", 0.9));
        assertThat(Holm.corrected(Map.of("a", 0.9, "b", 0.9))).isEqualTo(Map.of("a", 1.0, "b", 1.0));
    }
}
