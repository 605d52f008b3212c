package dev.evenkeel.server.replay;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries of managedFields are ordered by operation, then by time in whole seconds, then by name: so their order depends
 * on how fast a run is. It is checked by this rule, and entries are compared without it.
 */
final class Owners {
    private static final Comparator<Object> RULE = Comparator.<Object, String>comparing(
                    entry -> text(entry, "operation"))
            .thenComparing(entry -> text(entry, "time"))
            .thenComparing(entry -> text(entry, "manager"))
            .thenComparing(entry -> text(entry, "apiVersion"))
            .thenComparing(entry -> text(entry, "subresource"));

    private Owners() {}

    /** The tree with the entries of every managedFields in the order of their text. */
    static @Nullable Object sorted(@Nullable Object tree) {
        return switch (tree) {
            case null -> null;
            case Map<?, ?> map -> {
                JsonObject copy = new JsonObject(map.size());
                map.forEach((key, value) -> copy.put(
                        (String) key,
                        key.equals("managedFields") && value instanceof List<?> list ? byRule(list) : sorted(value)));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>(list.size());
                list.forEach(value -> copy.add(sorted(value)));
                yield copy;
            }
            default -> tree;
        };
    }

    private static List<@Nullable Object> byRule(List<?> entries) {
        List<@Nullable Object> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.nullsFirst(RULE));
        return sorted;
    }

    /** Returns the entries of an object that violate the order of the rule. */
    static List<Difference> misplaced(@Nullable Object tree) {
        Object entries = Json.at(tree, "metadata", "managedFields");
        return entries instanceof List<?> list && timed(list) && !list.equals(byRule(list))
                ? List.of(Difference.of("order of managedFields", byRule(list), list))
                : List.of();
    }

    /** Recorded answers have placeholders for times, which tell nothing about their order. */
    private static boolean timed(List<?> entries) {
        return entries.stream().noneMatch(entry -> text(entry, "time").startsWith("<"));
    }

    private static String text(@Nullable Object entry, String field) {
        return Json.string(entry, field);
    }
}
