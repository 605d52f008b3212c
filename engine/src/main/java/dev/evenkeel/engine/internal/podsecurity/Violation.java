package dev.evenkeel.engine.internal.podsecurity;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Says what is wrong with a pod.
 *
 * @param reason the rule in a few words
 * @param detail who breaks it, and by which value
 */
record Violation(String reason, String detail) {
    /** Returns a violation by some; none when there are none. */
    static <T extends Collection<String>> Optional<Violation> by(
            T offenders, String reason, Function<? super T, String> detail) {
        return offenders.isEmpty() ? Optional.empty() : Optional.of(new Violation(reason, detail.apply(offenders)));
    }
}
