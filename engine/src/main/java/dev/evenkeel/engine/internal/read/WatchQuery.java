package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import java.util.Optional;

/**
 * The selection of a watch, and the revision to start from.
 *
 * @param labels only objects with such labels; an object that leaves the selection is DELETED for this watch
 * @param fields only objects with such fields, likewise
 * @param resourceVersion events after it; empty or "0": the present state first, as ADDED
 * @param match must be {@code NotOlderThan} together with {@code sendInitialEvents}; empty otherwise
 * @param sendInitialEvents true to begin with the present state, ended by a bookmark
 * @param bookmarks true if the watch may receive bookmarks
 */
public record WatchQuery(
        LabelSelector labels,
        FieldSelector fields,
        String resourceVersion,
        String match,
        Optional<Boolean> sendInitialEvents,
        boolean bookmarks) {
    /** All objects: the present state first, then changes. */
    public static final WatchQuery ALL =
            new WatchQuery(LabelSelector.everything(), FieldSelector.everything(), "", "", Optional.empty(), false);
}
