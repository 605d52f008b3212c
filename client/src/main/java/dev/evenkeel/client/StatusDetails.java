package dev.evenkeel.client;

import java.util.List;

/**
 * What a {@link Status} is about.
 *
 * @param name name of the object; empty when none is meant
 * @param group API group; empty for the core group
 * @param kind the plural resource ("configmaps") for resource errors, the kind ("ConfigMap") for validation errors, as
 *     upstream does it
 * @param uid uid of the object; empty when not given
 * @param causes single reasons, in the order in which they were found
 * @param retryAfterSeconds when to try again, in seconds; 0 when not given
 */
public record StatusDetails(
        String name, String group, String kind, String uid, List<StatusCause> causes, int retryAfterSeconds) {

    /** Details that say nothing: encoded as {@code "details":{}}. */
    public static final StatusDetails EMPTY = new StatusDetails("", "", "", "", List.of(), 0);

    /** Copies the causes. */
    public StatusDetails {
        causes = List.copyOf(causes);
    }

    /** Details that name an object. */
    public static StatusDetails of(String name, String group, String kind) {
        return new StatusDetails(name, group, kind, "", List.of(), 0);
    }

    /** The same details with these causes. */
    public StatusDetails withCauses(List<StatusCause> causes) {
        return new StatusDetails(name, group, kind, uid, causes, retryAfterSeconds);
    }

    /** The same details with this uid. */
    public StatusDetails withUid(String uid) {
        return new StatusDetails(name, group, kind, uid, causes, retryAfterSeconds);
    }

    /** The same details with this delay, in seconds. */
    public StatusDetails withRetryAfterSeconds(int seconds) {
        return new StatusDetails(name, group, kind, uid, causes, seconds);
    }
}
