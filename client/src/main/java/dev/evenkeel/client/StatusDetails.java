package dev.evenkeel.client;

import java.util.List;

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
public record StatusDetails(
        String name, String group, String kind, String uid, List<StatusCause> causes, int retryAfterSeconds) {

    /** Empty details: encoded as {@code "details":{}}. */
    public static final StatusDetails EMPTY = new StatusDetails("", "", "", "", List.of(), 0);

    /** Copies the causes. */
    public StatusDetails {
        causes = List.copyOf(causes);
    }

    /** Returns details that name an object. */
    public static StatusDetails of(String name, String group, String kind) {
        return new StatusDetails(name, group, kind, "", List.of(), 0);
    }

    /** Returns a copy with these causes. */
    public StatusDetails withCauses(List<StatusCause> causes) {
        return new StatusDetails(name, group, kind, uid, causes, retryAfterSeconds);
    }

    /** Returns a copy with this uid. */
    public StatusDetails withUid(String uid) {
        return new StatusDetails(name, group, kind, uid, causes, retryAfterSeconds);
    }

    /** Returns a copy with this delay, in seconds. */
    public StatusDetails withRetryAfterSeconds(int seconds) {
        return new StatusDetails(name, group, kind, uid, causes, seconds);
    }
}
