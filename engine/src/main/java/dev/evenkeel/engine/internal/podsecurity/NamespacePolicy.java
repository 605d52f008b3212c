package dev.evenkeel.engine.internal.podsecurity;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The standards that the labels of a namespace name.
 *
 * @param enforce refuses the pods that violate it
 * @param audit annotates the audit events of pods and templates that violate it
 * @param warn warns about pods and templates that violate it
 */
public record NamespacePolicy(Standard enforce, Standard audit, Standard warn) {
    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final String ENFORCE = PREFIX + "enforce";
    private static final String AUDIT = PREFIX + "audit";
    private static final String WARN = PREFIX + "warn";
    private static final String VERSION = "-version";

    /**
     * Returns the policy of a namespace; empty when no label is about the security of pods. A level that does not exist is
     * the strictest one for enforcement, and none for audit and warnings. Warnings follow enforcement unless told otherwise.
     */
    public static Optional<NamespacePolicy> of(Map<String, ? extends @Nullable Object> labels) {
        if (labels.keySet().stream().noneMatch(label -> label.startsWith(PREFIX))) {
            return Optional.empty();
        }
        Standard enforce = standard(labels, ENFORCE, Level.RESTRICTED);
        Standard warn = standard(labels, WARN, Level.PRIVILEGED);
        if (!labels.containsKey(WARN) && Level.of(text(labels, ENFORCE)).isPresent()) {
            warn = new Standard(enforce.level(), labels.containsKey(WARN + VERSION) ? warn.minor() : enforce.minor());
        }
        return Optional.of(new NamespacePolicy(enforce, standard(labels, AUDIT, Level.PRIVILEGED), warn));
    }

    private static Standard standard(Map<String, ? extends @Nullable Object> labels, String mode, Level wrong) {
        Level level = labels.containsKey(mode) ? Level.of(text(labels, mode)).orElse(wrong) : Level.PRIVILEGED;
        return new Standard(level, Standard.minor(text(labels, mode + VERSION)));
    }

    private static String text(Map<String, ? extends @Nullable Object> labels, String label) {
        return Objects.requireNonNullElse(labels.get(label), "").toString();
    }

    /** Returns whether no pod violates the policy. */
    public boolean isPrivileged() {
        return enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
    }
}
