package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /** Returns the warnings of a kind with a template, when its specification is new. */
    static List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old != null && tree.object("spec").equals(old.object("spec"))
                ? List.of()
                : PodWarnings.of("spec.template.", tree.object("spec", "template"));
    }

    /** Returns the warnings of a kind whose name is in those of its pods. */
    static List<String> namedWarnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        if (old == null) {
            warnings.addAll(PodWarnings.name(tree, "Pod names and hostnames"));
        }
        warnings.addAll(warnings(tree, old));
        return warnings;
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

    /**
     * Validates any template.
     *
     * @param claims names of volumes that pods get in addition to those of the template
     */
    static void validateTemplate(Field template, Set<String> claims) {
        template.with("labels", template.at("metadata", "labels").value()).labels();
        template.with("annotations", template.at("metadata", "annotations").value())
                .object()
                .keySet()
                .forEach(key -> Names.qualified(key.toLowerCase(Locale.ROOT))
                        .forEach(detail -> template.at("annotations").invalid(key, detail)));
        Field spec = template.at("spec");
        PodRules.template(spec, claims);
        if (!spec.at("ephemeralContainers").array().isEmpty()) {
            spec.at("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
        }
    }

    /** Validates the template of a kind whose pods are always restarted. */
    static void validateSpec(Field root, Set<String> claims) {
        Field template = root.at("spec", "template");
        validateTemplate(template, claims);
        Field restart = template.at("spec", "restartPolicy");
        if (!restart.text().isEmpty() && !restart.text().equals("Always")) {
            restart.notSupported(restart.text(), List.of("Always"));
        }
    }
}
