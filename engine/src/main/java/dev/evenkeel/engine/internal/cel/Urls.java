package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.GoTypes;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** URLs, absolute or beginning with a slash. */
final class Urls {
    private static final String INTRODUCTION = "URL parse error during conversion from string: ";

    private Urls() {}

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

    static void addTo(Library library) {
        library.add("url", String.class, Urls::read);
        library.add("isURL", String.class, text -> !(read(text) instanceof Problem));
        library.add("getScheme", Url.class, url -> Url.text(url.uri.getScheme()));
        library.add("getHost", Url.class, Url::host);
        library.add("getHostname", Url.class, Url::hostname);
        library.add("getPort", Url.class, Url::port);
        library.add("getEscapedPath", Url.class, url -> Url.text(url.uri.getRawPath()));
        library.add("getQuery", Url.class, Urls::query);
    }

    static Object read(String text) {
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
        return new Problem(INTRODUCTION + "parse " + GoTypes.quoted(text) + ": " + reason);
    }

    /** Returns why a text is not a URL; empty when it is one. */
    static List<String> errors(String text) {
        return read(text) instanceof Problem problem
                ? List.of(problem.text().substring(INTRODUCTION.length()))
                : List.of();
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
