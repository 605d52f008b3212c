package dev.evenkeel.engine;

import dev.evenkeel.engine.type.ResourceType;

/** Finds how objects of a type behave. */
@FunctionalInterface
interface Behaviours {
    /** The behaviour of a type. */
    Behaviour of(ResourceType type);
}
