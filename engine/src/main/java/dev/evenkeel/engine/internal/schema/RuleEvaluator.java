package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the rules of a schema ({@code x-kubernetes-validations}) on an object that has passed everything else.
 * Called only when the schema has rules, and not after an error that prevents it (a missing field, a wrong type, too
 * long a list, a value out of an enumeration).
 */
@FunctionalInterface
public interface RuleEvaluator {
    /** Accepts everything. */
    RuleEvaluator NONE = (object, old) -> List.of();

    /**
     * Evaluates all rules.
     *
     * @param object the object to be written; must not be changed
     * @param old the object before an update; null on create
     */
    List<FieldError> evaluate(JsonObject object, @Nullable JsonObject old);
}
