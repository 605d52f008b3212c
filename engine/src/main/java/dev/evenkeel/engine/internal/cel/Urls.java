package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.WebUrl;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** URLs, absolute or beginning with a slash. */
final class Urls {
    private Urls() {}

    /** A URL; two are equal when their normal forms are. */
    record Url(WebUrl url) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Url that && url.text().equals(that.url.text());
        }

        @Override
        public int hashCode() {
            return url.text().hashCode();
        }
    }

    static void addTo(Library library) {
        library.add("url", String.class, Urls::read);
        library.add("isURL", String.class, WebUrl::isRequest);
        library.add("getScheme", Url.class, each -> each.url.scheme());
        library.add("getHost", Url.class, each -> each.url.host());
        library.add("getHostname", Url.class, each -> each.url.hostname());
        library.add("getPort", Url.class, each -> each.url.port());
        library.add("getEscapedPath", Url.class, each -> each.url.path());
        library.add("getQuery", Url.class, each -> query(each.url));
    }

    private static Object read(String text) {
        try {
            // a fragment belongs to the path or the query of a request, so it is parsed again
            WebUrl.parseRequest(text);
            return new Url(WebUrl.parse(text));
        } catch (URISyntaxException e) {
            return new Problem("URL parse error during conversion from string: " + WebUrl.message(e));
        }
    }

    /** Returns why a text is not a URL; empty when it is one. */
    static List<String> errors(String text) {
        try {
            WebUrl.parseRequest(text);
            return List.of();
        } catch (URISyntaxException e) {
            return List.of(WebUrl.message(e));
        }
    }

    private static Object query(WebUrl url) {
        Map<Object, Object> lists = new LinkedHashMap<>();
        url.values().forEach((name, values) -> lists.put(name, ListValue.of(List.copyOf(values))));
        return MapValue.of(lists);
    }
}
