package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of a policy with the types of the object and of the parameters, instead of types that are only
 * known when they are evaluated. Confined to one thread.
 *
 * <p>The types of a schema are made when the compiler asks for them: schemas may be recursive.
 */
public final class PolicyTypes {
    private final CelCompiler compiler;

    /**
     * Begins to check a policy.
     *
     * @param object the type of the object
     * @param params the type of the parameters; empty when it is not known
     * @param parametric whether there are parameters
     */
    public PolicyTypes(
            Schema object, Optional<Schema> params, boolean parametric, List<PolicyExpressions.Variable> variables) {
        Map<String, CelType> structs = new HashMap<>();
        Map<String, CelType> globals = new HashMap<>(AccessQuery.TYPES);
        globals.put("request", Condition.requestType(structs));
        globals.put("namespaceObject", SimpleType.DYN);
        Lazy types = new Lazy(structs);
        CelType whole = types.type(object, "Object");
        CelType shown = whole == null ? SimpleType.DYN : whole;
        globals.put("object", shown);
        globals.put("oldObject", shown);
        if (parametric) {
            CelType given = params.map(schema -> types.type(schema, "Params")).orElse(null);
            globals.put("params", given == null ? SimpleType.DYN : given);
        }
        Map<String, CelType> declared = new HashMap<>();
        CelCompiler next = Language.compiler(globals, types, List.of());
        for (PolicyExpressions.Variable variable : variables) {
            CelValidationResult result = next.compile(variable.expression());
            declared.put(
                    variable.name(),
                    Language.error(result).isEmpty() ? Language.ast(result).getResultType() : SimpleType.DYN);
            String name = "kubernetes.variables";
            ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(declared);
            structs.put(
                    name, StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
            globals.put("variables", StructTypeReference.create(name));
            next = Language.compiler(globals, types, List.of());
        }
        this.compiler = next;
    }

    /** Returns why an expression does not fit the types; empty when it does. */
    public String error(String expression) {
        return Language.error(compiler.compile(expression));
    }

    /** The types of schemas, by the path of the field that has them. */
    @SuppressWarnings("Immutable") // confined to one thread
    private record Lazy(Map<String, CelType> known, Map<String, Schema> schemas) implements CelTypeProvider {
        Lazy(Map<String, CelType> known) {
            this(known, new HashMap<>());
        }

        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableSet.copyOf(known.values());
        }

        @Override
        public Optional<CelType> findType(String name) {
            CelType type = known.get(name);
            if (type == null && schemas.containsKey(name)) {
                type = struct(name, schemas.get(name));
                known.put(name, type);
            }
            return Optional.ofNullable(type);
        }

        @SuppressWarnings("Immutable")
        private StructType struct(String name, @Nullable Schema schema) {
            Map<String, Schema> fields = new TreeMap<>();
            if (schema != null) {
                schema.properties()
                        .forEach((field, type) ->
                                FieldNames.escape(field).ifPresent(escaped -> fields.put(escaped, type)));
            }
            return StructType.create(
                    name,
                    ImmutableSet.copyOf(fields.keySet()),
                    field -> Optional.ofNullable(fields.get(field)).map(type -> {
                        CelType known = type(type, name + "." + field);
                        return known == null ? SimpleType.DYN : known;
                    }));
        }

        /** Returns the type of a schema; null when it is not known. */
        @Nullable
        CelType type(Schema schema, String name) {
            if (schema.intOrString() || schema.reference().endsWith(".Quantity")) {
                return SimpleType.DYN;
            }
            return switch (schema.type()) {
                case STRING ->
                    switch (schema.format()) {
                        case "byte" -> SimpleType.BYTES;
                        case "duration" -> SimpleType.DURATION;
                        case "date", "date-time" -> SimpleType.TIMESTAMP;
                        default -> SimpleType.STRING;
                    };
                case INTEGER -> SimpleType.INT;
                case NUMBER -> SimpleType.DOUBLE;
                case BOOLEAN -> SimpleType.BOOL;
                case ARRAY -> {
                    Schema items = schema.items();
                    CelType item = items == null ? null : type(items, name + ".@idx");
                    yield item == null ? null : ListType.create(item);
                }
                case OBJECT -> {
                    Schema values = schema.additional();
                    if (values != null) {
                        CelType value = type(values, name + ".@elem");
                        yield value == null ? null : MapType.create(SimpleType.STRING, value);
                    }
                    if (schema.properties().isEmpty()) {
                        yield null;
                    }
                    schemas.putIfAbsent(name, schema);
                    yield StructTypeReference.create(name);
                }
                case ANY -> null;
            };
        }
    }
}
