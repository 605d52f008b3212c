package dev.evenkeel.engine.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.engine.spi.Store;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContinueTokenTest {
    private static String encoded(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static void isRefused(String token, String why) {
        assertThatThrownBy(() -> ContinueToken.parse(token))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("invalid continue token: continue key is not valid: " + why);
    }

    @Test
    void tokensComeBack() {
        ContinueToken token = ContinueToken.after(new Store.Key("default/pods", "a", "x"), "", 7);
        assertThat(ContinueToken.parse(token.text())).isEqualTo(token);
    }

    @ParameterizedTest
    @CsvSource({"x, 0", "abc!, 3", "e30=, 3", "abcde, 4", "ab\u00e9, 2"})
    void theFirstByteThatIsNotBase64IsNamed(String token, int at) {
        isRefused(token, "illegal base64 data at input byte " + at);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{} | server does not recognize this encoded version ",
                "{'v':'v2','rv':1,'start':'x'} | server does not recognize this encoded version v2",
                "{'v':'meta.k8s.io/v1','start':'x'} | incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
                "{'v':'meta.k8s.io/v1','rv':1} | encoded start key empty (version meta.k8s.io/v1)",
                "{'v':'meta.k8s.io/v1','rv':1,'start':'a/../b'} | a/../b",
                "{'v':'meta.k8s.io/v1','rv':1,'start':'a/./b'} | a/./b",
                "{'v':'meta.k8s.io/v1','rv':1,'start':'a//b'} | a//b",
                "{'v':'meta.k8s.io/v1','rv':1,'start':'a/'} | a/"
            },
            ignoreLeadingAndTrailingWhitespace = false)
    void contentsAreChecked(String json, String why) {
        isRefused(encoded(json.stripTrailing()), why.substring(1));
    }

    @Test
    void namesMayHaveTwoDots() {
        assertThat(ContinueToken.parse(encoded("{'v':'meta.k8s.io/v1','rv':1,'start':'a..b'}"))
                        .start())
                .isEqualTo("a..b");
    }
}
