package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rule of a table cell that shows the value at a path: {@code [function] .path[|absent]}, in the syntax of {@code
 * columns.txt}.
 *
 * <p>Without a function the cell is the value itself. {@code text} shows the value as text, {@code age} the time since
 * it, {@code size} the number of entries of a list or map, {@code selector} a label selector or a map of labels, {@code
 * join} the items of a list, or after {@code []} a field of each, {@code pair} two fields of an object, named behind the
 * path, {@code flag} True or False, {@code ready} the number and that of the wanted replicas, {@code class} a name and
 * whether it is the default class. An object without the value shows the text or the JSON scalar behind the bar; by
 * default the empty text, for ages {@code <unknown>}, for selectors {@code <none>}.
 */
record CellRule(String function, String[] path, String item, Object absent) {
    private static final Map<String, CellRule> PARSED = new ConcurrentHashMap<>();

    static CellRule of(String rule) {
        CellRule known = PARSED.get(rule);
        return known == null ? PARSED.computeIfAbsent(rule, CellRule::parse) : known;
    }

    private static CellRule parse(String rule) {
        int dot = rule.indexOf('.');
        int bar = rule.indexOf('|');
        String function = rule.substring(0, dot).strip();
        String path = rule.substring(dot + 1, bar < 0 ? rule.length() : bar);
        String separator = function.equals("pair") ? " " : "[].";
        int each = path.indexOf(separator);
        Object absent = switch (function) {
            case "age" -> "<unknown>";
            case "selector" -> "<none>";
            default -> "";
        };
        return new CellRule(
                function,
                (each < 0 ? path : path.substring(0, each)).split("\\.", -1),
                each < 0 ? "" : path.substring(each + separator.length()),
                bar < 0 ? absent : scalar(rule.substring(bar + 1)));
    }

    private static Object scalar(String text) {
        try {
            Object value = Json.parse(text);
            return value == null ? text : value;
        } catch (JsonException e) {
            return text;
        }
    }

    Object cell(JsonObject tree, Instant now) {
        Object value = tree.at(path);
        Object cell = switch (function) {
            case "size" ->
                (long)
                        (value instanceof JsonObject map
                                ? map.size()
                                : Json.array(value).size());
            case "text" -> value == null ? "" : value.toString();
            case "age" -> value == null ? "" : Times.since(tree, now, path);
            case "selector" -> value instanceof JsonObject ? Selectors.text(Json.asObject(value)) : "";
            case "join" -> join(Json.array(value), item);
            case "flag" -> Boolean.TRUE.equals(value) ? "True" : "False";
            case "pair" -> value instanceof JsonObject ? pair(Json.asObject(value), item.split(" ", 2)) : "";
            case "ready" -> (value instanceof Long ready ? ready : 0) + "/" + tree.integer("spec", "replicas");
            case "class" ->
                Volumes.className(
                        tree,
                        "storageclass.kubernetes.io/is-default-class",
                        "storageclass.beta.kubernetes.io/is-default-class");
            default -> value == null ? "" : value;
        };
        return cell.equals("") ? absent : cell;
    }

    private static String pair(JsonObject object, String[] fields) {
        return object.string(fields[0]) + "/" + object.string(fields[1]);
    }

    /** Returns the items of a list, or a field of each, with commas. */
    static String join(List<@Nullable Object> list, String field) {
        return list.stream()
                .map(item -> field.isEmpty() ? String.valueOf(item) : Json.string(item, field))
                .collect(Collectors.joining(","));
    }

    /** Returns up to three of the texts, and the number of the rest. */
    static String firstThree(List<String> all) {
        return all.size() <= 3
                ? String.join(",", all)
                : String.join(",", all.subList(0, 3)) + " + " + (all.size() - 3) + " more...";
    }

    /** Returns the text, or {@code <none>} when it is empty. */
    static String orNone(String text) {
        return text.isEmpty() ? "<none>" : text;
    }
}
