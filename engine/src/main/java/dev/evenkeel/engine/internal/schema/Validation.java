package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One validation of one value: its position, and its errors so far. */
final class Validation {
    /** The field of errors about a whole alternative, as upstream shows it. */
    static final String NO_FIELD = "<nil>";

    final Trail trail = new Trail();
    private final String prefix;
    final boolean ordered;
    private List<FieldError> errors = new ArrayList<>(0);

    /**
     * Starts a validation.
     *
     * @param prefix the path of the value, such as {@code status}; messages name fields from there, causes from the
     *     root
     * @param ordered true if errors have to come in the order of the names of fields
     */
    Validation(String prefix, boolean ordered) {
        this.prefix = prefix;
        this.ordered = ordered;
    }

    int count() {
        return errors.size();
    }

    /** Removes and returns the errors since a count. */
    List<FieldError> cut(int from) {
        List<FieldError> tail = errors.subList(from, errors.size());
        List<FieldError> cut = List.copyOf(tail);
        tail.clear();
        return cut;
    }

    void addAll(List<FieldError> more) {
        errors.addAll(more);
    }

    /** Returns the errors, each once. */
    List<FieldError> errors() {
        if (errors.size() > 1) {
            errors = new ArrayList<>(new LinkedHashSet<>(errors));
        }
        return errors;
    }

    void invalid(@Nullable Object value, String rest) {
        String name = trail.dotted();
        errors.add(FieldError.invalid(field(name), value, name + " in body " + rest));
    }

    /** Adds the error of a field that is not allowed. */
    void forbidden(String name) {
        String path = trail.dotted();
        errors.add(FieldError.invalid(field(path), name, path + "." + name + " in body is a forbidden property"));
    }

    /** Adds the error of a factor that is invalid itself, which is a problem of the definition, not of the value. */
    void badFactor(@Nullable Object factor) {
        String name = trail.dotted();
        errors.add(FieldError.invalid(
                field(name),
                factor,
                "factor MultipleOf declared for " + name + " must be positive: " + Json.text(factor)));
    }

    void type(String expected, String actual) {
        String name = trail.dotted();
        errors.add(FieldError.typeInvalid(
                field(name), actual, name + " in body must be of type " + expected + ": " + Json.text(actual)));
    }

    void required(String name) {
        trail.field(name);
        errors.add(FieldError.required(field(trail.dotted()), ""));
        trail.pop();
    }

    void notSupported(@Nullable Object value, List<String> supported) {
        errors.add(FieldError.notSupported(field(trail.dotted()), value, supported));
    }

    void tooLong(long max) {
        errors.add(FieldError.tooLong(field(trail.dotted()), (int) max));
    }

    void tooMany(long actual, long max) {
        errors.add(FieldError.tooMany(field(trail.dotted()), actual, max));
    }

    /** Adds an error about an alternative or a range, to which upstream gives no field of its own. */
    void general(String detail) {
        errors.add(FieldError.invalid(prefix.isEmpty() ? NO_FIELD : prefix, "", detail));
    }

    private String field(String name) {
        return field(prefix, name.startsWith(".") ? name.substring(1) : name);
    }

    /** Returns the path of a field within another. */
    static String field(String path, String within) {
        String field = path + (path.isEmpty() || within.isEmpty() ? "" : ".") + within;
        return field.isEmpty() ? NO_FIELD : field;
    }
}
