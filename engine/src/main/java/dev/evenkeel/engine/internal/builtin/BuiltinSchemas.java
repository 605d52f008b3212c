package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Schema.ListType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Schemas of the types in the fact table, compiled on first use. A field's schema adds the attributes of the field
 * (list type, patch strategy, default) to the properties of its type, which all fields of the type share; {@link
 * Schema#reference()} is the definition name.
 */
final class BuiltinSchemas {
    private static final Map<String, Map<String, Schema>> PROPERTIES = new ConcurrentHashMap<>();
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private BuiltinSchemas() {}

    static Schema of(String definition) {
        return struct(definition).build();
    }

    /** Returns the schema of a kind, which is a struct: the fact table is not read before the schema is used. */
    static Schema ofKind(String definition) {
        return Schema.builder(Schema.Type.OBJECT)
                .properties(() -> properties(definition))
                .required(() -> required(FactTable.INSTANCE.type(definition)))
                .reference(definition)
                .build();
    }

    private static List<String> required(TypeFacts facts) {
        return facts.fields().values().stream()
                .filter(FieldFacts::required)
                .map(FieldFacts::name)
                .toList();
    }

    private static Schema.Builder struct(String definition) {
        if (definition.equals(ObjectMeta.DEFINITION)) {
            return Schema.builder(Schema.Type.OBJECT)
                    .properties(ObjectMeta.SCHEMA::properties)
                    .reference(definition);
        }
        return compiled(definition);
    }

    /** Compiles from the table, also where a written schema is used instead. */
    static Schema compile(String definition) {
        return compiled(definition).build();
    }

    private static Schema.Builder compiled(String definition) {
        TypeFacts facts = FactTable.INSTANCE.type(definition);
        return switch (facts.form()) {
            case STRUCT ->
                Schema.builder(Schema.Type.OBJECT)
                        .properties(() -> properties(definition))
                        .required(required(facts))
                        .atomicMap(facts.atomic())
                        .reference(definition);
            case EMPTY -> Schema.builder(Schema.Type.OBJECT).atomicMap(true).reference(definition);
            default -> scalar(facts.form()).reference(definition);
        };
    }

    private static Map<String, Schema> properties(String definition) {
        Map<String, Schema> known = PROPERTIES.get(definition);
        if (known == null) {
            Map<String, Schema> fields = new LinkedHashMap<>();
            for (FieldFacts field : FactTable.INSTANCE.type(definition).fields().values()) {
                fields.put(field.name(), field(field));
            }
            known = java.util.Collections.unmodifiableMap(fields);
            Map<String, Schema> earlier = PROPERTIES.putIfAbsent(definition, known);
            known = earlier == null ? known : earlier;
        }
        return known;
    }

    private static Schema field(FieldFacts field) {
        if (field.value().reference().equals(ObjectMeta.DEFINITION) && !field.defaulted()) {
            return ObjectMeta.SCHEMA;
        }
        Schema.Builder schema = value(field.value());
        if (!field.listType().isEmpty()) {
            schema.listType(
                            switch (field.listType()) {
                                case "map" -> ListType.MAP;
                                case "set" -> ListType.SET;
                                default -> ListType.ATOMIC;
                            })
                    .listKeys(field.listKeys());
        }
        if (!field.mapType().isEmpty()) {
            schema.atomicMap(field.mapType().equals("atomic"));
        }
        schema.patch(field.patchStrategy(), field.patchMergeKey());
        if (field.defaulted()) {
            schema.defaultValue(field.defaultValue());
        }
        return schema.build();
    }

    private static Schema.Builder value(ValueFacts value) {
        return switch (value.form()) {
            case STRUCT -> struct(value.reference());
            case LIST -> Schema.builder(Schema.Type.ARRAY).items(element(value));
            case MAP -> Schema.builder(Schema.Type.OBJECT).additional(element(value));
            default -> {
                Schema.Builder schema = scalar(value.form());
                yield value.allowed().isEmpty()
                        ? schema
                        : schema.source(JsonObject.of("enum", List.copyOf(value.allowed())));
            }
        };
    }

    private static Schema element(ValueFacts value) {
        return value(value.elementFacts()).build();
    }

    private static Schema.Builder scalar(ValueForm form) {
        return switch (form) {
            case STRING -> Schema.builder(Schema.Type.STRING);
            case BYTES -> Schema.builder(Schema.Type.STRING).format("byte");
            case INT32 -> Schema.builder(Schema.Type.INTEGER).format("int32");
            case INT64 -> Schema.builder(Schema.Type.INTEGER).format("int64");
            case DOUBLE -> Schema.builder(Schema.Type.NUMBER).format("double");
            case BOOLEAN -> Schema.builder(Schema.Type.BOOLEAN);
            case TIME -> named(Schema.Type.STRING, META + "Time").format("date-time");
            case MICROTIME -> named(Schema.Type.STRING, META + "MicroTime").format("date-time");
            case QUANTITY -> named(Schema.Type.STRING, "io.k8s.apimachinery.pkg.api.resource.Quantity");
            case INT_OR_STRING ->
                named(Schema.Type.ANY, "io.k8s.apimachinery.pkg.util.intstr.IntOrString")
                        .format("int-or-string")
                        .intOrString(true);
            case RAW -> opaque(Schema.Type.OBJECT, "io.k8s.apimachinery.pkg.runtime.RawExtension");
            case FIELDS -> opaque(Schema.Type.OBJECT, META + "FieldsV1");
            case ANY, EMPTY, STRUCT, LIST, MAP -> opaque(Schema.Type.ANY, "");
        };
    }

    private static Schema.Builder named(Schema.Type type, String definition) {
        return Schema.builder(type).reference(definition);
    }

    /** Returns a schema that is unknown to upstream's apply: owned as one value. */
    private static Schema.Builder opaque(Schema.Type type, String definition) {
        return named(type, definition).preserveUnknown(true).atomicMap(true);
    }
}
