package dev.evenkeel.load.result;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A distribution of latencies.
 *
 * @param buckets the numbers of latencies, by ascending microseconds; the resolution is three decimal digits
 */
public record Latencies(List<Bucket> buckets) {
    /** No latency. */
    public static final Latencies NONE = new Latencies(List.of());

    /**
     * Latencies of one value.
     *
     * @param micros the value in microseconds
     * @param count their number
     */
    public record Bucket(long micros, long count) {}

    public Latencies {
        buckets = List.copyOf(buckets);
    }

    /** Returns all latencies of several distributions. */
    public static Latencies together(Collection<Latencies> several) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        several.forEach(
                one -> one.buckets().forEach(bucket -> counts.merge(bucket.micros(), bucket.count(), Long::sum)));
        return new Latencies(counts.entrySet().stream()
                .map(entry -> new Bucket(entry.getKey(), entry.getValue()))
                .toList());
    }

    /** Returns the number of latencies. */
    public long count() {
        return buckets.stream().mapToLong(Bucket::count).sum();
    }

    /** Returns the greatest latency; 0 if there is none. */
    public Duration max() {
        return micros(buckets.isEmpty() ? 0 : buckets.getLast().micros());
    }

    /** Returns the mean latency; 0 if there is none. */
    public Duration mean() {
        double sum = buckets.stream()
                .mapToDouble(bucket -> (double) bucket.micros() * bucket.count())
                .sum();
        return micros(buckets.isEmpty() ? 0 : Math.round(sum / count()));
    }

    /**
     * Returns the latency that a share of all does not exceed; 0 if there is none.
     *
     * @param percentile the share, from 0 to 100
     */
    public Duration percentile(double percentile) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100: " + percentile);
        }
        long rank = Math.max(1, (long) Math.ceil(percentile / 100 * count()));
        long seen = 0;
        for (Bucket bucket : buckets) {
            seen += bucket.count();
            if (seen >= rank) {
                return micros(bucket.micros());
            }
        }
        return Duration.ZERO;
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }
}
