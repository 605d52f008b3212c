package dev.evenkeel.load.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPoolTest {
    @Test
    void eachAddressIsGivenOnce() {
        AddressPool pool = new AddressPool("10.1.2.3/22");
        Set<String> given = new HashSet<>();
        for (int i = 0; i < 1022; i++) {
            assertThat(given.add(pool.take().orElseThrow())).isTrue();
        }
        assertThat(pool.take()).isEmpty();
        assertThat(given).contains("10.1.0.1", "10.1.3.254").doesNotContain("10.1.0.0", "10.1.3.255");
    }

    @Test
    void aReleasedAddressIsGivenAgainLast() {
        AddressPool pool = new AddressPool("200.0.0.0/29");
        assertThat(pool.take()).contains("200.0.0.1");
        assertThat(pool.take()).contains("200.0.0.2");
        pool.release("200.0.0.1");
        pool.release("1.1.1.1");
        pool.release("200.0.0.0");
        pool.release("");
        for (int i = 3; i < 7; i++) {
            assertThat(pool.take()).contains("200.0.0." + i);
        }
        assertThat(pool.take()).contains("200.0.0.1");
        assertThat(pool.take()).isEmpty();
    }

    @Test
    void anAddressInUseIsNotGiven() {
        AddressPool pool = new AddressPool("10.0.0.0/30");
        assertThat(pool.reserve("10.0.0.1")).isTrue();
        assertThat(pool.reserve("10.0.0.1")).isFalse();
        assertThat(pool.reserve("10.0.0.4")).isFalse();
        assertThat(pool.reserve("fd00::1")).isFalse();
        assertThat(pool.take()).contains("10.0.0.2");
        assertThat(pool.take()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0", "10.0.0.0/7", "10.0.0.0/31", "10.0.0.256/24", "fd00::/64", "a/8"})
    void whatIsNoRangeIsRefused(String range) {
        assertThatThrownBy(() -> new AddressPool(range))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "addresses must be a range of IPv4 such as 10.128.0.0/9, with a length from 8 to 30: " + range);
    }
}
