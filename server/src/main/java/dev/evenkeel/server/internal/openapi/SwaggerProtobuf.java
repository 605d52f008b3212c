package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI v2 document in protobuf, for kubectl before 1.27: it explains, validates and checks for dry run by it.
 *
 * <p>It contains the parts that such clients read: definitions with their types, and of paths the query parameters of
 * PATCH. Field numbers are those of gnostic's {@code openapi.v2.Document}.
 */
final class SwaggerProtobuf {
    private SwaggerProtobuf() {}

    static byte[] of(JsonObject document) {
        ProtobufMessage info = new ProtobufMessage();
        info.text(1, document.at("info", "title")).text(2, document.at("info", "version"));
        ProtobufMessage paths = new ProtobufMessage();
        document.object("paths")
                .forEach((name, item) ->
                        paths.named(2, name, new ProtobufMessage().message(8, operation(Json.at(item, "patch")))));
        ProtobufMessage definitions = new ProtobufMessage();
        document.object("definitions").forEach((name, definition) -> definitions.named(1, name, schema(definition)));
        return new ProtobufMessage()
                .text(1, document.get("swagger"))
                .message(2, info)
                .message(8, paths)
                .message(9, definitions)
                .bytes();
    }

    private static ProtobufMessage operation(@Nullable Object tree) {
        ProtobufMessage operation = new ProtobufMessage();
        for (Object each : Json.array(Json.at(tree, "parameters"))) {
            // others are shared and of no interest to such clients
            if ("query".equals(Json.at(each, "in"))) {
                ProtobufMessage query = new ProtobufMessage()
                        .text(2, Json.at(each, "in"))
                        .text(4, Json.at(each, "name"))
                        .text(6, Json.at(each, "type"));
                operation.message(8, wrapped(1, wrapped(2, wrapped(3, query))));
            }
        }
        operation.extensions(13, tree);
        return operation;
    }

    /**
     * Encodes a schema without the parts that old clients cannot read, as upstream does: then any value passes their
     * checks.
     */
    private static ProtobufMessage schema(@Nullable Object tree) {
        ProtobufMessage schema = new ProtobufMessage();
        boolean open = isTrue(tree, "nullable") || isTrue(tree, "x-kubernetes-int-or-string");
        boolean unknown = open || isTrue(tree, "x-kubernetes-preserve-unknown-fields");
        schema.text(1, Json.at(tree, "$ref"));
        schema.text(2, Json.at(tree, "format"));
        schema.text(3, Json.at(tree, "title"));
        schema.text(4, Json.at(tree, "description"));
        Json.array(Json.at(tree, "required")).forEach(name -> schema.text(19, name));
        if (!unknown && Json.at(tree, "additionalProperties") instanceof JsonObject additional) {
            schema.message(21, wrapped(1, schema(additional)));
        }
        if (!open && Json.at(tree, "type") instanceof String type) {
            schema.message(22, new ProtobufMessage().text(1, type));
        }
        if (!unknown && Json.at(tree, "items") instanceof JsonObject items) {
            schema.message(23, wrapped(1, schema(items)));
        }
        if (!unknown && Json.at(tree, "properties") instanceof JsonObject properties) {
            ProtobufMessage named = new ProtobufMessage();
            properties.forEach((name, property) -> named.named(1, name, schema(property)));
            schema.message(25, named);
        }
        schema.extensions(31, tree);
        return schema;
    }

    private static ProtobufMessage wrapped(int field, ProtobufMessage value) {
        return new ProtobufMessage().message(field, value);
    }

    private static boolean isTrue(@Nullable Object tree, String field) {
        return Boolean.TRUE.equals(Json.at(tree, field));
    }
}
