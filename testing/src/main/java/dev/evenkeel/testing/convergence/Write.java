package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import java.util.List;

/**
 * A write as the process asked for it.
 *
 * @param key without a name when the server is to make one, or when it is about several objects
 */
record Write(String verb, Kind<?> kind, ObjectKey key) {
    static final String DELETE = "delete";
    static final String DELETE_ALL = "delete all";
    static final String UPDATE_STATUS = "update status";
    static final String PATCH_STATUS = "patch status";
    static final String APPLY_STATUS = "apply status";

    private static final List<String> OF_STATUS = List.of(UPDATE_STATUS, PATCH_STATUS, APPLY_STATUS);

    boolean named() {
        return !key.name().isEmpty();
    }

    boolean ofStatus() {
        return OF_STATUS.contains(verb);
    }

    boolean deletes() {
        return verb.equals(DELETE) || verb.equals(DELETE_ALL);
    }

    Place place() {
        return new Place(kind.id(), key);
    }

    @Override
    public String toString() {
        return verb + " " + place();
    }
}
