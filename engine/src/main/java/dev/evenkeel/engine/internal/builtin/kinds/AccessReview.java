package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.Review;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import dev.evenkeel.engine.spi.Authorizer.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A question about the permissions of a user.
 *
 * @param ofSubject whether the user is named, rather than the sender
 * @param namespaced whether the question is about one namespace
 */
record AccessReview(boolean ofSubject, boolean namespaced) implements Review {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    @Override
    public JsonObject answer(JsonObject review, Requester requester, Permissions permissions, String now) {
        JsonObject spec = review.object("spec");
        User user = ofSubject ? subject(spec) : requester.user();
        Decision decision = permissions.authorize(attributes(spec, user));
        return JsonObject.of("allowed", decision.allowed())
                .setUnlessEmpty("denied", decision.outcome() == Outcome.DENY ? true : null)
                .setUnlessEmpty("reason", decision.reason())
                .setUnlessEmpty("evaluationError", selectorProblems(spec.object("resourceAttributes")));
    }

    private static User subject(JsonObject spec) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        JsonObject given = spec.object("extra");
        given.keySet().forEach(key -> extra.put(key, given.strings(key)));
        return new User(spec.string("user"), spec.string("uid"), spec.strings("groups"), extra);
    }

    private static Attributes attributes(JsonObject spec, User user) {
        JsonObject path = spec.object("nonResourceAttributes");
        if (spec.has("nonResourceAttributes")) {
            return Attributes.ofPath(user, path.string("verb"), path.string("path"));
        }
        JsonObject resource = spec.object("resourceAttributes");
        return Attributes.ofResource(
                user,
                resource.string("verb"),
                resource.string("group"),
                resource.string("version").isEmpty() ? "*" : resource.string("version"),
                resource.string("resource"),
                resource.string("subresource"),
                resource.string("namespace"),
                resource.string("name"));
    }

    /** Names the selectors that cannot be read; the decision does not depend on any. */
    private static String selectorProblems(JsonObject resource) {
        return Stream.of(
                        problem(
                                resource,
                                "fieldSelector",
                                FieldSelector::parse,
                                one -> List.of("In", "NotIn").contains(one.string("operator"))
                                        && one.array("values").size() == 1),
                        problem(
                                resource,
                                "labelSelector",
                                LabelSelector::parse,
                                one -> OPERATORS.contains(one.string("operator"))))
                .filter(problem -> !problem.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** Says that a selector cannot be read, or that some of its requirements cannot. */
    private static String problem(
            JsonObject resource, String name, Consumer<String> parse, Predicate<JsonObject> isReadable) {
        JsonObject selector = resource.object(name);
        List<JsonObject> requirements = selector.objects("requirements");
        long read = requirements.stream().filter(isReadable).count();
        if (read == requirements.size() && readable(() -> parse.accept(selector.string("rawSelector")))) {
            return "";
        }
        return "spec.resourceAttributes." + name + (read > 0 ? " partially" : "") + " ignored due to parse error";
    }

    private static boolean readable(Runnable parse) {
        try {
            parse.run();
            return true;
        } catch (ApiException | IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public List<FieldError> validate(JsonObject review) {
        List<FieldError> errors = new ArrayList<>();
        Field root = Field.of(review, errors);
        Field resource = root.at("spec", "resourceAttributes");
        Field path = root.at("spec", "nonResourceAttributes");
        if (resource.given() && path.given()) {
            path.invalid(shown(path), "cannot be specified in combination with resourceAttributes");
        }
        if (!resource.given() && !path.given()) {
            resource.invalid("exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        Field user = root.at("spec", "user");
        if (ofSubject
                && user.text().isEmpty()
                && root.at("spec", "groups").array().isEmpty()) {
            user.invalid("", "at least one of user or group must be specified");
        }
        selector(resource, "fieldSelector", Selectors::validateFieldRequirements);
        selector(resource, "labelSelector", requirements -> Selectors.validateRequirements(requirements, true));
        JsonObject metadata = review.object("metadata");
        if (metadata.entrySet().stream()
                .filter(entry -> !Json.isEmpty(entry.getValue()))
                .map(Map.Entry::getKey)
                .anyMatch(field -> !field.equals("managedFields") && !(namespaced && field.equals("namespace")))) {
            root.at("metadata")
                    .invalidText(
                            InternalForm.text("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", metadata),
                            namespaced ? "must be empty except for namespace" : "must be empty");
        }
        Field namespace = resource.at("namespace");
        if (namespaced && resource.given() && !namespace.text().equals(metadata.string("namespace"))) {
            namespace.invalid(namespace.text(), "must match metadata.namespace");
        }
        if (namespaced && path.given()) {
            path.invalid(shown(path), "disallowed on this kind of request");
        }
        return errors;
    }

    private static void selector(Field resource, String name, Consumer<Field> rules) {
        Field selector = resource.at(name);
        if (!selector.given()) {
            return;
        }
        Field raw = selector.at("rawSelector");
        Field requirements = selector.at("requirements");
        if (!raw.text().isEmpty() && !requirements.array().isEmpty()) {
            raw.invalid("may not specified at the same time as requirements");
        }
        if (raw.text().isEmpty() && requirements.array().isEmpty()) {
            requirements.missing(
                    "when spec.resourceAttributes." + name + " is specified, requirements or rawSelector is required");
        }
        rules.accept(requirements);
    }

    /** Returns the attributes as upstream's messages show them: with the names that they have within the server. */
    private static JsonObject shown(Field path) {
        return JsonObject.of(
                "Path", path.at("path").text(), "Verb", path.at("verb").text());
    }
}
