package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes briefly in which fields two states of an object differ. */
final class FieldChanges {
    private static final Set<String> NOISE =
            Set.of("metadata.resourceVersion", "metadata.managedFields", "metadata.generation");
    private static final int MOST = 4;

    private FieldChanges() {}

    static String between(Encoded before, Encoded after) {
        List<String> changed = new ArrayList<>();
        compare(
                "",
                Json.parseObject(before.json(), JsonLimits.DEFAULT),
                Json.parseObject(after.json(), JsonLimits.DEFAULT),
                changed);
        return changed.size() <= MOST
                ? String.join(", ", changed)
                : String.join(", ", changed.subList(0, MOST)) + " and " + (changed.size() - MOST) + " more fields";
    }

    private static void compare(String path, @Nullable Object before, @Nullable Object after, List<String> changed) {
        if (Objects.equals(before, after) || NOISE.contains(path)) {
            return;
        }
        if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
            Set<String> keys = new TreeSet<>();
            one.keySet().forEach(key -> keys.add(String.valueOf(key)));
            other.keySet().forEach(key -> keys.add(String.valueOf(key)));
            keys.forEach(
                    key -> compare(path.isEmpty() ? key : path + "." + key, one.get(key), other.get(key), changed));
            return;
        }
        changed.add(path + ": " + text(before) + " -> " + text(after));
    }

    private static String text(@Nullable Object value) {
        String text = value == null ? "nothing" : Json.text(value);
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
