package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Base64TextTest {
    @Test
    void theFirstBadByteIsWhereGoFindsIt() {
        Map.of("", -1, "YQ==", -1, "YWI=", -1, "%%", 0, "v", 0, "YWJj1", 4, "YQ=", 3, "YW%j", 2, "=", 0, "YWJj=", 4)
                .forEach((text, at) ->
                        assertThat(Base64Text.firstBadByte(text)).as(text).isEqualTo(at));
    }

    @Test
    void encodedTextIsValid() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            assertThat(Base64Text.firstBadByte(Base64.getEncoder().encodeToString(bytes)))
                    .as("seed " + seed)
                    .isEqualTo(-1);
        }
    }
}
