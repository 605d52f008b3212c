package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects objects by their labels: all {@link LabelRequirement requirements} must hold.
 *
 * <p>Immutable; equal when the requirements are. Requirements are kept sorted by key. Matching allocates nothing.
 */
public final class LabelSelector {
    private static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private final List<LabelRequirement> requirements;

    private LabelSelector(List<LabelRequirement> requirements) {
        this.requirements = requirements;
    }

    /** Selects all objects. */
    public static LabelSelector everything() {
        return EVERYTHING;
    }

    /** Selects the objects that fulfil all of these requirements. */
    public static LabelSelector of(List<LabelRequirement> requirements) {
        return requirements.isEmpty()
                ? EVERYTHING
                : new LabelSelector(requirements.stream()
                        .sorted(Comparator.comparing(LabelRequirement::key))
                        .toList());
    }

    /**
     * Selects the objects that have all of these labels.
     *
     * @throws BadRequestException when a key or value is not a label
     */
    public static LabelSelector matching(Map<String, String> labels) {
        return of(labels.entrySet().stream()
                .map(label -> new LabelRequirement(
                        label.getKey(), LabelRequirement.Operator.EQUALS, List.of(label.getValue())))
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
        return matching(labels)
                .and(of(
                        Objects.requireNonNullElse(selector.getMatchExpressions(), List.<LabelSelectorRequirement>of())
                                .stream()
                                .map(LabelSelector::requirement)
                                .toList()));
    }

    private static LabelRequirement requirement(LabelSelectorRequirement expression) {
        String operator = Objects.requireNonNullElse(expression.getOperator(), "");
        return new LabelRequirement(
                Objects.requireNonNullElse(expression.getKey(), ""),
                switch (operator) {
                    case "In" -> LabelRequirement.Operator.IN;
                    case "NotIn" -> LabelRequirement.Operator.NOT_IN;
                    case "Exists" -> LabelRequirement.Operator.EXISTS;
                    case "DoesNotExist" -> LabelRequirement.Operator.DOES_NOT_EXIST;
                    default -> throw badRequest("\"" + operator + "\" is not a valid label selector operator");
                },
                Objects.requireNonNullElse(expression.getValues(), List.of()));
    }

    /** Returns the requirements, sorted by key; empty when everything is selected. */
    public List<LabelRequirement> requirements() {
        return requirements;
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
        for (LabelRequirement requirement : requirements) {
            boolean pins = switch (requirement.operator()) {
                case EQUALS, IN -> requirement.values().size() == 1;
                default -> false;
            };
            if (pins && requirement.key().equals(key)) {
                return Optional.of(requirement.values().getFirst());
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelSelector selector && requirements.equals(selector.requirements);
    }

    @Override
    public int hashCode() {
        return requirements.hashCode();
    }

    /** Returns the form that {@link #parse} reads; empty for everything. */
    @Override
    public String toString() {
        return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
    }

    static ApiException badRequest(String message) {
        return ApiException.of(Status.of(400, "BadRequest", message));
    }

    static String invalid(String field, String value, String detail) {
        return field + ": Invalid value: " + GoQuote.of(value) + ": " + detail;
    }
}
