package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class WorkloadValidation {
    private WorkloadValidation() {}

    static List<FieldError> deployment(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> selected(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> selectorUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }

    static List<FieldError> statefulSetUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }

    static List<FieldError> job(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> jobUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }

    static List<FieldError> cronJob(Map<String, @Nullable Object> tree) {
        return List.of();
    }
}
