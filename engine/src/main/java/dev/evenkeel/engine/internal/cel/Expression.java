package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.schema.CompiledRule.Limit;
import dev.evenkeel.engine.internal.schema.CompiledRule.Outcome;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A compiled rule.
 *
 * @param shape the type of self and oldSelf
 * @param rule the steps of the rule
 * @param message the steps of its messageExpression; null without one
 * @param variables how many variables a frame needs for either
 * @param optionalOld whether oldSelf is an optional
 */
record Expression(
        SchemaType shape, Planner.Step rule, Planner.@Nullable Step message, int variables, boolean optionalOld) {
    private static final int MESSAGE_BYTES = 5 * 1024;

    Outcome evaluate(Object self, Optional<Object> oldSelf, RuleBudget budget) {
        Object value = shape.read(self);
        Object old = oldSelf.<Object>map(shape::read).orElse(Nothing.NULL);
        if (optionalOld) {
            old = oldSelf.isPresent() ? Optional.of(old) : Optional.empty();
        }
        Object result = run(rule, value, old, budget);
        return switch (result) {
            case Boolean holds when holds -> new Outcome.Holds();
            case Boolean unused -> broken(value, old, budget);
            case Limit limit -> new Outcome.Stopped(limit);
            case Problem problem -> new Outcome.Failed(problem.text());
            default -> new Outcome.Failed(Problem.NO_SUCH_OVERLOAD.text());
        };
    }

    private Outcome broken(Object self, Object old, RuleBudget budget) {
        if (message == null) {
            return new Outcome.Broken(Optional.empty());
        }
        return switch (run(message, self, old, budget)) {
            case Limit limit -> new Outcome.Stopped(limit == Limit.RULE ? Limit.MESSAGE : Limit.OBJECT_BY_MESSAGE);
            case String text -> new Outcome.Broken(Optional.of(text.strip()).filter(Expression::isUsable));
            default -> new Outcome.Broken(Optional.empty());
        };
    }

    private static boolean isUsable(String message) {
        return !message.isEmpty() && message.indexOf('\n') < 0 && Names.bytes(message) <= MESSAGE_BYTES;
    }

    private Object run(Planner.Step step, Object self, Object old, RuleBudget budget) {
        boolean tight = budget.left() < RuleBudget.PER_RULE;
        Frame frame = new Frame(variables, Math.min(budget.left(), RuleBudget.PER_RULE));
        frame.variables[0] = self;
        frame.variables[1] = old;
        try {
            return step.in(frame);
        } catch (Frame.Exhausted e) {
            return tight ? Limit.OBJECT : Limit.RULE;
        } finally {
            budget.take(frame.cost());
        }
    }
}
