package dev.evenkeel.engine.internal.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebUrlTest {
    @Test
    void partsAreFound() throws URISyntaxException {
        assertThat(WebUrl.parse("HTTPS://u:p@host:8443/a b?c=d#e%20f"))
                .isEqualTo(new WebUrl(
                        "https",
                        Optional.of("u:p"),
                        "host:8443",
                        "/a%20b",
                        "c=d",
                        "e f",
                        "https://u:p@host:8443/a%20b?c=d#e%20f"));
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
                "https://[::g]/ | invalid host: ParseAddr(\"::g\"): each colon-separated field must have at least one digit (at \"g\")",
                "https://[1.2.3.4]/ | invalid IP-literal",
                "https://a[::1]/ | invalid IP-literal",
                "https://::1/ | invalid port \"::1\" after host",
                "https://h:1:2/ | invalid port \":1:2\" after host",
                "https://[::1%2541%41%7f]/ | invalid URL escape \"%7f\"",
                "https://h\\x/ | invalid character \"\\\\\" in host name",
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "'' | empty url",
                "a/b | invalid URI for request",
                "a b:c | invalid URI for request",
                "//a:b | null",
                "* | null",
                "mailto:x | null",
                "postgres://a:1,b:2/x | null",
                "https://[fe80::1%25en0]:80/#%zz | invalid URL escape \"%zz\""
            })
    void requestsHaveASchemeOrBeginWithASlash(String text, String reason) {
        assertThat(WebUrl.isRequest(text)).isEqualTo(reason == null);
        if (reason != null) {
            Assertions.assertThatThrownBy(() -> WebUrl.parseRequest(text))
                    .isInstanceOfSatisfying(
                            URISyntaxException.class,
                            e -> assertThat(e.getReason()).isEqualTo(reason));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com:80/, example.com, 80",
        "https://[::1]:80/, ::1, 80",
        "https://[fe80::1%25en0]/, fe80::1%en0, ''",
        "https://example.com:, example.com, ''",
        "/path, '', ''"
    })
    void hostsHaveNamesAndPorts(String text, String name, String port) throws URISyntaxException {
        WebUrl url = WebUrl.parse(text);
        assertThat(url.hostname()).isEqualTo(name);
        assertThat(url.port()).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({
        "/a%2fb, /a%2fb",
        "/a b, /a%20b",
        "/a b%2f, /a%20b/",
        "/[x]!, /[x]!",
        "/ä, /%C3%A4",
        "https://h, ''",
        "*, *",
    })
    void pathsHaveTheEscapesThatTheyNeed(String text, String path) throws URISyntaxException {
        assertThat(WebUrl.parse(text).path()).isEqualTo(path);
    }

    @Test
    void queriesHaveValues() throws URISyntaxException {
        assertThat(WebUrl.parse("/?a+b=c%20d&a+b=&e&;f&%zz=1&=g").values())
                .isEqualTo(Map.of("a b", List.of("c d", ""), "e", List.of(""), "", List.of("g")));
        assertThat(WebUrl.parse("/?").values()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS://a@h/x y?#f g, https://a@h/x%20y?#f%20g",
        "https:///x, https:///x",
        "https:/x, https:/x",
        "mailto:a@b?c, mailto:a@b?c",
        "https://u%3A:p%41@h, https://u%3A:pA@h",
    })
    void textsHaveANormalForm(String text, String normal) throws URISyntaxException {
        assertThat(WebUrl.parse(text).text()).isEqualTo(normal);
    }
}
