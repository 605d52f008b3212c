package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.MessageLayout.Part;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads protobuf messages of built-in types as trees.
 *
 * <p>Problem: bytes from clients must become the same tree as the same object in JSON, and all other bytes
 * must become an error. Unknown fields are skipped, a struct that occurs twice is merged, and
 * lists of numbers may be packed, as in every protobuf reader. Texts that are not UTF-8 get replacement characters, as
 * Go's JSON encoder does.
 *
 * <p>Invariants: (1) errors are MalformedObjectExceptions; (2) messages are nested at most {@value #MOST_LEVELS} deep,
 * so that walkers of trees may recurse; (3) the memory of a tree is bounded by a multiple of the message's length: nothing is allocated by a length
 * that was not checked.
 */
final class ProtobufDecoder {
    /** Messages in messages, as in most protobuf readers; each needs more of the stack than a level of JSON. */
    private static final int MOST_LEVELS = 100;

    private static final long FIRST_YEAR = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_YEAR = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private int levels;

    /** Reads the fields of a struct into a tree, which may have fields already. */
    void fields(ProtobufReader in, JsonObject into, MessageLayout layout) {
        if (++levels > MOST_LEVELS) {
            throw new MalformedObjectException("proto: " + layout.name() + ": exceeded max depth");
        }
        while (!in.atEnd()) {
            int tag = in.tag(layout.name());
            int type = tag & 7;
            switch (layout.part(tag >>> 3)) {
                case null -> in.skip(type);
                case Part.Inlined(int number, MessageLayout inner) -> {
                    requireDelimited(type, inner.name());
                    fields(in.content(), into, inner);
                }
                case Part.Member(int number, FieldFacts field) -> field(in, type, into, field);
            }
        }
        levels--;
    }

    private void field(ProtobufReader in, int type, JsonObject into, FieldFacts field) {
        String name = field.name();
        ValueFacts facts = field.value();
        Object present = into.get(name);
        switch (facts.form()) {
            case LIST -> {
                List<@Nullable Object> list =
                        present instanceof List<?> ? Json.asArray(present) : new ArrayList<@Nullable Object>();
                if (!field.protobuf().isEmpty()) {
                    requireDelimited(type, name);
                    items(in.content(), list);
                } else if (type == BackwardWriter.DELIMITED
                        && packable(facts.elementFacts().form())) {
                    ProtobufReader packed = in.content();
                    while (!packed.atEnd()) {
                        list.add(scalar(packed, facts.elementFacts().form()));
                    }
                } else {
                    list.add(value(in, type, name, facts.elementFacts(), null));
                }
                into.put(name, list);
            }
            case MAP -> {
                requireDelimited(type, name);
                JsonObject map = present instanceof JsonObject known ? known : new JsonObject();
                entry(in.content(), name, map, facts.elementFacts());
                into.put(name, map);
            }
            default -> into.put(name, value(in, type, name, facts, present));
        }
    }

    private void entry(ProtobufReader in, String name, JsonObject map, ValueFacts element) {
        String key = "";
        Object value = null;
        boolean given = false;
        while (!in.atEnd()) {
            int tag = in.tag(name);
            switch (tag >>> 3) {
                case 1 -> {
                    requireDelimited(tag & 7, name);
                    key = in.text();
                }
                case 2 -> {
                    value = value(in, tag & 7, name, element, null);
                    given = true;
                }
                default -> in.skip(tag & 7);
            }
        }
        map.put(key, given ? value : unset(element));
    }

    /** Returns the value of an entry that has none; others become the zero of their type when the tree is normalised. */
    private static @Nullable Object unset(ValueFacts element) {
        return switch (element.form()) {
            case STRUCT -> new JsonObject();
            case LIST -> new ArrayList<@Nullable Object>();
            default -> null;
        };
    }

    private static void items(ProtobufReader in, List<@Nullable Object> list) {
        while (!in.atEnd()) {
            int tag = in.tag("items");
            if (tag >>> 3 == 1) {
                requireDelimited(tag & 7, "Items");
                list.add(in.text());
            } else {
                in.skip(tag & 7);
            }
        }
    }

    private static boolean packable(ValueForm form) {
        return switch (form) {
            case INT32, INT64, BOOLEAN, DOUBLE -> true;
            default -> false;
        };
    }

    private static Object scalar(ProtobufReader in, ValueForm form) {
        return switch (form) {
            case INT32 -> (long) (int) in.varint();
            case INT64 -> in.varint();
            case BOOLEAN -> in.varint() != 0;
            case DOUBLE -> {
                double number = Double.longBitsToDouble(in.fixed64());
                if (!Double.isFinite(number)) {
                    throw new MalformedObjectException("json: unsupported value: " + number);
                }
                yield Json.parse(Json.write(number), JsonLimits.DEFAULT) instanceof Number same ? same : number;
            }
            default -> throw new IllegalArgumentException("not a scalar: " + form);
        };
    }

    private @Nullable Object value(
            ProtobufReader in, int type, String name, ValueFacts facts, @Nullable Object present) {
        ValueForm form = facts.form();
        if (packable(form)) {
            require(type, form == ValueForm.DOUBLE ? BackwardWriter.FIXED64 : BackwardWriter.VARINT, name);
            return scalar(in, form);
        }
        requireDelimited(type, name);
        return switch (form) {
            case STRING -> in.text();
            case BYTES -> Base64.getEncoder().encodeToString(in.bytes());
            default -> message(in.content(), facts, present);
        };
    }

    private @Nullable Object message(ProtobufReader in, ValueFacts facts, @Nullable Object present) {
        return switch (facts.form()) {
            case STRUCT -> {
                TypeFacts type = FactTable.INSTANCE.type(facts.reference());
                yield switch (type.form()) {
                    case STRUCT -> {
                        JsonObject tree = present instanceof JsonObject known ? known : new JsonObject();
                        fields(in, tree, MessageLayout.of(type.name()));
                        yield tree;
                    }
                    case ANY -> any(in, type);
                    default -> message(in, new ValueFacts(type.form(), "", null, List.of()), present);
                };
            }
            case TIME, MICROTIME -> time(in, facts.form() == ValueForm.MICROTIME);
            case QUANTITY -> Objects.requireNonNullElse(only(in, "Quantity"), "0");
            case INT_OR_STRING -> intOrString(in);
            case RAW, FIELDS -> raw(in);
            case LIST -> {
                List<@Nullable Object> list = new ArrayList<>();
                items(in, list);
                yield list;
            }
            default -> {
                skipAll(in);
                yield new JsonObject();
            }
        };
    }

    private static void skipAll(ProtobufReader in) {
        while (!in.atEnd()) {
            in.skip(in.tag("message") & 7);
        }
    }

    /** Returns the text in field 1; null when there is none. */
    private static @Nullable String only(ProtobufReader in, String message) {
        String text = null;
        while (!in.atEnd()) {
            int tag = in.tag(message);
            if (tag >>> 3 == 1) {
                requireDelimited(tag & 7, "String_");
                text = in.text();
            } else {
                in.skip(tag & 7);
            }
        }
        return text;
    }

    private static @Nullable String time(ProtobufReader in, boolean micros) {
        if (in.atEnd()) {
            return null;
        }
        long seconds = 0;
        long nanos = 0;
        while (!in.atEnd()) {
            int tag = in.tag("Timestamp");
            switch (tag >>> 3) {
                case 1 -> {
                    require(tag & 7, BackwardWriter.VARINT, "Seconds");
                    seconds = in.varint();
                }
                case 2 -> {
                    require(tag & 7, BackwardWriter.VARINT, "Nanos");
                    nanos = (int) in.varint();
                }
                default -> in.skip(tag & 7);
            }
        }
        if (seconds < FIRST_YEAR || seconds > LAST_YEAR) {
            throw new MalformedObjectException("Time.MarshalJSON: year outside of range [0,9999]");
        }
        try {
            Instant time = Instant.ofEpochSecond(seconds, micros ? nanos : 0);
            return micros ? Times.micros(time) : Times.seconds(time);
        } catch (DateTimeException e) {
            throw new MalformedObjectException("Time.MarshalJSON: year outside of range [0,9999]");
        }
    }

    private static Object intOrString(ProtobufReader in) {
        long kind = 0;
        long number = 0;
        String text = "";
        while (!in.atEnd()) {
            int tag = in.tag("IntOrString");
            switch (tag >>> 3) {
                case 1 -> {
                    require(tag & 7, BackwardWriter.VARINT, "Type");
                    kind = in.varint();
                }
                case 2 -> {
                    require(tag & 7, BackwardWriter.VARINT, "IntVal");
                    number = (int) in.varint();
                }
                case 3 -> {
                    requireDelimited(tag & 7, "StrVal");
                    text = in.text();
                }
                default -> in.skip(tag & 7);
            }
        }
        if (kind != 0 && kind != 1) {
            throw new MalformedObjectException("impossible IntOrString.Type");
        }
        return kind == 0 ? (Object) number : text;
    }

    /** Returns an embedded document: JSON, or an object in an envelope of its own. */
    private @Nullable Object raw(ProtobufReader in) {
        byte[] bytes = {};
        while (!in.atEnd()) {
            int tag = in.tag("RawExtension");
            if (tag >>> 3 == 1) {
                requireDelimited(tag & 7, "Raw");
                bytes = in.bytes();
            } else {
                in.skip(tag & 7);
            }
        }
        if (ProtobufFormat.isEnvelope(bytes)) {
            return ProtobufFormat.decode(ProtobufFormat.open(bytes), this);
        }
        return json(bytes);
    }

    private static @Nullable Object json(byte[] bytes) {
        try {
            return bytes.length == 0 ? null : Json.parse(bytes, JsonLimits.DEFAULT);
        } catch (JsonException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    /** Reads one of the types of schemas that have several forms in JSON. */
    private @Nullable Object any(ProtobufReader in, TypeFacts type) {
        OpenForm form = OpenForm.of(type);
        JsonObject schema = null;
        List<@Nullable Object> list = new ArrayList<>();
        boolean allows = false;
        byte[] text = {};
        int schemaNumber = form == OpenForm.SCHEMA_OR_BOOLEAN ? 2 : 1;
        while (!in.atEnd()) {
            int tag = in.tag(type.name().substring(type.name().lastIndexOf('.') + 1));
            int number = tag >>> 3;
            if (number > 2 || (number == 2 && form == OpenForm.JSON)) {
                in.skip(tag & 7);
            } else if (form == OpenForm.JSON) {
                requireDelimited(tag & 7, "Raw");
                text = in.bytes();
            } else if (number == schemaNumber) {
                requireDelimited(tag & 7, "Schema");
                schema = schema == null ? new JsonObject() : schema;
                fields(in.content(), schema, MessageLayout.of(OpenForm.PROPS));
            } else if (form == OpenForm.SCHEMA_OR_BOOLEAN) {
                require(tag & 7, BackwardWriter.VARINT, "Allows");
                allows = in.varint() != 0;
            } else if (form == OpenForm.SCHEMA_OR_NAMES) {
                requireDelimited(tag & 7, "Property");
                list.add(in.text());
            } else {
                requireDelimited(tag & 7, "JSONSchemas");
                JsonObject each = new JsonObject();
                fields(in.content(), each, MessageLayout.of(OpenForm.PROPS));
                list.add(each);
            }
        }
        return switch (form) {
            case JSON -> json(text);
            case SCHEMA_OR_BOOLEAN -> schema == null ? (Object) allows : schema;
            case SCHEMA_OR_LIST, SCHEMA_OR_NAMES -> list.isEmpty() ? schema : list;
        };
    }

    static void requireDelimited(int type, String field) {
        require(type, BackwardWriter.DELIMITED, field);
    }

    private static void require(int type, int wanted, String field) {
        if (type != wanted) {
            throw new MalformedObjectException("proto: wrong wireType = " + type + " for field " + goName(field));
        }
    }

    /** Returns the name of a field in Go, where it follows from that in JSON. */
    private static String goName(String field) {
        return field.equals("metadata")
                ? "ObjectMeta"
                : field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
    }
}
