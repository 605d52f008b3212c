package dev.evenkeel.engine;

import dev.evenkeel.engine.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Label selectors as objects, {@code {matchLabels, matchExpressions}}, in text form. */
final class LabelSelectors {
    private LabelSelectors() {}

    static String text(Map<String, @Nullable Object> selector) {
        Map<String, String> parts = new TreeMap<>();
        // A plain map of labels, as ReplicationController has it, is a selector too.
        Object labels = selector.containsKey("matchLabels") || selector.containsKey("matchExpressions")
                ? selector.get("matchLabels")
                : selector;
        Json.object(labels).ifPresent(map -> map.forEach((key, value) -> parts.put(key, key + "=" + value)));
        if (selector.get("matchExpressions") instanceof List<?> expressions) {
            for (Object expression : expressions) {
                String key = Json.string(expression, "key");
                String values = Metadata.strings(Json.at(expression, "values")).stream()
                        .sorted()
                        .collect(Collectors.joining(",", " (", ")"));
                parts.merge(
                        key,
                        switch (Json.string(expression, "operator")) {
                            case "In" -> key + " in" + values;
                            case "NotIn" -> key + " notin" + values;
                            case "DoesNotExist" -> "!" + key;
                            default -> key;
                        },
                        (a, b) -> a + "," + b);
            }
        }
        return String.join(",", parts.values());
    }
}
