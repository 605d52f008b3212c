package dev.evenkeel.junit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * The watches that were cut, and that their operator must open again before it is at rest. Its client does so after a time
 * in which nothing is under way, so the operator seems to be quiet. Used with a lock, under which watches are also counted.
 */
final class ReopenedWatches {
    /** The number of open watches of each kind before some of them were cut. */
    private final Map<String, Long> expected = new HashMap<>();

    /**
     * Notes that watches of a kind are cut.
     *
     * @param open the number of its open watches before
     */
    void cut(String kind, long open) {
        expected.merge(kind, open, Math::max);
    }

    /**
     * Returns true if as many watches are open as before. A watch that has begun since the operator was found to be quiet
     * does not count yet: what it has to deliver is still on its way.
     *
     * @param open returns the number of open watches of a kind
     * @param quiet returns false if something has begun since the operator was found to be quiet
     */
    boolean areOpen(ToLongFunction<String> open, BooleanSupplier quiet) {
        if (expected.isEmpty()) {
            return true;
        }
        List<String> reopened = expected.entrySet().stream()
                .filter(watch -> open.applyAsLong(watch.getKey()) >= watch.getValue())
                .map(Map.Entry::getKey)
                .toList();
        if (!quiet.getAsBoolean()) {
            return false;
        }
        reopened.forEach(expected::remove);
        return expected.isEmpty();
    }

    /** Returns the kinds of the watches that are missing. */
    List<String> missing() {
        return expected.keySet().stream().sorted().toList();
    }
}
