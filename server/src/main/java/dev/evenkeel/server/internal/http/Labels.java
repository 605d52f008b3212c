package dev.evenkeel.server.internal.http;

/**
 * The labels of a request's metrics. Every value comes from a bounded set: types that are served, verbs, codes.
 *
 * @param verb upper case, such as {@code LIST}
 * @param group empty for the core group
 * @param version such as {@code v1}
 * @param resource plural name
 * @param subresource empty when there is none
 * @param scope {@code cluster}, {@code namespace} or {@code resource}
 */
public record Labels(String verb, String group, String version, String resource, String subresource, String scope) {
    /** The labels of requests for anything other than a resource. */
    public static final Labels OTHER = new Labels("other", "", "", "", "", "");

    /** Returns true for a read that ends. */
    boolean reads() {
        return verb.equals("GET") || verb.equals("LIST");
    }

    boolean longRunning() {
        return verb.equals("WATCH");
    }
}
