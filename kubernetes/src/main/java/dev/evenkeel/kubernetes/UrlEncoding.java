package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;

/** Encodes paths and queries of URLs. */
final class UrlEncoding {
    private UrlEncoding() {}

    /** Returns a slash and one encoded segment of a path. */
    static String segment(String text) {
        String encoded = URLEncoder.encode(text, UTF_8).replace("+", "%20");
        // segments with a meaning in paths
        return "/" + (encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded);
    }

    /** Returns the non-empty parameters with a question mark; empty when all are empty. */
    static String text(Map<String, String> query) {
        String text = query.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return text.isEmpty() ? "" : "?" + text;
    }
}
