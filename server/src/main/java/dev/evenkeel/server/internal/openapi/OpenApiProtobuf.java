package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI v3 document in protobuf, for clients that ask for it: other servers of the control plane, and programs with
 * client-go 0.24. Field numbers are those of gnostic's {@code openapi.v3.Document}.
 *
 * <p>It contains all that documents of Kubernetes have; of a default value only numbers, booleans and texts, as gnostic does.
 */
final class OpenApiProtobuf {
    private static final Map<String, Integer> METHODS =
            Map.of("get", 4, "put", 5, "post", 6, "delete", 7, "options", 8, "head", 9, "patch", 10, "trace", 11);

    private OpenApiProtobuf() {}

    static byte[] of(JsonObject document) {
        ProtobufMessage root = new ProtobufMessage().text(1, document.get("openapi"));
        put(root, 2, document.get("info"), OpenApiProtobuf::info);
        put(root, 4, document.get("paths"), OpenApiProtobuf::paths);
        put(root, 5, document.get("components"), OpenApiProtobuf::components);
        return root.extensions(9, document).bytes();
    }

    private static void put(
            ProtobufMessage to, int field, @Nullable Object tree, Function<JsonObject, ProtobufMessage> form) {
        if (tree instanceof JsonObject object) {
            to.message(field, form.apply(object));
        }
    }

    private static void putAll(
            ProtobufMessage to, int field, @Nullable Object trees, Function<JsonObject, ProtobufMessage> form) {
        Json.array(trees).forEach(tree -> put(to, field, tree, form));
    }

    /** Writes the members of an object as entries of a message that has nothing else. */
    private static ProtobufMessage map(JsonObject tree, Function<JsonObject, ProtobufMessage> form) {
        ProtobufMessage map = new ProtobufMessage();
        tree.forEach((name, value) -> map.named(1, name, form.apply(Json.asObject(value))));
        return map;
    }

    /** Writes an object as it is, or the reference to one. */
    private static Function<JsonObject, ProtobufMessage> orReference(Function<JsonObject, ProtobufMessage> form) {
        return tree -> tree.has("$ref")
                ? new ProtobufMessage()
                        .message(
                                2,
                                new ProtobufMessage()
                                        .text(1, tree.get("$ref"))
                                        .text(2, tree.get("summary"))
                                        .text(3, tree.get("description")))
                : new ProtobufMessage().message(1, form.apply(tree));
    }

    private static ProtobufMessage info(JsonObject tree) {
        return new ProtobufMessage()
                .text(1, tree.get("title"))
                .text(2, tree.get("description"))
                .text(6, tree.get("version"))
                .extensions(7, tree);
    }

    private static ProtobufMessage paths(JsonObject tree) {
        ProtobufMessage paths = new ProtobufMessage();
        tree.forEach((name, item) -> {
            if (name.startsWith("/")) {
                paths.named(1, name, path(Json.asObject(item)));
            }
        });
        return paths.extensions(2, tree);
    }

    private static ProtobufMessage path(JsonObject tree) {
        ProtobufMessage path =
                new ProtobufMessage().text(2, tree.get("summary")).text(3, tree.get("description"));
        METHODS.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(method -> put(path, method.getValue(), tree.get(method.getKey()), OpenApiProtobuf::operation));
        putAll(path, 13, tree.get("parameters"), orReference(OpenApiProtobuf::parameter));
        return path.extensions(14, tree);
    }

    private static ProtobufMessage operation(JsonObject tree) {
        ProtobufMessage operation = new ProtobufMessage();
        tree.array("tags").forEach(tag -> operation.text(1, tag));
        operation.text(2, tree.get("summary")).text(3, tree.get("description")).text(5, tree.get("operationId"));
        putAll(operation, 6, tree.get("parameters"), orReference(OpenApiProtobuf::parameter));
        put(operation, 7, tree.get("requestBody"), orReference(OpenApiProtobuf::requestBody));
        put(operation, 8, tree.get("responses"), OpenApiProtobuf::responses);
        return operation.flag(10, tree.get("deprecated")).extensions(13, tree);
    }

    private static ProtobufMessage parameter(JsonObject tree) {
        ProtobufMessage parameter = new ProtobufMessage()
                .text(1, tree.get("name"))
                .text(2, tree.get("in"))
                .text(3, tree.get("description"))
                .flag(4, tree.get("required"))
                .flag(5, tree.get("deprecated"))
                .flag(6, tree.get("allowEmptyValue"));
        put(parameter, 10, tree.get("schema"), orReference(OpenApiProtobuf::schema));
        return parameter.extensions(14, tree);
    }

