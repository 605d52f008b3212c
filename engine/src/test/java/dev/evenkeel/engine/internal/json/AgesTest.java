package dev.evenkeel.engine.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    @ParameterizedTest
    @CsvSource({
        "-2000,<invalid>",
        "-1999,0s",
        "-1,0s",
        "0,0s",
        "56999,56s",
        "119000,119s",
        "120000,2m",
        "258000,4m18s",
        "599000,9m59s",
        "600000,10m",
        "10799000,179m",
        "10800000,3h",
        "11100000,3h5m",
        "28799000,7h59m",
        "28800000,8h",
        "172799000,47h",
        "172800000,2d",
        "190800000,2d5h",
        "691199000,7d23h",
        "691200000,8d",
        "63071999000,729d",
        "63072000000,2y",
        "63244800000,2y2d",
        "252288000000,8y",
        "3153600000000,100y"
    })
    void areShort(long millis, String age) {
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        assertThat(Ages.between(now.minusMillis(millis), now)).isEqualTo(age);
    }
}
