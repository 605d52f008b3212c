package dev.evenkeel.check.internal.script;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.cel.Condition;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.util.Optional;

/**
 * A rule in CEL that each written object of a resource must keep at all times; its variable is {@code object}.
 */
public final class Invariant {
    private final String resource;
    private final String rule;
    private final String message;
    private final Condition condition;

    Invariant(String resource, String rule, String message) {
        this.resource = resource;
        this.rule = rule;
        this.message = message;
        condition = Condition.of(rule);
        if (!condition.error().isEmpty()) {
            throw new IllegalArgumentException("always: the rule \"" + rule + "\" is not valid: " + condition.error());
        }
    }

    /** Returns the resource, such as {@code configmaps}. */
    public String resource() {
        return resource;
    }

    /** Returns why an object does not keep the rule; empty if it does. */
    public Optional<String> violation(byte[] object) {
        Condition.Result result = condition.evaluate(
                Json.parseObject(object, JsonLimits.DEFAULT), null, new JsonObject(), new RuleBudget(Condition.BUDGET));
        return switch (result) {
            case Condition.Result.Known known -> known.holds() ? Optional.empty() : Optional.of(text());
            case Condition.Result.Failed failed -> Optional.of(text() + "; it cannot be evaluated: " + failed.reason());
            case Condition.Result.Exhausted exhausted -> Optional.of(text() + "; it costs too much to evaluate");
        };
    }

    private String text() {
        return message.isEmpty() ? rule : message;
    }
}
