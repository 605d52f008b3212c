package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.admission.PolicySelection.Invocation;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Result;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The audit annotations that ValidatingAdmissionPolicies give a write: those that a policy defines, and one with the
 * failed validations of all bindings with the action Audit. Keys and values are upstream's.
 */
final class PolicyAudit {
    private static final String FAILURES = "validation.policy.admission.k8s.io/validation_failure";
    private static final int MAX_FAILURES = 50;
    private static final int MAX_VALUE = 10 * 1024;

    private final Map<String, Set<String>> annotations = new LinkedHashMap<>(0);
    private final List<JsonObject> failures = new ArrayList<>(0);

    /** Records a failed validation. */
    void failure(Invocation invocation, String message, int index) {
        if (failures.size() < MAX_FAILURES) {
            failures.add(JsonObject.of(
                    "message",
                    message,
                    "policy",
                    invocation.policyName(),
                    "binding",
                    invocation.bindingName(),
                    "expressionIndex",
                    (long) index,
                    "validationActions",
                    invocation.binding().object("spec").strings("validationActions")));
        }
    }

    /**
     * Evaluates the annotations that a policy defines.
     *
     * @param start starts the evaluation; not called if there are none
     * @return why the write is refused; empty when it is not
     */
    Optional<String> annotate(Invocation invocation, Supplier<PolicyExpressions.Evaluation> start) {
        List<JsonObject> defined = invocation.spec().objects("auditAnnotations");
        if (defined.isEmpty()) {
            return Optional.empty();
        }
        PolicyExpressions.Evaluation evaluation = start.get();
        String problem = null;
        for (JsonObject annotation : defined) {
            String expression = annotation.string("valueExpression").strip();
            switch (evaluation.value(expression)) {
                case Result.Known(Optional<Object> value) -> {
                    String text = value.orElse("") instanceof String given ? given.strip() : "";
                    if (!text.isEmpty()) {
                        annotations
                                .computeIfAbsent(
                                        invocation.policyName() + "/" + annotation.string("key"),
                                        key -> new LinkedHashSet<>())
                                .add(text.length() > MAX_VALUE ? text.substring(0, MAX_VALUE) : text);
                    }
                }
                case Result.Failed failed -> {
                    if (problem == null && !invocation.lenient()) {
                        problem = "valueExpression '" + expression + "' resulted in error: " + failed.reason();
                    }
                }
                case Result.Exceeded exceeded -> {
                    return invocation.lenient() ? Optional.empty() : Optional.of(Result.Exceeded.REASON);
                }
            }
        }
        return Optional.ofNullable(problem);
    }

    /** Reports all annotations; several values of one key are joined. */
    void publish(BiConsumer<String, String> audit) {
        annotations.forEach((key, values) -> audit.accept(key, String.join(", ", values)));
        if (!failures.isEmpty()) {
            audit.accept(FAILURES, Json.text(failures));
        }
    }
}
