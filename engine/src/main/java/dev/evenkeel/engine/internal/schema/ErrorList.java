package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The errors of an object, in the order in which its rules are checked. */
final class ErrorList extends ArrayList<FieldError> {
    private static final long serialVersionUID = 1L;

    ErrorList() {
        super(0);
    }

    void required(String field, String detail) {
        add(FieldError.required(field, detail));
    }

    void forbidden(String field, String detail) {
        add(FieldError.forbidden(field, detail));
    }

    void invalid(String field, @Nullable Object value, String detail) {
        add(FieldError.invalid(field, value, detail));
    }

    /** Adds one error for each detail. */
    void invalid(String field, Object value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** Adds an error of a text that is missing or wrong. */
    void missingOrInvalid(String field, String value, String detail) {
        add(value.isEmpty() ? FieldError.required(field, detail) : FieldError.invalid(field, value, detail));
    }

    /** Requires one of the allowed texts. */
    void oneOf(String field, String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            add(FieldError.notSupported(field, value, allowed));
        }
    }
}
