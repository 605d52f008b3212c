package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI v2 document in protobuf, for kubectl before 1.27: it explains, validates and checks for dry run by it.
 *
 * <p>It contains the parts that such clients read: definitions with their types, and of paths the query parameters of
 * PATCH. Field numbers are those of gnostic's {@code openapi.v2.Document}.
 */
final class OpenApiProtobuf {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private OpenApiProtobuf() {}

    static byte[] of(JsonObject document) {
        OpenApiProtobuf info = new OpenApiProtobuf();
        info.text(1, document.at("info", "title")).text(2, document.at("info", "version"));
        OpenApiProtobuf paths = new OpenApiProtobuf();
        document.object("paths")
                .forEach((name, item) ->
                        paths.named(2, name, new OpenApiProtobuf().message(8, operation(Json.at(item, "patch")))));
        OpenApiProtobuf definitions = new OpenApiProtobuf();
        document.object("definitions").forEach((name, definition) -> definitions.named(1, name, schema(definition)));
        return new OpenApiProtobuf()
                .text(1, document.get("swagger"))
                .message(2, info)
                .message(8, paths)
                .message(9, definitions)
                .bytes();
    }

    private static OpenApiProtobuf operation(@Nullable Object tree) {
        OpenApiProtobuf operation = new OpenApiProtobuf();
        for (Object each : Json.array(Json.at(tree, "parameters"))) {
            // others are shared and of no interest to such clients
            if ("query".equals(Json.at(each, "in"))) {
                OpenApiProtobuf query = new OpenApiProtobuf()
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
    private static OpenApiProtobuf schema(@Nullable Object tree) {
        OpenApiProtobuf schema = new OpenApiProtobuf();
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
            schema.message(22, new OpenApiProtobuf().text(1, type));
        }
        if (!unknown && Json.at(tree, "items") instanceof JsonObject items) {
            schema.message(23, wrapped(1, schema(items)));
        }
        if (!unknown && Json.at(tree, "properties") instanceof JsonObject properties) {
            OpenApiProtobuf named = new OpenApiProtobuf();
            properties.forEach((name, property) -> named.named(1, name, schema(property)));
            schema.message(25, named);
        }
        schema.extensions(31, tree);
        return schema;
    }

    private static OpenApiProtobuf wrapped(int field, OpenApiProtobuf value) {
        return new OpenApiProtobuf().message(field, value);
    }

    private static boolean isTrue(@Nullable Object tree, String field) {
        return Boolean.TRUE.equals(Json.at(tree, field));
    }

    /** Encodes members named {@code x-}; their values as JSON, which is YAML. */
    private void extensions(int field, @Nullable Object tree) {
        Json.object(tree).orElse(new JsonObject()).forEach((name, value) -> {
            if (name.startsWith("x-")) {
                named(field, name, new OpenApiProtobuf().text(2, Json.text(value)));
            }
        });
    }

    private void named(int field, String name, OpenApiProtobuf value) {
        message(field, new OpenApiProtobuf().text(1, name).message(2, value));
    }

    private OpenApiProtobuf text(int field, @Nullable Object value) {
        return value instanceof String text && !text.isEmpty()
                ? delimited(field, text.getBytes(StandardCharsets.UTF_8))
                : this;
    }

    private OpenApiProtobuf message(int field, OpenApiProtobuf value) {
        return delimited(field, value.bytes());
    }

    private OpenApiProtobuf delimited(int field, byte[] bytes) {
        varint((field << 3) | 2);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            out.write((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    private byte[] bytes() {
        return out.toByteArray();
    }
}
