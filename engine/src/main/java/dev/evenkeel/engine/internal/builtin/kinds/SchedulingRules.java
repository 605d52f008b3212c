package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of affinities, tolerations and spread constraints, which decide where a pod may run. */
final class SchedulingRules {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private SchedulingRules() {}

    static void affinity(Field affinity) {
        Field node = affinity.at("nodeAffinity");
        if (node.at(REQUIRED).given()) {
            nodeSelector(node.at(REQUIRED), false);
        }
        for (Field term : node.at(PREFERRED).items()) {
            weight(term);
            nodeSelectorTerm(term.at("preference"), true);
        }
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            affinity.at(kind, REQUIRED).items().forEach(SchedulingRules::podTerm);
            for (Field term : affinity.at(kind, PREFERRED).items()) {
                weight(term);
                podTerm(term.at("podAffinityTerm"));
            }
        }
    }

    private static void weight(Field term) {
        long weight = term.at("weight").number();
        if (weight < 1 || weight > 100) {
            term.at("weight").invalid(weight, "must be in the range 1-100");
        }
    }

    /**
     * Validates a selector of nodes.
     *
     * @param anyValue whether values need not be those of labels
     */
    static void nodeSelector(Field selector, boolean anyValue) {
        Field terms = selector.at("nodeSelectorTerms");
        if (terms.array().isEmpty()) {
            terms.missing("must have at least one node selector term");
        }
        terms.items().forEach(term -> nodeSelectorTerm(term, anyValue));
    }

    private static void nodeSelectorTerm(Field term, boolean anyValue) {
        term.at("matchExpressions").items().forEach(requirement -> nodeLabel(requirement, anyValue));
        term.at("matchFields").items().forEach(SchedulingRules::nodeField);
    }

    private static void nodeLabel(Field requirement, boolean anyValue) {
        Field values = requirement.at("values");
        if (!List.of("Gt", "Lt").contains(requirement.at("operator").text())) {
            Selectors.validateOperator(requirement, false);
        } else if (values.array().size() != 1) {
            values.missing("must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        requirement.at("key").obeys(Names::qualified);
        if (!anyValue) {
            values.items().forEach(value -> value.obeys(Names::labelValue));
        }
    }

    private static void nodeField(Field requirement) {
        Field values = requirement.at("values");
        Field operator = requirement.at("operator");
        if (!operator.text().equals("In") && !operator.text().equals("NotIn")) {
            operator.invalid(operator.text(), "not a valid selector operator");
        } else if (values.array().size() != 1) {
            values.missing("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        Field key = requirement.at("key");
        if (key.text().equals("metadata.name")) {
            values.items().forEach(value -> value.obeys(Names::subdomain));
        } else {
            key.invalid(key.text(), "not a valid field selector key");
        }
    }

    private static void podTerm(Field term) {
        Field selector = term.at("labelSelector");
        if (selector.given()) {
            Selectors.validate(selector);
        }
        if (term.at("namespaceSelector").given()) {
            Selectors.validate(term.at("namespaceSelector"));
        }
        for (Object namespace : term.at("namespaces").array()) {
            Field shown = term.with("namespace", namespace);
            shown.obeys(Names::label);
        }
        matchKeys(term, selector);
        topologyKey(term.at("topologyKey"));
    }

    private static void matchKeys(Field term, Field selector) {
        Field match = term.at("matchLabelKeys");
        Field mismatch = term.at("mismatchLabelKeys");
        for (Field keys : List.of(match, mismatch)) {
            if (selector.given()) {
                keys.items().forEach(key -> key.obeys(Names::qualified));
            } else if (!keys.array().isEmpty()) {
                keys.forbidden("must not be specified when labelSelector is not set");
            }
        }
        Set<String> selected =
                new HashSet<>(selector.object().object("matchLabels").keySet());
        for (JsonObject expression : selector.object().objects("matchExpressions")) {
            String key = expression.string("key");
            int index = match.array().lastIndexOf(key);
            if (!selected.add(key) && index >= 0) {
                term.with("[" + index + "]", key).invalid("exists in both matchLabelKeys and labelSelector");
            }
        }
        for (Field key : match.items()) {
            if (mismatch.array().contains(key.text())) {
                key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
            }
        }
    }

    /** Adds the labels of a new pod that {@code matchLabelKeys} and {@code mismatchLabelKeys} name to the selectors. */
    static void mergeLabels(JsonObject pod) {
        JsonObject labels = pod.object("metadata", "labels");
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            JsonObject affinity = pod.object("spec", "affinity", kind);
            affinity.objects(PREFERRED).forEach(term -> mergeLabels(term.object("podAffinityTerm"), labels));
            affinity.objects(REQUIRED).forEach(term -> mergeLabels(term, labels));
        }
        pod.objects("spec", "topologySpreadConstraints").forEach(constraint -> mergeLabels(constraint, labels));
    }

    private static void mergeLabels(JsonObject term, JsonObject labels) {
        term.findObject("labelSelector").ifPresent(selector -> {
            List<@Nullable Object> expressions = new ArrayList<>(selector.array("matchExpressions"));
            mergeLabels(term.strings("matchLabelKeys"), "In", labels, expressions);
            mergeLabels(term.strings("mismatchLabelKeys"), "NotIn", labels, expressions);
            if (!expressions.isEmpty()) {
                selector.put("matchExpressions", expressions);
            }
        });
    }

    private static void mergeLabels(
            List<String> keys, String operator, JsonObject labels, List<@Nullable Object> expressions) {
        for (String key : keys) {
            if (labels.containsKey(key)) {
                expressions.add(
                        JsonObject.of("key", key, "operator", operator).set("values", Trees.items(labels.string(key))));
            }
        }
    }

    private static void topologyKey(Field key) {
        if (key.text().isEmpty()) {
            key.missing("can not be empty");
        }
        key.obeys(Names::qualified);
    }

    static void tolerations(Field tolerations) {
        tolerations.items().forEach(SchedulingRules::toleration);
    }

    /** Validates a toleration. */
    static void toleration(Field toleration) {
        Field key = toleration.at("key");
        key.requireIfGiven(Names::qualified);
        Field operator = toleration.at("operator");
        String value = toleration.at("value").text();
        if (key.text().isEmpty() && !operator.text().equals("Exists")) {
            operator.invalid(
                    operator.text(),
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        Field effect = toleration.at("effect");
        if (toleration.at("tolerationSeconds").given() && !effect.text().equals("NoExecute")) {
            effect.invalid(effect.text(), "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        switch (operator.text()) {
            case "Equal", "" -> {
                List<String> wrong = Names.labelValue(value);
                if (!wrong.isEmpty()) {
                    operator.invalid(value, String.join(";", wrong));
                }
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    operator.invalid(value, "value must be empty when `operator` is 'Exists'");
                }
            }
            // upstream names these two when they are switched off, as here
            case "Lt", "Gt" -> operator.notSupported(operator.text(), List.of("Equal", "Exists", "Lt", "Gt"));
            default -> operator.oneOf("Equal", "Exists");
        }
        effect.oneOfIfGiven("NoSchedule", "PreferNoSchedule", "NoExecute");
    }

    static void spread(Field constraints) {
        List<Field> all = constraints.items();
        for (int i = 0; i < all.size(); i++) {
            Field constraint = all.get(i);
            Field skew = constraint.at("maxSkew");
            if (skew.number() <= 0) {
                skew.invalid(skew.number(), "must be greater than zero");
            }
            Field key = constraint.at("topologyKey");
            if (key.text().isEmpty()) {
                key.missing("can not be empty");
            }
            Field action = constraint.at("whenUnsatisfiable");
            action.oneOf("DoNotSchedule", "ScheduleAnyway");
            for (Field other : all.subList(i + 1, all.size())) {
                if (other.at("topologyKey").text().equals(key.text())
                        && other.at("whenUnsatisfiable").text().equals(action.text())) {
                    constraint
                            .with("{topologyKey, whenUnsatisfiable}", "{" + key.text() + ", " + action.text() + "}")
                            .duplicate("{" + key.text() + ", " + action.text() + "}");
                    break;
                }
            }
            minDomains(constraint.at("minDomains"), action.text());
            SecurityContextRules.oneOfIfPresent(constraint.at("nodeAffinityPolicy"), "Honor", "Ignore");
            SecurityContextRules.oneOfIfPresent(constraint.at("nodeTaintsPolicy"), "Honor", "Ignore");
            matchKeys(constraint, constraint.at("labelSelector"));
            if (constraint.at("labelSelector").given()) {
                Selectors.validate(constraint.at("labelSelector"));
            }
        }
    }

    private static void minDomains(Field domains, String action) {
        if (!domains.given()) {
            return;
        }
        if (domains.number() <= 0) {
            domains.invalid("must be greater than zero");
        }
        if (!action.equals("DoNotSchedule")) {
            domains.invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
        }
    }
}
