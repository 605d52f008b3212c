package dev.evenkeel.client;

import java.util.List;
import java.util.Optional;

/**
 * A refusal in the words of the Kubernetes API: the {@code Status} object with {@code status: Failure}.
 *
 * @param code HTTP status code
 * @param reason machine readable reason, such as {@code NotFound}; empty where the API gives none
 * @param message for humans
 * @param continueToken a fresh continue token, sent with an expired one ({@code metadata.continue}); empty otherwise
 */
public record Status(int code, String reason, String message, Optional<Details> details, String continueToken) {
    /** Returns a status without details. */
    public static Status of(int code, String reason, String message) {
        return new Status(code, reason, message, Optional.empty(), "");
    }

    /** Returns a status with details. */
    public static Status of(int code, String reason, String message, Details details) {
        return new Status(code, reason, message, Optional.of(details), "");
    }

    /**
     * Returns the reason that goes with a code where none is given, as client-go supposes it for answers that are not
     * of the API; empty when there is none. For 409 it is {@code Conflict}, for 410 {@code Expired}.
     */
    public static String reasonOf(int code) {
        return switch (code) {
            case 400 -> "BadRequest";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 406 -> "NotAcceptable";
            case 409 -> "Conflict";
            case 410 -> "Expired";
            case 413 -> "RequestEntityTooLarge";
            case 415 -> "UnsupportedMediaType";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> code >= 500 ? "InternalError" : "";
        };
    }

    /**
     * One reason for the refusal of a request.
     *
     * @param reason machine readable, such as {@code FieldValueInvalid}; empty when the server gave none
     * @param message for humans
     * @param field path of the offending field, such as {@code spec.replicas}; empty when no field is meant
     */
    public record Cause(String reason, String message, String field) {}

    /**
     * The object and the causes that a {@link Status} is about.
     *
     * @param name name of the object; empty when none is meant
     * @param group API group; empty for the core group
     * @param kind the plural resource ("configmaps") for resource errors, the kind ("ConfigMap") for validation errors, as
     *     upstream does it
     * @param uid uid of the object; empty when not given
     * @param causes individual reasons, in the order in which they were found
     * @param retryAfterSeconds delay before the next attempt, in seconds; 0 when not given
     */
    public record Details(
            String name, String group, String kind, String uid, List<Status.Cause> causes, int retryAfterSeconds) {
        /** Empty details: encoded as {@code "details":{}}. */
        public static final Details EMPTY = new Details("", "", "", "", List.of(), 0);

        /** Copies the causes. */
        public Details {
            causes = List.copyOf(causes);
        }

        /** Returns details that name an object. */
        public static Details of(String name, String group, String kind) {
            return new Details(name, group, kind, "", List.of(), 0);
        }

        /** Returns a copy with these causes. */
        public Details causes(List<Status.Cause> causes) {
            return new Details(name, group, kind, uid, causes, retryAfterSeconds);
        }

        /** Returns a copy with this uid. */
        public Details uid(String uid) {
            return new Details(name, group, kind, uid, causes, retryAfterSeconds);
        }

        /** Returns a copy with this delay, in seconds. */
        public Details retryAfterSeconds(int seconds) {
            return new Details(name, group, kind, uid, causes, seconds);
        }
    }
}
