package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/**
 * Compiles the rules of a schema ({@code x-kubernetes-validations}). Called only when a schema has rules, so that the
 * rule language need not be loaded before.
 */
@FunctionalInterface
public interface RuleCompiler {
    /** Accepts everything: every rule compiles, costs nothing and holds. */
    RuleCompiler NONE = (schema, resource) -> new CompiledRules(List.of(), 1);

    /**
     * Compiles the rules of one schema; not those of the schemas in it.
     *
     * @param schema the schema as written; must not be changed
     * @param resource true if the schema is of whole resources, which always have apiVersion, kind and metadata
     */
    CompiledRules compile(JsonObject schema, boolean resource);
}
