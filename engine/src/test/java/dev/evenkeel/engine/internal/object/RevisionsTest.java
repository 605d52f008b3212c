package dev.evenkeel.engine.internal.object;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "7", "007", "9223372036854775808", "18446744073709551615", "00018446744073709551615"})
    void acceptsNumbersOf64Bits(String text) {
        assertThat(Revisions.valid(text)).isTrue();
        assertThat(Long.toUnsignedString(Long.parseUnsignedLong(text))).isEqualTo(text.replaceFirst("^0+(?=.)", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+1",
                "-1",
                " 1",
                "1.0",
                "x",
                "٣",
                "18446744073709551616",
                "20000000000000000000",
                "100000000000000000000"
            })
    void refusesOtherTexts(String text) {
        assertThat(Revisions.valid(text)).isFalse();
    }
}
