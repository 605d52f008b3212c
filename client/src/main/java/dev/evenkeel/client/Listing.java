package dev.evenkeel.client;

import java.util.List;

/**
 * A page of objects.
 *
 * @param items in the order of namespace and name
 * @param resourceVersion version of the state of the items: a watch may start from there
 * @param continueToken for the next page; empty on the last
 */
public record Listing<T>(List<T> items, String resourceVersion, String continueToken) {
    /** Copies the items. */
    public Listing {
        items = List.copyOf(items);
    }
}
