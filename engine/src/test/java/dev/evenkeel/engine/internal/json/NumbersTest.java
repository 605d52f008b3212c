package dev.evenkeel.engine.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0,0,0",
        "-0.0,-0,-0",
        "3,3,3",
        "1.5,1.5,1.5",
        "100000,100000,100000",
        "1000000,1000000,1e+06",
        "1234567.5,1234567.5,1.2345675e+06",
        "1e20,100000000000000000000,1e+20",
        "1.25e21,1.25e+21,1.25e+21",
        "-1e100,-1e+100,-1e+100",
        "0.0001,0.0001,0.0001",
        "0.00001,0.00001,1e-05",
        "0.0000001,1e-07,1e-07"
    })
    void areWrittenLikeGoDoes(double number, String json, String general) {
        assertThat(Numbers.text(number)).isEqualTo(json);
        assertThat(Numbers.general(number)).isEqualTo(general);
    }
}
