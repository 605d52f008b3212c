package dev.evenkeel.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpLiteralTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "010.0.0.255, 10.0.0.255",
        "::1, 0:0:0:0:0:0:0:1",
        "fe80::A, fe80:0:0:0:0:0:0:a",
        "::ffff:10.0.0.7, 10.0.0.7",
    })
    void addressesAreRead(String text, String address) {
        assertThat(IpLiteral.parse(text))
                .hasValueSatisfying(found -> assertThat(found.getHostAddress()).isEqualTo(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "a.b",
                "1",
                "1.2.3",
                "256.0.0.1",
                "1.2.3.4.5",
                ":",
                ":::",
                "1::2::3",
                "g::1",
                ".:1",
                "[::1]",
                "fe80::1%lo",
                "::1.2.3"
            })
    void namesAndMalformedAddressesAreNot(String text) {
        assertThat(IpLiteral.parse(text)).isEmpty();
    }
}
