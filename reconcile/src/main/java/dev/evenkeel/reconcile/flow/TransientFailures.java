package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;

/** Handles failures that may be transient: they are not reported for a while. */
final class TransientFailures {
    /** Maps a failure, given its streak. */
    @FunctionalInterface
    interface Rule {
        Result apply(Result outcome, FailureStreaks.Streak streak, Instant now);
    }

    private final FailureStreaks streaks = new FailureStreaks();
    private final Rule rule;

    TransientFailures(Rule rule) {
        this.rule = rule;
    }

    <T extends HasMetadata> Result run(Part<T> part, Reconciliation<T> reconciliation, T resource) {
        Result outcome = part.reconcile(reconciliation, resource);
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
    static Result quiet(Result outcome) {
        return new Result(
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
