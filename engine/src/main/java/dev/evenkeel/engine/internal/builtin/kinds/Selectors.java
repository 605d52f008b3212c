package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Label selectors in the form that objects have them. */
public final class Selectors {
    private Selectors() {}

    /**
     * Returns the selector as text, requirements by key, such as {@code app=x,tier in (a,b)}; empty when it selects
     * everything. A plain map of labels, as in replication controllers and services, is a selector too.
     */
    public static String text(Map<String, @Nullable Object> selector) {
        Map<String, List<String>> byKey = new TreeMap<>();
        boolean full = selector.containsKey("matchLabels") || selector.containsKey("matchExpressions");
        (full ? Trees.object(selector, "matchLabels") : selector)
                .forEach((key, value) ->
                        byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(key + "=" + value));
        Trees.each(
                selector,
                expression -> {
                    String key = Json.string(expression, "key");
                    String values = String.join(
                            ",",
                            Trees.list(expression, "values").stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .toList());
                    String text = switch (Json.string(expression, "operator")) {
                        case "In" -> key + " in (" + values + ")";
                        case "NotIn" -> key + " notin (" + values + ")";
                        case "Exists" -> key;
                        default -> "!" + key;
                    };
                    byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(text);
                },
                "matchExpressions");
        return String.join(",", byKey.values().stream().flatMap(List::stream).toList());
    }

    /** Returns true if labels satisfy the selector. */
    public static boolean matches(Map<String, @Nullable Object> selector, Map<String, @Nullable Object> labels) {
        for (Map.Entry<String, @Nullable Object> wanted :
                Trees.object(selector, "matchLabels").entrySet()) {
            if (!labels.containsKey(wanted.getKey())
                    || !String.valueOf(wanted.getValue()).equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (Object expression : Trees.list(selector, "matchExpressions")) {
            Object value = labels.get(Json.string(expression, "key"));
            List<@Nullable Object> values = Trees.list(expression, "values");
            boolean holds = switch (Json.string(expression, "operator")) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                default -> value == null;
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }
}
