package dev.evenkeel.server.replay;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A received answer.
 *
 * @param status 0 when the server closed the connection
 * @param headers by name, whatever its case
 * @param body of a watch: everything until its end
 */
public record Answer(int status, Map<String, List<String>> headers, byte[] body) {
    /** Sorts the names of the headers. */
    public Answer {
        Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (!name.startsWith(":")) {
                sorted.put(name, List.copyOf(values));
            }
        });
        headers = sorted;
    }

    /** The first header of the name. */
    public Optional<String> header(String name) {
        return headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    /** The body as text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
