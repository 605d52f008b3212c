package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.Review;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.ArrayList;
import java.util.List;

/**
 * A question about the permissions of a user. As long as there is no access control, every user may do everything.
 *
 * @param ofSubject whether the user is named, rather than the sender
 * @param namespaced whether the question is about one namespace
 */
record AccessReview(boolean ofSubject, boolean namespaced) implements Review {
    @Override
    public JsonObject answer(JsonObject review, Requester requester, String now) {
        return JsonObject.of("allowed", true, "reason", "there is no access control: everything is allowed");
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
        if (ofSubject && user.text().isEmpty() && !root.at("spec", "groups").given()) {
            user.invalid("", "at least one of user or group must be specified");
        }
        selector(resource, "fieldSelector");
        selector(resource, "labelSelector");
        JsonObject metadata = review.object("metadata");
        if (metadata.keySet().stream()
                .anyMatch(field -> !field.equals("managedFields") && !(namespaced && field.equals("namespace")))) {
            root.at("metadata").invalid(namespaced ? "must be empty except for namespace" : "must be empty");
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

    private static void selector(Field resource, String name) {
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
        Selectors.validateRequirements(requirements, true);
    }

    /** Returns the attributes as upstream's messages show them: with the names that they have within the server. */
    private static JsonObject shown(Field path) {
        return JsonObject.of(
                "Path", path.at("path").text(), "Verb", path.at("verb").text());
    }
}
