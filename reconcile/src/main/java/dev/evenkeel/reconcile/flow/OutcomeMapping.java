package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.internal.ReconcilerPath;
import java.util.function.UnaryOperator;

/** Maps an outcome by a user's function. When that fails, nothing of the outcome is lost. */
final class OutcomeMapping {
    private OutcomeMapping() {}

    @SuppressWarnings("ConstantValue") // what users write may return null
    static Result of(String name, Result outcome, UnaryOperator<Result> change) {
        return ReconcilerPath.within(name, () -> {
            try {
                Result changed = change.apply(outcome);
                if (changed == null) {
                    throw new IllegalStateException(
                            ReconcilerPath.text() + " returned null: return the outcome, or another one");
                }
                return changed;
            } catch (RuntimeException e) {
                return outcome.plus(Result.failed(e));
            }
        });
    }
}
