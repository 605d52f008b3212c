package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Trail;
import java.util.function.UnaryOperator;

/** What users make of an outcome. When that fails, nothing of the outcome is lost. */
final class Afterthought {
    private Afterthought() {}

    @SuppressWarnings("ConstantValue") // what users write may return null
    static Outcome of(String name, Outcome outcome, UnaryOperator<Outcome> change) {
        return Trail.within(name, () -> {
            try {
                Outcome changed = change.apply(outcome);
                if (changed == null) {
                    throw new IllegalStateException(
                            Trail.text() + " returned null: return the outcome, or another one");
                }
                return changed;
            } catch (RuntimeException e) {
                return outcome.plus(Outcome.failed(e));
            }
        });
    }
}
