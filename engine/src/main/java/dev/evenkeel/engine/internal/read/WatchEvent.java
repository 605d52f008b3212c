package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.object.Document;
import java.util.function.Supplier;

/** An event of a watch; after a failure the watch is over. */
public sealed interface WatchEvent {
    /** The type of a change, seen through the selectors of the watch. */
    enum Type {
        /** The object was created or entered the selection. */
        ADDED,
        /** The object was changed. */
        MODIFIED,
        /** The object was deleted or left the selection. */
        DELETED
    }

    /**
     * A change of an object.
     *
     * <p>All watches of a change share the values of {@link #memo}, so that it is encoded once.
     */
    interface Change {
        Type type();

        /** Returns the object; when it was deleted, its last state at the revision of the deletion. */
        Document document();

        long revision();

        /** Returns the value memoised for this change, type and version under a name, computing it if absent. */
        <T> T memo(Object name, Supplier<T> maker);
    }

    record Changed(Change change) implements WatchEvent {}

    /** The watch has seen everything up to a revision; perhaps this ends the initial events. */
    record Bookmark(long revision, boolean initialEventsEnd) implements WatchEvent {}

    record Failed(Status status) implements WatchEvent {}
}
