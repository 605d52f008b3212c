package dev.evenkeel.engine.internal.podsecurity;

import java.util.Optional;

/** Checks one thing about pods. */
@FunctionalInterface
interface Check {
    /** Returns what is wrong with a pod; empty when nothing is. */
    Optional<Violation> violation(CheckedPod pod);
}
