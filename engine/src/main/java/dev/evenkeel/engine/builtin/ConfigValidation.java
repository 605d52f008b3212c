package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class ConfigValidation {
    private ConfigValidation() {}

    static List<FieldError> configMap(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> configMapUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }

    static List<FieldError> secret(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> secretUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }
}
