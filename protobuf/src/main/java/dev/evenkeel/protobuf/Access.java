package dev.evenkeel.protobuf;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.User;

/** The sender of a request, for the access rules of a type. */
public interface Access {
    /** Returns the user. Members of {@code system:masters} are not subject to access rules. */
    User user();

    /**
     * Returns true if the authorizers and roles of the partition allow the user a verb, which need not be one of the API.
     *
     * @param verb such as {@code read}, as in the verbs of a role
     * @param resource such as {@code catalog}, in the API group of the type; or of another group: {@code
     *     configmaps.} for the core group, {@code leases.coordination.k8s.io}
     * @param id the object; an empty namespace stands for all, an empty name for any
     */
    boolean allows(String verb, String resource, ObjectKey id);
}
