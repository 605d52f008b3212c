package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Numbers;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats trees as Go's {@code %v} does, for upstream's messages: {@code map[a:1 b:[x y]]}. */
final class GoFormat {
    private GoFormat() {}

    /** Formats a tree as {@code %s} does, which marks what is not text. */
    static String ofText(@Nullable Object tree) {
        return switch (tree) {
            case null -> "%!s(<nil>)";
            case String text -> text;
            case JsonObject map ->
                new TreeMap<>(map)
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + ":" + ofText(entry.getValue()))
                                .collect(Collectors.joining(" ", "map[", "]"));
            case List<?> list -> list.stream().map(GoFormat::ofText).collect(Collectors.joining(" ", "[", "]"));
            default -> "%!s(" + GoTypes.type(tree) + "=" + of(tree) + ")";
        };
    }

    static String of(@Nullable Object tree) {
        return switch (tree) {
            case null -> "<nil>";
            case JsonObject map ->
                new TreeMap<>(map)
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + ":" + of(entry.getValue()))
                                .collect(Collectors.joining(" ", "map[", "]"));
            case List<?> list -> list.stream().map(GoFormat::of).collect(Collectors.joining(" ", "[", "]"));
            case Double number -> Numbers.general(number);
            default -> tree.toString();
        };
    }
}
