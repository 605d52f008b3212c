package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Values as upstream's errors show them: as structs of its internal types.
 *
 * <p>Problem: upstream validates internal structs that have no JSON names, and a struct in an error is written with
 * Go's names, in the order of its declaration, unset fields included. Here objects are validated in the form in which
 * they are sent.
 *
 * <p>Fields are declared in the order of their protobuf numbers and named like in JSON with a capital letter, except
 * those of {@code internal.txt}: a line has the name of a type and its fields in order, {@code json=Go} for one with a
 * name of its own, {@code ^json} for one that JSON has in the object around it; the line of {@code *} has the names of
 * fields of all types. A line of a name with {@code /v1} has the order of the published form of the type, where that differs.
 * Types of {@code meta/v1} are not internal: they keep the names of JSON and leave out unset fields,
 * and metadata is written as part of the object that has it.
 */
public final class InternalForm {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private static final String PUBLISHED = "/v1";

    /** A part of {@link #VOLUME} that has no level of its own in JSON. */
    private static final String SOURCE = "io.k8s.api.core.v1.PersistentVolumeSource";

    private static final String VOLUME = "io.k8s.api.core.v1.PersistentVolumeSpec";
    private static final Map<String, Map<String, String>> EXCEPTIONS = read();
    private static final Map<String, List<Member>> MEMBERS = new ConcurrentHashMap<>();

    /** A field of an internal struct: its name there, its facts, and whether JSON has it in the object around it. */
    private record Member(String name, FieldFacts field, boolean outer) {}

    private InternalForm() {}

    /** Returns a value of a type, such as {@code core.v1.PodSpec}, on one line. */
    public static String text(String type, @Nullable Object value) {
        return Json.text(tree(type, value));
    }

    /** Returns a value of a type on several lines, each nesting indented by a space. */
    public static List<String> lines(String type, @Nullable Object value) {
        List<String> lines = new ArrayList<>();
        indent(tree(type, value), "", "", "", lines);
        return lines;
    }

    private static @Nullable Object tree(String type, @Nullable Object value) {
        return value instanceof JsonObject object
                ? struct(type.startsWith("io.k8s.") ? type : "io.k8s.api." + type, object, new JsonObject())
                : value;
    }

    private static JsonObject struct(String definition, JsonObject object, JsonObject outer) {
        boolean internal = !definition.startsWith(META);
        JsonObject shown = new JsonObject();
        for (Member member : members(definition)) {
            FieldFacts field = member.field();
            Object value = (member.outer() ? outer : object).get(field.name());
            if (field.name().equals("metadata")) {
                shown.putAll(struct(META + "ObjectMeta", object.object("metadata"), object));
            } else if (internal || !Json.isEmpty(value)) {
                String name = internal ? member.name() : field.name();
                shown.put(name, value == null ? unset(field, object) : form(field.value(), value, object));
            }
        }
        return shown;
    }

