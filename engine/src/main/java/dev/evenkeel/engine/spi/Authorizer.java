package dev.evenkeel.engine.spi;

import dev.evenkeel.engine.User;

/**
 * Decides whether a user may make a request.
 *
 * <p>It is called for every request, by many threads, and should return within microseconds. Members of
 * {@code system:masters} are allowed before any authorizer is called.
 */
@FunctionalInterface
public interface Authorizer {
    /** Returns the decision about a request. */
    Decision authorize(Attributes attributes);

    /** Possible decisions. */
    enum Outcome {
        /** The request is allowed. */
        ALLOW,
        /** The request is refused, whatever other authorizers say. */
        DENY,
        /** The next authorizer decides; if there is none, the request is refused. */
        NO_OPINION
    }

    /**
     * A decision.
     *
     * @param reason why, for users and reviews; may be empty
     */
    record Decision(Outcome outcome, String reason) {
        /** Leaves the decision to others. */
        public static final Decision NO_OPINION = new Decision(Outcome.NO_OPINION, "");

        /** Allows the request. */
        public static Decision allow(String reason) {
            return new Decision(Outcome.ALLOW, reason);
        }

        /** Refuses the request. */
        public static Decision deny(String reason) {
            return new Decision(Outcome.DENY, reason);
        }

        /** Returns true if the request is allowed. */
        public boolean allowed() {
            return outcome == Outcome.ALLOW;
        }
    }

    /**
     * The facts of a request that are authorized: a verb on a resource, or on the path of a URL.
     *
     * @param verb such as {@code get}, {@code deletecollection} or {@code impersonate}; for paths the HTTP method in lower
     *     case
     * @param group API group; empty for the core group
     * @param version such as {@code v1}; empty when not known
     * @param resource plural name; empty for paths
     * @param subresource such as {@code status}; empty for the object itself
     * @param namespace empty for cluster-scoped resources and requests across namespaces
     * @param name name of the object; empty when the request names none
     * @param path path of the URL, such as {@code /metrics}; empty for resources
     * @param resourceRequest whether the request is about a resource
     */
    record Attributes(
            User user,
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String namespace,
            String name,
            String path,
            boolean resourceRequest) {
        /** Returns the attributes of a request about a path that is not a resource. */
        public static Attributes ofPath(User user, String verb, String path) {
            return new Attributes(user, verb, "", "", "", "", "", "", path, false);
        }

        /** Returns the attributes of a request about a resource. */
        public static Attributes ofResource(
                User user,
                String verb,
                String group,
                String version,
                String resource,
                String subresource,
                String namespace,
                String name) {
            return new Attributes(user, verb, group, version, resource, subresource, namespace, name, "", true);
        }

        /** Returns {@code resource}, or {@code resource/subresource}. */
        public String resourcePath() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }

        /** Returns the attributes of the same request of another user. */
        public Attributes user(User value) {
            return copy(value, verb);
        }

        /** Returns the attributes of another verb. */
        public Attributes verb(String value) {
            return copy(user, value);
        }

        private Attributes copy(User who, String what) {
            return new Attributes(
                    who, what, group, version, resource, subresource, namespace, name, path, resourceRequest);
        }
    }
}
