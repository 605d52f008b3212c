package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.internal.type.ResourceType;

/** Finds how objects of a type behave. */
@FunctionalInterface
public interface Behaviours {
    /** The behaviour of a type. */
    Behaviour of(ResourceType type);
}