    private static @Nullable Object form(ValueFacts facts, @Nullable Object value, JsonObject outer) {
        if (facts.form() == ValueForm.STRUCT
                && FactTable.INSTANCE.type(facts.reference()).form() == ValueForm.ANY) {
            return open(FactTable.INSTANCE.type(facts.reference()), value);
        }
        return switch (value) {
            case JsonObject object when facts.form() == ValueForm.STRUCT -> struct(facts.reference(), object, outer);
            case JsonObject map
            when facts.form() == ValueForm.MAP -> {
                Map<String, @Nullable Object> sorted = new TreeMap<>(Json.KEY_ORDER);
                map.forEach((key, each) -> sorted.put(key, form(facts.elementFacts(), each, map)));
                yield new JsonObject(sorted);
            }
            case List<?> list
            when facts.form() == ValueForm.LIST -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(each -> items.add(form(facts.elementFacts(), each, outer)));
                yield items;
            }
            case null, default -> value;
        };
    }

    /** Returns a value of a type that has several forms in JSON, which is a struct of them. */
    private static @Nullable Object open(TypeFacts type, @Nullable Object value) {
        Object schema = schema(value);
        return switch (OpenForm.of(type)) {
            case JSON -> value;
            case SCHEMA_OR_LIST ->
                JsonObject.of("Schema", schema)
                        .set(
                                "JSONSchemas",
                                value instanceof List<?> list
                                        ? list.stream()
                                                .map(InternalForm::schema)
                                                .toList()
                                        : null);
            case SCHEMA_OR_BOOLEAN ->
                JsonObject.of("Allows", !Boolean.FALSE.equals(value)).set("Schema", schema);
            case SCHEMA_OR_NAMES ->
                JsonObject.of("Schema", schema).set("Property", value instanceof List<?> ? value : null);
        };
    }

    private static @Nullable JsonObject schema(@Nullable Object value) {
        return value instanceof JsonObject object ? struct(OpenForm.PROPS, object, new JsonObject()) : null;
    }

    private static @Nullable Object unset(FieldFacts field, JsonObject outer) {
        if (field.pointer()) {
            return null;
        }
        return switch (field.value().form()) {
            case STRING -> "";
            case INT32, INT64, DOUBLE, INT_OR_STRING -> 0L;
            case BOOLEAN -> false;
            case QUANTITY -> "0";
            case STRUCT -> struct(field.value().reference(), new JsonObject(), outer);
            case EMPTY -> new JsonObject();
            default -> null;
        };
    }

    /** Returns the JSON names of the fields of a type in the order in which its published form declares them. */
    static List<String> encodedOrder(String definition) {
        Map<String, String> own = EXCEPTIONS.get(definition + PUBLISHED);
        return own != null
                ? List.copyOf(own.keySet())
                : members(definition).stream()
                        .filter(member -> !member.outer())
                        .map(member -> member.field().name())
                        .toList();
    }

    private static List<Member> members(String definition) {
        List<Member> known = MEMBERS.get(definition);
        if (known == null) {
            known = find(definition);
            MEMBERS.put(definition, known);
        }
        return known;
    }

    private static List<Member> find(String definition) {
        String form = definition.equals(SOURCE) ? VOLUME : definition;
        Map<String, FieldFacts> fields = FactTable.INSTANCE.type(form).fields();
        Map<String, String> common = EXCEPTIONS.getOrDefault("*", Map.of());
        Map<String, String> own = EXCEPTIONS.get(definition);
        List<Member> members = new ArrayList<>();
        if (own == null) {
            fields.values().stream()
                    .filter(field -> !field.path().isEmpty())
                    .sorted(Comparator.comparing(FieldFacts::path, InternalForm::compare))
                    .forEach(field -> members.add(new Member(name(field.name(), common), field, false)));
        } else {
            own.forEach((key, name) -> {
                boolean outer = key.startsWith("^");
                String json = outer ? key.substring(1) : key;
                FieldFacts field = outer
                        ? FactTable.INSTANCE
                                .type("io.k8s.api.core.v1.PodSpec")
                                .fields()
                                .get(json)
                        : fields.get(json);
                if (field != null) {
                    members.add(new Member(name.isEmpty() ? name(json, common) : name, field, outer));
                }
            });
        }
        return List.copyOf(members);
    }

    private static int compare(List<Integer> left, List<Integer> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = Integer.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static String name(String json, Map<String, String> common) {
        String name = common.get(json);
        return name != null ? name : Character.toUpperCase(json.charAt(0)) + json.substring(1);
    }

    private static void indent(@Nullable Object value, String before, String indent, String end, List<String> lines) {
        if (value instanceof JsonObject object && !object.isEmpty()) {
            lines.add(before + "{");
            int left = object.size();
            for (Map.Entry<String, @Nullable Object> member : object.entrySet()) {
                left--;
                String name = indent + " " + Json.text(member.getKey()) + ": ";
                indent(member.getValue(), name, indent + " ", left > 0 ? "," : "", lines);
            }
            lines.add(indent + "}" + end);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            lines.add(before + "[");
            for (int i = 0; i < list.size(); i++) {
                indent(list.get(i), indent + " ", indent + " ", i < list.size() - 1 ? "," : "", lines);
            }
            lines.add(indent + "]" + end);
        } else {
            lines.add(before + Json.text(value) + end);
        }
    }

    private static Map<String, Map<String, String>> read() {
        Map<String, Map<String, String>> types = new HashMap<>();
        for (String line : FactTable.read("internal.txt").split("\n", 0)) {
            String[] cells = line.split("\t", 2);
            Map<String, String> fields = new LinkedHashMap<>();
            for (String field : cells[1].split(" ", 0)) {
                String[] names = field.split("=", 2);
                fields.put(names[0], names.length == 2 ? names[1] : "");
            }
            types.put(
                    cells[0].equals("*") || cells[0].startsWith("io.k8s.") ? cells[0] : "io.k8s.api." + cells[0],
                    fields);
        }
        return types;
    }
}
