package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiPredicate;

/**
 * Repeats a part while a condition holds, until it {@linkplain Result#stops stops}. The outcome is that of all that
 * ran, also when the condition throws.
 *
 * <p>An endless loop would hold a worker indefinitely, so there is a limit: after that many iterations it fails with
 * {@link LimitException}, without evaluating the condition again.
 */
public final class While {
    /** The number of the iteration of the innermost loop, from 0 on; present within loops only. */
    public static final Stash.Key<Integer> ITERATION = Stash.Key.of("iteration", Integer.class);

    private static final int LIMIT = 100;

    /** Thrown when a loop has reached its limit. */
    public static final class LimitException extends RuntimeException {
        private final int iterations;

        LimitException(int iterations) {
            super("exceeded max iterations: " + iterations);
            this.iterations = iterations;
        }

        /** Returns the number of iterations. */
        public int iterations() {
            return iterations;
        }
    }

    private While() {}

    /** Returns a part that repeats this part while the condition holds; at most 100 times. */
    public static <T extends HasMetadata> Part<T> of(
            BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> part) {
        return atMost(LIMIT, condition, part);
    }

    /**
     * Returns a part that repeats this part while the condition holds; less often than the given limit, or it fails.
     */
    public static <T extends HasMetadata> Part<T> atMost(
            int limit, BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> part) {
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "limit: must be at least 1: " + limit + ": use While.unlimited(...) for none");
        }
        return loop(limit, condition, part);
    }

    /** Returns a part that repeats this part while the condition holds, without limit. */
    public static <T extends HasMetadata> Part<T> unlimited(
            BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> part) {
        return loop(Integer.MAX_VALUE, condition, part);
    }

    private static <T extends HasMetadata> Part<T> loop(
            int limit, BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> part) {
        Part<T> body = Part.of(part);
        return Part.of(Part.Description.of("While").slots("reconciler", body), (reconciliation, resource) -> {
            Result outcome = Result.done();
            for (int i = 0; !outcome.stops(); i++) {
                if (i == limit) {
                    return outcome.plus(Result.failed(new LimitException(limit)));
                }
                try {
                    if (!condition.test(reconciliation, resource)) {
                        break;
                    }
                } catch (RuntimeException e) {
                    return outcome.plus(Result.failed(e));
                }
                int iteration = i;
                outcome = outcome.plus(ReconcilerPath.within(
                        Integer.toString(i),
                        () -> reconciliation
                                .stash()
                                .with(ITERATION, iteration, () -> body.reconcile(reconciliation, resource))));
            }
            return outcome;
        });
    }
}
