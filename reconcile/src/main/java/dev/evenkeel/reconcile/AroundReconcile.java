package dev.evenkeel.reconcile;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.internal.Outcomes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The frame around the work of a root: the first step, the last step, and the one way out. However it ends, the last
 * step sees the outcome; exceptions become outcomes.
 *
 * @param name of the root
 * @param before the first step; when it stops, the work is left out
 * @param after maps the outcome of all before to the final one
 */
record AroundReconcile<T extends HasMetadata>(
        String name, Function<Reconciliation<T>, Result> before, BiFunction<Reconciliation<T>, Result, Result> after) {
    static <T extends HasMetadata> AroundReconcile<T> none() {
        return new AroundReconcile<>("", reconciliation -> Result.done(), (reconciliation, outcome) -> outcome);
    }

    AroundReconcile<T> named(String value) {
        return new AroundReconcile<>(value, before, after);
    }

    AroundReconcile<T> before(Function<Reconciliation<T>, Result> value) {
        return new AroundReconcile<>(name, value, after);
    }

    AroundReconcile<T> after(BiFunction<Reconciliation<T>, Result, Result> value) {
        return new AroundReconcile<>(name, before, value);
    }

    Result around(Reconciliation<T> reconciliation, Supplier<Result> work) {
        return ReconcilerPath.within(name, () -> {
            Result first = outcome("before", () -> before.apply(reconciliation));
            Result all = first.stops() ? first : first.plus(outcome("work", work));
            return outcome("after", () -> after.apply(reconciliation, all));
        });
    }

    private Result outcome(String what, Supplier<Result> step) {
        return Outcomes.of(Result.done(), step, () -> name + ": " + what + " returned null: return Result.done()");
    }
}
