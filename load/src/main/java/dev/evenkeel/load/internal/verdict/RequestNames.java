package dev.evenkeel.load.internal.verdict;

import dev.evenkeel.load.result.RequestCounts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests by what they do to a server. A request is named by its verb, a space, and its kind with an optional subresource,
 * such as {@code update pods/status}.
 */
final class RequestNames {
    private RequestNames() {}

    static boolean writes(String request) {
        return RequestCounts.isWrite(verb(request));
    }

    static boolean of(String request, String verb) {
        return verb(request).equals(verb);
    }

    /** Returns the kind without its subresource. */
    static String kind(String request) {
        String kind = request.substring(request.indexOf(' ') + 1);
        int slash = kind.indexOf('/');
        return slash < 0 ? kind : kind.substring(0, slash);
    }

    /** Returns the requests for other kinds than some. */
    static SortedMap<String, Long> without(Map<String, Long> requests, Set<String> kinds) {
        SortedMap<String, Long> others = new TreeMap<>(requests);
        others.keySet().removeIf(request -> kinds.contains(kind(request)));
        return others;
    }

    /** Returns the most frequent of some requests with their numbers. */
    static String names(Map<String, Long> requests) {
        List<String> names = requests.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .toList();
        return Wording.names(names);
    }

    private static String verb(String request) {
        int space = request.indexOf(' ');
        if (space < 1) {
            throw new IllegalArgumentException(
                    "a request must be a verb, a space and a kind, such as \"update pods\": \"" + request + "\"");
        }
        return request.substring(0, space);
    }
}
