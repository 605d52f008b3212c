package dev.evenkeel.load.internal.run;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The requests of a controller.
 *
 * @param requests their numbers: by a verb, a space and a kind, such as {@code update pods}
 * @param statuses their numbers by status code
 * @param writes the number of those that change objects
 */
record Counted(SortedMap<String, Long> requests, SortedMap<Integer, Long> statuses, long writes) {
    /** Those of a controller whose requests are not known. */
    static final Counted UNKNOWN = new Counted(new TreeMap<>(), new TreeMap<>(), 0);

    /** Returns those since an earlier time. */
    Counted minus(Counted earlier) {
        return new Counted(
                difference(requests, earlier.requests),
                difference(statuses, earlier.statuses),
                writes - earlier.writes);
    }

    private static <K> SortedMap<K, Long> difference(SortedMap<K, Long> all, SortedMap<K, Long> earlier) {
        SortedMap<K, Long> rest = new TreeMap<>();
        all.forEach((key, number) -> {
            long more = number - earlier.getOrDefault(key, 0L);
            if (more != 0) {
                rest.put(key, more);
            }
        });
        return rest;
    }
}
