package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the rules of a schema ({@code x-kubernetes-validations}) on an object that has passed everything else. It is
 * asked only when the schema has rules, and not when an error stands in the way (a missing field, a wrong type, too long
 * a list, a value out of an enumeration).
 */
@FunctionalInterface
public interface RuleEvaluator {
    /** Lets everything pass. */
    RuleEvaluator NONE = (object, old) -> List.of();

    /**
     * Evaluates all rules.
     *
     * @param object the object to be written; must not be changed
     * @param old what it replaces; null on create
     */
    List<FieldError> evaluate(Map<String, @Nullable Object> object, @Nullable Map<String, @Nullable Object> old);
}
