package dev.evenkeel.engine.internal.podsecurity;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * One version of a rule of the standards.
 *
 * @param id the name of the rule, which its versions share
 * @param level the least strict level with the rule
 * @param since the first minor version of Kubernetes in which it is so
 * @param replaced the id of the rule that this one makes superfluous; empty for none
 */
record Rule(String id, Level level, int since, Check check, String replaced) {
    static Rule baseline(String id, int since, Check check) {
        return new Rule(id, Level.BASELINE, since, check, "");
    }

    static Rule restricted(String id, int since, Check check) {
        return new Rule(id, Level.RESTRICTED, since, check, "");
    }

    /** Returns the rule, with pods that it is not about. */
    Rule except(Predicate<CheckedPod> exempt) {
        return new Rule(id, level, since, pod -> exempt.test(pod) ? Optional.empty() : check.violation(pod), replaced);
    }

    /** Returns the rule as one that makes another superfluous. */
    Rule replacing(String other) {
        return new Rule(id, level, since, check, other);
    }
}
