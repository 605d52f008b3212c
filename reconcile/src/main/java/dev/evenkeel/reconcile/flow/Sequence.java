package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Predicate;

/**
 * Runs parts in order, until one {@linkplain Result#stops stops}. The outcome is that of all that ran: a requeue time
 * set by an early part holds, whatever failure follows.
 */
public final class Sequence {
    private Sequence() {}

    /** Returns a part of these parts, in this order; may be empty. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T>... parts) {
        return of("Sequence", Result::stops, Part.all(parts));
    }

    static <T extends HasMetadata> Part<T> of(String type, Predicate<Result> end, List<Part<T>> parts) {
        return Part.of(Part.Description.of(type).slots(parts), (reconciliation, resource) -> {
            Result outcome = Result.done();
            for (Part<T> part : parts) {
                outcome = outcome.plus(part.reconcile(reconciliation, resource));
                if (end.test(outcome)) {
                    break;
                }
            }
            return outcome;
        });
    }
}
