package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structural schema of the JSON form of a message.
 *
 * <p>It accepts what protobuf's JSON mapping prints, and nothing else; other forms that the mapping reads have been brought
 * into that one before. So 64-bit integers are strings, enums are names, {@code google.protobuf.Int64Value} is the string
 * itself, and a number that may be {@code "NaN"} has no type. A message within itself may have any fields in its schema,
 * which has to end somewhere; they are checked when the message is read.
 */
final class SpecSchema {
    private static final String ANY_FIELDS = "x-kubernetes-preserve-unknown-fields";
    private static final long MAX_UINT32 = 0xFFFF_FFFFL;

    private final Comments comments;
    private final Deque<Descriptor> above = new ArrayDeque<>();

    SpecSchema(Comments comments) {
        this.comments = comments;
    }

    /** Returns the schema of a message. */
    JsonObject message(Descriptor type) {
        JsonObject known = wellKnown(type.getFullName());
        if (known != null) {
            return known;
        }
        JsonObject schema = JsonObject.of("type", "object");
        if (above.contains(type)) {
            return schema.set(ANY_FIELDS, true);
        }
        above.push(type);
        schema.put("properties", properties(type));
        above.pop();
        return schema;
    }

    /** Returns the schemas of the fields of a message. */
    JsonObject properties(Descriptor type) {
        JsonObject properties = new JsonObject();
        type.getFields().forEach(field -> properties.put(field.getJsonName(), field(field)));
        return properties;
    }

    /** Returns the description of a message; empty when it has no comment. */
    String description(Descriptor type) {
        return comments.of(type);
    }

    private JsonObject field(FieldDescriptor field) {
        JsonObject schema;
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByName("value");
            schema = JsonObject.of("type", "object", "additionalProperties", value(value));
        } else if (field.isRepeated()) {
            schema = JsonObject.of("type", "array", "items", value(field));
        } else {
            schema = value(field);
        }
        return describe(schema, field);
    }

    private JsonObject describe(JsonObject schema, FieldDescriptor field) {
        List<String> parts = new ArrayList<>();
        String comment = comments.of(field);
        if (!comment.isEmpty()) {
            parts.add(comment);
        } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
            parts.add(comments.of(field.getMessageType()));
        }
        if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
            parts.add(values(field.getEnumType()));
        }
        parts.add(schema.string("description"));
        if (field.getRealContainingOneof() != null) {
            parts.add("At most one of the fields of "
                    + field.getRealContainingOneof().getName() + " is set.");
        }
        parts.removeIf(String::isEmpty);
        return schema.setUnlessEmpty("description", String.join("\n", parts));
    }

    /** Describes the values of an enum that have comments. */
    private String values(EnumDescriptor type) {
        List<String> lines = new ArrayList<>();
        for (EnumValueDescriptor value : type.getValues()) {
            String comment = comments.of(value);
            if (!comment.isEmpty()) {
                lines.add(value.getName() + ": " + comment);
            }
        }
        return String.join("\n", lines);
    }

    private JsonObject value(FieldDescriptor field) {
        return switch (field.getType()) {
            case DOUBLE, FLOAT -> number();
            case INT32, SINT32, SFIXED32 -> integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32, FIXED32 -> integer(0, MAX_UINT32);
            case INT64, SINT64, SFIXED64 -> signed();
            case UINT64, FIXED64 -> unsigned();
            case BOOL -> JsonObject.of("type", "boolean");
            case STRING -> JsonObject.of("type", "string");
            case BYTES -> bytes();
            case ENUM -> choice(field.getEnumType());
            case MESSAGE, GROUP -> message(field.getMessageType());
        };
    }

    private static JsonObject number() {
        return JsonObject.of(ANY_FIELDS, true, "description", "A number, \"NaN\", \"Infinity\" or \"-Infinity\".");
    }

    private static JsonObject integer(long min, long max) {
        return JsonObject.of("type", "integer", "format", min < 0 ? "int32" : "int64", "minimum", min, "maximum", max);
    }

    private static JsonObject signed() {
        return JsonObject.of(
                "type",
                "string",
                "pattern",
                "^(0|-?[1-9][0-9]{0,18})$",
                "description",
                "A 64-bit integer, as a string.");
    }

    private static JsonObject unsigned() {
        return JsonObject.of(
                "type",
                "string",
                "pattern",
                "^(0|[1-9][0-9]{0,19})$",
                "description",
                "An unsigned 64-bit integer, as a string.");
    }

    private static JsonObject bytes() {
        // not the format byte, which refuses none at all
        return text("Bytes, in base64.").set("pattern", "^[A-Za-z0-9+/]*={0,2}$");
    }

    private static JsonObject choice(EnumDescriptor type) {
        if (type.getFullName().equals("google.protobuf.NullValue")) {
            return JsonObject.of(ANY_FIELDS, true, "nullable", true, "description", "Always null.");
        }
        return JsonObject.of(
                "type",
                "string",
                "enum",
                new ArrayList<Object>(type.getValues().stream()
                        .map(EnumValueDescriptor::getName)
                        .toList()));
    }

    private static JsonObject text(String description) {
        return JsonObject.of("type", "string", "description", description);
    }

    /** Returns the schema of a message that has a JSON form of its own; null for other messages. */
    private static @Nullable JsonObject wellKnown(String name) {
        return switch (name) {
            case "google.protobuf.Timestamp" ->
                JsonObject.of("type", "string", "format", "date-time", "description", "A time, in RFC 3339 format.");
            case "google.protobuf.Duration" ->
                text("A duration in seconds, such as \"1.5s\".").set("pattern", "^-?[0-9]+(\\.[0-9]{1,9})?s$");
            case "google.protobuf.FieldMask" -> text("Paths of fields, separated by commas.");
            case "google.protobuf.Struct" -> JsonObject.of("type", "object", ANY_FIELDS, true);
            case "google.protobuf.Value" -> anything();
            case "google.protobuf.ListValue" -> JsonObject.of("type", "array", "items", anything());
            case WellKnown.ANY ->
                JsonObject.of(
                        "type",
                        "object",
                        "properties",
                        JsonObject.of("@type", text("The URL of the message's type.")),
                        ANY_FIELDS,
                        true);
            case "google.protobuf.BoolValue" -> JsonObject.of("type", "boolean");
            case "google.protobuf.Int32Value" -> integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "google.protobuf.UInt32Value" -> integer(0, MAX_UINT32);
            case "google.protobuf.Int64Value" -> signed();
            case "google.protobuf.UInt64Value" -> unsigned();
            case "google.protobuf.FloatValue", "google.protobuf.DoubleValue" -> number();
            case "google.protobuf.StringValue" -> JsonObject.of("type", "string");
            case "google.protobuf.BytesValue" -> bytes();
            default -> null;
        };
    }

    private static JsonObject anything() {
        return JsonObject.of(ANY_FIELDS, true, "nullable", true, "description", "Any value.");
    }
}
