package dev.evenkeel.engine.internal.json;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names the types of values as Go does, for upstream's messages. */
public final class GoTypes {
    private GoTypes() {}

    /** Returns the kind of a value in Go's JSON decoder. */
    public static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case JsonObject unused -> "object";
            case List<?> unused -> "array";
            case String unused -> "string";
            case Boolean unused -> "bool";
            default -> "number";
        };
    }

    /** Returns the kind as errors of the decoder show it: of a number that is not an integer with the number. */
    public static String described(@Nullable Object value) {
        return value instanceof Double number ? "number " + Json.text(number) : kind(value);
    }

    /** Returns the kind of a value by reflection, such as {@code slice}. */
    public static String reflected(Object value) {
        return switch (value) {
            case JsonObject unused -> "map";
            case List<?> unused -> "slice";
            default -> type(value);
        };
    }

    /** Returns the type of a value as {@code %T} prints it. */
    public static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case JsonObject unused -> "map[string]interface {}";
            case List<?> unused -> "[]interface {}";
            case String unused -> "string";
            case Boolean unused -> "bool";
            case Double unused -> "float64";
            default -> "int64";
        };
    }

    /** Formats a text like {@code %q}. */
    public static String quoted(String text) {
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

    /** Formats texts like {@code %q}: {@code ["a" "b"]}. */
    public static String quoted(List<String> texts) {
        return texts.stream().map(GoTypes::quoted).collect(Collectors.joining(" ", "[", "]"));
    }
}
