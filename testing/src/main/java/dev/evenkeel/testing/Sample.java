package dev.evenkeel.testing;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A minimal value that a schema allows.
 *
 * <p>Patterns, formats and rules of a schema cannot always be satisfied by construction: some likely strings are tried,
 * and the caller validates the whole.
 */
final class Sample {
    /** Strings to try for a pattern, the simplest first. */
    private static final List<String> TEXTS =
            List.of(("sample,Sample,SAMPLE,a,A,1,sample-1,1Gi,100m,1h,1h0m0s,1.0.0,v1,"
                            + "0 0 * * *,* * * * *,example.com,example.com/sample,https://example.com,/sample,10.0.0.1,10.0.0.0/24,"
                            + "2026-01-01,2026-01-01T00:00:00Z,user@example.com,sample:1,50%,sample_1")
                    .split(","));

    private static final Map<String, String> FORMATS = Map.ofEntries(
            Map.entry("date-time", "2026-01-01T00:00:00Z"),
            Map.entry("date", "2026-01-01"),
            Map.entry("duration", "1h"),
            Map.entry("uri", "https://example.com"),
            Map.entry("hostname", "example.com"),
            Map.entry("email", "user@example.com"),
            Map.entry("ipv4", "10.0.0.1"),
            Map.entry("ipv6", "2001:db8::1"),
            Map.entry("cidr", "10.0.0.0/24"),
            Map.entry("byte", "c2FtcGxl"),
            Map.entry("uuid", "00000000-0000-4000-8000-000000000000"));

    private Sample() {}

    /**
     * Returns the required fields of an object of this version, and its spec.
     *
     * @param optional whether to include optional fields of the spec: for classes that always write some fields, such
     *     as numbers
     */
    static JsonObject fields(JsonObject definition, String version, boolean optional) {
        JsonObject fields = new JsonObject();
        for (Object one : Json.array(definition.at("spec", "versions"))) {
            if (!Json.string(one, "name").equals(version)) {
                continue;
            }
            Object schema = Json.at(one, "schema", "openAPIV3Schema");
            properties(schema).forEach((name, property) -> {
                if (name.equals("spec") || required(schema).contains(name)) {
                    Object value = of(property, 0);
                    if (optional && value instanceof JsonObject full) {
                        properties(property).forEach((field, inner) -> full.putIfAbsent(field, of(inner, 0)));
                    }
                    fields.put(name, value);
                }
            });
        }
        fields.keySet().removeAll(List.of("apiVersion", "kind", "metadata"));
        return fields;
    }

    private static JsonObject properties(@Nullable Object schema) {
        return Json.object(Json.at(schema, "properties")).orElseGet(JsonObject::new);
    }

    private static List<@Nullable Object> required(@Nullable Object schema) {
        return Json.array(Json.at(schema, "required"));
    }

    /** Returns a value; those of different numbers differ where possible. */
    private static @Nullable Object of(@Nullable Object schema, int number) {
        Object byDefault = Json.at(schema, "default");
        if (byDefault != null) {
            return Json.copy(byDefault);
        }
        List<@Nullable Object> choices = Json.array(Json.at(schema, "enum"));
        if (!choices.isEmpty()) {
            return choices.get(number % choices.size());
        }
        if (Boolean.TRUE.equals(Json.at(schema, "x-kubernetes-int-or-string"))) {
            return 1L;
        }
        return switch (Json.string(schema, "type")) {
            case "string" -> text(schema, number);
            case "integer", "number" -> number(schema);
            case "boolean" -> false;
            case "array" -> list(schema);
            default -> object(schema, number);
        };
    }

    private static JsonObject object(@Nullable Object schema, int number) {
        JsonObject properties = properties(schema);
        JsonObject object = new JsonObject();
        for (Object name : required(schema)) {
            object.put((String) name, of(properties.get(name), number));
        }
        long least = Json.integer(schema, "minProperties");
        properties.forEach((name, property) -> {
            if (object.size() < least) {
                object.putIfAbsent(name, of(property, number));
            }
        });
        Object others = Json.at(schema, "additionalProperties");
        for (int i = 1; object.size() < least && others != null; i++) {
            object.put("sample-" + i, of(others, i));
        }
        return object;
    }

    private static List<@Nullable Object> list(@Nullable Object schema) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < Json.integer(schema, "minItems"); i++) {
            list.add(of(Json.at(schema, "items"), i));
        }
        return list;
    }

    private static Object number(@Nullable Object schema) {
        double most = Json.at(schema, "maximum") instanceof Number maximum ? maximum.doubleValue() : Double.MAX_VALUE;
        double value = Json.at(schema, "minimum") instanceof Number minimum ? minimum.doubleValue() : Math.min(1, most);
        if (Boolean.TRUE.equals(Json.at(schema, "exclusiveMinimum"))) {
            value = Math.floor(value) + 1;
        }
        if (Json.at(schema, "multipleOf") instanceof Number step && step.doubleValue() > 0) {
            value = Math.ceil(value / step.doubleValue()) * step.doubleValue();
        }
        if (Json.string(schema, "type").equals("integer") || value == Math.rint(value)) {
            return (long) Math.ceil(value);
        }
        return value;
    }

    private static String text(@Nullable Object schema, int number) {
        String known = FORMATS.get(Json.string(schema, "format"));
        if (known != null) {
            return known;
        }
        int least = (int) Math.min(Json.integer(schema, "minLength"), 4096);
        long most = Json.at(schema, "maxLength") instanceof Number length ? length.longValue() : Long.MAX_VALUE;
        String pattern = Json.string(schema, "pattern");
        return TEXTS.stream()
                .map(text -> number == 0 ? text : text + "-" + number)
                .flatMap(text -> Stream.of(text, text + "a".repeat(Math.max(0, least - text.length()))))
                .filter(text -> text.length() >= least && text.length() <= most)
                .filter(text -> matches(pattern, text))
                .findFirst()
                .orElse(TEXTS.getFirst());
    }

    private static boolean matches(String pattern, String text) {
        try {
            return pattern.isEmpty() || Pattern.compile(pattern).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return true;
        }
    }
}
