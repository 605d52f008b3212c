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

    /** Validates a kind that keeps a number of pods, whose template upstream ignores if the selector is malformed. */
    static void validateReplicated(Field root) {
        validate(root, "deployment");
        if (isSelectable(root)) {
            validateTemplate(root, Set.of(), "ReplicaSet");
        }
    }

    /** Returns whether the selector, if there is one, can be evaluated. */
    static boolean isSelectable(Field root) {
        return Selectors.isWellFormed(root.at("spec", "selector").object());
    }

    /** Validates the template of a kind, and that it has no deadline. */
    static void validateTemplate(Field root, Set<String> claims, String kind) {
        validateSpec(root, claims);
        validateDeadline(root, kind);
    }

    /** Requires that the template of a kind has no deadline. */
    static void validateDeadline(Field root, String kind) {
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

    /** Requires a number that is not negative, or a percentage. */
    static void amount(Field field) {
        field.notNegative();
        if (field.value() instanceof String text && !isPercentage(text)) {
            field.invalid("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                    + " '93%', regex used for validation is '[0-9]+%')");
        }
    }

    /** Requires that a percentage is not above 100 %. */
    static void atMostAll(Field field) {
        if (isPercentage(field.text())
                && new BigInteger(field.text().replace("%", "")).compareTo(BigInteger.valueOf(100)) > 0) {
            field.invalid("must not be greater than 100%");
        }
    }

    /** Returns whether an amount is 0, which a malformed one counts as. */
    static boolean isNone(Field amount) {
        if (!(amount.value() instanceof String text)) {
            return amount.number() == 0;
        }
        String number = isPercentage(text) ? text.substring(0, text.length() - 1) : text;
        return !number.matches("[-+]?[0-9]+") || number.matches("[-+]?0+");
    }

    private static boolean isPercentage(String text) {
        return text.matches("[0-9]+%");
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
        validateMetadata(template);
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

    /** Validates the labels and annotations of a template. */
    static void validateMetadata(Field template) {
        template.with("labels", template.at("metadata", "labels").value()).labels();
        template.with("annotations", template.at("metadata", "annotations").value())
                .object()
                .keySet()
                .forEach(key -> Names.qualified(key.toLowerCase(Locale.ROOT))
                        .forEach(detail -> template.at("annotations").invalid(key, detail)));
    }

    /** Validates the template of a kind whose pods are always restarted. */
    static void validateSpec(Field root, Set<String> claims) {
        validateTemplate(root.at("spec", "template"), claims);
        validateRestart(root);
    }

    /** Requires that pods are always restarted. */
    static void validateRestart(Field root) {
        Field restart = root.at("spec", "template", "spec", "restartPolicy");
        if (!restart.text().isEmpty() && !restart.text().equals("Always")) {
            restart.notSupported(restart.text(), List.of("Always"));
        }
    }
}
