package dev.evenkeel.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultRatesTest {
    @Test
    void ratesAreSetOneByOne() {
        FaultRates faults = FaultRates.NONE.rate(FaultKind.CRASH, 0.5);

        assertThat(faults.rate(FaultKind.CRASH)).isEqualTo(0.5);
        assertThat(faults.rate(FaultKind.FREEZE)).isZero();
        assertThat(FaultRates.NONE.rate(FaultKind.CRASH)).isZero();
        assertThat(faults).hasToString("{CRASH=0.5}");
        assertThat(FaultRates.ALL.rate(FaultKind.FREEZE, 0).rate(FaultKind.FREEZE))
                .isZero();
    }

    @Test
    void aRateIsAProbability() {
        assertThatThrownBy(() -> FaultRates.NONE.rate(FaultKind.CRASH, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CRASH");
        assertThatThrownBy(() -> FaultRates.NONE.rate(FaultKind.CRASH, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void faultsThatNeedAPlaceHaveNoRate() {
        assertThatThrownBy(() -> FaultRates.NONE.rate(FaultKind.OVERTAKE, 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OVERTAKE");
    }
}
