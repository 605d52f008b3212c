package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Result;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ValidatingAdmissionPolicies of a partition, as a step of the pipeline.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A policy is evaluated once for each of its bindings that matches the write, and for each of the parameters that
 *       the binding selects; a policy without bindings has no effect.
 *   <li>A validation that is false, or that fails under the failure policy Fail, has the effect of the actions of the
 *       binding: Deny refuses the write, Warn warns its sender, and Audit has no effect here, since there is no audit
 *       log.
 *   <li>All policies are evaluated; the first denial, by the names of policy and binding, is the answer.
 *   <li>Policies, bindings and webhook configurations are never subject to policies: a wrong one can always be deleted.
 * </ol>
 *
 * <p>A policy is effective from the commit of its binding on: both are read with each write, which costs nothing where
 * there are none. Expressions have no {@code authorizer}. Semantics and messages: upstream's.
 */
public record ValidatingPolicies(WriteContext cluster, WebhookMatching matching) {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String POLICIES = "validatingadmissionpolicies." + GROUP;
    private static final String BINDINGS = "validatingadmissionpolicybindings." + GROUP;
    private static final long BUDGET = 10_000_000;
    private static final String NO_PARAMS =
            "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";

    public ValidatingPolicies(WriteContext cluster) {
        this(cluster, new WebhookMatching(cluster));
    }

    /** A refusal of a policy, before the actions of its binding. */
    private record Denial(String message, String reason) {
        Denial(String message) {
            this(message, "Invalid");
        }
    }

    /** Refuses a write that a policy denies. */
    public void validate(Write write) {
        String subresource = write.target().subresource();
        if (write.operation() == Operation.RESTORE
                || write.target().type().group().equals(GROUP)
                || !(subresource.isEmpty() || subresource.equals("status"))) {
            return;
        }
        List<JsonObject> bindings = all(BINDINGS);
        if (bindings.isEmpty()) {
            return;
        }
        List<ApiException> refusals = new ArrayList<>();
        for (JsonObject policy : all(POLICIES)) {
            String name = policy.string("metadata", "name");
            bindings.stream()
                    .filter(binding -> binding.string("spec", "policyName").equals(name))
                    .forEach(binding -> evaluate(policy, binding, write, refusals));
        }
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
    }

    private List<JsonObject> all(String id) {
        ResourceType type = cluster.types().get().type(id).orElseThrow();
        Target target = Target.of(type, type.storageVersion(), "", "");
        List<JsonObject> all = new ArrayList<>();
        cluster.each(cluster.collection(type), "", entry -> all.add(cluster.tree(entry, target)));
        return all;
    }

    private void evaluate(JsonObject policy, JsonObject binding, Write write, List<ApiException> refusals) {
        JsonObject spec = policy.object("spec");
        String named = write.target().name().isEmpty()
                ? write.tree().string("metadata", "name")
                : write.target().name();
        Optional<WebhookQuestion> asked = matching.question(spec.object("matchConstraints"), write, named);
        if (asked.isEmpty()
                || matching.question(binding.object("spec", "matchResources"), write, named)
                        .isEmpty()) {
            return;
        }
        WebhookQuestion question = asked.get();
        Params params = params(spec, binding.object("spec"), write);
        if (!params.problem().isEmpty()) {
            if (!spec.string("failurePolicy").equals("Ignore")) {
                refusals.add(refusal(policy, binding, question, new Denial(params.problem())));
            }
            return;
        }
        List<Object> actions = WebhookMatching.list(binding.object("spec"), "validationActions");
        for (Optional<JsonObject> parameter : params.found()) {
            for (Denial denial : denials(spec, question, parameter)) {
                if (actions.contains("Deny")) {
                    refusals.add(refusal(policy, binding, question, denial));
                }
                if (actions.contains("Warn")) {
                    write.warnings()
                            .add("Validation failed for ValidatingAdmissionPolicy '" + policy.string("metadata", "name")
                                    + "' with binding '" + binding.string("metadata", "name") + "': "
                                    + denial.message());
                }
            }
        }
    }

    /** The parameters that a binding selects, an empty one where it needs none; or why there are none. */
    private record Params(String problem, List<Optional<JsonObject>> found) {}

