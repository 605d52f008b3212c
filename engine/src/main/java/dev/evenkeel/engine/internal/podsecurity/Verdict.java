package dev.evenkeel.engine.internal.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Says how a pod violates a standard.
 *
 * @param violations in the order of the rules; empty when the pod is allowed
 */
public record Verdict(List<Violation> violations) {
    public boolean allowed() {
        return violations.isEmpty();
    }

    /** Returns the broken rules. */
    String reasons() {
        return violations.stream().map(Violation::reason).collect(Collectors.joining(", "));
    }

    /** Returns the broken rules, with who breaks them. */
    public String details() {
        return violations.stream()
                .map(violation -> violation.reason() + " (" + violation.detail() + ")")
                .collect(Collectors.joining(", "));
    }
}
