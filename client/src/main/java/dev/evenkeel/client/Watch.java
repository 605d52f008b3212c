package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/** A running watch, read by one thread. */
public interface Watch<T extends HasMetadata> extends AutoCloseable {
    /**
     * Waits for the next event.
     *
     * @return empty when the watch ended: the server's timeout passed, or {@link #close} was called. Watch again, from
     *     the last version seen
     * @throws ApiException when the watch failed: {@link ExpiredException} means that a new list is needed
     * @throws InterruptedException when the thread is interrupted
     */
    Optional<Event<T>> next() throws InterruptedException;

    /**
     * Returns whether {@link #next} would answer at once. False when it might wait, or when that cannot be determined,
     * as with a connection whose next bytes have not arrived.
     */
    default boolean ready() {
        return false;
    }

    /** Ends the watch; a waiting {@link #next} returns. */
    @Override
    void close();

    /** The type of a change, seen through the selectors of the watch. */
    enum Type {
        /** The object was added. */
        ADDED,
        /** The object was modified. */
        MODIFIED,
        /** The object was deleted; it is given in its last state. */
        DELETED,
        /** Nothing changed; everything up to the object's resourceVersion was seen. The object is otherwise empty. */
        BOOKMARK
    }

    /**
     * A change.
     *
     * @param object the object, the receiver's own copy
     * @param resourceVersion version of the change
     */
    record Event<T extends HasMetadata>(Type type, T object, String resourceVersion) {
        /** The annotation of the bookmark that ends the initial events. */
        public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

        /** Returns whether this is the bookmark after the last object that existed when the watch began. */
        public boolean initialEventsEnd() {
            if (type != Type.BOOKMARK) {
                return false;
            }
            Map<String, String> annotations = object.getMetadata().getAnnotations();
            return annotations != null && "true".equals(annotations.get(INITIAL_EVENTS_END));
        }
    }
}
