package dev.evenkeel.client;

import dev.evenkeel.client.internal.LabelSyntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One condition on the labels of an object; a {@link LabelSelector} is the conjunction of such.
 *
 * @param key the label
 * @param operator the comparison
 * @param values values to compare with, sorted, without repetition: at least one for {@code IN} and {@code NOT_IN}, one
 *     for {@code EQUALS} and {@code NOT_EQUALS}, one 64-bit integer for {@code GREATER_THAN} and {@code LESS_THAN},
 *     none for {@code EXISTS} and {@code DOES_NOT_EXIST}
 */
public record LabelRequirement(String key, Operator operator, List<String> values) {
    /** The comparison of a requirement. */
    public enum Operator {
        /** The label is present with one of the values. */
        IN("in"),
        /** The label is missing, or has none of the values. */
        NOT_IN("notin"),
        /** The label is present with the value; {@code ==} means the same. */
        EQUALS("="),
        /** The label is missing, or has another value. */
        NOT_EQUALS("!="),
        /** The label is present. */
        EXISTS("exists"),
        /** The label is missing. */
        DOES_NOT_EXIST("!"),
        /** The label is present with a greater integer. */
        GREATER_THAN("gt"),
        /** The label is present with a smaller integer. */
        LESS_THAN("lt");

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        /** Returns upstream's word for the operator, as messages use it. */
        public String text() {
            return text;
        }
    }

    /**
     * Checks the shape.
     *
     * @throws BadRequestException in upstream's words, when key or values are wrong
     */
    public LabelRequirement {
        values = distinct(values);
        List<String> errors = errors(key, operator, values);
        if (!errors.isEmpty()) {
            throw LabelSelector.badRequest(aggregate(errors));
        }
    }

    private static List<String> distinct(List<String> values) {
        return values.size() < 2
                ? List.copyOf(values)
                : values.stream().sorted().distinct().toList();
    }

    /** Returns whether the labels fulfil this. Allocates nothing. */
    public boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN, EQUALS -> value != null && contains(value);
            case NOT_IN, NOT_EQUALS -> value == null || !contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER_THAN -> value != null && Decimal.compare(value, values.getFirst()) > 0;
            case LESS_THAN -> value != null && Decimal.compare(values.getFirst(), value) > 0;
        };
    }

    private boolean contains(String value) {
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).equals(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the form that {@link LabelSelector#parse} reads. */
    @Override
    public String toString() {
        return switch (operator) {
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case EQUALS -> key + "=" + values.getFirst();
            case NOT_EQUALS -> key + "!=" + values.getFirst();
            case GREATER_THAN -> key + ">" + values.getFirst();
            case LESS_THAN -> key + "<" + values.getFirst();
            case IN, NOT_IN -> key + " " + operator.text() + " (" + String.join(",", values) + ")";
        };
    }

    private static List<String> errors(String key, Operator operator, List<String> values) {
        List<String> errors = new ArrayList<>();
        List<String> keyErrors = LabelSyntax.keyErrors(key);
        if (!keyErrors.isEmpty()) {
            errors.add(LabelSelector.invalid("key", key, String.join("; ", keyErrors)));
        }
        String shape = switch (operator) {
            case IN, NOT_IN -> values.isEmpty() ? "for 'in', 'notin' operators, values set can't be empty" : "";
            case EQUALS, NOT_EQUALS -> values.size() != 1 ? "exact-match compatibility requires one single value" : "";
            case EXISTS, DOES_NOT_EXIST ->
                values.isEmpty() ? "" : "values set must be empty for exists and does not exist";
            case GREATER_THAN, LESS_THAN ->
                values.size() != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
        };
        if (!shape.isEmpty()) {
            String list = values.stream().map(GoQuote::of).collect(Collectors.joining(",", "[", "]"));
            errors.add("values: Invalid value: " + list + ": " + shape);
        }
        boolean number = operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN;
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (number && !Decimal.isLong(value)) {
                errors.add(LabelSelector.invalid(
                        "values[" + i + "]", value, "for 'Gt', 'Lt' operators, the value must be an integer"));
            }
        }
        for (int i = 0; i < values.size(); i++) {
            List<String> valueErrors = LabelSyntax.valueErrors(values.get(i));
            if (!valueErrors.isEmpty()) {
                errors.add(LabelSelector.invalid(
                        "values[" + i + "][" + key + "]", values.get(i), String.join("; ", valueErrors)));
            }
        }
        return errors;
    }

    private static String aggregate(List<String> errors) {
        return errors.size() == 1
                ? errors.getFirst()
                : new LinkedHashSet<>(errors).stream().collect(Collectors.joining(", ", "[", "]"));
    }
}
