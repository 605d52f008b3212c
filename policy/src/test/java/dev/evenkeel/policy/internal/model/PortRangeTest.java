package dev.evenkeel.policy.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PortRangeTest {
    @Test
    void neighboursAndOverlapsAreMerged() {
        assertThat(PortRange.merge(List.of(
                        PortRange.of(443),
                        PortRange.of(81),
                        new PortRange(100, 200),
                        PortRange.of(80),
                        new PortRange(120, 130),
                        new PortRange(150, 250))))
                .containsExactly(new PortRange(80, 81), new PortRange(100, 250), PortRange.of(443));
    }

    @Test
    void numbersAreChecked() {
        for (int[] range : new int[][] {{0, 1}, {1, 65_536}, {81, 80}}) {
            assertThatThrownBy(() -> new PortRange(range[0], range[1]))
                    .hasMessageContaining("ports must be from 1 to 65535");
        }
    }
}
