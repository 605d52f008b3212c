package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about the permissions of a user. As long as there is no access control, every user may do everything.
 *
 * @param ofSubject whether the user is named, rather than the sender
 * @param namespaced whether the question is about one namespace
 */
record AccessReview(boolean ofSubject, boolean namespaced) implements Review {
    @Override
    public JsonObject answer(JsonObject review, Requester requester, String now) {
        JsonObject status = new JsonObject();
        status.put("allowed", true);
        status.put("reason", "there is no access control: everything is allowed");
        return status;
    }

    @Override
    public List<FieldError> validate(JsonObject review) {
        FieldErrors errors = new FieldErrors();
        Object resource = review.at("spec", "resourceAttributes");
        Object path = review.at("spec", "nonResourceAttributes");
        if (resource != null && path != null) {
            errors.invalid(
                    "spec.nonResourceAttributes",
                    shown(path),
                    "cannot be specified in combination with resourceAttributes");
        }
        if (resource == null && path == null) {
            errors.invalid(
                    "spec.resourceAttributes",
                    null,
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        if (ofSubject) {
            String user = review.string("spec", "user");
            if (user.isEmpty() && review.at("spec", "groups") == null) {
                errors.invalid("spec.user", user, "at least one of user or group must be specified");
            }
        }
        selector(resource, "fieldSelector", errors);
        selector(resource, "labelSelector", errors);
        JsonObject metadata = review.object("metadata");
        if (metadata.keySet().stream()
                .anyMatch(field -> !field.equals("managedFields") && !(namespaced && field.equals("namespace")))) {
            errors.invalid("metadata", metadata, namespaced ? "must be empty except for namespace" : "must be empty");
        }
        if (namespaced && resource != null) {
            String namespace = Json.string(resource, "namespace");
            if (!namespace.equals(metadata.string("namespace"))) {
                errors.invalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace");
            }
        }
        if (namespaced && path != null) {
            errors.invalid("spec.nonResourceAttributes", shown(path), "disallowed on this kind of request");
        }
        return errors.list();
    }

    private static void selector(@Nullable Object attributes, String name, FieldErrors errors) {
        Object selector = Json.at(attributes, name);
        if (selector == null) {
            return;
        }
        String at = "spec.resourceAttributes." + name;
        String raw = Json.string(selector, "rawSelector");
        List<@Nullable Object> requirements = Trees.list(selector, "requirements");
        if (!raw.isEmpty() && !requirements.isEmpty()) {
            errors.invalid(at + ".rawSelector", raw, "may not specified at the same time as requirements");
        }
        if (raw.isEmpty() && requirements.isEmpty()) {
            errors.required(
                    at + ".requirements", "when " + at + " is specified, requirements or rawSelector is required");
        }
        SelectorValidation.requirements(requirements, at + ".requirements", true, errors);
    }

    /** Returns the attributes as upstream's messages show them: with the names that they have within the server. */
    private static JsonObject shown(Object nonResourceAttributes) {
        JsonObject shown = new JsonObject();
        shown.put("Path", Json.string(nonResourceAttributes, "path"));
        shown.put("Verb", Json.string(nonResourceAttributes, "verb"));
        return shown;
    }
}
