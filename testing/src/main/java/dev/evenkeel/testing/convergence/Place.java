package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.ObjectKey;

/**
 * Where an object is.
 *
 * @param kind id of its kind, such as {@code configmaps}
 */
record Place(String kind, ObjectKey key) implements Comparable<Place> {
    /** Reads what {@link #toString} writes. */
    static Place parse(String text) {
        int space = text.indexOf(' ');
        String key = text.substring(space + 1);
        int slash = key.indexOf('/');
        return new Place(
                text.substring(0, space),
                slash < 0 ? ObjectKey.cluster(key) : ObjectKey.of(key.substring(0, slash), key.substring(slash + 1)));
    }

    @Override
    public int compareTo(Place other) {
        int result = kind.compareTo(other.kind);
        return result != 0 ? result : key.compareTo(other.key);
    }

    /** Such as {@code configmaps default/blog}. */
    @Override
    public String toString() {
        return kind + " " + (key.name().isEmpty() ? "in " + key.namespace() : key);
    }
}
