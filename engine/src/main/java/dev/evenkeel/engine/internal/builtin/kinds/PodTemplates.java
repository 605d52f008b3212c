package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Set;

/** Rules that the kinds which create pods from {@code spec.template} share. */
final class PodTemplates {
    static final String TEMPLATE = "spec.template";

    private PodTemplates() {}

    /** Applies the defaults of the template and returns the spec. */
    static JsonObject applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.findObject("template").ifPresent(PodDefaults::template);
        return spec;
    }

    /** Validates replicas, selector and template of a kind whose pods are always restarted. */
    static void validate(JsonObject tree, FieldErrors errors) {
        validate(tree, Set.of(), errors);
    }

    /**
     * Validates replicas, selector and template.
     *
     * @param claims names of volumes that pods get in addition to those of the template
     */
    static void validate(JsonObject tree, Set<String> claims, FieldErrors errors) {
        errors.notNegative("spec.replicas", tree.at("spec", "replicas"));
        JsonObject selector = tree.object("spec", "selector");
        if (!tree.has("spec", "selector")) {
            errors.required("spec.selector");
        } else if (selector.isEmpty()) {
            errors.invalid("spec.selector", selector, "empty selector is invalid for deployment");
        } else {
            SelectorValidation.selector(selector, "spec.selector", errors);
        }
        validateLabels(tree, !selector.isEmpty() && Selectors.matches(selector, labels(tree)), errors);
        JsonObject spec = tree.object("spec", "template", "spec");
        validateSpec(spec, claims, errors);
        if (spec.has("activeDeadlineSeconds")) {
            errors.forbidden(
                    TEMPLATE + ".spec.activeDeadlineSeconds", "activeDeadlineSeconds in ReplicaSet is not Supported");
        }
    }

    /** Returns the labels of the template. */
    static JsonObject labels(JsonObject tree) {
        return tree.object("spec", "template", "metadata", "labels");
    }

    static void validateLabels(JsonObject tree, boolean selected, FieldErrors errors) {
        if (!selected) {
            JsonObject labels = labels(tree);
            errors.invalid(
                    TEMPLATE + ".metadata.labels",
                    labels.isEmpty() ? null : labels,
                    "`selector` does not match template `labels`");
        }
    }

    static void validateSpec(JsonObject spec, Set<String> claims, FieldErrors errors) {
        PodValidation.spec(spec, TEMPLATE + ".spec", claims, errors);
        errors.oneOf(TEMPLATE + ".spec.restartPolicy", spec.string("restartPolicy"), "Always");
    }

    /** Returns ready and wanted replicas, such as {@code 1/3}. */
    static String ready(JsonObject tree) {
        return tree.integer("status", "readyReplicas") + "/" + tree.integer("spec", "replicas");
    }
}
