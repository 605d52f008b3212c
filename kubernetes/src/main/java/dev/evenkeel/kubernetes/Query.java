package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Map;
import java.util.stream.Collectors;

/** Paths and queries of addresses. */
final class Query {
    private Query() {}

    /** One segment of a path. */
    static String segment(String text) {
        String encoded = URLEncoder.encode(text, UTF_8).replace("+", "%20");
        // segments that mean a step in a path
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }

    /** What is not empty, with its question mark; empty when all is. */
    static String text(Map<String, String> query) {
        String text = query.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return text.isEmpty() ? "" : "?" + text;
    }
}
