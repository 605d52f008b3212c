package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.Set;

/** Rules that the kinds which create pods from {@code spec.template} share. */
final class PodTemplates {
    private PodTemplates() {}

    /** Validates replicas, selector and template of a kind whose pods are always restarted. */
    static void validate(Field root) {
        validate(root, Set.of());
    }

    /**
     * Validates replicas, selector and template.
     *
     * @param claims names of volumes that pods get in addition to those of the template
     */
    static void validate(Field root, Set<String> claims) {
        root.at("spec", "replicas").notNegative();
        Field selector = root.at("spec", "selector");
        if (!selector.given()) {
            selector.missing();
        } else if (selector.object().isEmpty()) {
            selector.invalid("empty selector is invalid for deployment");
        } else {
            Selectors.validate(selector);
        }
        boolean any = selector.object().isEmpty();
        validateLabels(root, !any && Selectors.matches(selector.object(), labels(root.object())));
        validateSpec(root, claims);
        Field deadline = root.at("spec", "template", "spec", "activeDeadlineSeconds");
        if (deadline.given()) {
            deadline.forbidden("activeDeadlineSeconds in ReplicaSet is not Supported");
        }
    }

    static JsonObject labels(JsonObject tree) {
        return tree.object("spec", "template", "metadata", "labels");
    }

    static void validateLabels(Field root, boolean selected) {
        if (!selected) {
            JsonObject labels = labels(root.object());
            root.at("spec", "template", "metadata", "labels")
                    .invalid(labels.isEmpty() ? null : labels, "`selector` does not match template `labels`");
        }
    }

    static void validateSpec(Field root, Set<String> claims) {
        Field spec = root.at("spec", "template", "spec");
        PodValidation.spec(spec, claims);
        spec.at("restartPolicy").oneOf("Always");
    }
}
