package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Result;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the admission policies that apply to a write: once for each binding that matches it, and each parameter that the
 * binding selects. A policy without bindings does not apply.
 *
 * <p>A policy is effective from the commit of its binding on: both are read with each write, which costs nothing where
 * there are none. Policies, bindings and webhook configurations are never subject to policies: a wrong one can always be
 * deleted.
 *
 * @param policies the type of the policies
 * @param bindings the type of their bindings
 */
record PolicySelection(WriteContext cluster, WebhookMatching matching, String policies, String bindings) {
    static final String GROUP = "admissionregistration.k8s.io";
    private static final long BUDGET = 10_000_000;
    private static final long CONDITIONS_BUDGET = 2_500_000;
    private static final String NO_PARAMS =
            "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";

    /** Finds policies of a kind, such as {@code validatingadmissionpolicy}. */
    PolicySelection(WriteContext cluster, Permissions permissions, String kind) {
        this(
                cluster,
                new WebhookMatching(cluster, permissions),
                kind.substring(0, kind.length() - 1) + "ies." + GROUP,
                kind + "bindings." + GROUP);
    }

    /**
     * A policy that applies.
     *
     * @param params the parameters; empty when it needs none
     * @param problem why the parameters are missing; empty when they are not
     */
    record Invocation(
            JsonObject policy,
            JsonObject binding,
            WebhookQuestion question,
            Optional<JsonObject> params,
            String problem) {
        String policyName() {
            return policy.string("metadata", "name");
        }

        String bindingName() {
            return binding.string("metadata", "name");
        }

        JsonObject spec() {
            return policy.object("spec");
        }

        /** Returns true if failures have no effect. */
        boolean lenient() {
            return spec().string("failurePolicy").equals("Ignore");
        }
    }

    /** Returns the policies for a write, by the names of policy and binding. */
    List<Invocation> select(Write write) {
        if (write.operation() == Operation.RESTORE
                || write.target().type().group().equals(GROUP)) {
            return List.of();
        }
        List<JsonObject> bound = cluster.objects(bindings, "");
        List<Invocation> selected = new ArrayList<>(0);
        if (!bound.isEmpty()) {
            for (JsonObject policy : cluster.objects(policies, "")) {
                String name = policy.string("metadata", "name");
                bound.stream()
                        .filter(binding -> binding.string("spec", "policyName").equals(name))
                        .forEach(binding -> select(policy, binding, write, selected));
            }
        }
        return selected;
    }

    private void select(JsonObject policy, JsonObject binding, Write write, List<Invocation> selected) {
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
        Params params = params(spec, binding.object("spec"), write);
        if (!params.problem().isEmpty()) {
            selected.add(new Invocation(policy, binding, asked.get(), Optional.empty(), params.problem()));
        }
        params.found().forEach(found -> selected.add(new Invocation(policy, binding, asked.get(), found, "")));
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

    /**
     * Starts to evaluate expressions of a policy over the present object of the write. As upstream, validations, audit
     * annotations, and each mutation have a budget of their own.
     */
    PolicyExpressions.Evaluation evaluation(Invocation invocation) {
        return evaluation(
                invocation, BUDGET, namespace(invocation.question().write().target()));
    }

    private PolicyExpressions.Evaluation evaluation(
            Invocation invocation, long budget, @Nullable JsonObject namespace) {
        JsonObject spec = invocation.spec();
        WebhookQuestion question = invocation.question();
        List<PolicyExpressions.Variable> variables = spec.objects("variables").stream()
                .map(variable -> new PolicyExpressions.Variable(variable.string("name"), variable.string("expression")))
                .toList();
        PolicyExpressions.Inputs inputs = new PolicyExpressions.Inputs(
                question.object(),
                question.oldObject(),
                question.request(),
                namespace,
                invocation.params().orElse(null),
                matching.access(question));
        return PolicyExpressions.of(variables, spec.has("paramKind")).evaluate(inputs, new RuleBudget(budget));
    }

    private @Nullable JsonObject namespace(Target target) {
        return target.type().namespaced()
                ? cluster.object(Namespaces.ID, "", target.namespace()).orElse(null)
                : null;
    }

    /**
     * The result of the conditions of a policy.
     *
     * @param hold whether all are true
     * @param problem of conditions that cannot be evaluated, if none is false; empty when there are none
     */
    record Conditions(boolean hold, String problem) {}

    /** Evaluates the conditions of a policy, which do not see the namespace. */
    Conditions conditions(Invocation invocation) {
        List<JsonObject> conditions = invocation.spec().objects("matchConditions");
        if (conditions.isEmpty()) {
            return new Conditions(true, "");
        }
        PolicyExpressions.Evaluation evaluation = evaluation(invocation, CONDITIONS_BUDGET, null);
        boolean hold = true;
        Set<String> problems = new LinkedHashSet<>();
        for (JsonObject condition : conditions) {
            String expression = condition.string("expression");
            switch (evaluation.value(expression.strip())) {
                case Result.Known known -> hold &= known.value().equals(Optional.of(true));
                case Result.Failed failed -> problems.add(failure(expression, failed));
                case Result.Exceeded exceeded -> {
                    return new Conditions(false, Result.Exceeded.REASON);
                }
            }
        }
        if (!hold) {
            return new Conditions(false, "");
        }
        String all = String.join(", ", problems);
        return new Conditions(problems.isEmpty(), problems.size() > 1 ? "[" + all + "]" : all);
    }

    static String failure(String expression, Result.Failed failed) {
        return "expression '" + expression + "' resulted in error: " + failed.reason();
    }
}
