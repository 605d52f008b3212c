package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads bodies of requests in the format that their media type names. Support for further formats belongs here. */
public final class BodyReader {
    private BodyReader() {}

    /** Reads a body in JSON or YAML; JSON if the media type is absent. */
    public static Body object(HttpExchange call) {
        Body.Format format = format(call.header("Content-Type"));
        return new Body(call.transport().body(), format);
    }

    /** Checks that the body of a create or update has a format that is read. */
    public static void checkType(HttpExchange call, Target target) {
        if (!isProtobuf(call) || expected(target).isEmpty()) {
            format(call.header("Content-Type"));
        }
    }

    /** Returns the body of a create or update, which has been read; built-in kinds also in protobuf. */
    public static Body object(HttpExchange call, Target target, byte[] bytes) {
        return expected(target)
                .filter(kind -> isProtobuf(call))
                .map(kind -> decoded(
                        bytes, kind, isStored(target) ? ProtobufFormat::decodeUnformed : ProtobufFormat::decode))
                .orElseGet(() -> new Body(bytes, format(call.header("Content-Type"))));
    }

    /** Reads options of a delete. */
    public static Body deleteOptions(HttpExchange call) {
        if (!isProtobuf(call)) {
            return object(call);
        }
        byte[] bytes = call.transport().body();
        return bytes.length == 0
                ? Body.json(bytes)
                : decoded(bytes, new ExpectedKind("v1", "DeleteOptions"), ProtobufFormat::decode);
    }

    private record ExpectedKind(String apiVersion, String kind) {}

    /** Returns the kind of the bodies of a resource; empty if they have no form in protobuf. */
    private static Optional<ExpectedKind> expected(Target target) {
        ResourceType type = target.type();
        if (target.subresource().equals("scale")) {
            return Optional.of(new ExpectedKind("autoscaling/v1", "Scale"));
        }
        if (type.origin() != Origin.BUILT_IN) {
            return Optional.empty();
        }
        return BuiltinTypes.resource(type, target.version()).stream()
                .flatMap(facts -> facts.subresources().stream())
                .filter(subresource -> subresource.name().equals(target.subresource()))
                .map(it -> new ExpectedKind((it.group().isEmpty() ? "" : it.group() + "/") + it.version(), it.kind()))
                .findFirst()
                .or(() -> Optional.of(new ExpectedKind(target.apiVersion(), type.kind())));
    }

    /** Returns whether bodies are objects that will be stored, and so be brought into the form of their kind. */
    private static boolean isStored(Target target) {
        return target.subresource().isEmpty() && target.type().rules().verbs().contains("get");
    }

    private static boolean isProtobuf(HttpExchange call) {
        String type = call.header("Content-Type");
        return type.startsWith(ProtobufFormat.MEDIA_TYPE)
                && MediaType.parse(type).essence().equals(ProtobufFormat.MEDIA_TYPE);
    }

    /** Returns the body as a tree, which every verb understands. */
    private static Body decoded(
            byte[] bytes, ExpectedKind expected, Function<ProtobufFormat.Envelope, JsonObject> decoder) {
        ProtobufFormat.Envelope envelope;
        try {
            envelope = ProtobufFormat.open(bytes).orElse(expected.apiVersion, expected.kind);
        } catch (MalformedObjectException e) {
            throw Refusal.unrecognised(expected.kind, bytes, String.valueOf(e.getMessage()));
        }
        try {
            return Body.of(decoder.apply(envelope), bytes.length);
        } catch (MalformedObjectException e) {
            String apiVersion = envelope.apiVersion();
            String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
            throw Refusal.badRequest(envelope.kind() + " in version \"" + version + "\" cannot be handled as a "
                    + expected.kind + ": " + e.getMessage());
        }
    }

    private static Body.Format format(String contentType) {
        if (contentType.isEmpty() || contentType.equals("application/json")) {
            return Body.Format.JSON;
        }
        return switch (MediaType.parse(contentType).essence()) {
            case "application/json" -> Body.Format.JSON;
            case "application/yaml" -> Body.Format.YAML;
            default -> throw Failures.unknownBody(Failures.ACCEPTED_BODIES);
        };
    }

    /** Returns the type of a patch of this resource. */
    public static Patch.Type patchType(HttpExchange call, Target target) {
        boolean builtIn = target.type().origin() == Origin.BUILT_IN;
        Supplier<ApiException> unknown = () -> builtIn ? unrouted(call) : Refusal.noStrategicPatch();
        return Patch.Type.of(call.header("Content-Type"))
                .filter(type -> builtIn || type != Patch.Type.STRATEGIC)
                .orElseThrow(unknown);
    }

    /** Returns the refusal of upstream's router, which minds the type of a body only if it knows that there is one. */
    private static ApiException unrouted(HttpExchange call) {
        return call.header("Content-Length").matches("0*[1-9]\\d*")
                ? ApiException.of(
                        Status.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Status.Details.EMPTY))
                : Representation.nothingAvailable("");
    }

    public static Body patch(HttpExchange call, Patch.Type type) {
        return new Body(call.transport().body(), type == Patch.Type.APPLY ? Body.Format.YAML : Body.Format.JSON);
    }

    /** Returns the value in a body; empty for a body that will be refused, and for none. */
    public static Optional<Object> readable(Body body) {
        if (body.isTree()) {
            return Optional.of(tree(body));
        }
        try {
            return Optional.ofNullable(
                    switch (body.format()) {
                        case JSON -> Json.parse(body.bytes(), JsonLimits.DEFAULT);
                        case YAML -> Yaml.parse(body.bytes(), JsonLimits.DEFAULT);
                    });
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** Returns the tree of a body. */
    public static JsonObject tree(Body body) {
        Optional<JsonObject> known = body.tree();
        if (known.isPresent()) {
            return known.get();
        }
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
