package dev.evenkeel.engine.spi;

/**
 * Where an object is stored.
 *
 * @param collection the partition and resource, such as {@code default/deployments.apps}: what lists and watches range
 *     over
 * @param namespace namespace; empty for cluster-scoped objects
 * @param name name
 */
public record Key(String collection, String namespace, String name) implements Comparable<Key> {
    /** By collection, then namespace, then name, each by code points as upstream orders its keys' bytes. */
    @Override
    public int compareTo(Key other) {
        int result = collection.compareTo(other.collection);
        if (result == 0) {
            result = namespace.compareTo(other.namespace);
        }
        return result != 0 ? result : name.compareTo(other.name);
    }
}
