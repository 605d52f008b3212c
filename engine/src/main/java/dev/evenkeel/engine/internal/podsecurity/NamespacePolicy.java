package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The standards that the labels of a namespace name.
 *
 * @param enforce refuses the pods that violate it
 * @param audit annotates the audit events of pods and templates that violate it
 * @param warn warns about pods and templates that violate it
 * @param errors of labels that name no standard
 */
public record NamespacePolicy(Standard enforce, Standard audit, Standard warn, List<FieldError> errors) {
    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final String WARN = "warn";
    private static final String VERSION = "-version";

    /**
     * Returns the policy of a namespace. A level that does not exist is the strictest one for enforcement, and none for
     * audit and warnings; a version that does not exist is the latest one. Warnings follow enforcement unless told
     * otherwise.
     */
    public static NamespacePolicy of(Map<String, ? extends @Nullable Object> labels) {
        List<FieldError> errors = new ArrayList<>(0);
        Standard enforce = standard(labels, "enforce", Level.RESTRICTED, errors);
        boolean wrong = !errors.isEmpty() && Level.of(text(labels, "enforce")).isEmpty();
        Standard audit = standard(labels, "audit", Level.PRIVILEGED, errors);
        Standard warn = standard(labels, WARN, Level.PRIVILEGED, errors);
        if (!labels.containsKey(PREFIX + WARN) && !wrong) {
            boolean versioned = labels.containsKey(PREFIX + WARN + VERSION);
            warn = new Standard(enforce.level(), versioned ? warn.minor() : enforce.minor());
        }
        return new NamespacePolicy(enforce, audit, warn, List.copyOf(errors));
    }

    private static Standard standard(
            Map<String, ? extends @Nullable Object> labels, String mode, Level wrong, List<FieldError> errors) {
        Level level = Level.PRIVILEGED;
        if (labels.containsKey(PREFIX + mode)) {
            String name = text(labels, mode);
            level = Level.of(name).orElse(wrong);
            if (Level.of(name).isEmpty()) {
                errors.add(error(mode, name, "must be one of " + Level.NAMES));
            }
        }
        OptionalLong minor = OptionalLong.of(Standard.LATEST);
        if (labels.containsKey(PREFIX + mode + VERSION)) {
            String version = text(labels, mode + VERSION);
            minor = Standard.minor(version);
            if (minor.isEmpty()) {
                errors.add(error(mode + VERSION, version, "must be \"latest\" or \"v1.x\""));
            }
        }
        return new Standard(level, minor.orElse(Standard.LATEST));
    }

    private static FieldError error(String label, String value, String why) {
        return FieldError.invalid("metadata.labels[" + PREFIX + label + "]", value, why);
    }

    private static String text(Map<String, ? extends @Nullable Object> labels, String label) {
        return labels.get(PREFIX + label) instanceof String text ? text : "";
    }

    /** Returns whether no pod violates the policy, and its labels have no errors. */
    public boolean isPrivileged() {
        return enforce.isPrivileged() && isSilent();
    }

    /** Returns whether the policy does not tell of pods that it does not refuse. */
    public boolean isSilent() {
        return audit.isPrivileged() && warn.isPrivileged() && errors.isEmpty();
    }
}
