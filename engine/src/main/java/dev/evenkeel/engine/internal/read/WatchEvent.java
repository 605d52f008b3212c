package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.object.Document;
import java.util.function.Supplier;

/** What a watch tells. */
public sealed interface WatchEvent {
    /** How an object changed, seen through the selectors of the watch. */
    enum Type {
        /** It came. */
        ADDED,
        /** It changed. */
        MODIFIED,
        /** It went. */
        DELETED
    }

    /**
     * An object changed.
     *
     * <p>All watches of a change share what is remembered with {@link #memo}: its encoding is made once.
     */
    interface Change {
        /** How. */
        Type type();

        /** The object: its last state, at the revision of the change, when it went. */
        Document document();

        /** The revision of the change. */
        long revision();

        /** What was made of this change, of this type and in this version, under a name before; or makes it. */
        <T> T memo(Object name, Supplier<T> maker);
    }

    /**
     * An object changed.
     *
     * @param change what, and how
     */
    record Changed(Change change) implements WatchEvent {}

    /**
     * The watch has seen everything up to a revision.
     *
     * @param revision up to which
     * @param initialEventsEnd whether this ends the initial events
     */
    record Bookmark(long revision, boolean initialEventsEnd) implements WatchEvent {}

    /**
     * The watch has failed and is over.
     *
     * @param status why
     */
    record Failed(Status status) implements WatchEvent {}
}
