package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules of label selectors. */
final class SelectorValidation {
    private SelectorValidation() {}

    static void selector(Map<String, @Nullable Object> selector, String at, FieldErrors errors) {
        Trees.object(selector, "matchLabels").forEach((key, value) -> {
            errors.invalid(at + ".matchLabels", key, Names.qualified(key));
            errors.invalid(at + ".matchLabels", value, Names.labelValue(String.valueOf(value)));
        });
        List<@Nullable Object> expressions = Trees.list(selector, "matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            String path = at + ".matchExpressions[" + i + "]";
            String operator = Json.string(expressions.get(i), "operator");
            List<@Nullable Object> values = Trees.list(expressions.get(i), "values");
            switch (operator) {
                case "In", "NotIn" -> {
                    if (values.isEmpty()) {
                        errors.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (!values.isEmpty()) {
                        errors.forbidden(
                                path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                    }
                }
                default -> errors.invalid(path + ".operator", operator, "not a valid selector operator");
            }
            String key = Json.string(expressions.get(i), "key");
            errors.invalid(path + ".key", key, Names.qualified(key));
        }
    }
}
