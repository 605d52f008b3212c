package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class StorageValidation {
    private StorageValidation() {}

    static List<FieldError> claim(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> claimUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }
}
