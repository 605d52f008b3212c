package dev.evenkeel.engine.internal.schema;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of a schema ({@code x-kubernetes-validations}). It is asked only when a schema has rules, so that
 * the language behind it need not be loaded before.
 */
@FunctionalInterface
public interface RuleCompiler {
    /** Lets everything pass: every rule compiles, costs nothing and holds. */
    RuleCompiler NONE = (schema, resource) -> new CompiledRules(List.of(), 1);

    /**
     * Compiles the rules of one schema; not those of the schemas in it.
     *
     * @param schema the schema as it was written; must not be changed
     * @param resource whether the schema is of whole resources, in which apiVersion, kind and metadata are always there
     */
    CompiledRules compile(Map<String, @Nullable Object> schema, boolean resource);
}