    private static ProtobufMessage requestBody(JsonObject tree) {
        ProtobufMessage body = new ProtobufMessage().text(1, tree.get("description"));
        put(body, 2, tree.get("content"), OpenApiProtobuf::content);
        return body.flag(3, tree.get("required")).extensions(4, tree);
    }

    private static ProtobufMessage content(JsonObject tree) {
        return map(tree, type -> {
            ProtobufMessage media = new ProtobufMessage();
            put(media, 1, type.get("schema"), orReference(OpenApiProtobuf::schema));
            return media.extensions(5, type);
        });
    }

    private static ProtobufMessage responses(JsonObject tree) {
        ProtobufMessage responses = new ProtobufMessage();
        Function<JsonObject, ProtobufMessage> form = orReference(OpenApiProtobuf::response);
        put(responses, 1, tree.get("default"), form);
        tree.forEach((status, response) -> {
            if (!status.equals("default") && !status.startsWith("x-")) {
                responses.named(2, status, form.apply(Json.asObject(response)));
            }
        });
        return responses.extensions(3, tree);
    }

    private static ProtobufMessage response(JsonObject tree) {
        ProtobufMessage response = new ProtobufMessage().text(1, tree.get("description"));
        put(response, 3, tree.get("content"), OpenApiProtobuf::content);
        return response.extensions(5, tree);
    }

    private static ProtobufMessage components(JsonObject tree) {
        ProtobufMessage components = new ProtobufMessage();
        put(components, 1, tree.get("schemas"), schemas -> map(schemas, orReference(OpenApiProtobuf::schema)));
        put(
                components,
                7,
                tree.get("securitySchemes"),
                schemes -> map(schemes, orReference(OpenApiProtobuf::security)));
        return components.extensions(10, tree);
    }

    private static ProtobufMessage security(JsonObject tree) {
        return new ProtobufMessage()
                .text(1, tree.get("type"))
                .text(2, tree.get("description"))
                .text(3, tree.get("name"))
                .text(4, tree.get("in"))
                .text(5, tree.get("scheme"))
                .extensions(9, tree);
    }

    private static ProtobufMessage schema(JsonObject tree) {
        Function<JsonObject, ProtobufMessage> part = orReference(OpenApiProtobuf::schema);
        ProtobufMessage schema = new ProtobufMessage().flag(1, tree.get("nullable"));
        put(
                schema,
                6,
                tree.get("externalDocs"),
                docs -> new ProtobufMessage()
                        .text(1, docs.get("description"))
                        .text(2, docs.get("url"))
                        .extensions(3, docs));
        if (tree.has("example")) {
            schema.any(7, tree.get("example"));
        }
        schema.text(9, tree.get("title"))
                .number(10, tree.get("multipleOf"))
                .number(11, tree.get("maximum"))
                .flag(12, tree.get("exclusiveMaximum"))
                .number(13, tree.get("minimum"))
                .flag(14, tree.get("exclusiveMinimum"))
                .integer(15, tree.get("maxLength"))
                .integer(16, tree.get("minLength"))
                .text(17, tree.get("pattern"))
                .integer(18, tree.get("maxItems"))
                .integer(19, tree.get("minItems"))
                .flag(20, tree.get("uniqueItems"))
                .integer(21, tree.get("maxProperties"))
                .integer(22, tree.get("minProperties"));
        tree.array("required").forEach(name -> schema.text(23, name));
        tree.array("enum").forEach(value -> schema.any(24, value));
        schema.text(25, tree.get("type"));
        putAll(schema, 26, tree.get("allOf"), part);
        putAll(schema, 27, tree.get("oneOf"), part);
        putAll(schema, 28, tree.get("anyOf"), part);
        put(schema, 29, tree.get("not"), OpenApiProtobuf::schema);
        put(schema, 30, tree.get("items"), items -> new ProtobufMessage().message(1, part.apply(items)));
        put(schema, 31, tree.get("properties"), properties -> map(properties, part));
        Object additional = tree.get("additionalProperties");
        if (additional instanceof Boolean allowed) {
            schema.message(32, new ProtobufMessage().bool(2, allowed));
        }
        put(schema, 32, additional, each -> new ProtobufMessage().message(1, part.apply(each)));
        if (tree.has("default")) {
            schema.message(33, defaultValue(tree.get("default")));
        }
        return schema.text(34, tree.get("description"))
                .text(35, tree.get("format"))
                .extensions(36, tree);
    }

    private static ProtobufMessage defaultValue(@Nullable Object value) {
        ProtobufMessage one = new ProtobufMessage();
        return switch (value) {
            case Number number -> one.fixed(1, number.doubleValue());
            case Boolean truth -> one.bool(2, truth);
            case String text -> one.string(3, text);
            case null, default -> one;
        };
    }
}
