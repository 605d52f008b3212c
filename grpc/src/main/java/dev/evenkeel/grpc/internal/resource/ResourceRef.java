package dev.evenkeel.grpc.internal.resource;

import dev.evenkeel.engine.internal.type.Target;

/**
 * A checked identifier of one resource, with its defaults.
 *
 * @param namespace empty for types that have none
 * @param uid empty for any
 */
public record ResourceRef(ServedType type, String partition, String namespace, String name, String uid) {
    /** Returns the resource in the engine. */
    public Target target() {
        return type.target(namespace, name);
    }

    /** Returns the status of the resource in the engine. */
    public Target status() {
        return type.statusTarget(namespace, name);
    }
}
