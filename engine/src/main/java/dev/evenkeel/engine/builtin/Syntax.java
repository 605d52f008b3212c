package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;

/** Syntax of names inside objects. */
final class Syntax {
    private Syntax() {}

    static List<FieldError> finalizer(String field, String value) {
        return List.of();
    }
}
