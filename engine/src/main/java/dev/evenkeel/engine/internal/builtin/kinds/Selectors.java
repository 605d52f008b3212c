package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Label selectors in the form that objects have them. */
public final class Selectors {
    private Selectors() {}

    /**
     * Returns the selector as text, requirements by key, such as {@code app=x,tier in (a,b)}; empty when it selects
     * everything. A plain map of labels, as in replication controllers and services, is a selector too.
     */
    public static String text(JsonObject selector) {
        Map<String, List<String>> byKey = new TreeMap<>();
        boolean full = selector.containsKey("matchLabels") || selector.containsKey("matchExpressions");
        (full ? selector.object("matchLabels") : selector)
                .forEach((key, value) ->
                        byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(key + "=" + value));
        selector.objects("matchExpressions").forEach(expression -> {
            String key = expression.string("key");
            String values = expression.strings("values").stream().sorted().collect(Collectors.joining(","));
            String text = switch (expression.string("operator")) {
                case "In" -> key + " in (" + values + ")";
                case "NotIn" -> key + " notin (" + values + ")";
                case "Exists" -> key;
                default -> "!" + key;
            };
            byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(text);
        });
        return byKey.values().stream().flatMap(List::stream).collect(Collectors.joining(","));
    }

    /** Returns the selector as upstream prints the struct, with all fields. */
    static String structText(JsonObject selector) {
        String labels = new TreeMap<>(selector.object("matchLabels"))
                .entrySet().stream()
                        .map(label -> label.getKey() + ": " + label.getValue() + ",")
                        .collect(Collectors.joining());
        String requirements = selector.objects("matchExpressions").stream()
                .map(requirement -> "LabelSelectorRequirement{Key:" + requirement.string("key") + ",Operator:"
                        + requirement.string("operator") + ",Values:["
                        + String.join(" ", requirement.strings("values")) + "],},")
                .collect(Collectors.joining());
        return "&LabelSelector{MatchLabels:map[string]string{" + labels
                + "},MatchExpressions:[]LabelSelectorRequirement{" + requirements + "},}";
    }

    /** Returns true if labels satisfy the selector. */
    public static boolean matches(JsonObject selector, Map<String, ? extends @Nullable Object> labels) {
        for (var wanted : selector.object("matchLabels").entrySet()) {
            if (!String.valueOf(wanted.getValue()).equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        for (Object expression : selector.array("matchExpressions")) {
            Object value = labels.get(Json.string(expression, "key"));
            List<@Nullable Object> values = Json.array(Json.at(expression, "values"));
            boolean holds = switch (Json.string(expression, "operator")) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                default -> value == null;
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the selector can be evaluated. */
    static boolean isWellFormed(JsonObject selector) {
        for (JsonObject expression : selector.objects("matchExpressions")) {
            boolean values = !expression.array("values").isEmpty();
            boolean well = switch (expression.string("operator")) {
                case "In", "NotIn" -> values;
                case "Exists", "DoesNotExist" -> !values;
                default -> false;
            };
            if (!well || !Names.qualified(expression.string("key")).isEmpty()) {
                return false;
            }
        }
        return selector.object("matchLabels").entrySet().stream()
                .allMatch(label -> Names.qualified(label.getKey()).isEmpty()
                        && Names.labelValue(String.valueOf(label.getValue())).isEmpty());
    }

    /** Adds an error that shows the selector as upstream does. */
    static void invalid(Field selector, String detail) {
        selector.invalidText(
                InternalForm.text("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector", selector.value()), detail);
    }

    /** Requires that {@code spec.selector} does not change. */
    static void immutable(Field root, JsonObject old) {
        Field selector = root.at("spec", "selector");
        if (!Objects.equals(selector.value(), old.at("spec", "selector"))) {
            invalid(selector, Field.IMMUTABLE);
        }
    }

    static void validate(Field selector) {
        selector.at("matchLabels").labels();
        validateRequirements(selector.at("matchExpressions"), false);
    }

    /**
     * Checks the requirements of a label selector.
     *
     * @param unknownOperators true to accept unknown operators
     */
    static void validateRequirements(Field requirements, boolean unknownOperators) {
        for (Field requirement : requirements.items()) {
            validateOperator(requirement, unknownOperators);
            requirement.at("key").obeys(Names::qualified);
            requirement.at("values").items().forEach(value -> value.obeys(Names::labelValue));
        }
    }

    /** Checks the requirements of a field selector, whose operators may be unknown. */
    static void validateFieldRequirements(Field requirements) {
        for (Field requirement : requirements.items()) {
            requirement.at("key").require("must be specified");
            validateOperator(requirement, true);
        }
    }

    /** Checks the values that the operator of a requirement can have. */
    static void validateOperator(Field requirement, boolean unknownOperators) {
        Field values = requirement.at("values");
        switch (requirement.at("operator").text()) {
            case "In", "NotIn" -> {
                if (values.array().isEmpty()) {
                    values.missing("must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.array().isEmpty()) {
                    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            case String operator -> {
                if (!unknownOperators) {
                    requirement.at("operator").invalid(operator, "not a valid selector operator");
                }
            }
        }
    }
}
