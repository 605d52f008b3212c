package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;

/** Reads bodies of requests in the format that their media type names. Support for further formats belongs here. */
public final class BodyReader {
    private BodyReader() {}

    /** Reads the body of a create or update; JSON if the media type is absent. */
    public static Body object(HttpExchange call) {
        String contentType = call.header("Content-Type");
        Body.Format format = format(contentType);
        return new Body(call.body().bytes(), format);
    }

    private static Body.Format format(String contentType) {
        if (contentType.isEmpty() || contentType.equals("application/json")) {
            return Body.Format.JSON;
        }
        return switch (MediaType.parse(contentType).essence()) {
            case "application/json" -> Body.Format.JSON;
            case "application/yaml" -> Body.Format.YAML;
            case "application/vnd.kubernetes.protobuf" -> throw Failures.protobuf();
            default -> throw Failures.unknownBody(Failures.ACCEPTED_BODIES);
        };
    }

    /** Returns the type of a patch of this resource. */
    public static Patch.Type patchType(HttpExchange call, Target target) {
        boolean builtIn = target.type().origin() == Origin.BUILT_IN;
        return Patch.Type.of(call.header("Content-Type"))
                .filter(type -> builtIn || type != Patch.Type.STRATEGIC)
                .orElseThrow(
                        () -> builtIn
                                ? ApiException.of(Status.of(
                                        415,
                                        "UnsupportedMediaType",
                                        "415: Unsupported Media Type",
                                        Status.Details.EMPTY))
                                : Failures.unknownBody(
                                        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"));
    }

    /** Reads the body of a patch. */
    public static Body patch(HttpExchange call, Patch.Type type) {
        return new Body(call.body().bytes(), type == Patch.Type.APPLY ? Body.Format.YAML : Body.Format.JSON);
    }
}
