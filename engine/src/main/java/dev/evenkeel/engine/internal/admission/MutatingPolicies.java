package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.PolicySelection.Invocation;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.apply.PolicyPatch;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.patch.PatchMismatchException;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The MutatingAdmissionPolicies of a partition.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The mutations of a policy are evaluated one after another, each over the object as changed by those before it.
 *   <li>A mutation that fails changes nothing; under the failure policy Fail the write is refused after all policies were
 *       evaluated, for the first failure.
 *   <li>A patched object is read like a body, strictly after a JSON Patch. Its fields get no owner, as upstream.
 *   <li>A JSON Patch with a failed test leaves the object as it is, and is not a failure.
 * </ol>
 *
 * <p>Which policies apply: {@link PolicySelection}; which are called again: {@link Reinvocation}. Semantics and messages:
 * upstream's.
 */
public record MutatingPolicies(WriteContext cluster, PolicySelection selection) {
    public MutatingPolicies(WriteContext cluster, Permissions permissions) {
        this(cluster, new PolicySelection(cluster, permissions, "mutatingadmissionpolicy"));
    }

    /** A failure of a policy. */
    private record Failure(Invocation invocation, String message, String reason) {
        String text() {
            return "policy '" + invocation.policyName() + "' with binding '" + invocation.bindingName()
                    + "' denied request: " + message;
        }
    }

    /** Applies the policies to the object of a write. */
    public void mutate(Write write, Reinvocation reinvocation) {
        if (!write.is(Operation.CREATE, Operation.UPDATE) && write.operation() != Operation.CONNECT) {
            return;
        }
        List<Invocation> invocations = selection.select(write);
        if (invocations.isEmpty()) {
            return;
        }
        Reinvocation.Stage stage = reinvocation.policies();
        stage.begin(write.tree());
        List<Failure> failures = new ArrayList<>();
        for (Invocation invocation : invocations) {
            if (invocation.problem().isEmpty()) {
                mutate(write, invocation, stage, failures);
            } else {
                failures.add(new Failure(invocation, invocation.problem(), "Forbidden"));
            }
        }
        stage.end(write.tree());
        failures.removeIf(failure -> failure.invocation().lenient());
        if (!failures.isEmpty()) {
            throw refusal(write, failures);
        }
    }

    private void mutate(Write write, Invocation invocation, Reinvocation.Stage stage, List<Failure> failures) {
        PolicySelection.Conditions conditions = selection.conditions(invocation);
        if (!conditions.hold()) {
            if (!conditions.problem().isEmpty()) {
                failures.add(new Failure(invocation, conditions.problem(), "Invalid"));
            }
            return;
        }
        List<String> key = List.of(
                invocation.policyName(),
                invocation.bindingName(),
                invocation
                        .params()
                        .map(params -> params.string("metadata", "namespace") + "/" + params.string("metadata", "name"))
                        .orElse(""));
        if (stage.skips(key)) {
            return;
        }
        boolean changed = false;
        for (JsonObject mutation : invocation.spec().objects("mutations")) {
            try {
                changed |= apply(write, invocation, mutation);
            } catch (IllegalArgumentException e) {
                failures.add(new Failure(invocation, String.valueOf(e.getMessage()), "Invalid"));
            }
        }
        if (changed) {
            stage.changed();
        }
        if (invocation.spec().string("reinvocationPolicy").equals("IfNeeded")) {
            stage.called(key);
        }
    }

    /** Applies a mutation; returns true if the object has changed. */
    private boolean apply(Write write, Invocation invocation, JsonObject mutation) {
        boolean configuration = mutation.string("patchType").equals("ApplyConfiguration");
        String expression = mutation.string(configuration ? "applyConfiguration" : "jsonPatch", "expression");
        Object value = switch (selection.evaluation(invocation).json(expression)) {
            case PolicyExpressions.Result.Known known -> known.value().orElse(null);
            case PolicyExpressions.Result.Failed failed -> throw new IllegalArgumentException(failed.reason());
            case PolicyExpressions.Result.Exceeded exceeded ->
                throw new IllegalArgumentException(PolicyExpressions.Result.Exceeded.REASON);
        };
        WebhookQuestion question = invocation.question();
        JsonObject object = question.seen(write.tree()).copy();
        JsonObject changed;
        if (value instanceof JsonObject patch) {
            if (write.operation() == Operation.CONNECT) {
                // as upstream: its OpenAPI documents do not have the kinds of options
                throw new IllegalArgumentException(
                        "error applying patch: failed to convert patch object to typed object: no corresponding type for /"
                                + object.string("apiVersion") + ", Kind=" + object.string("kind"));
            }
            patch.put("apiVersion", object.string("apiVersion"));
            patch.put("kind", object.string("kind"));
            changed = applied(object, patch, question.schema());
        } else if (value instanceof List<?> operations) {
            changed = patched(object, operations);
            String problem = question.strictProblem(changed);
            if (!problem.isEmpty()) {
                // as upstream: not a failure of the policy, so its failure policy does not matter
                throw Refusal.internalError(problem);
            }
        } else {
            throw new IllegalArgumentException("invalid return type");
        }
        return question.replace(changed);
    }

    private static JsonObject applied(JsonObject object, JsonObject patch, Schema schema) {
        try {
            return PolicyPatch.merge(object, patch, schema).copy();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("error applying patch: " + e.getMessage(), e);
        }
    }

    private JsonObject patched(JsonObject object, List<?> operations) {
        JsonObject before = object.copy();
        try {
            return Json.object(Patches.apply(object, operations, cluster.limits()))
                    .orElseThrow(() -> new IllegalArgumentException("JSON Patch: the patch leaves no object"));
        } catch (PatchMismatchException e) {
            if (e.isTest()) {
                return before;
            }
            throw new IllegalArgumentException("JSON Patch: " + e.getMessage(), e);
        } catch (ApiException e) {
            throw new IllegalArgumentException("JSON Patch: " + e.getMessage(), e);
        }
    }

    private static ApiException refusal(Write write, List<Failure> failures) {
        Failure first = failures.getFirst();
        ResourceType type = write.target().type();
        List<Status.Cause> causes = failures.stream()
                .map(failure -> new Status.Cause("", failure.text(), ""))
                .toList();
        return ApiException.of(Status.of(
                403,
                first.reason(),
                first.text(),
                Status.Details.of(first.invocation().question().name(), type.group(), type.plural())
                        .causes(causes)));
    }
}
