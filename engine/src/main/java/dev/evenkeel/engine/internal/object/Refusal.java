package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

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
        String message = quoted(type, name)
                + " already exists, the server was not able to generate a unique name for the object";
        Status.Details details = resource(type, name).retryAfterSeconds(1);
        return ApiException.of(Status.of(409, "AlreadyExists", message, details));
    }

    public static ApiException modified(ResourceType type, String name) {
        String why = "the object has been modified; please apply your changes to the latest version and try again";
        return conflict(type, name, why);
    }

    public static ApiException conflict(ResourceType type, String name, String why) {
        return conflict(quoted(type, name) + ": " + why, resource(type, name));
    }

    /** Returns the conflict of a write to a subresource, which it names. */
    public static ApiException conflictOfSubresource(Target target, String why) {
        ResourceType type = target.type();
        String resource = type.plural() + "/" + target.subresource();
        String id = type.group().isEmpty() ? resource : resource + "." + type.group();
        return conflict(
                id + " \"" + target.name() + "\": " + why, Status.Details.of(target.name(), type.group(), resource));
    }

    /** Returns the error of a failed precondition of a delete: named by kind, not by resource. */
    public static ApiException precondition(ResourceType type, String name, String why) {
        String what = type.qualifiedKind() + " \"" + name + "\": " + why;
        return conflict(what, Status.Details.of(name, type.group(), type.kind()));
    }

    private static ApiException conflict(String what, Status.Details details) {
        return ApiException.of(Status.of(409, "Conflict", "Operation cannot be fulfilled on " + what, details));
    }

    public static ApiException invalid(ResourceType type, String name, List<FieldError> errors) {
        return invalid(type.group(), type.kind(), name, errors);
    }

    /** Returns the error of a write that the store did not answer with success. */
    public static ApiException notWritten(StoreException cause) {
        String message = String.valueOf(cause.getMessage());
        ApiException refusal = switch (cause.reason()) {
            case UNAVAILABLE ->
                ApiException.of(
                        Status.of(503, "ServiceUnavailable", message, Status.Details.EMPTY.retryAfterSeconds(1)));
            case UNKNOWN -> ApiException.of(Status.of(504, "Timeout", message, Status.Details.EMPTY));
            case TOO_LARGE -> tooLarge(message);
        };
        refusal.initCause(cause);
        return refusal;
    }

    /** Returns the error of a read that asked for the present state while the store cannot tell it. */
    public static ApiException notRead(StoreException cause) {
        ApiException refusal = ApiException.of(Status.of(
                504, "Timeout", String.valueOf(cause.getMessage()), Status.Details.EMPTY.retryAfterSeconds(1)));
        refusal.initCause(cause);
        return refusal;
    }

    /** Returns the errors of an object of a kind; of options when the group is meta.k8s.io. */
    public static ApiException invalid(String group, String kind, String name, List<FieldError> errors) {
        List<Status.Cause> causes = errors.stream().map(FieldError::cause).toList();
        String message =
                (group.isEmpty() ? kind : kind + "." + group) + " \"" + name + "\" is invalid: " + text(errors);
        Status.Details details = Status.Details.of(name, group, kind).causes(causes);
        return ApiException.of(Status.of(422, "Invalid", message, details));
    }

    /** Returns different errors as one text. */
    public static String text(List<FieldError> errors) {
        List<String> texts = errors.stream().map(FieldError::text).distinct().toList();
        return texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
    }

    /** Returns the errors of an object. */
    public static ApiException invalid(ResourceType type, JsonObject tree, List<FieldError> errors) {
        return invalid(type.group(), tree.string("kind"), tree.string("metadata", "name"), errors);
    }

    /** Returns the error of a body that is not an object; it shows the start of the body. */
    public static ApiException unrecognised(String kind, byte[] body, String why) {
        return badRequest("the object provided is unrecognized (must be of type " + kind + "): " + why + " ("
                + shown(body) + ")");
    }

    /** Shows the first 30 bytes: as text when they look like JSON, else in hex. */
    private static String shown(byte[] bytes) {
        if (bytes.length == 0) {
            return "<empty>";
        }
        int length = Math.min(30, bytes.length);
        String text = bytes[0] == '{'
                ? new String(bytes, 0, length, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(bytes, 0, length);
        return bytes.length > 30 ? text + " ..." : text;
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

    /** Returns an internal error with code 500 and upstream's reason. */
    public static ApiException internalError(String message) {
        return ApiException.of(Status.of(
                500,
                "InternalError",
                "Internal error occurred: " + message,
                Status.Details.EMPTY.causes(List.of(new Status.Cause("", message, "")))));
    }

    public static ApiException forbidden(ResourceType type, String name, String why, List<Status.Cause> causes) {
        String message = quoted(type, name) + " is forbidden: " + why;
        return ApiException.of(
                Status.of(403, "Forbidden", message, resource(type, name).causes(causes)));
    }

    /** Returns the error of a request that its sender is not permitted to make. */
    public static ApiException forbidden(Attributes attributes, String reason) {
        String what = "User " + GoTypes.quoted(attributes.user().name()) + " cannot " + attributes.verb();
        if (!attributes.resourceRequest()) {
            String message = "forbidden: " + what + " path " + GoTypes.quoted(attributes.path()) + because(reason);
            return ApiException.of(Status.of(403, "Forbidden", message, Status.Details.EMPTY));
        }
        String resource = attributes.resource()
                + (attributes.group().isEmpty() ? "" : "." + attributes.group())
                + (attributes.name().isEmpty() ? "" : " " + GoTypes.quoted(attributes.name()));
        String message = resource + " is forbidden: " + what + " resource "
                + GoTypes.quoted(attributes.resourcePath()) + " in API group " + GoTypes.quoted(attributes.group())
                + (attributes.namespace().isEmpty()
                        ? " at the cluster scope"
                        : " in the namespace " + GoTypes.quoted(attributes.namespace()))
                + because(reason);
        return ApiException.of(Status.of(
                403,
                "Forbidden",
                message,
                Status.Details.of(attributes.name(), attributes.group(), attributes.resource())));
    }

    private static String because(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }

    /** Returns the error of a resource, or a version of a group, that is not served. */
    public static ApiException noSuchResource() {
        return ApiException.of(
                Status.of(404, "NotFound", "the server could not find the requested resource", Status.Details.EMPTY));
    }

    /** Returns the error of a verb that the kind does not have. */
    public static ApiException noSuchMethod() {
        String message = "the server does not allow this method on the requested resource";
        return ApiException.of(Status.of(405, "MethodNotAllowed", message, Status.Details.EMPTY));
    }

    /**
     * Returns the error of a strategic merge patch for a kind that is not built in: only built-in kinds define how
     * their lists are merged.
     */
    public static ApiException noStrategicPatch() {
        String message = "the body of the request was in an unknown format - accepted media types include:"
                + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
        return ApiException.of(Status.of(415, "UnsupportedMediaType", message));
    }

    /** Returns the error of a patch that does not fit the object. Upstream does not say why. */
    public static ApiException unprocessable() {
        String message = "the server rejected our request due to an error in our request";
        return ApiException.of(Status.of(422, "Invalid", message, Status.Details.EMPTY));
    }

    public static ApiException tooLarge(String message) {
        return ApiException.of(Status.of(413, "RequestEntityTooLarge", message));
    }

    public static ApiException expired(String message) {
        return ApiException.of(Status.of(410, "Expired", message));
    }

    public static ApiException tooNew(long requested, long current) {
        String message =
                "Timeout: Too large resource version: " + Long.toUnsignedString(requested) + ", current: " + current;
        Status.Cause cause = new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "");
        Status.Details details = Status.Details.EMPTY.causes(List.of(cause)).retryAfterSeconds(1);
        return ApiException.of(Status.of(504, "Timeout", message, details));
    }

    private static String quoted(ResourceType type, String name) {
        return type.id() + " \"" + name + "\"";
    }

    private static Status.Details resource(ResourceType type, String name) {
        return Status.Details.of(name, type.group(), type.plural());
    }
}
