package dev.evenkeel.engine;

import dev.evenkeel.client.Client;

/**
 * A logical cluster: its own namespaces, types and objects, in one store with the other partitions of an engine.
 *
 * <p>Implemented by the engine only; see {@link Engine#partition(String)}.
 */
public interface Partition {
    /** Returns the name; {@code default} is the partition that needs no prefix in URLs. */
    String name();

    /**
     * Returns a client of this partition.
     *
     * @param fieldManager owns the fields that the client writes, unless a write names another field manager
     */
    Client client(String fieldManager);

    /**
     * Returns a client of this partition that acts as a user: it may do what the user may do, and nothing else.
     *
     * @param fieldManager owns the fields that the client writes, unless a write names another field manager
     */
    Client client(String fieldManager, User user);
}
