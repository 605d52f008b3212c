package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.builtin.MessageLayout.Part;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes trees of built-in types as protobuf messages.
 *
 * <p>As Go's generated code does, fields other than pointers are written even when they are unset, maps are sorted by
 * key, and numbers of a list are not packed: equal objects have equal bytes, which are those of a Kubernetes server. A
 * tree must be in the form in which {@link BuiltinDecoder} leaves it; a value of another form counts as unset.
 */
final class ProtobufEncoder {
    private final BackwardWriter out;

    ProtobufEncoder(BackwardWriter out) {
        this.out = out;
    }

    /** Writes the fields of a struct. */
    void fields(JsonObject tree, MessageLayout layout) {
        List<Part> parts = layout.parts();
        for (int i = parts.size() - 1; i >= 0; i--) {
            switch (parts.get(i)) {
                case Part.Inlined(int number, MessageLayout inner) -> {
                    int before = out.size();
                    fields(tree, inner);
                    out.delimit(number, before);
                }
                case Part.Member(int number, FieldFacts field) -> field(number, field, tree.get(field.name()));
            }
        }
    }

    private void field(int number, FieldFacts field, @Nullable Object value) {
        ValueFacts facts = field.value();
        switch (facts.form()) {
            case LIST -> {
                if (!field.protobuf().isEmpty()) {
                    if (value != null) {
                        value(number, value, facts);
                    }
                } else if (value instanceof List<?> list) {
                    for (int i = list.size() - 1; i >= 0; i--) {
                        value(number, list.get(i), facts.elementFacts());
                    }
                }
            }
            case MAP -> {
                if (value instanceof JsonObject map) {
                    map(number, map, facts.elementFacts());
                }
            }
            default -> {
                boolean optional = field.pointer() || facts.form() == ValueForm.BYTES;
                if (value != null || !optional) {
                    value(number, value, facts);
                }
            }
        }
    }

    private void map(int number, JsonObject map, ValueFacts element) {
        List<String> keys = new ArrayList<>(map.keySet());
        keys.sort(Json.KEY_ORDER);
        for (String key : keys.reversed()) {
            int before = out.size();
            Object value = map.get(key);
            if (value != null || element.form() != ValueForm.BYTES) {
                value(2, value, element);
            }
            out.text(1, key);
            out.delimit(number, before);
        }
    }

    private void value(int number, @Nullable Object value, ValueFacts facts) {
        switch (facts.form()) {
            case STRING -> out.text(number, text(value));
            case BYTES -> out.bytes(number, Base64.getDecoder().decode(text(value)));
            case INT32, INT64 -> out.varint(number, integer(value));
            case BOOLEAN -> out.varint(number, Boolean.TRUE.equals(value) ? 1 : 0);
            case DOUBLE ->
                out.fixed64(number, Double.doubleToLongBits(value instanceof Number n ? n.doubleValue() : 0));
            default -> {
                int before = out.size();
                message(value, facts);
                out.delimit(number, before);
            }
        }
    }

    /** Writes the content of a value that has a message of its own. */
    private void message(@Nullable Object value, ValueFacts facts) {
        switch (facts.form()) {
            case STRUCT -> {
                TypeFacts type = FactTable.INSTANCE.type(facts.reference());
                switch (type.form()) {
                    case STRUCT ->
                        fields(
                                value instanceof JsonObject tree ? tree : new JsonObject(),
                                MessageLayout.of(type.name()));
                    case ANY -> any(value, type);
                    default -> message(value, new ValueFacts(type.form(), "", null, List.of()));
                }
            }
            case TIME, MICROTIME -> time(text(value), facts.form() == ValueForm.MICROTIME);
            case QUANTITY -> out.text(1, value == null ? "0" : text(value));
            case INT_OR_STRING -> {
                out.text(3, text(value));
                out.varint(2, integer(value));
                out.varint(1, value instanceof String ? 1 : 0);
            }
            case RAW, FIELDS -> {
                if (value != null) {
                    out.bytes(1, Json.write(value));
                }
            }
            case LIST -> {
                List<@Nullable Object> items = Json.array(value);
                for (int i = items.size() - 1; i >= 0; i--) {
                    value(1, items.get(i), facts.elementFacts());
                }
            }
            case STRING, BYTES, INT32, INT64, DOUBLE, BOOLEAN, ANY, EMPTY, MAP -> {}
        }
    }

    private void time(String text, boolean micros) {
        if (!text.isEmpty()) {
            Instant time = Times.parse(text);
            out.varint(2, micros ? time.getNano() / 1000 * 1000 : 0);
            out.varint(1, time.getEpochSecond());
        }
    }

    /** Writes one of the types of schemas that have several forms in JSON. */
    private void any(@Nullable Object value, TypeFacts type) {
        switch (OpenForm.of(type)) {
            case JSON -> {
                if (value != null) {
                    out.bytes(1, Json.write(value));
                }
            }
            case SCHEMA_OR_LIST -> {
                schemas(2, value);
                schema(1, value);
            }
            case SCHEMA_OR_BOOLEAN -> {
                schema(2, value);
                out.varint(1, Boolean.FALSE.equals(value) ? 0 : 1);
            }
            case SCHEMA_OR_NAMES -> {
                List<@Nullable Object> names = Json.array(value);
                for (int i = names.size() - 1; i >= 0; i--) {
                    out.text(2, text(names.get(i)));
                }
                schema(1, value);
            }
        }
    }

    private void schemas(int number, @Nullable Object value) {
        List<@Nullable Object> list = Json.array(value);
        for (int i = list.size() - 1; i >= 0; i--) {
            schema(number, list.get(i));
        }
    }

    private void schema(int number, @Nullable Object value) {
        if (value instanceof JsonObject tree) {
            int before = out.size();
            fields(tree, MessageLayout.of(OpenForm.PROPS));
            out.delimit(number, before);
        }
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    private static long integer(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
