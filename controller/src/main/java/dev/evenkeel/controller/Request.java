package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;

/**
 * A request to reconcile a key. It does not state what happened: only the present state of the cluster counts.
 *
 * @param key key of the primary object
 */
public record Request(ObjectKey key) {
    @Override
    public String toString() {
        return key.toString();
    }
}
