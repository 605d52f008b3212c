package dev.evenkeel.controller;

import dev.evenkeel.client.ObjectKey;

/**
 * What is to be reconciled. It says where to look and not what happened: the world as it is now is what counts.
 *
 * @param key of the primary object
 */
public record Request(ObjectKey key) {
    @Override
    public String toString() {
        return key.toString();
    }
}
