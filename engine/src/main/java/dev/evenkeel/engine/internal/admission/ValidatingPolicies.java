package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.PolicySelection.Invocation;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Result;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ValidatingAdmissionPolicies of a partition, as a step of the pipeline.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A validation that is false, or that fails under the failure policy Fail, has the effect of the actions of the
 *       binding: Deny refuses the write, Warn warns its sender, and Audit reports it to the audit log.
 *   <li>All policies are evaluated; the first denial, by the names of policy and binding, is the answer.
 *   <li>The audit annotations of a policy are evaluated whether or not there is an audit log, since one that fails under
 *       the failure policy Fail refuses the write.
 * </ol>
 *
 * <p>Which policies apply: {@link PolicySelection}. Semantics and messages: upstream's.
 */
public record ValidatingPolicies(PolicySelection selection) {
    /** The longest message, in bytes of UTF-8, that an expression can compute. */
    private static final int LONGEST_MESSAGE = 5 * 1024;

    public ValidatingPolicies(WriteContext cluster, Permissions permissions) {
        this(new PolicySelection(cluster, permissions, "validatingadmissionpolicy"));
    }

    private static final Result HOLDS = new Result.Known(Optional.of(true));
    private static final Result NOTHING = new Result.Known(Optional.empty());

    /** A refusal of a policy, before the actions of its binding. */
    private record Denial(String message, String reason) {
        Denial(String message) {
            this(message, "Invalid");
        }
    }

    /** Refuses a write that a policy denies. */
    public void validate(Write write) {
        List<ApiException> refusals = new ArrayList<>(0);
        PolicyAudit audit = new PolicyAudit();
        for (Invocation invocation : selection.select(write)) {
            if (invocation.problem().isEmpty()) {
                evaluate(invocation, write, refusals, audit);
            } else if (!invocation.lenient()) {
                refusals.add(refusal(invocation, new Denial(invocation.problem())));
            }
        }
        audit.publish(write.options().requester().audit());
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
    }

    private void evaluate(Invocation invocation, Write write, List<ApiException> refusals, PolicyAudit audit) {
        PolicySelection.Conditions conditions = selection.conditions(invocation);
        if (!conditions.hold()) {
            if (!invocation.lenient() && !conditions.problem().isEmpty()) {
                act(invocation, new Denial(conditions.problem()), 0, write, refusals, audit);
            }
            return;
        }
        PolicyExpressions.Evaluation evaluation = selection.evaluation(invocation);
        List<JsonObject> validations = invocation.spec().objects("validations");
        List<Result> results = new ArrayList<>(validations.size());
        for (JsonObject validation : validations) {
            Result result = evaluation.value(expression(validation));
            if (result instanceof Result.Exceeded) {
                if (!invocation.lenient()) {
                    act(invocation, new Denial(Result.Exceeded.REASON), 0, write, refusals, audit);
                }
                return;
            }
            results.add(result);
        }
        for (int i = 0; i < validations.size(); i++) {
            int index = i;
            denial(invocation, validations.get(i), results.get(i), evaluation)
                    .ifPresent(denial -> act(invocation, denial, index, write, refusals, audit));
        }
        audit.annotate(invocation, () -> selection.evaluation(invocation))
                .ifPresent(problem -> refusals.add(refusal(invocation, new Denial(problem))));
    }

    private static String expression(JsonObject validation) {
        return validation.string("expression").strip();
    }

    /** Takes the actions of a binding. */
    private static void act(
            Invocation invocation,
            Denial denial,
            int index,
            Write write,
            List<ApiException> refusals,
            PolicyAudit audit) {
        List<String> actions = invocation.binding().object("spec").strings("validationActions");
        if (actions.contains("Deny")) {
            refusals.add(refusal(invocation, denial));
        }
        if (actions.contains("Audit")) {
            audit.failure(invocation, denial.message(), index);
        }
        if (actions.contains("Warn")) {
            write.warnings()
                    .add("Validation failed for ValidatingAdmissionPolicy '" + invocation.policyName()
                            + "' with binding '" + invocation.bindingName() + "': " + denial.message());
        }
    }

    private static Optional<Denial> denial(
            Invocation invocation, JsonObject validation, Result result, PolicyExpressions.Evaluation evaluation) {
        if (result instanceof Result.Failed failed) {
            return failure(invocation, PolicySelection.failure(validation.string("expression"), failed));
        }
        if (result.equals(HOLDS)) {
            return Optional.empty();
        }
        Result message = message(validation, evaluation);
        if (message instanceof Result.Exceeded) {
            return failure(invocation, "failed messageExpression: " + Result.Exceeded.REASON);
        }
        String reason = validation.string("reason");
        return Optional.of(new Denial(text(validation, message), reason.isEmpty() ? "Invalid" : reason));
    }

    private static Optional<Denial> failure(Invocation invocation, String message) {
        return invocation.lenient() ? Optional.empty() : Optional.of(new Denial(message));
    }

    private static Result message(JsonObject validation, PolicyExpressions.Evaluation evaluation) {
        String computed = validation.string("messageExpression").strip();
        return computed.isEmpty() ? NOTHING : evaluation.value(computed);
    }

    /** Returns the message of a validation: that of its expression if it is a usable text, else the constant one. */
    private static String text(JsonObject validation, Result computed) {
        if (computed instanceof Result.Known(Optional<Object> value)
                && value.orElse("") instanceof String text
                && !text.isBlank()
                && !text.strip().contains("\n")
                && Names.bytes(text.strip()) <= LONGEST_MESSAGE) {
            return text.strip();
        }
        String message = validation.string("message").strip();
        return message.isEmpty() ? "failed expression: " + expression(validation) : message;
    }

    private static ApiException refusal(Invocation invocation, Denial denial) {
        WebhookQuestion question = invocation.question();
        ResourceType type = question.write().target().type();
        String why = "ValidatingAdmissionPolicy '" + invocation.policyName() + "' with binding '"
                + invocation.bindingName() + "' denied request: " + denial.message();
        int code = switch (denial.reason()) {
            case "Unauthorized" -> 401;
            case "Forbidden" -> 403;
            case "RequestEntityTooLarge" -> 413;
            default -> 422;
        };
        String resource = type.group().isEmpty() ? type.plural() : type.plural() + "." + type.group();
        return ApiException.of(Status.of(
                code,
                denial.reason(),
                resource + " \"" + question.name() + "\" is forbidden: " + why,
                Status.Details.of(question.name(), type.group(), type.plural())
                        .causes(List.of(new Status.Cause("", why, "")))));
    }
}
