package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.cel.AccessQuery;
import dev.evenkeel.engine.internal.cel.Condition;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the webhooks that match a write: by their rules, by the labels of its namespace and of the object, and
 * finally by their conditions.
 */
record WebhookMatching(WriteContext cluster, Permissions permissions) {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookMatching.class);
    private static final JsonObject EVERYTHING = JsonObject.of(
            "operations", List.of("*"),
            "apiGroups", List.of("*"),
            "apiVersions", List.of("*"),
            "resources", List.of("*", "*/*"));
    private static final String OUT_OF_BUDGET =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    /** Returns the check of what the sender may do with the resource of a question. */
    AccessQuery.ResourceCheck access(WebhookQuestion question) {
        Target target = question.write().target();
        User user = question.write().options().requester().user();
        return new AccessQuery(permissions, user)
                .check(
                        target.type().group(),
                        target.type().plural(),
                        target.subresource(),
                        target.namespace(),
                        question.name());
    }

    /** Returns the question to a policy or its binding, without its conditions; empty when it does not match. */
    Optional<WebhookQuestion> question(JsonObject constraints, Write write, String name) {
        List<Object> excluded = named(constraints, "excludeResourceRules", name);
        if (!excluded.isEmpty()
                && question(new JsonObject(constraints).set("rules", excluded), write)
                        .isPresent()) {
            return Optional.empty();
        }
        List<Object> rules = constraints.has("resourceRules")
                ? named(constraints, "resourceRules", name)
                : List.of(EVERYTHING.copy());
        return question(new JsonObject(constraints).set("rules", rules), write);
    }

    /** Returns the rules that are for all names or for this one. */
    private static List<Object> named(JsonObject constraints, String field, String name) {
        return list(constraints, field).stream()
                .filter(rule -> list(rule, "resourceNames").isEmpty()
                        || list(rule, "resourceNames").contains(name))
                .toList();
    }

    /**
     * Returns the question to a webhook; empty when it does not match.
     *
     * @throws ApiException 403 when its conditions cannot be evaluated, and its policy is to fail
     */
    Optional<WebhookQuestion> question(JsonObject webhook, Write write) {
        Target target = write.target();
        if (!WebhookQuestion.isAsked(write)) {
            return Optional.empty();
        }
        List<Object> rules = list(webhook, "rules");
        boolean exact = webhook.string("matchPolicy").equals("Exact");
        String name = target.version().name();
        Stream<ResourceType.Version> others = target.type().versions().stream()
                .filter(version -> !exact && version.served() && !version.name().equals(name));
        return Stream.concat(Stream.of(target.version()), others)
                .filter(version -> rules.stream().anyMatch(rule -> matches(rule, write, version)))
                .findFirst()
                .filter(version -> namespaceMatches(webhook, write))
                .map(version -> new WebhookQuestion(cluster, write, version))
                .filter(question -> objectMatches(webhook, question))
                .filter(question -> conditionsMatch(webhook, question));
    }

    private static boolean matches(Object rule, Write write, ResourceType.Version version) {
        Target target = write.target();
        String scope = Json.string(rule, "scope");
        return contains(rule, "operations", write.operation().name())
                && contains(rule, "apiGroups", target.type().group())
                && contains(rule, "apiVersions", version.name())
                && (scope.isEmpty()
                        || scope.equals("*")
                        || scope.equals("Namespaced") == target.type().namespaced())
                && list(rule, "resources").stream().anyMatch(resource -> isOf(String.valueOf(resource), target));
    }

    private static boolean isOf(String resource, Target target) {
        int slash = resource.indexOf('/');
        String plural = slash < 0 ? resource : resource.substring(0, slash);
        String subresource = slash < 0 ? "" : resource.substring(slash + 1);
        return (plural.equals("*") || plural.equals(target.type().plural()))
                && (subresource.equals("*") || subresource.equals(target.subresource()));
    }

    private static boolean contains(Object rule, String field, String value) {
        List<Object> values = list(rule, field);
        return values.contains("*") || values.contains(value);
    }

    static List<Object> list(Object tree, String field) {
        return Json.at(tree, field) instanceof List<?> list ? new ArrayList<>(list) : List.of();
    }

    private boolean namespaceMatches(JsonObject webhook, Write write) {
        JsonObject selector = webhook.object("namespaceSelector");
        Target target = write.target();
        if (selector.isEmpty()) {
            return true;
        }
        if (target.type().id().equals(Namespaces.ID)) {
            return Selectors.matches(selector, labels(write.tree()));
        }
        if (!target.type().namespaced()) {
            return true;
        }
        return Selectors.matches(selector, Namespaces.labels(cluster, target.namespace()));
    }

    private static boolean objectMatches(JsonObject webhook, WebhookQuestion question) {
        JsonObject selector = webhook.object("objectSelector");
        if (question.write().operation() == Write.Operation.CONNECT) {
            return selector.isEmpty(); // the options of a connection have no metadata
        }
        JsonObject old = selector.isEmpty() ? null : question.oldObject();
        return selector.isEmpty()
                || Selectors.matches(
                        selector, labels(question.seen(question.write().tree())))
                || (old != null && Selectors.matches(selector, labels(old)));
    }

    private static JsonObject labels(JsonObject tree) {
        return tree.object("metadata", "labels");
    }

    /** Returns false if any condition is false, even if other conditions cannot be evaluated. */
    private boolean conditionsMatch(JsonObject webhook, WebhookQuestion question) {
        List<Object> conditions = list(webhook, "matchConditions");
        if (conditions.isEmpty()) {
            return true;
        }
        Object object = question.object();
        Object old = question.oldObject();
        JsonObject request = question.request();
        AccessQuery.ResourceCheck access = access(question);
        RuleBudget budget = new RuleBudget(Condition.BUDGET);
        Set<String> problems = new LinkedHashSet<>();
        for (Object each : conditions) {
            String expression = Json.string(each, "expression");
            switch (Condition.of(expression).evaluate(object, old, request, access, budget)) {
                case Condition.Result.Known known -> {
                    if (!known.holds()) {
                        return false;
                    }
                }
                case Condition.Result.Failed failed ->
                    problems.add("expression '" + expression + "' resulted in error: " + failed.reason());
                case Condition.Result.Exhausted unused -> {
                    return undecided(webhook, question, Set.of(OUT_OF_BUDGET));
                }
            }
        }
        return problems.isEmpty() || undecided(webhook, question, problems);
    }

    private static boolean undecided(JsonObject webhook, WebhookQuestion question, Set<String> problems) {
        if (webhook.string("failurePolicy").equals("Ignore")) {
            LOG.atWarn()
                    .addKeyValue("webhook", webhook.string("name"))
                    .addKeyValue("reason", problems)
                    .log("cannot evaluate the conditions of an admission webhook; skipping it");
            return false;
        }
        throw Refusal.forbidden(
                question.write().target().type(),
                question.name(),
                problems.size() == 1 ? problems.iterator().next() : problems.toString(),
                List.of());
    }
}
