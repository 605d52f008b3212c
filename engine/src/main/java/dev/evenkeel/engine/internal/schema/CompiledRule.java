package dev.evenkeel.engine.internal.schema;

import java.util.Optional;

/**
 * One compiled rule.
 *
 * @param error the compilation error of the rule; empty when it compiles
 * @param messageError the compilation error of its messageExpression; empty when it compiles, or when there is none
 * @param usesOldSelf whether the rule compares with the old value
 * @param cost the maximum cost of evaluating the rule once
 * @param messageCost the maximum cost of evaluating its messageExpression; empty without one
 * @param evaluation evaluates it; any thread may call it
 */
public record CompiledRule(
        String error,
        String messageError,
        boolean usesOldSelf,
        long cost,
        Optional<Long> messageCost,
        Evaluation evaluation) {

    @FunctionalInterface
    public interface Evaluation {
        /**
         * Evaluates the rule.
         *
         * @param self the value; must not be changed
         * @param oldSelf the value before an update, if the schema identifies one
         * @param budget the remaining cost; is charged
         */
        Outcome of(Object self, Optional<Object> oldSelf, RuleBudget budget);
    }

    public sealed interface Outcome {
        record Holds() implements Outcome {}

        /** The rule does not hold; the message is that of its messageExpression, empty without one or when that failed. */
        record Broken(Optional<String> message) implements Outcome {}

        /** The rule could not be evaluated, for a reason such as {@code no such key: a}. */
        record Failed(String reason) implements Outcome {}

        /** Evaluation was stopped at a limit, and no more rules may be evaluated on this object. */
        record Stopped(Limit limit) implements Outcome {}
    }

    /** The limits of evaluation. */
    public enum Limit {
        /** The cost of one evaluation of a rule. */
        RULE,
        /** The cost of one evaluation of a messageExpression. */
        MESSAGE,
        /** The total cost of all rules on one object, exceeded by a rule. */
        OBJECT,
        /** The total cost of all rules on one object, exceeded by a messageExpression. */
        OBJECT_BY_MESSAGE
    }
}
