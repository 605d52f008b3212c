package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebUrlTest {
    @Test
    void partsAreFound() throws URISyntaxException {
        assertThat(WebUrl.parse("HTTPS://u:p@host:8443/a b?c=d#e%20f"))
                .isEqualTo(new WebUrl("https", Optional.of("u:p"), "host:8443", "c=d", "e f"));
        assertThat(WebUrl.parse("https://[::1]:443/x").host()).isEqualTo("[::1]:443");
        assertThat(WebUrl.parse("https://a_b").host()).isEqualTo("a_b");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"Bad Value_!,''", "/path,''", "*,''", "https:opaque,https", "///x,''", "1a:b/c,null", "'',''"})
    void schemesAreOptional(String text, String scheme) throws URISyntaxException {
        if (scheme == null) {
            Assertions.assertThatThrownBy(() -> WebUrl.parse(text)).hasMessageContaining("cannot contain colon");
        } else {
            WebUrl url = WebUrl.parse(text);
            assertThat(url.scheme()).isEqualTo(scheme);
            assertThat(url.host()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ":x | missing protocol scheme",
                "a b:c | first path segment in URL cannot contain colon",
                "https://h:port | invalid port \":port\" after host",
                "https://[::1 | missing ']' in host",
                "https://[::1]x | invalid port \"x\" after host",
                "https://a b/ | invalid character \" \" in host name",
                "https://h/%zz | invalid URL escape \"%zz\"",
                "https://h/%4 | invalid URL escape \"%4\"",
                "https://h%41/ | invalid URL escape \"%41\"",
                "https://u ser@h/ | net/url: invalid userinfo",
                "https://h/\u0001x | net/url: invalid control character in URL",
            })
    void reasonsAreThoseOfGo(String text, String reason) {
        Assertions.assertThatThrownBy(() -> WebUrl.parse(text))
                .isInstanceOfSatisfying(
                        URISyntaxException.class, e -> assertThat(e.getReason()).isEqualTo(reason));
    }
}
