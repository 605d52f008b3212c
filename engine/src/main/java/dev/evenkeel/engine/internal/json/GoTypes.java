package dev.evenkeel.engine.internal.json;

import java.util.List;
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
}
