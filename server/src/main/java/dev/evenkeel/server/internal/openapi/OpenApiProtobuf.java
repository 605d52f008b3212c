package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    /** Encodes a document. */
    static byte[] of(JsonObject document) {
        OpenApiProtobuf message = new OpenApiProtobuf();
        message.text(1, document.get("swagger"));
        OpenApiProtobuf info = new OpenApiProtobuf();
        info.text(1, document.at("info", "title"));
        info.text(2, document.at("info", "version"));
        message.message(2, info);
        OpenApiProtobuf paths = new OpenApiProtobuf();
        document.object("paths").forEach((name, item) -> {
            OpenApiProtobuf path = new OpenApiProtobuf();
            path.message(8, operation(Json.at(item, "patch")));
            paths.named(2, name, path);
        });
        message.message(8, paths);
        OpenApiProtobuf definitions = new OpenApiProtobuf();
        document.object("definitions").forEach((name, definition) -> definitions.named(1, name, schema(definition)));
        message.message(9, definitions);
        return message.bytes();
    }

    private static OpenApiProtobuf operation(@Nullable Object tree) {
        OpenApiProtobuf operation = new OpenApiProtobuf();
        if (Json.at(tree, "parameters") instanceof List<?> parameters) {
            for (Object each : parameters) {
                OpenApiProtobuf query = new OpenApiProtobuf();
                query.text(2, Json.at(each, "in"));
                query.text(4, Json.at(each, "name"));
                query.text(6, Json.at(each, "type"));
                OpenApiProtobuf nonBody = new OpenApiProtobuf();
                nonBody.message(3, query);
                OpenApiProtobuf parameter = new OpenApiProtobuf();
                parameter.message(2, nonBody);
                OpenApiProtobuf item = new OpenApiProtobuf();
                item.message(1, parameter);
                operation.message(8, item);
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
        if (Json.at(tree, "required") instanceof List<?> required) {
            required.forEach(name -> schema.text(19, name));
        }
        Object additional = Json.at(tree, "additionalProperties");
        if (!unknown && additional instanceof JsonObject) {
            OpenApiProtobuf item = new OpenApiProtobuf();
            item.message(1, schema(additional));
            schema.message(21, item);
        }
        if (!open && Json.at(tree, "type") instanceof String type) {
            OpenApiProtobuf item = new OpenApiProtobuf();
            item.text(1, type);
            schema.message(22, item);
        }
        if (!unknown && Json.at(tree, "items") instanceof JsonObject items) {
            OpenApiProtobuf item = new OpenApiProtobuf();
            item.message(1, schema(items));
            schema.message(23, item);
        }
        if (!unknown && Json.at(tree, "properties") instanceof JsonObject properties) {
            OpenApiProtobuf named = new OpenApiProtobuf();
            properties.forEach((name, property) -> named.named(1, name, schema(property)));
            schema.message(25, named);
        }
        schema.extensions(31, tree);
        return schema;
    }

    private static boolean isTrue(@Nullable Object tree, String field) {
        return Boolean.TRUE.equals(Json.at(tree, field));
    }

    /** Encodes members named {@code x-}; their values as JSON, which is YAML. */
    private void extensions(int field, @Nullable Object tree) {
        Json.object(tree).orElse(new JsonObject()).forEach((name, value) -> {
            if (name.startsWith("x-")) {
                OpenApiProtobuf any = new OpenApiProtobuf();
                any.text(2, Json.text(value));
                named(field, name, any);
            }
        });
    }

    private void named(int field, String name, OpenApiProtobuf value) {
        OpenApiProtobuf entry = new OpenApiProtobuf();
        entry.text(1, name);
        entry.message(2, value);
        message(field, entry);
    }

    private void text(int field, @Nullable Object value) {
        if (value instanceof String text && !text.isEmpty()) {
            delimited(field, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void message(int field, OpenApiProtobuf value) {
        delimited(field, value.bytes());
    }

    private void delimited(int field, byte[] bytes) {
        varint((field << 3) | 2);
        varint(bytes.length);
        out.writeBytes(bytes);
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
