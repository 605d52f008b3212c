package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WholeOutputTest {
    @Test
    void returnsWhatWasWritten() {
        WholeOutput output = new WholeOutput();
        assertThat(output.toByteArray()).isEmpty();
        byte[] buffer = "-abc-".getBytes(US_ASCII);
        output.write(buffer, 1, 3);
        buffer[1] = 'x';
        assertThat(new String(output.toByteArray(), US_ASCII)).isEqualTo("abc");
        output.write('d');
        output.write("efghijklmnop".getBytes(US_ASCII), 0, 12);
        assertThat(new String(output.toByteArray(), US_ASCII)).isEqualTo("abcdefghijklmnop");
    }

    @Test
    void encodesLargeTrees() {
        String text = "ü".repeat(50_000);
        assertThat(Json.write(text)).isEqualTo(("\"" + text + "\"").getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
