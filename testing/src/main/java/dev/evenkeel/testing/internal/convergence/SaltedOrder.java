package dev.evenkeel.testing.internal.convergence;

import java.util.Map;
import java.util.Set;

/**
 * The order of {@code Map.of} and {@code Set.of} in this JVM.
 *
 * <p>A salt, drawn at the start of a JVM, sets the entry with which their iteration begins, and its direction. No option
 * of the JVM sets it, so JVMs are started until one has the required order. For all pairs of slots of the smallest map,
 * one JVM in eight has the reverse order of this one, and one in eight the same order. Larger maps are then iterated in
 * the reverse or the same direction.
 */
final class SaltedOrder {
    private static final int SLOTS = 4;

    private SaltedOrder() {}

    /** Returns a bit for each pair of keys: whether the smaller one is first. */
    static String here() {
        StringBuilder bits = new StringBuilder();
        for (int first = 0; first < SLOTS; first++) {
            for (int second = first + 1; second < SLOTS; second++) {
                Map<Integer, String> pair = Map.of(first, "", second, "");
                bits.append(pair.keySet().iterator().next() == first ? '1' : '0');
            }
        }
        return bits.append(Set.of(0, 1).iterator().next() == 0 ? '1' : '0').toString();
    }

    /** Returns the order in which each pair is the other way round. */
    static String reverse(String order) {
        return order.replace('1', '-').replace('0', '1').replace('-', '0');
    }
}
