package dev.evenkeel.protobuf.internal;

import dev.evenkeel.engine.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/** The data of an object does not fit its message. */
public final class InvalidDataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<FieldError> errors;

    InvalidDataException(List<FieldError> errors) {
        super(errors.stream().map(FieldError::text).collect(Collectors.joining(", ")));
        this.errors = List.copyOf(errors);
    }

    /** Returns the errors, with paths that begin with {@code spec}. */
    public List<FieldError> errors() {
        return errors;
    }
}
