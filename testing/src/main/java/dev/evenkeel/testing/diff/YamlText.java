package dev.evenkeel.testing.diff;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trees as lines of YAML in the customary order: apiVersion, kind and metadata first, status last, of entries of lists
 * their key first, and the rest sorted. Equal trees have equal lines. Deeper levels are indented further, entries of
 * lists too, so that indentation shows which lines enclose a line. The engine writes the scalars.
 */
final class YamlText {
    private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata");

    private static final Comparator<String> OBJECT = Comparator.<String>comparingInt(
                    field -> FIRST.contains(field) ? FIRST.indexOf(field) : field.equals("status") ? 4 : 3)
            .thenComparing(Json.KEY_ORDER);

    private static final Comparator<String> ENTRY =
            Comparator.<String>comparingInt(ListKeys::rank).thenComparing(Json.KEY_ORDER);

    private final List<String> lines = new ArrayList<>();

    private YamlText() {}

    /** Returns the lines of a document, without line breaks; none for no document. */
    static List<String> lines(@Nullable Object tree) {
        YamlText text = new YamlText();
        switch (tree) {
            case null -> {}
            case JsonObject map when !map.isEmpty() -> text.map(map, OBJECT, 0);
            case List<?> list when !list.isEmpty() -> text.list(list, 0);
            default -> text.put(Yaml.text(tree), 0);
        }
        return text.lines;
    }

    private void map(JsonObject map, Comparator<String> order, int indent) {
        List<String> names = new ArrayList<>(map.keySet());
        names.sort(order);
        for (String name : names) {
            Object value = map.get(name);
            if (isLeaf(value)) {
                // with its field, since the indentation of further lines depends on it
                put(Yaml.text(JsonObject.of(name, value)), indent);
            } else {
                String key = Yaml.text(JsonObject.of(name, true));
                put(key.substring(0, key.length() - " true\n".length()), indent);
                nested(value, indent + 2, false);
            }
        }
    }

    private void list(List<?> list, int indent) {
        for (Object value : list) {
            if (isLeaf(value)) {
                put(Yaml.text(Collections.singletonList(value)), indent);
            } else {
                int first = lines.size();
                nested(value, indent + 2, true);
                lines.set(first, " ".repeat(indent) + "- " + lines.get(first).substring(indent + 2));
            }
        }
    }

    private void nested(@Nullable Object value, int indent, boolean entry) {
        if (value instanceof JsonObject map) {
            map(map, entry ? ENTRY : Json.KEY_ORDER, indent);
        } else if (value instanceof List<?> list) {
            list(list, indent);
        }
    }

    private static boolean isLeaf(@Nullable Object value) {
        return switch (value) {
            case JsonObject map -> map.isEmpty();
            case List<?> list -> list.isEmpty();
            case null, default -> true;
        };
    }

    private void put(String text, int indent) {
        String end = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        Arrays.stream(end.split("\n", -1))
                .map(line -> line.isEmpty() ? line : " ".repeat(indent) + line)
                .forEach(lines::add);
    }
}
