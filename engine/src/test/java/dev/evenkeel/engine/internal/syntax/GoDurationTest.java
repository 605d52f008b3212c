package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "1h30m, 5400000000000",
        "-1.5s, -1500000000",
        "+.5ms, 500000",
        "1.µs, 1000",
        "2us3ns, 2003",
        "9223372036854775808ns, 9223372036854775808"
    })
    void durationsAreRead(String text, BigDecimal nanos) {
        assertThat(GoDuration.nanos(text)).isEqualByComparingTo(nanos);
    }

    @ParameterizedTest
    @CsvSource({
        "'', invalid duration \"\"",
        "-, invalid duration \"-\"",
        "s, invalid duration \"s\"",
        ".s, invalid duration \".s\"",
        "+-1s, invalid duration \"+-1s\"",
        "1, missing unit in duration \"1\"",
        "1h2, missing unit in duration \"1h2\"",
        "1 day, unknown unit \" day\" in duration \"1 day\"",
        "1mh, unknown unit \"mh\" in duration \"1mh\""
    })
    void otherTextsAreRefusedWithTheErrorsOfGo(String text, String error) {
        assertThatThrownBy(() -> GoDuration.nanos(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(error);
    }
}
