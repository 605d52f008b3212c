package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.JsonPath;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Validating and mutating admission policies. */
record AdmissionPolicyStrategy(KindFacts facts) implements KindStrategy {
    private static final int MOST_ANNOTATIONS = 20;
    private static final int LONGEST_VALUE = 5 * 1024;

    /** Identifiers that expressions have another use for. */
    private static final Set<String> RESERVED =
            Set.of(("true false null in as break const continue else for function if"
                            + " import let loop package namespace return var void while")
                    .split(" ", -1));

    private static final String BLANK = "must be non-empty if specified";

    private boolean validating() {
        return facts.type().kind().startsWith("Validating");
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        if (!spec.at("failurePolicy").given()) {
            spec.at("failurePolicy").missing();
        } else {
            spec.at("failurePolicy").oneOf("Fail", "Ignore");
        }
        boolean parameters = spec.at("paramKind").given();
        if (parameters) {
            parameterKind(spec.at("paramKind"));
        }
        Field matched = spec.at("matchConstraints");
        if (!matched.given()) {
            matched.missing();
        } else {
            constraints(matched);
            if (matched.at("resourceRules").array().isEmpty()) {
                matched.at("resourceRules").missing();
            }
        }
        PolicyExpressions bare = PolicyExpressions.of(List.of(), parameters);
        WebhookConfigurationStrategy.conditions(spec.at("matchConditions"), bare::booleanError);
        PolicyExpressions expressions = PolicyExpressions.of(
                spec.at("variables").items().stream()
                        .map(variable -> new PolicyExpressions.Variable(
                                variable.at("name").text(),
                                variable.at("expression").text()))
                        .toList(),
                parameters);
        spec.at("variables").items().forEach(variable -> variable(variable, expressions));
        if (validating()) {
            validations(root, spec, expressions);
        } else {
            mutations(spec, expressions);
        }
    }

    private static void validations(Field root, Field spec, PolicyExpressions expressions) {
        Field validations = spec.at("validations");
        Field annotations = spec.at("auditAnnotations");
        if (validations.array().isEmpty() && annotations.array().isEmpty()) {
            validations.missing("validations or auditAnnotations must contain at least one item");
            annotations.missing("validations or auditAnnotations must contain at least one item");
            return;
        }
        validations.items().forEach(validation -> validation(validation, expressions));
        if (annotations.array().size() > MOST_ANNOTATIONS) {
            annotations.invalidText(
                    annotations.items().stream()
                            .map(annotation ->
                                    StructText.ofTexts(annotation, "Key", "key", "ValueExpression", "valueExpression"))
                            .collect(Collectors.joining(",", "[", "]")),
                    "must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (Field annotation : annotations.items()) {
            annotation(annotation, root.at("metadata", "name").text(), expressions);
            annotation.at("key").distinct(keys);
        }
    }

    private static void parameterKind(Field kind) {
        Field version = kind.at("apiVersion");
        if (version.require()) {
            String[] parts = version.text().split("/", -1);
            if (parts.length > 2) {
                version.invalid("unexpected GroupVersion string: " + version.text());
            } else {
                if (parts.length == 2 && !parts[0].isEmpty()) {
                    joined(version, parts[0], "", Names.subdomain(parts[0]));
                }
                String last = parts[parts.length - 1];
                if (last.isEmpty()) {
                    version.invalid("version must be specified");
                } else {
                    joined(version, last, "", Names.label1035(last));
                }
            }
        }
        Field name = kind.at("kind");
        if (name.require()) {
            joined(
                    name,
                    name.text(),
                    "may have mixed case, but should otherwise match: ",
                    Names.label1035(name.text().toLowerCase(Locale.ROOT)));
        }
    }

    private static void joined(Field field, String shown, String prefix, List<String> details) {
        if (!details.isEmpty()) {
            field.invalid(shown, prefix + String.join(",", details));
        }
    }

    /** Checks which resources a policy or a binding is for. */
    static void constraints(Field matched) {
        if (matched.at("matchPolicy").given()) {
            matched.at("matchPolicy").oneOf("Equivalent", "Exact");
        }
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            if (matched.at(selector).given()) {
                Selectors.validate(matched.at(selector));
            } else {
                matched.at(selector).missing();
            }
        }
        for (String rules : List.of("resourceRules", "excludeResourceRules")) {
            matched.at(rules).items().forEach(AdmissionPolicyStrategy::rule);
        }
    }

    private static void rule(Field rule) {
        Set<String> names = new HashSet<>();
        for (Field name : rule.at("resourceNames").items()) {
            name.obeys(Names::pathSegment);
            name.distinct(names);
        }
        WebhookConfigurationStrategy.rule(rule);
    }

