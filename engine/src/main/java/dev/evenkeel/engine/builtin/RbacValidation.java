package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.type.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules. */
final class RbacValidation {
    private RbacValidation() {}

    static List<FieldError> role(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> clusterRole(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> roleBinding(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> clusterRoleBinding(Map<String, @Nullable Object> tree) {
        return List.of();
    }

    static List<FieldError> bindingUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return List.of();
    }
}
