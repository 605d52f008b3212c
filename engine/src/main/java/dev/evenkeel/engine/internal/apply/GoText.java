package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Numbers;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats values for upstream's messages, which are printed by Go. */
final class GoText {
    private GoText() {}

    /** Formats a value as in a path: strings quoted, other scalars plain. */
    static String value(@Nullable Object value) {
        return switch (value) {
            case String text -> GoTypes.quoted(text);
            case List<?> list -> list.stream().map(GoText::value).collect(Collectors.joining(",", "[", "]"));
            case JsonObject map ->
                Values.sortedKeys(map).stream()
                        .map(k -> k + "=" + value(map.get(k)))
                        .collect(Collectors.joining());
            case Double number -> Numbers.general(number);
            case null, default -> Json.text(value);
        };
    }

    /** Formats a value like {@code %v}. */
    static String plain(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case String text -> text;
            case List<?> list -> list.stream().map(GoText::plain).collect(Collectors.joining(" ", "[", "]"));
            case JsonObject map ->
                Values.sortedKeys(map).stream()
                        .map(k -> k + ":" + plain(map.get(k)))
                        .collect(Collectors.joining(" ", "map[", "]"));
            case Double number -> Numbers.general(number);
            default -> Json.text(value);
        };
    }

    /** Formats a value like {@code %#v}. */
    static String syntax(@Nullable Object value) {
        return switch (value) {
            case null -> "interface {}(nil)";
            case String text -> GoTypes.quoted(text);
            case List<?> list ->
                list.stream().map(GoText::syntax).collect(Collectors.joining(", ", "[]interface {}{", "}"));
            case JsonObject map ->
                Values.sortedKeys(map).stream()
                        .map(k -> GoTypes.quoted(k) + ":" + syntax(map.get(k)))
                        .collect(Collectors.joining(", ", "map[string]interface {}{", "}"));
            case Double number -> Numbers.general(number);
            default -> Json.text(value);
        };
    }
}
