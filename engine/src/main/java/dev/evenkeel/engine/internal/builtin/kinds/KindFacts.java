package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;

/**
 * The facts about one version of a built-in kind.
 *
 * @param type the type
 * @param version the version
 * @param resource the line of the fact table
 * @param head the head of documents
 */
record KindFacts(ResourceType type, ResourceType.Version version, BuiltinResource resource, byte[] head) {
    KindFacts(ResourceType type, ResourceType.Version version, BuiltinResource resource) {
        this(type, version, resource, ResourceStrategy.head(type, version));
    }
}
