package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.policy.internal.selector.Selector;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Selectors of Kubernetes objects as {@link Selector}s. */
final class LabelSelectors {
    private LabelSelectors() {}

    /** Returns the selector of pods that a selector of pods matches, in any namespace. */
    static Selector pods(@Nullable LabelSelector selector) {
        List<Selector> terms = new ArrayList<>();
        terms.add(Selector.equal(LabelNames.ORCHESTRATOR, LabelNames.KUBERNETES));
        terms.addAll(terms("", selector));
        return Selector.and(terms);
    }

    /**
     * Returns the selector of things in namespaces that a selector of namespaces matches. If it has only terms that absent
     * labels fulfil, the namespace must be known: otherwise a pod would match until its namespace arrives.
     */
    static Selector namespaces(@Nullable LabelSelector selector) {
        if (isEmpty(selector)) {
            return Selector.has(LabelNames.NAMESPACE);
        }
        List<Selector> terms = new ArrayList<>(terms(LabelNames.NAMESPACE_PREFIX, selector));
        if (Selector.and(terms).matches(Map.of())) {
            terms.addFirst(Selector.has(LabelNames.NAMESPACE_PREFIX + LabelNames.NAME));
        }
        return Selector.and(terms);
    }

    /** Returns the selector of the addresses of nodes that a selector of nodes matches. */
    static Selector nodes(LabelSelector selector) {
        List<Selector> terms = new ArrayList<>();
        terms.add(Selector.has(LabelNames.NODE));
        terms.addAll(terms(LabelNames.NODE_PREFIX, selector));
        return Selector.and(terms);
    }

    static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector == null
                || (labels(selector).isEmpty() && expressions(selector).isEmpty());
    }

    /**
     * Returns the terms: labels sorted by name, and expressions in their order.
     *
     * @throws IllegalArgumentException if an expression is invalid
     */
    private static List<Selector> terms(String prefix, @Nullable LabelSelector selector) {
        if (selector == null) {
            return List.of();
        }
        List<Selector> terms = new ArrayList<>();
        new TreeMap<>(labels(selector)).forEach((label, value) -> terms.add(Selector.equal(prefix + label, value)));
        for (LabelSelectorRequirement expression : expressions(selector)) {
            terms.add(term(prefix, expression));
        }
        return terms;
    }

    private static Selector term(String prefix, LabelSelectorRequirement expression) {
        String label = prefix + (expression.getKey() == null ? "" : expression.getKey());
        List<String> values = expression.getValues() == null ? List.of() : expression.getValues();
        String operator = expression.getOperator() == null ? "" : expression.getOperator();
        boolean withValues = operator.equals("In") || operator.equals("NotIn");
        if (withValues == values.isEmpty()) {
            throw new IllegalArgumentException("the operator \"" + operator + "\" of \"" + label + "\" must have "
                    + (withValues ? "at least one value" : "no values"));
        }
        return switch (operator) {
            case "In" -> Selector.in(label, values);
            case "NotIn" -> Selector.notIn(label, values);
            case "Exists" -> Selector.has(label);
            case "DoesNotExist" -> Selector.has(label).negate();
            default ->
                throw new IllegalArgumentException(
                        "the operator \"" + operator + "\" must be In, NotIn, Exists or DoesNotExist");
        };
    }

    private static Map<String, String> labels(LabelSelector selector) {
        return selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
    }

    private static List<LabelSelectorRequirement> expressions(LabelSelector selector) {
        return selector.getMatchExpressions() == null ? List.of() : selector.getMatchExpressions();
    }
}
