package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;

/**
 * The namespace and name of an object.
 *
 * @param namespace namespace; empty for cluster-scoped objects
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    /** Returns a key in a namespace. */
    public static ObjectKey of(String namespace, String name) {
        return new ObjectKey(namespace, name);
    }

    /** Returns the key of a cluster-scoped object. */
    public static ObjectKey cluster(String name) {
        return new ObjectKey("", name);
    }

    /** Returns the key of an object; an empty one for an object without metadata, such as a review. */
    public static ObjectKey of(HasMetadata object) {
        if (object instanceof Encoded encoded) {
            return encoded.header().key();
        }
        ObjectMeta metadata = object.getMetadata();
        return metadata == null
                ? new ObjectKey("", "")
                : new ObjectKey(
                        Objects.requireNonNullElse(metadata.getNamespace(), ""),
                        Objects.requireNonNullElse(metadata.getName(), ""));
    }

    @Override
    public int compareTo(ObjectKey other) {
        // keys of one cache or store share the text of their namespace
        @SuppressWarnings("ReferenceEquality")
        int result = namespace == other.namespace ? 0 : namespace.compareTo(other.namespace);
        return result != 0 ? result : name.compareTo(other.name);
    }

    /** Returns {@code namespace/name}, or {@code name}. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
