package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** The errors that the HTTP layer itself creates, in upstream's words. */
public final class Failures {
    static final String ACCEPTED_BODIES = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

    private static final Pattern ESCAPED = Pattern.compile("\\\\u00([01][0-9A-F])");

    private static final Status REQUESTED_TIMEOUT = Status.of(
            504,
            "Timeout",
            "Timeout: request did not complete within requested timeout - context deadline exceeded",
            Status.Details.EMPTY);

    private Failures() {}

    public static ApiException of(int code, String reason, String message) {
        return ApiException.of(Status.of(code, reason, message));
    }

    public static ApiException unauthorized() {
        return of(401, "Unauthorized", "Unauthorized");
    }

    public static ApiException tooLarge(int limit) {
        return of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit);
    }

    /** Returns the failure of a write that takes too long. */
    public static Status requestedTimeout() {
        return REQUESTED_TIMEOUT;
    }

    /** Returns the body for a request that takes too long: upstream's, a Status without its kind. */
    public static byte[] allottedTimeout() {
        return ("{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Timeout: request did not complete within the"
                        + " allotted timeout\",\"reason\":\"Timeout\",\"details\":{},\"code\":504}\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    static ApiException unknownBody(String accepted) {
        String message = "the body of the request was in an unknown format - accepted media types include: " + accepted;
        return of(415, "UnsupportedMediaType", message);
    }

    public static ApiException tooManyRequests() {
        return later(429, "TooManyRequests", "Too many requests, please try again later.");
    }

    public static ApiException stopping() {
        return later(503, "ServiceUnavailable", "The server is stopping.");
    }

    private static ApiException later(int code, String reason, String message) {
        return ApiException.of(Status.of(code, reason, message, Status.Details.EMPTY.retryAfterSeconds(1)));
    }

    public static Status internal(String auditId) {
        String message = "Internal error occurred: see the log of the server for audit id " + auditId;
        return Status.of(500, "InternalError", message);
    }

    /** Quotes a text as Go's {@code %q} does: JSON, except for control characters. */
    public static String quoted(String text) {
        return ESCAPED.matcher(Json.text(text)).replaceAll(match -> switch (match.group(1)) {
            case "07" -> "\\\\a";
            case "0B" -> "\\\\v";
            default -> "\\\\x" + match.group(1).toLowerCase(Locale.ROOT);
        });
    }

    /** Thrown when the server has no time for a request; rendered as upstream's plain text. */
    public static final class Busy extends RuntimeException {
        private Busy() {
            super("Too many requests, please try again later.", null, false, false);
        }
    }

    /** Returns the failure for a request that exceeds the limit of its priority level. */
    public static RuntimeException busy() {
        return new Busy();
    }

    /** Thrown for a path that is not served; rendered as upstream's plain text. */
    public static final class NoSuchPath extends RuntimeException {
        private NoSuchPath() {
            super("404 page not found", null, false, false);
        }
    }

    /** Returns the failure for a path that is not served. */
    public static RuntimeException noSuchPath() {
        return new NoSuchPath();
    }

    /**
     * Returns the failure for a path below a group: a Status for built-in groups, plain text for other groups, as
     * upstream.
     */
    public static RuntimeException noSuchPath(ResourceApi partition, String group) {
        boolean builtIn = group.isEmpty()
                || partition.types().all().stream()
                        .anyMatch(t -> t.group().equals(group) && t.origin() == ResourceType.Origin.BUILT_IN);
        return builtIn ? Refusal.noSuchResource() : new NoSuchPath();
    }
}
