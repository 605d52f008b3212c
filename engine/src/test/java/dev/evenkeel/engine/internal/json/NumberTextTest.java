package dev.evenkeel.engine.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumberTextTest {
    private static final byte[] DOCUMENT =
            "{\"a\":[{\"b\":1},{\"b\":1e3}],\"c\":\"x\",\"d\":99999999999999999999}".getBytes(StandardCharsets.UTF_8);

    @Test
    void findsNumbersAsTheyAreWritten() {
        assertThat(NumberText.at(DOCUMENT, List.of("a", 1, "b"))).hasValue("1e3");
        assertThat(NumberText.at(DOCUMENT, List.of("d"))).hasValue("99999999999999999999");
    }

    @Test
    void findsNothingElse() {
        assertThat(NumberText.at(DOCUMENT, List.of("c"))).isEmpty();
        assertThat(NumberText.at(DOCUMENT, List.of("a", 2))).isEmpty();
        assertThat(NumberText.at(DOCUMENT, List.of("c", "d"))).isEmpty();
        assertThat(NumberText.at(new byte[] {'['}, List.of(0))).isEmpty();
    }
}
