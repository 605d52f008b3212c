package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import java.util.function.Supplier;

/** Reads bodies of requests in the format that their media type names. Support for further formats belongs here. */
public final class BodyReader {
    private BodyReader() {}

    /** Reads the body of a create or update; JSON if the media type is absent. */
    public static Body object(HttpExchange call) {
        Body.Format format = format(call.header("Content-Type"));
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
        Supplier<ApiException> unknown = () -> builtIn
                ? ApiException.of(
                        Status.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Status.Details.EMPTY))
                : Refusal.noStrategicPatch();
        return Patch.Type.of(call.header("Content-Type"))
                .filter(type -> builtIn || type != Patch.Type.STRATEGIC)
                .orElseThrow(unknown);
    }

    public static Body patch(HttpExchange call, Patch.Type type) {
        return new Body(call.body().bytes(), type == Patch.Type.APPLY ? Body.Format.YAML : Body.Format.JSON);
    }

    /** Returns the tree of a body. */
    public static JsonObject tree(Body body) {
        try {
            return switch (body.format()) {
                case JSON -> Json.parseObject(body.bytes(), JsonLimits.DEFAULT);
                case YAML -> Yaml.parseObject(body.bytes(), JsonLimits.DEFAULT);
            };
        } catch (JsonException e) {
            String text = String.valueOf(e.getMessage());
            throw Refusal.badRequest(
                    "couldn't get version/kind; " + (text.startsWith("json") ? "" : "json parse error: ") + text);
        }
    }
}
