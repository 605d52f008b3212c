package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class CoordinationValidation {
    private CoordinationValidation() {}

    static List<FieldError> lease(Map<String, @Nullable Object> tree) {
        return List.of();
    }
}
