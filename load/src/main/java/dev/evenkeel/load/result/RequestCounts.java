package dev.evenkeel.load.result;

import java.util.Map;
import java.util.Set;

/**
 * The requests of a controller of one verb to one kind.
 *
 * @param count their number
 * @param conflicts the number of those that were answered with 409: the object has changed, or exists already
 * @param throttled the number of those that were answered with 429: too many requests
 * @param bytes the bytes of the bodies of their answers
 */
public record RequestCounts(long count, long conflicts, long throttled, long bytes) {
    private static final Set<String> WRITES =
            Set.of("create", "update", "patch", "apply", "delete", "deletecollection");

    /** No request. */
    public static final RequestCounts NONE = new RequestCounts(0, 0, 0, 0);

    /** Returns whether a verb, such as {@code list}, changes objects; {@code apply} is that of server-side apply. */
    public static boolean isWrite(String verb) {
        return WRITES.contains(verb);
    }

    /** Returns the number of requests that change objects, whatever the answer was, by verb, a space and kind. */
    public static long writes(Map<String, RequestCounts> requests) {
        return requests.entrySet().stream()
                .filter(entry ->
                        isWrite(entry.getKey().substring(0, entry.getKey().indexOf(' '))))
                .mapToLong(entry -> entry.getValue().count())
                .sum();
    }

    /** Returns the sums of both. */
    public RequestCounts plus(RequestCounts other) {
        return new RequestCounts(
                count + other.count, conflicts + other.conflicts, throttled + other.throttled, bytes + other.bytes);
    }

    /** Returns what was counted since an earlier time. */
    public RequestCounts minus(RequestCounts earlier) {
        return new RequestCounts(
                count - earlier.count,
                conflicts - earlier.conflicts,
                throttled - earlier.throttled,
                bytes - earlier.bytes);
    }
}
