package dev.evenkeel.server.replay;

import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A difference between an answer and the recorded one.
 *
 * @param path such as {@code body.metadata.labels} or {@code events[2].type}
 * @param expected as recorded; JSON, or {@code -} for nothing
 * @param actual as answered
 */
public record Difference(String path, String expected, String actual) {
    private static final int LONGEST = 1500;

    static Difference of(String path, @Nullable Object expected, @Nullable Object actual) {
        return new Difference(path, shown(expected), shown(actual));
    }

    /** All places where two trees differ. */
    static List<Difference> between(String path, @Nullable Object expected, @Nullable Object actual) {
        List<Difference> found = new ArrayList<>();
        compare(path, expected, actual, found);
        return found;
    }

    private static void compare(
            String path, @Nullable Object expected, @Nullable Object actual, List<Difference> found) {
        if (expected instanceof Map<?, ?> left && actual instanceof Map<?, ?> right) {
            Set<Object> keys = new LinkedHashSet<>(left.keySet());
            keys.addAll(right.keySet());
            for (Object key : keys) {
                String below = path + "." + key;
                if (!left.containsKey(key)) {
                    found.add(new Difference(below, "-", shown(right.get(key))));
                } else if (!right.containsKey(key)) {
                    found.add(new Difference(below, shown(left.get(key)), "-"));
                } else {
                    compare(below, left.get(key), right.get(key), found);
                }
            }
        } else if (expected instanceof List<?> left && actual instanceof List<?> right) {
            for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
                String below = path + "[" + i + "]";
                if (i >= left.size()) {
                    found.add(new Difference(below, "-", shown(right.get(i))));
                } else if (i >= right.size()) {
                    found.add(new Difference(below, shown(left.get(i)), "-"));
                } else {
                    compare(below, left.get(i), right.get(i), found);
                }
            }
        } else if (expected == null ? actual != null : !expected.equals(actual)) {
            found.add(of(path, expected, actual));
        }
    }

    private static String shown(@Nullable Object value) {
        String text = Json.text(value);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "… (" + text.length() + ")";
    }

    @Override
    public String toString() {
        return path + "\n      expected " + expected + "\n      actual   " + actual;
    }
}
