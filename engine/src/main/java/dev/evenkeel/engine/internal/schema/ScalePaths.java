package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the fields that the scale subresource refers to: replica counts, and a selector in text form. */
final class ScalePaths {
    private ScalePaths() {}

    static void validate(ResourceType.Scale scale, Object object, List<FieldError> errors) {
        replicas(scale.specReplicas(), object, errors);
        validateStatus(scale, object, errors);
    }

    static void validateStatus(ResourceType.Scale scale, Object object, List<FieldError> errors) {
        replicas(scale.statusReplicas(), object, errors);
        if (!scale.labelSelector().isEmpty()) {
            Access found = access(object, scale.labelSelector(), "string");
            if (!found.wrong.isEmpty()) {
                errors.add(FieldError.invalid(scale.labelSelector(), "", found.wrong));
            }
        }
    }

    private static void replicas(String path, Object object, List<FieldError> errors) {
        Access found = access(object, path, "int64");
        long count = found.value instanceof Long number ? number : 0;
        String wrong = count < 0
                ? "should be a non-negative integer"
                : count > Integer.MAX_VALUE ? "should be less than or equal to " + Integer.MAX_VALUE : found.wrong;
        if (!wrong.isEmpty()) {
            errors.add(FieldError.invalid(path, count, wrong));
        }
    }

    private record Access(@Nullable Object value, String wrong) {}

    private static Access access(Object object, String path, String expected) {
        Object value = object;
        List<String> steps =
                List.of(path.substring(path.startsWith(".") ? 1 : 0).split("\\.", -1));
        for (int i = 0; i < steps.size(); i++) {
            if (!(value instanceof JsonObject map)) {
                return wrong(String.join(".", steps.subList(0, i)), value, "map[string]interface{}");
            }
            if (!map.containsKey(steps.get(i))) {
                return new Access(null, "");
            }
            value = map.get(steps.get(i));
        }
        boolean fits = expected.equals("int64") ? value instanceof Long : value instanceof String;
        return fits ? new Access(value, "") : wrong(String.join(".", steps), value, expected);
    }

    private static Access wrong(String path, @Nullable Object value, String expected) {
        String shown = value == null ? "<nil>" : value instanceof String text ? text : Json.text(value);
        String type = GoTypes.type(value);
        return new Access(
                null, "." + path + " accessor error: " + shown + " is of the type " + type + ", expected " + expected);
    }
}
