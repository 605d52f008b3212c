package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats values for upstream's messages, which are printed by Go. */
final class GoText {
    private GoText() {}

    /** Formats a value as in a path: strings quoted, other scalars plain. */
    static String value(@Nullable Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case List<?> list -> list.stream().map(GoText::value).collect(Collectors.joining(",", "[", "]"));
            case JsonObject map ->
                Values.sortedKeys(map).stream()
                        .map(k -> k + "=" + value(map.get(k)))
                        .collect(Collectors.joining());
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
            default -> Json.text(value);
        };
    }

    /** Formats a value like {@code %#v}. */
    static String syntax(@Nullable Object value) {
        return switch (value) {
            case null -> "interface {}(nil)";
            case String text -> quoted(text);
            case List<?> list ->
                list.stream().map(GoText::syntax).collect(Collectors.joining(", ", "[]interface {}{", "}"));
            case JsonObject map ->
                Values.sortedKeys(map).stream()
                        .map(k -> quoted(k) + ":" + syntax(map.get(k)))
                        .collect(Collectors.joining(", ", "map[string]interface {}{", "}"));
            default -> Json.text(value);
        };
    }

    /** Formats a text like {@code %q}. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case 0x07 -> out.append("\\a");
                case 0x0b -> out.append("\\v");
                default -> out.append(c < 0x20 || c == 0x7f ? String.format("\\x%02x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }
}
