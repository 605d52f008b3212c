package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.api.model.Status;
import java.util.Optional;

/** Sees each request before it is answered. */
public interface RequestInterceptor {
    /**
     * Returns an answer other than the one of the API, or nothing. May wait.
     *
     * @param verb the verb, as in rules of RBAC
     * @param resource the plural of the resource, with its subresource if there is one: {@code pods/status}
     */
    Optional<Status> before(String verb, String resource);

    /** Returns true if requests may have to wait now. */
    boolean active();
}
