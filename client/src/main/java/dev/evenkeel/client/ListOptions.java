package dev.evenkeel.client;

import java.time.Duration;

/**
 * Which objects to list or watch.
 *
 * @param namespace only of this namespace; empty for all
 * @param labels only objects with such labels
 * @param fields only objects with such fields
 * @param limit how many at most a page; 0 for all at once
 * @param continueToken where an earlier page ended; empty for the first page
 * @param resourceVersion for lists: empty for the present, "0" for any, another for none older than it; for watches: events after it, or empty to get the
 *     present state first
 * @param sendInitialEvents for watches: the present state comes first, at least as new as the version, and then a bookmark
 *     that {@linkplain Watch.Event#initialEventsEnd ends} it
 * @param timeout for watches: when the server ends them; zero for when it likes
 */
public record ListOptions(
        String namespace,
        LabelSelector labels,
        FieldSelector fields,
        long limit,
        String continueToken,
        String resourceVersion,
        boolean sendInitialEvents,
        Duration timeout) {
    /** All objects, everywhere. */
    public static final ListOptions ALL = new ListOptions(
            "", LabelSelector.everything(), FieldSelector.everything(), 0, "", "", false, Duration.ZERO);

    /** All objects of a namespace. */
    public static ListOptions in(String namespace) {
        return new ListOptions(
                namespace, LabelSelector.everything(), FieldSelector.everything(), 0, "", "", false, Duration.ZERO);
    }

    /** The same with this label selector. */
    public ListOptions withLabels(LabelSelector value) {
        return new ListOptions(
                namespace, value, fields, limit, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** The same with this field selector. */
    public ListOptions withFields(FieldSelector value) {
        return new ListOptions(
                namespace, labels, value, limit, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** The same in pages of this size. */
    public ListOptions withLimit(long value) {
        return new ListOptions(
                namespace, labels, fields, value, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** The same from where an earlier page ended. */
    public ListOptions withContinue(String value) {
        return new ListOptions(namespace, labels, fields, limit, value, resourceVersion, sendInitialEvents, timeout);
    }

    /** The same at, or for watches after, this version. */
    public ListOptions withResourceVersion(String value) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, value, sendInitialEvents, timeout);
    }

    /** The same, with or without the present state before the events. */
    public ListOptions withSendInitialEvents(boolean value) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, resourceVersion, value, timeout);
    }

    /** The same, ended by the server after this time. */
    public ListOptions withTimeout(Duration value) {
        return new ListOptions(
                namespace, labels, fields, limit, continueToken, resourceVersion, sendInitialEvents, value);
    }
}
