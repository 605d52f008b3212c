package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;

/** Finds the rules of a version of a type. */
@FunctionalInterface
public interface Strategies {
    ResourceStrategy of(ResourceType type, ResourceType.Version version);

    /** Returns the strategy of the target's version. */
    default ResourceStrategy of(Target target) {
        return of(target.type(), target.version());
    }
}
