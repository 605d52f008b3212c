package dev.evenkeel.client;

import java.time.Duration;

/**
 * Options of a list or watch.
 *
 * @param namespace only objects of this namespace; empty for all
 * @param labels only objects with such labels
 * @param fields only objects with such fields
 * @param limit the maximum size of a page; 0 for all at once
 * @param continueToken the end of an earlier page; empty for the first page
 * @param resourceVersion for lists: empty for the current state, "0" for any, another for one not older than it; for
 *     watches: events after it, or empty to get the current state first
 * @param sendInitialEvents for watches: the current state comes first, at least as new as the version, and then a
 *     bookmark that {@linkplain Watch.Event#initialEventsEnd ends} it
 * @param timeout for watches: the time after which the server ends them; zero for the server's choice
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
    /** All objects of all namespaces. */
    public static final ListOptions ALL = in("");

    /** Returns options for all objects of a namespace. */
    public static ListOptions in(String namespace) {
        return new ListOptions(
                namespace, LabelSelector.everything(), FieldSelector.everything(), 0, "", "", false, Duration.ZERO);
    }

    /** Returns a copy with this label selector. */
    public ListOptions labels(LabelSelector value) {
        return new ListOptions(
                namespace, value, fields, limit, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** Returns a copy with this field selector. */
    public ListOptions fields(FieldSelector value) {
        return new ListOptions(
                namespace, labels, value, limit, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** Returns a copy in pages of this size. */
    public ListOptions limit(long value) {
        return new ListOptions(
                namespace, labels, fields, value, continueToken, resourceVersion, sendInitialEvents, timeout);
    }

    /** Returns a copy from where an earlier page ended. */
    public ListOptions continueToken(String value) {
        return new ListOptions(namespace, labels, fields, limit, value, resourceVersion, sendInitialEvents, timeout);
    }

    /** Returns a copy at, or for watches after, this version. */
    public ListOptions resourceVersion(String value) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, value, sendInitialEvents, timeout);
    }

    /** Returns a copy with or without the present state before the events. */
    public ListOptions sendInitialEvents(boolean value) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, resourceVersion, value, timeout);
    }

    /** Returns a copy ended by the server after this time. */
    public ListOptions timeout(Duration value) {
        return new ListOptions(
                namespace, labels, fields, limit, continueToken, resourceVersion, sendInitialEvents, value);
    }
}
