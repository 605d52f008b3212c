package dev.evenkeel.engine.internal.podsecurity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A level as a version of Kubernetes defined it.
 *
 * @param minor the version 1.x, which may be a future one; {@link #LATEST} for the newest
 */
public record Standard(Level level, int minor) {
    static final int LATEST = Integer.MAX_VALUE;

    /** The standard of a namespace without labels. */
    public static final Standard PRIVILEGED = new Standard(Level.PRIVILEGED, LATEST);

    /** Returns the version of a label such as {@code v1.30}; the latest for all that is not a version. */
    static int minor(String version) {
        try {
            return version.startsWith("v1.") ? Integer.parseInt(version.substring(3)) : LATEST;
        } catch (NumberFormatException e) {
            return LATEST;
        }
    }

    /** Returns whether pods may do everything. */
    public boolean isPrivileged() {
        return level == Level.PRIVILEGED;
    }

    /** Checks a pod. */
    public Verdict verdict(CheckedPod pod) {
        List<Violation> violations = new ArrayList<>(0);
        for (Rule rule : Rules.of(this)) {
            Optional<Violation> violation = rule.check().violation(pod);
            violation.ifPresent(violations::add);
        }
        return new Verdict(violations);
    }

    /** Returns the level with the version, such as {@code restricted:latest}. */
    @Override
    public String toString() {
        return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
    }
}
