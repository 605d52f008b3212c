package dev.evenkeel.client;

/**
 * Which objects to list or watch.
 *
 * @param namespace only of this namespace; empty for all
 * @param labels only objects with such labels
 * @param fields only objects with such fields
 * @param limit how many at most a page; 0 for all at once
 * @param continueToken where an earlier page ended; empty for the first page
 * @param resourceVersion for lists: empty for the present, "0" for any; for watches: events after it, or empty to get the
 *     present state first
 */
public record ListOptions(
        String namespace,
        LabelSelector labels,
        FieldSelector fields,
        long limit,
        String continueToken,
        String resourceVersion) {
    /** All objects, everywhere. */
    public static final ListOptions ALL =
            new ListOptions("", LabelSelector.everything(), FieldSelector.everything(), 0, "", "");

    /** All objects of a namespace. */
    public static ListOptions in(String namespace) {
        return new ListOptions(namespace, LabelSelector.everything(), FieldSelector.everything(), 0, "", "");
    }

    /** The same with this label selector. */
    public ListOptions withLabels(LabelSelector value) {
        return new ListOptions(namespace, value, fields, limit, continueToken, resourceVersion);
    }

    /** The same with this field selector. */
    public ListOptions withFields(FieldSelector value) {
        return new ListOptions(namespace, labels, value, limit, continueToken, resourceVersion);
    }

    /** The same in pages of this size. */
    public ListOptions withLimit(long value) {
        return new ListOptions(namespace, labels, fields, value, continueToken, resourceVersion);
    }

    /** The same from where an earlier page ended. */
    public ListOptions withContinue(String value) {
        return new ListOptions(namespace, labels, fields, limit, value, resourceVersion);
    }

    /** The same at, or for watches after, this version. */
    public ListOptions withResourceVersion(String value) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, value);
    }
}
