package dev.evenkeel.engine.internal.podsecurity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A level as a version of Kubernetes defined it.
 *
 * @param minor the version 1.x, which may be a future one; {@link #LATEST} for the newest
 */
public record Standard(Level level, long minor) {
    static final long LATEST = Long.MAX_VALUE;

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]*)");

    /** The standard of a namespace without labels. */
    public static final Standard PRIVILEGED = new Standard(Level.PRIVILEGED, LATEST);

    /** Returns the version of a label such as {@code v1.30} or {@code latest}; empty for all that is not a version. */
    static OptionalLong minor(String version) {
        if (version.equals("latest")) {
            return OptionalLong.of(LATEST);
        }
        Matcher matcher = VERSION.matcher(version);
        try {
            return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
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
