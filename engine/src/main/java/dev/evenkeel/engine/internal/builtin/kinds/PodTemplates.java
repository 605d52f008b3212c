package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules that the kinds which create pods from {@code spec.template} share. */
final class PodTemplates {
    static final String TEMPLATE = "spec.template";

    private PodTemplates() {}

    /** Applies the defaults of the template and returns the spec. */
    static Map<String, @Nullable Object> applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.with(spec, PodDefaults::template, "template");
        return spec;
    }

    /** Validates replicas, selector and template of a kind whose pods are always restarted. */
    static void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        validate(tree, Set.of(), errors);
    }

    /**
     * Validates replicas, selector and template.
     *
     * @param claims names of volumes that pods get in addition to those of the template
     */
    static void validate(Map<String, @Nullable Object> tree, Set<String> claims, FieldErrors errors) {
        errors.notNegative("spec.replicas", Json.at(tree, "spec", "replicas"));
        Map<String, @Nullable Object> selector = Trees.object(tree, "spec", "selector");
        if (!Trees.has(tree, "spec", "selector")) {
            errors.required("spec.selector");
        } else if (selector.isEmpty()) {
            errors.invalid("spec.selector", selector, "empty selector is invalid for deployment");
        } else {
            SelectorValidation.selector(selector, "spec.selector", errors);
        }
        validateLabels(tree, !selector.isEmpty() && Selectors.matches(selector, labels(tree)), errors);
        Map<String, @Nullable Object> spec = Trees.object(tree, "spec", "template", "spec");
        validateSpec(spec, claims, errors);
        if (Trees.has(spec, "activeDeadlineSeconds")) {
            errors.forbidden(
                    TEMPLATE + ".spec.activeDeadlineSeconds", "activeDeadlineSeconds in ReplicaSet is not Supported");
        }
    }

    /** Returns the labels of the template. */
    static Map<String, @Nullable Object> labels(Map<String, @Nullable Object> tree) {
        return Trees.object(tree, "spec", "template", "metadata", "labels");
    }

    static void validateLabels(Map<String, @Nullable Object> tree, boolean selected, FieldErrors errors) {
        if (!selected) {
            Map<String, @Nullable Object> labels = labels(tree);
            errors.invalid(
                    TEMPLATE + ".metadata.labels",
                    labels.isEmpty() ? null : labels,
                    "`selector` does not match template `labels`");
        }
    }

    static void validateSpec(Map<String, @Nullable Object> spec, Set<String> claims, FieldErrors errors) {
        PodValidation.spec(spec, TEMPLATE + ".spec", claims, errors);
        errors.oneOf(TEMPLATE + ".spec.restartPolicy", Json.string(spec, "restartPolicy"), "Always");
    }

    /** Returns ready and wanted replicas, such as {@code 1/3}. */
    static String ready(Map<String, @Nullable Object> tree) {
        return Json.integer(tree, "status", "readyReplicas") + "/" + Json.integer(tree, "spec", "replicas");
    }
}
