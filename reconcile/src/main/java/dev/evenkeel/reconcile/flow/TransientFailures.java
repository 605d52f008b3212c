package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Outcome.Problem;
import dev.evenkeel.controller.Outcome.Severity;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;

/** Handles failures that may be transient: they are not reported for a while. */
final class TransientFailures {
    /** Maps a failure, given its streak. */
    @FunctionalInterface
    interface Rule {
        Outcome apply(Outcome outcome, FailureStreaks.Streak streak, Instant now);
    }

    private final FailureStreaks streaks = new FailureStreaks();
    private final Rule rule;

    TransientFailures(Rule rule) {
        this.rule = rule;
    }

    <T extends HasMetadata> Outcome run(Part<T> part, Reconciliation<T> reconciliation, T resource) {
        Outcome outcome = part.reconcile(reconciliation, resource);
        if (outcome.succeeded() || outcome.problems().stream().anyMatch(TransientFailures::lasts)) {
            streaks.ended(resource);
            return outcome;
        }
        Instant now = reconciliation.clock().instant();
        return rule.apply(outcome, streaks.failed(resource, now), now);
    }

    private static boolean lasts(Problem problem) {
        return problem.severity() == Severity.DURABLE;
    }

    /** Returns a copy that is not reported, nor written to the status. */
    static Outcome quiet(Outcome outcome) {
        return new Outcome(
                outcome.stops(),
                outcome.delay(),
                outcome.retries(),
                outcome.priority(),
                true,
                outcome.problems().stream()
                        .map(problem -> new Problem(Severity.QUIET, problem.error()))
                        .toList());
    }
}
