package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/**
 * A running watch, read by one thread.
 *
 * @param <T> class of the objects
 */
public interface Watch<T extends HasMetadata> extends AutoCloseable {
    /**
     * Waits for the next event.
     *
     * @return empty when the watch ended: the server's time was up, or {@link #close} was called. Watch again, from the
     *     last version seen
     * @throws ApiException when the watch failed: {@link ExpiredException} means that a new list is needed
     * @throws InterruptedException when the thread is interrupted
     */
    Optional<Event<T>> next() throws InterruptedException;

    /**
     * Whether {@link #next} would answer at once. False when it might wait, or when nobody can tell, as with a connection
     * whose next bytes are still to come.
     */
    default boolean ready() {
        return false;
    }

    /** Ends the watch; a waiting {@link #next} returns. */
    @Override
    void close();

    /** How an object changed, seen through the selectors of the watch. */
    enum Type {
        /** It came. */
        ADDED,
        /** It changed. */
        MODIFIED,
        /** It went; the object is its last state. */
        DELETED,
        /** Nothing changed; everything up to the object's resourceVersion was seen. The object has nothing else. */
        BOOKMARK
    }

    /**
     * A change.
     *
     * @param type how
     * @param object the object, the receiver's own copy
     * @param resourceVersion of the change
     */
    record Event<T extends HasMetadata>(Type type, T object, String resourceVersion) {
        /** The annotation by which a bookmark says it. */
        public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

        /** Whether this is the bookmark after the last object that was there when the watch began. */
        public boolean initialEventsEnd() {
            if (type != Type.BOOKMARK) {
                return false;
            }
            Map<String, String> annotations = object.getMetadata().getAnnotations();
            return annotations != null && "true".equals(annotations.get(INITIAL_EVENTS_END));
        }
    }
}