    private static void variable(Field variable, PolicyExpressions expressions) {
        Field name = variable.at("name");
        if (name.text().isBlank()) {
            name.missing("name is not specified");
        } else if (!name.text().matches("[_a-zA-Z][_a-zA-Z0-9]*") || RESERVED.contains(name.text())) {
            name.invalid("name is not a valid CEL identifier");
        }
        Field expression = variable.at("expression");
        String error = expressions.variableError(name.text());
        if (expression.text().isBlank()) {
            expression.missing("expression is not specified");
        } else if (!error.isEmpty()) {
            expression.invalid(error);
        }
    }

    private static void validation(Field validation, PolicyExpressions expressions) {
        Field expression = validation.at("expression");
        if (expression.text().isBlank()) {
            expression.missing("expression is not specified");
        } else {
            check(expression, expressions.booleanError(expression.text()));
        }
        Field computed = validation.at("messageExpression");
        if (!computed.text().isEmpty() && computed.text().isBlank()) {
            computed.invalid(BLANK);
        } else if (!computed.text().isBlank()) {
            check(computed, expressions.messageError(computed.text()));
        }
        Field message = validation.at("message");
        String text = message.text().strip();
        if (!message.text().isEmpty() && text.isEmpty()) {
            message.invalid(BLANK);
        } else if (text.contains("\n") || text.contains("\r")) {
            message.invalid("must not contain line breaks");
        }
        if (validation.at("reason").given()) {
            validation.at("reason").oneOf("Forbidden", "Invalid", "RequestEntityTooLarge");
        }
    }

    private static void check(Field expression, String error) {
        if (!error.isEmpty()) {
            expression.invalid(error);
        }
    }

    private static void annotation(Field annotation, String policy, PolicyExpressions expressions) {
        Field key = annotation.at("key");
        if (policy.isEmpty()) {
            key.invalid(key.text(), "requires metadata.name be non-empty");
        } else {
            String full = policy + "/" + key.text();
            Names.qualified(full).forEach(detail -> key.invalid(full, detail));
        }
        Field value = annotation.at("valueExpression");
        if (value.text().isBlank()) {
            value.missing("valueExpression is not specified");
        } else if (Names.bytes(value.text().strip()) > LONGEST_VALUE) {
            value.missing("must not exceed " + LONGEST_VALUE + " bytes in length");
        } else {
            check(value, expressions.textOrNullError(value.text().strip()));
        }
    }

    private static void mutations(Field spec, PolicyExpressions expressions) {
        Field mutations = spec.at("mutations");
        if (mutations.array().isEmpty()) {
            mutations.missing("mutations must contain at least one item");
        }
        for (Field mutation : mutations.items()) {
            Field type = mutation.at("patchType");
            switch (type.text()) {
                case "ApplyConfiguration" -> {
                    patch(mutation, "applyConfiguration", "jsonPatch", type.text());
                    mutation(mutation.at("applyConfiguration", "expression"), expressions::objectError);
                }
                case "JSONPatch" -> {
                    patch(mutation, "jsonPatch", "applyConfiguration", type.text());
                    mutation(mutation.at("jsonPatch", "expression"), expressions::patchError);
                }
                case "" -> type.missing();
                default -> type.oneOf("ApplyConfiguration", "JSONPatch");
            }
        }
        Field again = spec.at("reinvocationPolicy");
        if (!again.given()) {
            again.missing();
        } else {
            again.oneOf("IfNeeded", "Never");
        }
    }

    private static void mutation(Field expression, UnaryOperator<String> check) {
        if (!expression.text().isBlank()) {
            check(expression, check.apply(expression.text().strip()));
        }
    }

    private static void patch(Field mutation, String wanted, String other, String type) {
        if (!mutation.at(wanted).given()) {
            mutation.at(wanted).missing("must be specified when patchType is " + type);
        } else if (mutation.at(wanted, "expression").text().isBlank()) {
            mutation.at(wanted, "expression").missing();
        }
        if (mutation.at(other).given()) {
            mutation.at(other).invalid("{" + other + "}", "must not be specified when patchType is " + type);
        }
    }

    /** Requires the path of a field. */
    private static void fieldReference(Field reference) {
        String path = reference.text().strip();
        String error = JsonPath.error(path);
        if (path.isEmpty()) {
            reference.missing();
        } else if (!error.isEmpty()) {
            reference.invalid(path, "invalid JSONPath: " + error);
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        for (Field warning :
                root.at("status", "typeChecking", "expressionWarnings").items()) {
            warning.at("warning").require();
            fieldReference(warning.at("fieldRef"));
        }
        if (validating()) {
            ConditionRules.validate(root.at("status", "conditions"));
        }
    }
}
