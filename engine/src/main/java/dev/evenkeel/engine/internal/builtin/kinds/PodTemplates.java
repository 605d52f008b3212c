package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules that the kinds which create pods from {@code spec.template} share. */
final class PodTemplates {
    private PodTemplates() {}

    /**
     * Validates the selector and the template of a kind whose pods are always restarted.
     *
     * @param kind the name of the kind in errors
     */
    static void validate(Field root, String kind) {
        Field selector = root.at("spec", "selector");
        boolean empty = !selector.given() || selector.object().isEmpty();
        if (!selector.given()) {
            selector.missing();
            validateLabels(root, false);
        } else {
            Selectors.validate(selector);
            if (selector.object().isEmpty()) {
                Selectors.invalid(selector, "empty selector is invalid for " + kind);
            }
            if (!kind.equals("daemonset") && !Selectors.isWellFormed(selector.object())) {
                Selectors.invalid(selector, kind.equals("statefulset") ? "" : "invalid label selector");
            }
        }
        if (!empty && Selectors.isWellFormed(selector.object())) {
            validateLabels(root, Selectors.matches(selector.object(), labels(root.object())));
        }
    }

    /** Validates the template of a kind, and that it has no deadline. */
    static void validateTemplate(Field root, Set<String> claims, String kind) {
        validateSpec(root, claims);
        Field deadline = root.at("spec", "template", "spec", "activeDeadlineSeconds");
        if (deadline.given()) {
            deadline.forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }

    /** Returns the warnings of a kind with a template, when its specification is new. */
    static List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old != null && tree.integer("metadata", "generation") == old.integer("metadata", "generation")
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

    /**
     * Requires a number that is not negative, or a percentage.
     *
     * @param limited whether 100 % is the most
     */
    static void percent(Field field, boolean limited) {
        field.notNegative();
        if (!(field.value() instanceof String text)) {
            return;
        }
        if (!text.matches("[0-9]+%")) {
            field.invalid("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                    + " '93%', regex used for validation is '[0-9]+%')");
        } else if (limited && new BigInteger(text.replace("%", "")).compareTo(BigInteger.valueOf(100)) > 0) {
            field.invalid("must not be greater than 100%");
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

    /**
     * Validates any template.
     *
     * @param claims names of volumes that pods get in addition to those of the template
     */
    static void validateTemplate(Field template, Set<String> claims) {
        template.with("labels", template.at("metadata", "labels").value()).labels();
        validateAnnotations(template);
        Field spec = template.at("spec");
        Field annotations = template.with(
                "annotations", template.at("metadata", "annotations").value());
        PodAnnotationRules.validate(annotations, spec, new JsonObject());
        PodRules.template(spec, claims);
        PodAnnotationRules.validateFields(annotations.object(), spec);
        if (!spec.at("ephemeralContainers").array().isEmpty()) {
            spec.at("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
        }
    }

    static void validateAnnotations(Field template) {
        template.with("annotations", template.at("metadata", "annotations").value())
                .object()
                .keySet()
                .forEach(key -> Names.qualified(key.toLowerCase(Locale.ROOT))
                        .forEach(detail -> template.at("annotations").invalid(key, detail)));
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
