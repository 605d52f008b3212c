package dev.evenkeel.engine;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.Numbers;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A field that breaks a rule, in upstream's wording.
 *
 * @param reason upstream's reason, such as {@code FieldValueInvalid}
 * @param field path of the field, such as {@code spec.ports[0].name}
 * @param detail the message without the field, such as {@code Required value}
 */
public record FieldError(String reason, String field, String detail) {
    /** A required field is absent. */
    public static FieldError required(String field, String detail) {
        return new FieldError("FieldValueRequired", field, "Required value" + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** A field has an invalid value. */
    public static FieldError invalid(String field, @Nullable Object value, String detail) {
        return new FieldError("FieldValueInvalid", field, "Invalid value: " + shown(value) + ": " + detail);
    }

    /** A field has a value of the wrong type. */
    public static FieldError typeInvalid(String field, @Nullable Object value, String detail) {
        return new FieldError("FieldValueTypeInvalid", field, "Invalid value: " + shown(value) + ": " + detail);
    }

    /** A field has a value other than the supported ones. */
    public static FieldError notSupported(String field, @Nullable Object value, List<String> supported) {
        String values = supported.stream().map(Json::text).collect(Collectors.joining(", "));
        return new FieldError(
                "FieldValueNotSupported",
                field,
                "Unsupported value: " + shown(value) + (supported.isEmpty() ? "" : ": supported values: " + values));
    }

    /** A field repeats a value. */
    public static FieldError duplicate(String field, @Nullable Object value) {
        return new FieldError("FieldValueDuplicate", field, "Duplicate value: " + shown(value));
    }

    /** A field may not be set, or not be changed, here. */
    public static FieldError forbidden(String field, String detail) {
        return new FieldError("FieldValueForbidden", field, "Forbidden: " + detail);
    }

    /** A field refers to something that does not exist. */
    public static FieldError notFound(String field, @Nullable Object value) {
        return new FieldError("FieldValueNotFound", field, "Not found: " + shown(value));
    }

    /** A field has too long a text. */
    public static FieldError tooLong(String field, int max) {
        return new FieldError("FieldValueTooLong", field, "Too long: may not be more than " + max + " bytes");
    }

    /** A field has too many items. */
    public static FieldError tooMany(String field, long actual, long max) {
        return new FieldError(
                "FieldValueTooMany",
                field,
                "Too many: " + actual + ": must have at most " + max + (max == 1 ? " item" : " items"));
    }

    /** Returns {@code field: detail}, the form in which messages list it. */
    public String text() {
        return field + ": " + detail;
    }

    /** Returns the error as a cause of a status. */
    public Status.Cause cause() {
        return new Status.Cause(reason, detail, field);
    }

    /** Prints objects with sorted keys and numbers in short form, as Go does. */
    private static String shown(@Nullable Object value) {
        return switch (value) {
            case String text -> goEscapes(Json.text(text));
            case Double number -> Numbers.general(number);
            case Map<?, ?> map -> Json.text(Json.sorted(map));
            case null, default -> Json.text(value);
        };
    }

    /** Escapes control characters as Go does: {@code \\a}, {@code \\v} and {@code \\x01}. */
    private static String goEscapes(String json) {
        int at = json.indexOf("\\u00");
        return at < 0
                ? json
                : json.replace("\\u0007", "\\a")
                        .replace("\\u000b", "\\v")
                        .replace("\\u000B", "\\v")
                        .replace("\\u00", "\\x");
    }
}
