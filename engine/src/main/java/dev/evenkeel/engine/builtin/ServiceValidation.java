package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class ServiceValidation {
    private ServiceValidation() {}

    static List<FieldError> service(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> update(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }
}
