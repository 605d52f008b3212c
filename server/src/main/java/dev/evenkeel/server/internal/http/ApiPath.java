package dev.evenkeel.server.internal.http;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of a URL: the partition, and the decoded segments after it.
 *
 * <p>Segments are split before they are decoded, so that an escaped slash is part of a name, and {@code ..} is a name
 * without special meaning (one that no object has). A slash at the end does not count.
 *
 * @param partition {@code default} unless the path begins with {@code /partitions/{p}}
 * @param segments decoded; an empty one stands for a doubled slash
 * @param raw the decoded path after the partition, with a slash at its end if it has one
 * @param prefix the path of the partition; empty unless the path begins with it
 */
public record ApiPath(String partition, List<String> segments, String raw, String prefix) {
    private static final String PREFIX = "partitions";

    static ApiPath parse(String raw) {
        List<String> segments = new ArrayList<>(8);
        int start = raw.startsWith("/") ? 1 : 0;
        while (start < raw.length()) {
            int end = raw.indexOf('/', start);
            if (end < 0) {
                end = raw.length();
            }
            segments.add(Query.decode(raw.substring(start, end), false));
            start = end + 1;
        }
        if (segments.size() >= 2 && segments.getFirst().equals(PREFIX)) {
            List<String> rest = segments.subList(2, segments.size());
            return new ApiPath(segments.get(1), rest, raw(rest, raw), "/" + PREFIX + "/" + segments.get(1));
        }
        return new ApiPath("default", segments, raw(segments, raw), "");
    }

    private static String raw(List<String> segments, String raw) {
        boolean slash = raw.endsWith("/") && !segments.isEmpty();
        return "/" + String.join("/", segments) + (slash ? "/" : "");
    }

    /** Returns true for the path of a partition itself, {@code /partitions/{p}}. */
    public boolean ofPartition() {
        return segments.isEmpty() && !prefix.isEmpty();
    }

    /** Returns true if a segment cannot be decoded. */
    public boolean malformed() {
        return partition.equals(Query.MALFORMED) || segments.contains(Query.MALFORMED);
    }

    public String first() {
        return segments.isEmpty() ? "" : segments.getFirst();
    }

    /** Returns the segments, joined again. */
    public String text() {
        return "/" + String.join("/", segments);
    }
}
