package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoQuoteTest {
    @Test
    void escapesWhatCannotBePrinted() {
        assertThat(GoQuote.of("a\"b\\\n\t\u0001\u00a0é😀\u2028"))
                .isEqualTo("\"a\\\"b\\\\\\n\\t\\x01\\u00a0é😀\\u2028\"");
    }
}
