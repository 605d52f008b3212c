package dev.evenkeel.engine.internal.cel;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** URLs, absolute or beginning with a slash. */
final class Urls {
    static final Map<String, Call> CALLS = calls();

    private Urls() {}

    /**
     * A URL.
     *
     * @param uri its parts
     */
    record Url(URI uri) {
        String host() {
            String authority = text(uri.getRawAuthority());
            return authority.substring(authority.lastIndexOf('@') + 1);
        }

        String hostname() {
            String host = host();
            String name = port().isEmpty() && !host.endsWith(":") ? host : host.substring(0, host.lastIndexOf(':'));
            return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        }

        String port() {
            String host = host();
            int colon = host.lastIndexOf(':');
            return colon < 0 || colon < host.lastIndexOf(']') ? "" : host.substring(colon + 1);
        }

        private static String text(@Nullable String part) {
            return Objects.requireNonNullElse(part, "");
        }
    }

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("url", Call.of(String.class, Urls::read));
        calls.put("isURL", Call.of(String.class, text -> !(read(text) instanceof Problem)));
        part(calls, "getScheme", url -> Url.text(url.uri.getScheme()));
        part(calls, "getHost", Url::host);
        part(calls, "getHostname", Url::hostname);
        part(calls, "getPort", Url::port);
        part(calls, "getEscapedPath", url -> Url.text(url.uri.getRawPath()));
        part(calls, "getQuery", Urls::query);
        return calls;
    }

    private static void part(Map<String, Call> calls, String name, Function<Url, Object> part) {
        calls.put(name, Call.of(Url.class, part));
    }

    private static Object read(String text) {
        if (text.isEmpty()) {
            return wrong(text, "empty url");
        }
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/") ? new Url(uri) : wrong(text, "invalid URI for request");
        } catch (URISyntaxException e) {
            return wrong(text, e.getReason());
        }
    }

    private static Problem wrong(String text, String reason) {
        return new Problem(
                "URL parse error during conversion from string: parse " + Formatting.quote(text) + ": " + reason);
    }

    private static Object query(Url url) {
        Map<Object, List<Object>> values = new LinkedHashMap<>();
        for (String pair : Url.text(url.uri.getRawQuery()).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (!pair.isEmpty()) {
                values.computeIfAbsent(
                                decoded(equals < 0 ? pair : pair.substring(0, equals)), unused -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        Map<Object, Object> lists = new LinkedHashMap<>();
        values.forEach((key, list) -> lists.put(key, ListValue.of(list)));
        return MapValue.of(lists);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
