package dev.evenkeel.engine.internal.schema;

import java.util.Optional;

/**
 * One rule, compiled.
 *
 * @param error why the rule does not compile; empty when it does
 * @param messageError why its messageExpression does not compile; empty when it does, or when there is none
 * @param usesOldSelf whether the rule compares with the old value
 * @param cost what evaluating the rule once may cost at most
 * @param messageCost what evaluating its messageExpression may cost at most; empty without one
 * @param evaluation evaluates it; any thread may call it
 */
public record CompiledRule(
        String error,
        String messageError,
        boolean usesOldSelf,
        long cost,
        Optional<Long> messageCost,
        Evaluation evaluation) {

    /** Evaluates a rule on a value. */
    @FunctionalInterface
    public interface Evaluation {
        /**
         * Evaluates.
         *
         * @param self the value; must not be changed
         * @param oldSelf what it replaces, if there is something to compare it with
         * @param budget what the evaluation may cost; is charged
         */
        Outcome of(Object self, Optional<Object> oldSelf, RuleBudget budget);
    }

    /** What came of an evaluation. */
    public sealed interface Outcome {
        /** The rule holds. */
        record Holds() implements Outcome {}

        /**
         * The rule does not hold.
         *
         * @param message what its messageExpression says; empty without one, or when that failed
         */
        record Broken(Optional<String> message) implements Outcome {}

        /**
         * The rule could not be evaluated.
         *
         * @param reason why, such as {@code no such key: a}
         */
        record Failed(String reason) implements Outcome {}

        /**
         * Evaluation was stopped, and no more rules may be evaluated on this object.
         *
         * @param limit what was exceeded
         */
        record Stopped(Limit limit) implements Outcome {}
    }

    /** Bounds of evaluation. */
    public enum Limit {
        /** What one evaluation of a rule may cost. */
        RULE,
        /** What one evaluation of a messageExpression may cost. */
        MESSAGE,
        /** What all rules together may cost on one object, reached by a rule. */
        OBJECT,
        /** The same, reached by a messageExpression. */
        OBJECT_BY_MESSAGE
    }
}
