package dev.evenkeel.engine.internal.schema;

import java.util.List;

/**
 * The compiled rules of one schema.
 *
 * @param rules in the order in which they were written; empty when the values of the schema cannot be seen by rules
 * @param cardinality how many values of the schema may be in one object, when nothing but its size bounds them
 */
public record CompiledRules(List<CompiledRule> rules, long cardinality) {
    /** The result for values that rules cannot see. */
    public static final CompiledRules INVISIBLE = new CompiledRules(List.of(), 0);

    /** Returns true if the rules are on values that rules cannot see. */
    boolean invisible() {
        return rules.isEmpty() && cardinality == 0;
    }
}
