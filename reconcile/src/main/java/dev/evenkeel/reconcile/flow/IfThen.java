package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiPredicate;

/** Runs one part or another. The condition is evaluated once in each reconciliation. */
public final class IfThen {
    private IfThen() {}

    /** Returns a part that runs this part if the condition holds, otherwise nothing. */
    public static <T extends HasMetadata> Part<T> of(
            BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> then) {
        Part<T> yes = Part.of(then);
        return Part.of(
                Part.Description.of("IfThen").slots("then", yes),
                (reconciliation, resource) -> condition.test(reconciliation, resource)
                        ? yes.reconcile(reconciliation, resource)
                        : Result.done());
    }

    /** Returns a part that runs the first part if the condition holds, otherwise the second. */
    public static <T extends HasMetadata> Part<T> of(
            BiPredicate<Reconciliation<T>, T> condition, SubReconciler<T> then, SubReconciler<T> otherwise) {
        Part<T> yes = Part.of(then);
        Part<T> no = Part.of(otherwise);
        return Part.of(
                Part.Description.of("IfThen").slots("then", yes).slots("else", no),
                (reconciliation, resource) ->
                        (condition.test(reconciliation, resource) ? yes : no).reconcile(reconciliation, resource));
    }
}
