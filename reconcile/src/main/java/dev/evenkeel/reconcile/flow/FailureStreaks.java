package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.internal.ExpiringCache;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Counts the consecutive failures of objects, with their first and last time. Success, another generation, or a day
 * without failure end a streak.
 *
 * <p>The problem: deletions of objects are not observed here, and a controller that counts them indefinitely leaks;
 * asking the API from time to time which of them still exist costs requests and a right. So streaks are kept in the
 * order of their last failure, and dropped when they are a day old, or when there are too many. Each call costs the
 * same, however many there are. Safe for use by several threads (D12).
 */
final class FailureStreaks {
    private static final Duration MEMORY = Duration.ofHours(24);

    /** At least one failure of the same generation of an object, and when the first and last of them were. */
    record Streak(long generation, int count, Instant first, Instant last) {}

    /** Maps a failure, given its streak. */
    @FunctionalInterface
    interface Rule {
        Result apply(Result outcome, Streak streak, Instant now);
    }

    private final ExpiringCache<Streak> streaks;

    FailureStreaks() {
        this(ExpiringCache.MOST);
    }

    FailureStreaks(int limit) {
        streaks = new ExpiringCache<>(limit);
    }

    /** Returns a part with this rule, which counts the failures of all its users together. */
    static <T extends HasMetadata> Part<T> part(String type, SubReconciler<T> part, Rule rule) {
        Part<T> inner = Part.of(part);
        FailureStreaks streaks = new FailureStreaks();
        return Part.of(Part.Description.of(type).slots("reconciler", inner), (reconciliation, resource) -> {
            Result outcome = inner.reconcile(reconciliation, resource);
            if (outcome.succeeded()
                    || outcome.problems().stream().anyMatch(problem -> problem.severity() == Severity.DURABLE)) {
                streaks.ended(resource);
                return outcome;
            }
            Instant now = reconciliation.clock().instant();
            return rule.apply(outcome, streaks.failed(resource, now), now);
        });
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

    /** Records a failure; returns the streak so far. */
    synchronized Streak failed(HasMetadata object, Instant now) {
        String id = id(object);
        long generation = Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
        Streak streak = streaks.of(id, now)
                .filter(before -> before.generation() == generation)
                .map(before ->
                        new Streak(generation, Math.max(before.count(), before.count() + 1), before.first(), now))
                .orElseGet(() -> new Streak(generation, 1, now, now));
        streaks.keep(id, streak, now, now.plus(MEMORY));
        return streak;
    }

    synchronized void ended(HasMetadata object) {
        streaks.forget(id(object));
    }

    int size() {
        return streaks.size();
    }

    /** Returns the identity of an object: one recreated under the same name differs. */
    private static String id(HasMetadata object) {
        return Objects.requireNonNullElseGet(
                object.getMetadata().getUid(), () -> object.getKind() + " " + ObjectKey.of(object));
    }
}
