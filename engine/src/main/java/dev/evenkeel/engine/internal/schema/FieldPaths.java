package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path such as {@code .spec.labels['a.b']}, resolved in a schema.
 *
 * @param names the fields on the way; empty when the path is wrong
 * @param schema the schema at the path; null when it is unknown
 * @param wrong the error of the path; empty when it is valid
 */
public record FieldPaths(List<String> names, @Nullable JsonObject schema, String wrong) {
    private static final String END = "unexpected end of JSON path";

    public static FieldPaths follow(String path, JsonObject schema, boolean brackets) {
        Iterator<String> tokens = tokens(path).iterator();
        List<String> names = new ArrayList<>();
        JsonObject at = schema;
        while (tokens.hasNext()) {
            String token = tokens.next();
            boolean bracket = token.equals("[");
            if (bracket && !brackets) {
                return wrong("array notation is not allowed");
            }
            if (!bracket && !token.equals(".")) {
                return wrong("expected [ or . but got: " + token);
            }
            if (!tokens.hasNext()) {
                return wrong(END);
            }
            String name = tokens.next();
            if (bracket) {
                if (name.length() < 2 || name.charAt(0) != '\'' || !name.endsWith("'")) {
                    return wrong("expected single quoted string but got " + name);
                }
                name = name.substring(1, name.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
                String end = tokens.hasNext() ? tokens.next() : END;
                if (!end.equals("]")) {
                    return wrong(end.equals(END) ? END : "expected ] but got " + end);
                }
            }
            at = step(at, name);
            if (at == null) {
                return wrong("does not refer to a valid field");
            }
            names.add(name);
        }
        return new FieldPaths(List.copyOf(names), at, "");
    }

    private static @Nullable JsonObject step(JsonObject schema, String name) {
        JsonObject properties = schema.object("properties");
        if (!properties.isEmpty()) {
            return properties.findObject(name).orElse(null);
        }
        Object additional = schema.get("additionalProperties");
        return additional instanceof Boolean
                ? new JsonObject()
                : Json.object(additional).orElse(null);
    }

    private static FieldPaths wrong(String wrong) {
        return new FieldPaths(List.of(), null, wrong);
    }

    /** Splits a path into dots, brackets, quoted texts, and the texts between them. */
    private static List<String> tokens(String path) {
        List<String> tokens = new ArrayList<>();
        int i = 0;
        while (i < path.length()) {
            int end = i + 1;
            char c = path.charAt(i);
            if (c == '\'') {
                while (end < path.length() && !(path.charAt(end) == '\'' && path.charAt(end - 1) != '\\')) {
                    end++;
                }
                end = Math.min(end + 1, path.length());
            } else if (".[]".indexOf(c) < 0) {
                while (end < path.length() && ".[]".indexOf(path.charAt(end)) < 0) {
                    end++;
                }
            }
            tokens.add(path.substring(i, end));
            i = end;
        }
        return tokens;
    }
}
