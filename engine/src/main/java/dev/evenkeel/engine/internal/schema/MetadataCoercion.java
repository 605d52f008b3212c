package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.GoTime;
import dev.evenkeel.engine.internal.syntax.Rfc3339;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.time.DateTimeException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings metadata into its typed form, in place: unknown fields are reported and removed, empty ones are left out,
 * times are in UTC with whole seconds; a value of the wrong type is refused in the words of Go's decoder.
 */
record MetadataCoercion(String path, Consumer<String> unknown) {
    /**
     * Coerces the metadata of a resource.
     *
     * @param object the resource
     * @param path the path of its metadata, such as {@code metadata}
     * @param unknown receives the path of each unknown field, in the order in which they are written
     * @throws MalformedObjectException when a field is of the wrong type
     */
    static void coerce(JsonObject object, String path, Consumer<String> unknown) {
        Object metadata = object.get("metadata");
        if (metadata instanceof JsonObject) {
            new MetadataCoercion(path, unknown).meta(Json.asObject(metadata));
        } else if (metadata != null) {
            throw new MalformedObjectException(
                    "json: cannot unmarshal " + GoTypes.kind(metadata) + " into Go value of type v1.ObjectMeta");
        } else if (object.containsKey("metadata")) {
            object.remove("metadata");
        }
    }

    private void meta(JsonObject meta) {
        meta.entrySet().removeIf(entry -> {
            String name = entry.getKey();
            Schema schema = ObjectMeta.SCHEMA.property(name);
            if (schema == null) {
                unknown.accept(path + "." + name);
                return true;
            }
            Object value = entry.getValue();
            Object typed = value == null ? null : field(schema, name, value);
            if (typed == null || (isEmpty(typed) && !name.equals("deletionGracePeriodSeconds"))) {
                return true;
            }
            entry.setValue(typed);
            return false;
        });
    }

    private Object field(Schema schema, String name, Object value) {
        return switch (name) {
            case "labels", "annotations", "finalizers" -> texts(name, value);
            case "ownerReferences" -> list(name, value, "OwnerReference", ObjectMeta.OWNER_REFERENCE);
            case "managedFields" -> list(name, value, "ManagedFieldsEntry", ObjectMeta.MANAGED_FIELDS_ENTRY);
            default -> scalar(schema, "ObjectMeta." + name, value);
        };
    }

    private static Object texts(String name, Object value) {
        boolean list = name.equals("finalizers");
        if (list && value instanceof List<?>) {
            Json.asArray(value).replaceAll(text -> text(name, text));
        } else if (!list && value instanceof JsonObject map) {
            map.replaceAll((key, text) -> text(name, text));
        } else {
            throw mismatch(value, "ObjectMeta." + name, list ? "[]string" : "map[string]string");
        }
        return value;
    }

    private static String text(String name, @Nullable Object value) {
        return switch (value) {
            case null -> "";
            case String text -> text;
            default -> throw mismatch(value, "ObjectMeta." + name, "string");
        };
    }

    private Object list(String name, Object value, String goType, Schema schema) {
        if (!(value instanceof List<?>)) {
            throw mismatch(value, "ObjectMeta." + name, "[]v1." + goType);
        }
        List<@Nullable Object> list = Json.asArray(value);
        for (int i = 0; i < list.size(); i++) {
            Object item = list.get(i);
            if (item == null) {
                item = new JsonObject();
                list.set(i, item);
            } else if (!(item instanceof JsonObject)) {
                throw mismatch(item, "ObjectMeta." + name, "v1." + goType);
            }
            entry(Json.asObject(item), schema, goType + "." + name, path + "." + name + "[" + i + "]");
        }
        return value;
    }

    private void entry(JsonObject entry, Schema schema, String goField, String where) {
        entry.entrySet().removeIf(field -> {
            String name = field.getKey();
            Schema type = schema.property(name);
            Object value = field.getValue();
            if (type == null) {
                unknown.accept(where + "." + name);
            }
            if (type == null || value == null || type.type() == Schema.Type.OBJECT) {
                return type == null || value == null;
            }
            Object typed = scalar(type, goField + "." + name, value);
            field.setValue(typed);
            return isEmpty(typed) && !schema.required().contains(name);
        });
        for (String name : schema.required()) {
            entry.putIfAbsent(name, "");
        }
    }

    private static Object scalar(Schema schema, String goField, Object value) {
        boolean integer = schema.type() == Schema.Type.INTEGER;
        boolean flag = schema.type() == Schema.Type.BOOLEAN;
        boolean time = !schema.format().isEmpty();
        return switch (value) {
            case Boolean given when flag -> given;
            case Long number when integer -> number;
            case Double number
            when integer && number == Math.rint(number) && Math.abs(number) < 1L << 53 -> number.longValue();
            case String text when !integer && !flag -> time ? time(text) : text;
            default -> throw mismatch(value, goField, flag ? "bool" : integer ? "int64" : textType(goField));
        };
    }

    /** Returns the type of a field that is text, which times are read from. */
    private static String textType(String goField) {
        return switch (goField.substring(goField.lastIndexOf('.') + 1)) {
            case "uid" -> "types.UID";
            case "operation" -> "v1.ManagedFieldsOperationType";
            default -> "string";
        };
    }

    private static String time(String text) {
        if (Rfc3339.isInSeconds(text)) {
            try {
                Rfc3339.parse(text);
                return text;
            } catch (DateTimeException e) {
                // worded below
            }
        }
        try {
            return GoTime.parse(text, GoTime.RFC3339)
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString();
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isEmpty(Object value) {
        return value.equals(0L) || Json.isEmpty(value);
    }

    private static MalformedObjectException mismatch(@Nullable Object value, String goField, String goType) {
        String kind = goType.equals("int64") ? GoTypes.described(value) : GoTypes.kind(value);
        return new MalformedObjectException(
                "json: cannot unmarshal " + kind + " into Go struct field " + goField + " of type " + goType);
    }
}
