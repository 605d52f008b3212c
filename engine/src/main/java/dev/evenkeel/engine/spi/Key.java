package dev.evenkeel.engine.spi;

/**
 * Where an object is stored.
 *
 * @param collection the partition and resource, such as {@code default/deployments.apps}: what lists and watches range
 *     over
 * @param namespace namespace; empty for cluster-scoped objects
 * @param name name
 */
public record Key(String collection, String namespace, String name) implements Comparable<Key> {
    /** By collection, then namespace, then name, each by code points: the order of their UTF-8 bytes. */
    @Override
    public int compareTo(Key other) {
        int result = compare(collection, other.collection);
        if (result == 0) {
            result = compare(namespace, other.namespace);
        }
        return result != 0 ? result : compare(name, other.name);
    }

    /**
     * Compares by code points. {@link String#compareTo} compares UTF-16 units, which sorts the code points above U+FFFF
     * (as pairs from U+D800 on) before those from U+E000 to U+FFFF.
     */
    @SuppressWarnings("ReferenceEquality") // only a shortcut: stores share the strings of neighbours
    private static int compare(String a, String b) {
        if (a == b) {
            return 0;
        }
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Character.isSurrogate(x) == Character.isSurrogate(y) || Math.min(x, y) < Character.MIN_SURROGATE
                        ? x - y
                        : y - x;
            }
        }
        return a.length() - b.length();
    }
}
