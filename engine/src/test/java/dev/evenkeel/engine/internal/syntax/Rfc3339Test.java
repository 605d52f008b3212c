package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2030-01-02T03:04:05Z",
                "1969-12-31T23:59:59Z",
                "0000-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z",
                "2024-02-29T00:00:00Z",
                "2030-01-02T03:04:05.5Z",
                "2030-01-02T03:04:05+02:00"
            })
    void timesAreThoseOfTheJdk(String text) {
        assertThat(Rfc3339.parse(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    @Test
    void eachDayIsRead() {
        for (LocalDate day = LocalDate.of(1999, 1, 1); day.getYear() < 2005; day = day.plusDays(1)) {
            Instant start = day.atStartOfDay(ZoneOffset.UTC).toInstant();
            assertThat(Rfc3339.parse(start.toString())).isEqualTo(start);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2030-01-02",
                "2030-13-02T03:04:05Z",
                "2023-02-29T00:00:00Z",
                "2030-01-02T24:00:00Z",
                "2030-01-02T03:04:60Z",
                "2030-01-02T03:04:05z ",
                "2030/01/02T03:04:05Z",
                "2030-01-02T03:04:0٥Z",
                "+030-01-02T03:04:05Z"
            })
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> Rfc3339.parse(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void onlyUtcWithWholeSecondsIsInSeconds() {
        assertThat(Rfc3339.isInSeconds("2030-01-02T03:04:05Z")).isTrue();
        assertThat(Rfc3339.isInSeconds("2030-01-02T03:04:5.Z")).isFalse();
        assertThat(Rfc3339.isInSeconds("2030-01-02T03:04:05+02:00")).isFalse();
    }
}
