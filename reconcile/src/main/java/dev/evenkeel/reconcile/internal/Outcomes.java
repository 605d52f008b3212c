package dev.evenkeel.reconcile.internal;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.internal.ReconcilerPath;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Outcomes of functions of users, which may throw, or return null. */
public final class Outcomes {
    private Outcomes() {}

    /**
     * Returns the outcome of a function.
     *
     * @param before the outcome so far, to which a failure is added
     * @param missing message of the failure when it returns null
     */
    @SuppressWarnings("ConstantValue") // what users write may return null
    public static Result of(Result before, Supplier<Result> function, Supplier<String> missing) {
        try {
            Result outcome = function.get();
            if (outcome == null) {
                throw new IllegalStateException(missing.get());
            }
            return outcome;
        } catch (RuntimeException e) {
            return before.plus(Result.failed(e));
        }
    }

    /** Maps an outcome at a step of this name. When that fails, nothing of the outcome is lost. */
    public static Result mapped(String name, Result outcome, UnaryOperator<Result> change) {
        Supplier<String> missing = () -> ReconcilerPath.text() + " returned null: return the outcome, or another one";
        return ReconcilerPath.within(name, () -> of(outcome, () -> change.apply(outcome), missing));
    }

    /** Returns the message of an exception; its class when it has none. */
    public static String message(Throwable error) {
        return Objects.requireNonNullElseGet(error.getMessage(), error::toString);
    }
}
