package dev.evenkeel.engine.internal.json;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, with the value at a path of each object.
 *
 * @param path the path of the value; of several values only the first is shown
 * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}
 */
public record PrinterColumn(JsonPath path, String type) {
    /**
     * Returns the column of a definition. If its path is invalid, the column stays empty, because such a path did not
     * prevent the definition.
     */
    public static PrinterColumn of(String path, String type) {
        try {
            return new PrinterColumn(JsonPath.parse(path), type);
        } catch (JsonException e) {
            return new PrinterColumn(JsonPath.NOWHERE, type);
        }
    }

    /** Returns the cell of an object: a string, a number, a boolean, or null when no value fits the type. */
    public @Nullable Object cell(@Nullable Object tree, Instant now) {
        List<@Nullable Object> values;
        try {
            values = path.find(tree);
        } catch (JsonException e) {
            return null;
        }
        return values.isEmpty() ? null : cell(values.getFirst(), type, now);
    }

    private static @Nullable Object cell(@Nullable Object value, String type, Instant now) {
        return switch (type) {
            case "string" -> text(value);
            case "integer" ->
                value instanceof Double number ? (Object) number.longValue() : value instanceof Long ? value : null;
            case "number" ->
                value instanceof Long number ? (Object) number.doubleValue() : value instanceof Double ? value : null;
            case "boolean" -> value instanceof Boolean ? value : null;
            case "date" -> value instanceof String text ? age(text, now) : null;
            default -> null;
        };
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "<no value>";
            case String text -> text;
            case Double number -> Numbers.general(number);
            case JsonObject map -> Json.html(map.sorted());
            case List<?> list -> Json.html(Json.sorted(list));
            default -> value.toString();
        };
    }

    /** Returns the age of an RFC 3339 time; {@code <unknown>} if empty, {@code <invalid>} if it is not a time. */
    public static String age(String time, Instant now) {
        if (time.isEmpty() || time.equals("null")) {
            return "<unknown>";
        }
        // Java would also accept times without seconds, and small letters
        boolean shaped = time.length() >= 20 && time.charAt(10) == 'T' && time.charAt(16) == ':' && !time.endsWith("z");
        try {
            return shaped ? Ages.between(OffsetDateTime.parse(time).toInstant(), now) : "<invalid>";
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }
}
