package dev.evenkeel.simulation.internal;

import dev.evenkeel.client.ForwardingClient.Operation;
import dev.evenkeel.client.ObjectKey;

/**
 * A reference to an object.
 *
 * @param kind id of its kind, such as {@code configmaps}
 */
public record ObjectRef(String kind, ObjectKey key) implements Comparable<ObjectRef> {
    /**
     * Returns the object of an operation; without a name if the server generates it, or if there are several objects.
     */
    public static ObjectRef of(Operation operation) {
        return new ObjectRef(operation.kind().id(), operation.key());
    }

    /** Parses the text of a reference to an object with a name. */
    public static ObjectRef parse(String text) {
        int space = text.indexOf(' ');
        String key = text.substring(space + 1);
        int slash = key.indexOf('/');
        String namespace = key.substring(0, Math.max(0, slash));
        return new ObjectRef(text.substring(0, space), ObjectKey.of(namespace, key.substring(slash + 1)));
    }

    /** Returns true if it refers to one object. */
    public boolean named() {
        return !key.name().isEmpty();
    }

    @Override
    public int compareTo(ObjectRef other) {
        int result = kind.compareTo(other.kind);
        return result != 0 ? result : key.compareTo(other.key);
    }

    /** Returns the text, such as {@code configmaps default/blog}. */
    @Override
    public String toString() {
        return kind + " " + (named() ? key : "in " + key.namespace());
    }
}
