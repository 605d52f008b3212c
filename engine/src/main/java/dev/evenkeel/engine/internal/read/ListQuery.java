package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;

/**
 * The selection of a list, and the revision to list.
 *
 * @param labels only objects with such labels
 * @param fields only objects with such fields
 * @param resourceVersion empty for the present, "0" for any, else a revision
 * @param match {@code Exact} or {@code NotOlderThan}: how to read the resourceVersion; empty for the default
 * @param limit how many at most; 0 or less for all
 * @param continueToken the end of an earlier page; empty for the first page
 */
public record ListQuery(
        LabelSelector labels,
        FieldSelector fields,
        String resourceVersion,
        String match,
        long limit,
        String continueToken) {
    /** All objects, now. */
    public static final ListQuery ALL =
            new ListQuery(LabelSelector.everything(), FieldSelector.everything(), "", "", 0, "");
}
