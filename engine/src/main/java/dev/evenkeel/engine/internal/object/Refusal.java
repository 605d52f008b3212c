package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import java.util.stream.Collectors;

/** Creates the error statuses of the API, in upstream's words. */
public final class Refusal {
    private Refusal() {}

    public static ApiException notFound(ResourceType type, String name) {
        return ApiException.of(Status.of(404, "NotFound", quoted(type, name) + " not found", resource(type, name)));
    }

    public static ApiException namespaceNotFound(String name) {
        return ApiException.of(Status.of(
                404, "NotFound", "namespaces \"" + name + "\" not found", Status.Details.of(name, "", "namespaces")));
    }

    public static ApiException alreadyExists(ResourceType type, String name, boolean deleting) {
        String message = (deleting ? "object is being deleted: " : "") + quoted(type, name) + " already exists";
        return ApiException.of(Status.of(409, "AlreadyExists", message, resource(type, name)));
    }

    public static ApiException noUniqueName(ResourceType type, String name) {
        return ApiException.of(Status.of(
                409,
                "AlreadyExists",
                quoted(type, name)
                        + " already exists, the server was not able to generate a unique name for the object",
                resource(type, name).retryAfterSeconds(1)));
    }

    public static ApiException modified(ResourceType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static ApiException conflict(ResourceType type, String name, String why) {
        return ApiException.of(Status.of(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + quoted(type, name) + ": " + why,
                resource(type, name)));
    }

    /** Returns the error of a failed precondition of a delete: named by kind, not by resource. */
    public static ApiException precondition(ResourceType type, String name, String why) {
        return ApiException.of(Status.of(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + type.qualifiedKind() + " \"" + name + "\": " + why,
                Status.Details.of(name, type.group(), type.kind())));
    }

    public static ApiException invalid(ResourceType type, String name, List<FieldError> errors) {
        return invalid(type.group(), type.kind(), name, errors);
    }

    /** Returns the errors of an object of a kind; of options when the group is meta.k8s.io. */
    public static ApiException invalid(String group, String kind, String name, List<FieldError> errors) {
        String list = errors.stream().map(FieldError::text).distinct().collect(Collectors.joining(", "));
        long distinct = errors.stream().map(FieldError::text).distinct().count();
        List<Status.Cause> causes = errors.stream().map(FieldError::cause).toList();
        return ApiException.of(Status.of(
                422,
                "Invalid",
                (group.isEmpty() ? kind : kind + "." + group) + " \"" + name + "\" is invalid: "
                        + (distinct == 1 ? list : "[" + list + "]"),
                Status.Details.of(name, group, kind).causes(causes)));
    }

    /** Returns the errors of an object. */
    public static ApiException invalid(ResourceType type, JsonObject tree, List<FieldError> errors) {
        return invalid(type.group(), tree.string("kind"), tree.string("metadata", "name"), errors);
    }

    public static ApiException badRequest(String message) {
        return ApiException.of(Status.of(400, "BadRequest", message));
    }

    /** Returns the error of an object that cannot be read as its kind. */
    public static ApiException malformed(Target target, String why) {
        String kind = target.type().kind();
        return badRequest(
                kind + " in version \"" + target.version().name() + "\" cannot be handled as a " + kind + ": " + why);
    }

    /** Returns an error with code 500 and no reason, upstream's answer to some mistakes of clients. */
    public static ApiException internal(String message) {
        return ApiException.of(Status.of(500, "", message));
    }

    public static ApiException forbidden(ResourceType type, String name, String why, List<Status.Cause> causes) {
        return ApiException.of(Status.of(
                403,
                "Forbidden",
                quoted(type, name) + " is forbidden: " + why,
                resource(type, name).causes(causes)));
    }

    /** Returns the error of a verb that the kind does not have. */
    public static ApiException noSuchMethod() {
        return ApiException.of(Status.of(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Status.Details.EMPTY));
    }

    static ApiException notSupported(String verb, ResourceType type) {
        return ApiException.of(Status.of(
                405,
                "MethodNotAllowed",
                verb + " is not supported on resources of kind \"" + type.id() + "\"",
                Status.Details.EMPTY));
    }

    /**
     * Returns the error of a strategic merge patch for a kind that is not built in: only built-in kinds define how
     * their lists are merged.
     */
    public static ApiException noStrategicPatch() {
        return ApiException.of(Status.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"));
    }

    public static ApiException expired(String message) {
        return ApiException.of(Status.of(410, "Expired", message));
    }

    public static ApiException tooNew(long requested, long current) {
        return ApiException.of(Status.of(
                504,
                "Timeout",
                "Timeout: Too large resource version: " + Long.toUnsignedString(requested) + ", current: " + current,
                Status.Details.EMPTY
                        .causes(List.of(new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "")))
                        .retryAfterSeconds(1)));
    }

    private static String quoted(ResourceType type, String name) {
        return type.id() + " \"" + name + "\"";
    }

    private static Status.Details resource(ResourceType type, String name) {
        return Status.Details.of(name, type.group(), type.plural());
    }
}
