package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/**
 * Compiles the rules of a schema ({@code x-kubernetes-validations}). Called only when a schema has rules, so that the
 * rule language need not be loaded before.
 */
@FunctionalInterface
public interface RuleCompiler {
    /**
     * The compiled rules of one schema.
     *
     * @param rules in the order in which they were written; empty when the values of the schema cannot be seen by rules
     * @param cardinality how many values of the schema may be in one object, when nothing but its size bounds them; 0
     *     when rules cannot see them
     */
    record Compiled(List<CompiledRule> rules, long cardinality) {
        public static final Compiled INVISIBLE = new Compiled(List.of(), 0);
    }

    /** Accepts everything: every rule compiles, costs nothing and holds. */
    RuleCompiler NONE = (schema, resource) -> new Compiled(List.of(), 1);

    /**
     * Compiles the rules of one schema; not those of the schemas in it.
     *
     * @param schema the schema as written; must not be changed
     * @param resource true if the schema is of whole resources, which always have apiVersion, kind and metadata
     */
    Compiled compile(JsonObject schema, boolean resource);
}
