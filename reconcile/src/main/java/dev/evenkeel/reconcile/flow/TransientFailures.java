package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import dev.evenkeel.controller.SubReconciler;
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

    private TransientFailures() {}

    /** Returns a part with this rule, which counts the failures of all its users together. */
    static <T extends HasMetadata> Part<T> part(String type, SubReconciler<T> part, Rule rule) {
        Part<T> inner = Part.of(part);
        FailureStreaks streaks = new FailureStreaks();
        return Part.of(Part.Description.of(type).slots("reconciler", inner), (reconciliation, resource) -> {
            Result outcome = inner.reconcile(reconciliation, resource);
            if (outcome.succeeded() || outcome.problems().stream().anyMatch(TransientFailures::lasts)) {
                streaks.ended(resource);
                return outcome;
            }
            Instant now = reconciliation.clock().instant();
            return rule.apply(outcome, streaks.failed(resource, now), now);
        });
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
