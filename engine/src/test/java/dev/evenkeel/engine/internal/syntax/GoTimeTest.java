package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTimeTest {
    @ParameterizedTest
    @CsvSource({
        "2020-01-02T03:04:05Z, 2020-01-02T03:04:05Z",
        "2020-01-02T3:04:05Z, 2020-01-02T03:04:05Z",
        "2020-01-02T03:04:05.5+01:00, 2020-01-02T02:04:05.500Z",
        "'2020-01-02T03:04:05,1234567899Z', 2020-01-02T03:04:05.123456789Z",
        "2020-01-02T03:04:05-24:60, 2020-01-03T04:04:05Z",
    })
    void readsLeniently(String text, String time) {
        assertThat(GoTime.parse(text, GoTime.RFC3339)).hasToString(time);
    }

    @ParameterizedTest
    @CsvSource({
        "'', cannot parse \"\" as \"2006\"",
        "x, cannot parse \"x\" as \"2006\"",
        "2020-01-02, cannot parse \"\" as \"T\"",
        "2020-1-02T, cannot parse \"1-02T\" as \"01\"",
        "2020-01-02 03:04:05Z, cannot parse \" 03:04:05Z\" as \"T\"",
        "2020-01-02T03:04:05, cannot parse \"\" as \"Z07:00\"",
        "2020-01-02T03:04:05+0100, cannot parse \"+0100\" as \"Z07:00\"",
        "é, cannot parse \"\\xc3\\xa9\" as \"2006\"",
    })
    void namesThePartThatDoesNotFit(String text, String error) {
        assertThatThrownBy(() -> GoTime.parse(text, GoTime.RFC3339))
                .hasMessageStartingWith("parsing time \"")
                .hasMessageEndingWith("\" as \"2006-01-02T15:04:05Z07:00\": " + error);
    }

    @ParameterizedTest
    @CsvSource({
        "2020-13-02T03:04:05Z, : month out of range",
        "2019-02-29T03:04:05Z, : day out of range",
        "2020-01-02T24:04:05Z, : hour out of range",
        "2020-01-02T03:04:60Z, : second out of range",
        "2020-01-02T03:04:05Zx, : extra text: \"x\"",
    })
    void namesTheNumberThatIsOutOfRange(String text, String error) {
        assertThatThrownBy(() -> GoTime.parse(text, GoTime.RFC3339))
                .hasMessage("parsing time \"" + text + "\"" + error);
    }

    @Test
    void microsecondsHaveSixDigits() {
        assertThat(GoTime.parse("2020-01-02T03:04:05.123456Z", GoTime.MICROS))
                .hasToString("2020-01-02T03:04:05.123456Z");
        assertThatThrownBy(() -> GoTime.parse("2020-01-02T03:04:05Z", GoTime.MICROS))
                .hasMessageEndingWith(": cannot parse \"Z\" as \".000000\"");
        assertThatThrownBy(() -> GoTime.parse("2020-01-02T03:04:05.1234567Z", GoTime.MICROS))
                .hasMessageEndingWith(": cannot parse \"7Z\" as \"Z07:00\"");
    }
}
