package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Numbers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Formats trees as Go's {@code %v} does, for upstream's messages: {@code map[a:1 b:[x y]]}. */
final class GoFormat {
    private GoFormat() {}

    static String of(@Nullable Object tree) {
        StringBuilder out = new StringBuilder();
        append(out, tree);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object tree) {
        switch (tree) {
            case null -> out.append("<nil>");
            case JsonObject map -> {
                out.append("map[");
                String separator = "";
                for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
                    out.append(separator).append(entry.getKey()).append(':');
                    append(out, entry.getValue());
                    separator = " ";
                }
                out.append(']');
            }
            case List<?> list -> {
                out.append('[');
                String separator = "";
                for (Object item : list) {
                    out.append(separator);
                    append(out, item);
                    separator = " ";
                }
                out.append(']');
            }
            case Double number -> out.append(Numbers.general(number));
            default -> out.append(tree);
        }
    }

    /** Returns the name of a value's kind in Go's JSON decoder. */
    static String kind(@Nullable Object tree) {
        return switch (tree) {
            case null -> "null";
            case JsonObject map -> "object";
            case List<?> list -> "array";
            case String text -> "string";
            case Boolean flag -> "bool";
            default -> "number";
        };
    }
}
