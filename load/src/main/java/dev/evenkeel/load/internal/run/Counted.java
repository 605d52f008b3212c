package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.result.RequestCounts;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The requests of a controller.
 *
 * @param requests their counts, by a verb, a space and a kind, such as {@code update pods}
 */
record Counted(SortedMap<String, RequestCounts> requests) {
    /** Those of a controller whose requests are not known. */
    static final Counted UNKNOWN = new Counted(new TreeMap<>());

    /** Returns those since an earlier time. */
    Counted minus(Counted earlier) {
        SortedMap<String, RequestCounts> rest = new TreeMap<>();
        requests.forEach((request, counts) -> {
            RequestCounts more = counts.minus(earlier.requests.getOrDefault(request, RequestCounts.NONE));
            if (!more.equals(RequestCounts.NONE)) {
                rest.put(request, more);
            }
        });
        return new Counted(rest);
    }

    /** Returns the numbers of requests. */
    SortedMap<String, Long> numbers() {
        SortedMap<String, Long> numbers = new TreeMap<>();
        requests.forEach((request, counts) -> {
            // the bytes of a watch that was opened earlier count, too
            if (counts.count() > 0) {
                numbers.put(request, counts.count());
            }
        });
        return numbers;
    }

    /** Returns the number of requests. */
    long number() {
        return requests.values().stream().mapToLong(RequestCounts::count).sum();
    }

    /** Returns the number of requests that change objects. */
    long writes() {
        return RequestCounts.writes(requests);
    }
}
