package dev.evenkeel.server.internal.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Warnings as headers: {@code 299 - "text"}.
 *
 * <p>As upstream: once all of them exceed 4,096 characters, each is cut to 256, and warnings that then still exceed the
 * total are dropped.
 */
public final class Warnings {
    private static final int MAX_TOTAL = 4096;
    private static final int MAX_CUT = 256;

    private Warnings() {}

    public static List<String> headers(List<String> warnings) {
        if (warnings.isEmpty()) {
            return List.of();
        }
        int total = warnings.stream().mapToInt(String::length).sum();
        List<String> headers = new ArrayList<>(warnings.size());
        int left = MAX_TOTAL;
        for (String warning : warnings.stream().distinct().toList()) {
            String text = total > MAX_TOTAL && warning.length() > MAX_CUT ? warning.substring(0, MAX_CUT) : warning;
            left -= text.length();
            if (left < 0) {
                break;
            }
            headers.add("299 - \"" + escape(text) + "\"");
        }
        return headers;
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> out.append('\\').append((char) c);
                case '\n', '\r', '\t' -> out.append(' ');
                default -> {
                    if (c >= ' ' && c != 0x7F) {
                        out.appendCodePoint(c);
                    }
                }
            }
        });
        return out.toString();
    }
}
