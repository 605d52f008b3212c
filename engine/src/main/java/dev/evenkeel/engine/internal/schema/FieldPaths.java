package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
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
    private static final String NO_FIELD = "does not refer to a valid field";

    public static FieldPaths follow(String path, JsonObject schema, boolean brackets) {
        List<String> tokens = tokens(path);
        List<String> names = new ArrayList<>();
        JsonObject at = schema;
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String name;
            if (token.equals("[")) {
                if (!brackets) {
                    return wrong("array notation is not allowed");
                }
                if (i + 1 >= tokens.size()) {
                    return wrong("unexpected end of JSON path");
                }
                String quoted = tokens.get(++i);
                if (quoted.length() < 2 || quoted.charAt(0) != '\'' || !quoted.endsWith("'")) {
                    return wrong("expected single quoted string but got " + quoted);
                }
                name = quoted.substring(1, quoted.length() - 1)
                        .replace("\\'", "'")
                        .replace("\\\\", "\\");
                if (i + 1 >= tokens.size()) {
                    return wrong("unexpected end of JSON path");
                }
                if (!tokens.get(++i).equals("]")) {
                    return wrong("expected ] but got " + tokens.get(i));
                }
            } else if (token.equals(".")) {
                if (i + 1 >= tokens.size()) {
                    return wrong("unexpected end of JSON path");
                }
                name = tokens.get(++i);
            } else {
                return wrong("expected [ or . but got: " + token);
            }
            JsonObject next = step(at, name);
            if (next == null) {
                return wrong(NO_FIELD);
            }
            names.add(name);
            at = next;
        }
        return new FieldPaths(List.copyOf(names), at, "");
    }

    private static @Nullable JsonObject step(@Nullable JsonObject schema, String name) {
        if (schema == null) {
            return null;
        }
        if (schema.get("properties") instanceof JsonObject properties && !properties.isEmpty()) {
            return properties.findObject(name).orElse(null);
        }
        Object additional = schema.get("additionalProperties");
        if (additional instanceof Boolean) {
            return new JsonObject();
        }
        return Json.object(additional).orElse(null);
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
