package dev.evenkeel.client;

import dev.evenkeel.client.internal.LabelSyntax;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects objects by their labels: all {@link Requirement requirements} must hold.
 *
 * <p>Immutable; equal when the requirements are. Matching allocates nothing.
 *
 * @param requirements the requirements, sorted by key; empty when everything is selected
 */
public record LabelSelector(List<Requirement> requirements) {
    private static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    /** Sorts the requirements. */
    public LabelSelector {
        requirements = requirements.stream()
                .sorted(Comparator.comparing(Requirement::key))
                .toList();
    }

    /** Selects all objects. */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /** Selects the objects that fulfil all of these requirements. */
    public static LabelSelector of(List<Requirement> requirements) {
        return requirements.isEmpty() ? EVERYTHING : new LabelSelector(requirements);
    }

    /**
     * Selects the objects that have all of these labels.
     *
     * @throws BadRequestException when a key or value is not a label
     */
    public static LabelSelector matching(Map<String, String> labels) {
        return of(labels.entrySet().stream()
                .map(label -> new Requirement(label.getKey(), Requirement.Operator.EQUALS, List.of(label.getValue())))
                .toList());
    }

    /**
     * Reads the form of the {@code labelSelector} query parameter: {@code k=v}, {@code k==v}, {@code k!=v},
     * {@code k in (a,b)}, {@code k notin (a,b)}, {@code k}, {@code !k}, {@code k>1}, {@code k<1}, separated by commas.
     * Blank text selects everything.
     *
     * @throws BadRequestException in upstream's words, when the text is not a selector
     */
    public static LabelSelector parse(String text) {
        return text.isEmpty() ? EVERYTHING : of(new LabelSelectorParser(text).parse());
    }

    /**
     * Reads the form of fields of objects, with {@code matchLabels} and {@code matchExpressions}. An empty one selects
     * everything.
     *
     * @throws BadRequestException in upstream's words, when a key, an operator or a value is invalid
     */
    public static LabelSelector of(io.fabric8.kubernetes.api.model.LabelSelector selector) {
        Map<String, String> labels = Objects.requireNonNullElse(selector.getMatchLabels(), Map.of());
        List<LabelSelectorRequirement> expressions =
                Objects.requireNonNullElse(selector.getMatchExpressions(), List.of());
        return matching(labels)
                .and(of(expressions.stream().map(LabelSelector::requirement).toList()));
    }

    private static Requirement requirement(LabelSelectorRequirement expression) {
        String operator = Objects.requireNonNullElse(expression.getOperator(), "");
        return new Requirement(
                Objects.requireNonNullElse(expression.getKey(), ""),
                switch (operator) {
                    case "In" -> Requirement.Operator.IN;
                    case "NotIn" -> Requirement.Operator.NOT_IN;
                    case "Exists" -> Requirement.Operator.EXISTS;
                    case "DoesNotExist" -> Requirement.Operator.DOES_NOT_EXIST;
                    default ->
                        throw ApiException.badRequest("\"" + operator + "\" is not a valid label selector operator");
                },
                Objects.requireNonNullElse(expression.getValues(), List.of()));
    }

    /** Returns whether all objects are selected. */
    public boolean isEverything() {
        return requirements.isEmpty();
    }

    /** Returns whether an object with these labels is selected. Allocates nothing. */
    public boolean matches(Map<String, String> labels) {
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a selector of the objects that both selectors select. */
    public LabelSelector and(LabelSelector other) {
        return of(Stream.concat(requirements.stream(), other.requirements.stream())
                .distinct()
                .toList());
    }

    /** Returns the only value of the label that selected objects can have, when the selector pins it. */
    public Optional<String> exactValue(String key) {
        for (Requirement requirement : requirements) {
            boolean equal = requirement.operator() == Requirement.Operator.EQUALS
                    || requirement.operator() == Requirement.Operator.IN;
            if (equal && requirement.values().size() == 1 && requirement.key().equals(key)) {
                return Optional.of(requirement.values().getFirst());
            }
        }
        return Optional.empty();
    }

    /** Returns the form that {@link #parse} reads; empty for everything. */
    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }

    static String invalid(String field, String value, String detail) {
        return field + ": Invalid value: " + GoQuote.of(value) + ": " + detail;
    }

    /**
     * One condition on the labels of an object; a {@link LabelSelector} is the conjunction of such.
     *
     * @param key the label
     * @param values values to compare with, sorted, without repetition: at least one for {@code IN} and {@code NOT_IN}, one
     *     for {@code EQUALS} and {@code NOT_EQUALS}, one 64-bit integer for {@code GREATER_THAN} and {@code LESS_THAN},
     *     none for {@code EXISTS} and {@code DOES_NOT_EXIST}
     */
    public record Requirement(String key, Operator operator, List<String> values) {
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
        public Requirement {
            values = values.stream().sorted().distinct().toList();
            List<String> errors = errors(key, operator, values);
            if (!errors.isEmpty()) {
                String all = errors.stream().distinct().collect(Collectors.joining(", ", "[", "]"));
                throw ApiException.badRequest(errors.size() == 1 ? errors.getFirst() : all);
            }
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
            addInvalid(errors, "key", key, LabelSyntax.keyErrors(key));
            int size = values.size();
            String shape = switch (operator) {
                case IN, NOT_IN -> size == 0 ? "for 'in', 'notin' operators, values set can't be empty" : "";
                case EQUALS, NOT_EQUALS -> size != 1 ? "exact-match compatibility requires one single value" : "";
                case EXISTS, DOES_NOT_EXIST ->
                    size != 0 ? "values set must be empty for exists and does not exist" : "";
                case GREATER_THAN, LESS_THAN ->
                    size != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
            };
            if (!shape.isEmpty()) {
                String list = values.stream().map(GoQuote::of).collect(Collectors.joining(",", "[", "]"));
                errors.add("values: Invalid value: " + list + ": " + shape);
            }
            if (operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN) {
                List<String> integer = List.of("for 'Gt', 'Lt' operators, the value must be an integer");
                for (int i = 0; i < size; i++) {
                    String value = values.get(i);
                    addInvalid(errors, "values[" + i + "]", value, Decimal.isLong(value) ? List.of() : integer);
                }
            }
            for (int i = 0; i < size; i++) {
                String value = values.get(i);
                addInvalid(errors, "values[" + i + "][" + key + "]", value, LabelSyntax.valueErrors(value));
            }
            return errors;
        }

        private static void addInvalid(List<String> errors, String field, String value, List<String> details) {
            if (!details.isEmpty()) {
                errors.add(invalid(field, value, String.join("; ", details)));
            }
        }
    }
}