    private Params params(JsonObject spec, JsonObject binding, Write write) {
        JsonObject kind = spec.object("paramKind");
        JsonObject reference = binding.object("paramRef");
        if (kind.isEmpty() || reference.isEmpty()) {
            return new Params("", List.of(Optional.empty()));
        }
        Optional<Target> type = cluster.types().get().kind(kind.string("apiVersion"), kind.string("kind"));
        if (type.isEmpty()) {
            return new Params(
                    "failed to configure policy: failed to find resource referenced by paramKind: '"
                            + kind.string("apiVersion") + ", Kind=" + kind.string("kind") + "'",
                    List.of());
        }
        String namespace = "";
        if (type.get().type().namespaced()) {
            namespace = reference.string("namespace");
            namespace = namespace.isEmpty() ? write.target().namespace() : namespace;
            if (namespace.isEmpty()) {
                return new Params(
                        "failed to configure binding: cannot use namespaced paramRef in policy binding that matches"
                                + " cluster-scoped resources",
                        List.of());
            }
        }
        List<Optional<JsonObject>> found = found(type.get(), namespace, reference);
        boolean denied =
                found.isEmpty() && reference.string("parameterNotFoundAction").equals("Deny");
        return new Params(denied ? NO_PARAMS : "", found);
    }

    private List<Optional<JsonObject>> found(Target type, String namespace, JsonObject reference) {
        String name = reference.string("name");
        JsonObject selector = reference.object("selector");
        List<Optional<JsonObject>> found = new ArrayList<>();
        cluster.each(cluster.collection(type.type()), namespace, entry -> {
            JsonObject tree = cluster.tree(entry, type);
            boolean wanted = name.isEmpty()
                    ? selector.isEmpty() || Selectors.matches(selector, tree.object("metadata", "labels"))
                    : name.equals(tree.string("metadata", "name"));
            if (wanted) {
                found.add(Optional.of(tree));
            }
        });
        return found;
    }

    private List<Denial> denials(JsonObject spec, WebhookQuestion question, Optional<JsonObject> params) {
        List<PolicyExpressions.Variable> variables = spec.objects("variables").stream()
                .map(variable -> new PolicyExpressions.Variable(variable.string("name"), variable.string("expression")))
                .toList();
        PolicyExpressions.Inputs inputs = new PolicyExpressions.Inputs(
                question.object(),
                question.oldObject(),
                question.request(),
                namespace(question.write().target()),
                params.orElse(null));
        PolicyExpressions.Evaluation evaluation =
                PolicyExpressions.of(variables, spec.has("paramKind")).evaluate(inputs, new RuleBudget(BUDGET));
        boolean lenient = spec.string("failurePolicy").equals("Ignore");
        List<String> problems = new ArrayList<>();
        for (JsonObject condition : spec.objects("matchConditions")) {
            String expression = condition.string("expression").strip();
            switch (evaluation.value(expression)) {
                case Result.Known known -> {
                    if (!known.value().equals(Optional.of(true))) {
                        return List.of();
                    }
                }
                case Result.Failed failed -> problems.add(failure(expression, failed));
            }
        }
        if (!problems.isEmpty()) {
            return lenient ? List.of() : List.of(new Denial(String.join(", ", problems)));
        }
        List<Denial> denials = new ArrayList<>();
        for (JsonObject validation : spec.objects("validations")) {
            String expression = validation.string("expression").strip();
            switch (evaluation.value(expression)) {
                case Result.Known known -> {
                    if (!known.value().equals(Optional.of(true))) {
                        String reason = validation.string("reason");
                        denials.add(new Denial(
                                message(validation, evaluation, expression), reason.isEmpty() ? "Invalid" : reason));
                    }
                }
                case Result.Failed failed -> {
                    if (!lenient) {
                        denials.add(new Denial(failure(expression, failed)));
                    }
                }
            }
        }
        return denials;
    }

    private static String failure(String expression, Result.Failed failed) {
        return "expression '" + expression + "' resulted in error: " + failed.reason();
    }

    /** Returns the message of a validation: that of its expression if it is a usable text, else the constant one. */
    private static String message(JsonObject validation, PolicyExpressions.Evaluation evaluation, String expression) {
        String computed = validation.string("messageExpression").strip();
        if (!computed.isEmpty()
                && evaluation.value(computed) instanceof Result.Known(Optional<Object> value)
                && value.orElse("") instanceof String text
                && !text.isBlank()
                && !text.strip().contains("\n")) {
            return text.strip();
        }
        String message = validation.string("message").strip();
        return message.isEmpty() ? "failed expression: " + expression : message;
    }

    private @Nullable JsonObject namespace(Target target) {
        if (!target.type().namespaced()) {
            return null;
        }
        Store.Entry namespace = cluster.store()
                .snapshot()
                .get(new Store.Key(cluster.collection(Namespaces.ID), "", target.namespace()));
        return namespace == null ? null : StoredObject.tree(namespace);
    }

    private static ApiException refusal(
            JsonObject policy, JsonObject binding, WebhookQuestion question, Denial denial) {
        ResourceType type = question.write().target().type();
        String why = "ValidatingAdmissionPolicy '" + policy.string("metadata", "name") + "' with binding '"
                + binding.string("metadata", "name") + "' denied request: " + denial.message();
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
