package dev.evenkeel.testing.diff;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that distinguish the entries of a list. Kubernetes defines them per list in its API documents; the same
 * few keys serve all of them, and the lists of users' types too, if all entries have all fields of a key and no two
 * entries have the same.
 */
final class ListKeys {
    /** More specific keys first: a mount has a name too, which is that of its volume. */
    private static final List<List<String>> KEYS = List.of(
            List.of("uid"),
            List.of("mountPath"),
            List.of("devicePath"),
            List.of("containerPort", "protocol"),
            List.of("port", "protocol"),
            List.of("topologyKey", "whenUnsatisfiable"),
            List.of("name"),
            List.of("type"),
            List.of("key"),
            List.of("ip"));

    private ListKeys() {}

    /** Returns the fields that distinguish the entries of both lists; empty when only their index does. */
    static Optional<List<String>> of(List<? extends @Nullable Object> one, List<? extends @Nullable Object> other) {
        return one.isEmpty() && other.isEmpty()
                ? Optional.empty()
                : KEYS.stream()
                        .filter(key -> tellsApart(key, one) && tellsApart(key, other))
                        .findFirst();
    }

    private static boolean tellsApart(List<String> key, List<? extends @Nullable Object> list) {
        Set<FieldPath.Entry> seen = new HashSet<>();
        for (Object entry : list) {
            if (!(entry instanceof Map<?, ?> map) || !isScalar(map.get(key.getFirst())) || !seen.add(entry(key, map))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isScalar(@Nullable Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean;
    }

    /** Returns the entry by its key, without a protocol that is TCP or absent. */
    static FieldPath.Entry entry(List<String> key, Map<?, ?> entry) {
        Map<String, Object> values = LinkedHashMap.newLinkedHashMap(key.size());
        for (String field : key) {
            Object value = entry.get(field);
            if (value != null && !(field.equals("protocol") && value.equals("TCP"))) {
                values.put(field, value);
            }
        }
        return new FieldPath.Entry(values);
    }

    /** Returns the rank of a field when an entry is written: its key first. */
    static int rank(String field) {
        for (int i = 0; i < KEYS.size(); i++) {
            if (KEYS.get(i).contains(field)) {
                return field.equals("name") ? -1 : i;
            }
        }
        return KEYS.size();
    }
}
