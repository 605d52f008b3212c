package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the errors of an object in the order in which its rules are checked. */
final class FieldErrors {
    static final String IMMUTABLE = "field is immutable";

    private final List<FieldError> errors = new ArrayList<>();

    List<FieldError> list() {
        return errors;
    }

    void add(FieldError error) {
        errors.add(error);
    }

    void addAll(List<FieldError> more) {
        errors.addAll(more);
    }

    void required(String field) {
        errors.add(FieldError.required(field, ""));
    }

    void required(String field, String detail) {
        errors.add(FieldError.required(field, detail));
    }

    void invalid(String field, @Nullable Object value, String detail) {
        errors.add(FieldError.invalid(field, value, detail));
    }

    /** Adds one error for each detail. */
    void invalid(String field, @Nullable Object value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    void forbidden(String field, String detail) {
        errors.add(FieldError.forbidden(field, detail));
    }

    /** Requires one of the allowed texts. */
    void oneOf(String field, String value, String... allowed) {
        if (!List.of(allowed).contains(value)) {
            errors.add(FieldError.notSupported(field, value, List.of(allowed)));
        }
    }

    /** Requires one of the allowed texts or an empty one. */
    void oneOfIfGiven(String field, String value, String... allowed) {
        if (!value.isEmpty()) {
            oneOf(field, value, allowed);
        }
    }

    void notNegative(String field, @Nullable Object value) {
        if (value instanceof Long number && number < 0) {
            invalid(field, value, "must be greater than or equal to 0");
        }
    }

    void positive(String field, @Nullable Object value) {
        if (value instanceof Long number && number <= 0) {
            invalid(field, value, "must be greater than 0");
        }
    }

    void port(String field, @Nullable Object value) {
        if (value instanceof Long number && (number < 1 || number > 65_535)) {
            invalid(field, value, "must be between 1 and 65535, inclusive");
        }
    }

    /** Requires distinct names. */
    void unique(String field, List<@Nullable Object> items, String key) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            String name = Json.string(items.get(i), key);
            if (!name.isEmpty() && !seen.add(name)) {
                errors.add(FieldError.duplicate(field + "[" + i + "]." + key, name));
            }
        }
    }

    /** Refuses a change of the field under a path. */
    void immutable(JsonObject tree, JsonObject old, String... path) {
        Object value = tree.at(path);
        if (!Objects.equals(value, old.at(path))) {
            invalid(String.join(".", path), value, IMMUTABLE);
        }
    }
}
