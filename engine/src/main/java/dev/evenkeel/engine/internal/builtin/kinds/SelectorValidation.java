package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of label selectors. */
final class SelectorValidation {
    private SelectorValidation() {}

    static void selector(JsonObject selector, String at, FieldErrors errors) {
        selector.object("matchLabels").forEach((key, value) -> {
            errors.invalid(at + ".matchLabels", key, Names.qualified(key));
            errors.invalid(at + ".matchLabels", value, Names.labelValue(String.valueOf(value)));
        });
        requirements(selector.array("matchExpressions"), at + ".matchExpressions", false, errors);
    }

    /**
     * Checks the requirements of a selector.
     *
     * @param at their path
     * @param unknownOperators true to accept unknown operators
     */
    static void requirements(
            List<@Nullable Object> requirements, String at, boolean unknownOperators, FieldErrors errors) {
        for (int i = 0; i < requirements.size(); i++) {
            String path = at + "[" + i + "]";
            String operator = Json.string(requirements.get(i), "operator");
            List<@Nullable Object> values = Trees.list(requirements.get(i), "values");
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
                default -> {
                    if (!unknownOperators) {
                        errors.invalid(path + ".operator", operator, "not a valid selector operator");
                    }
                }
            }
            String key = Json.string(requirements.get(i), "key");
            errors.invalid(path + ".key", key, Names.qualified(key));
        }
    }
}
