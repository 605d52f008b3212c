package dev.evenkeel.engine.spi;

/**
 * What a watch ranges over: a collection, one of its namespaces, or one key.
 *
 * @param collection collection
 * @param namespace namespace; empty for all, and for keys without a namespace
 * @param name name; empty for all
 */
public record Range(String collection, String namespace, String name) {
    /** All keys of a collection. */
    public static Range of(String collection) {
        return new Range(collection, "", "");
    }

    /** The keys of a collection in a namespace; the empty namespace stands for all. */
    public static Range of(String collection, String namespace) {
        return new Range(collection, namespace, "");
    }

    /** One key. */
    public static Range of(Key key) {
        return new Range(key.collection(), key.namespace(), key.name());
    }

    /** Whether a key lies in it. */
    public boolean includes(Key key) {
        return (name.isEmpty() || name.equals(key.name()))
                && (namespace.equals(key.namespace()) || (namespace.isEmpty() && name.isEmpty()))
                && collection.equals(key.collection());
    }
}
