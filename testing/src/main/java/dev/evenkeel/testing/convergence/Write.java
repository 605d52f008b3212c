package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.ForwardingClient.Action;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;

/**
 * A write as the process asked for it.
 *
 * @param key without a name when the server is to make one, or when it is about several objects
 */
record Write(Action action, Kind<?> kind, ObjectKey key) {
    boolean named() {
        return !key.name().isEmpty();
    }

    boolean ofStatus() {
        return action.ofStatus();
    }

    boolean deletes() {
        return action.deletes();
    }

    Place place() {
        return new Place(kind.id(), key);
    }

    @Override
    public String toString() {
        return action + " " + place();
    }
}
