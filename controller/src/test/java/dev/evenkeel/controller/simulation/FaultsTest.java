package dev.evenkeel.controller.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultsTest {
    @Test
    void ratesAreSetOneByOne() {
        Faults faults = Faults.NONE.with(Fault.CRASH, 0.5);

        assertThat(faults.rate(Fault.CRASH)).isEqualTo(0.5);
        assertThat(faults.rate(Fault.FREEZE)).isZero();
        assertThat(Faults.NONE.rate(Fault.CRASH)).isZero();
        assertThat(faults).hasToString("{CRASH=0.5}");
        assertThat(Faults.ALL.without(Fault.FREEZE).rate(Fault.FREEZE)).isZero();
    }

    @Test
    void aRateIsAProbability() {
        assertThatThrownBy(() -> Faults.NONE.with(Fault.CRASH, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CRASH");
        assertThatThrownBy(() -> Faults.NONE.with(Fault.CRASH, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
