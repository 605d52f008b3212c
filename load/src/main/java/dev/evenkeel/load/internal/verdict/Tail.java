package dev.evenkeel.load.internal.verdict;

import dev.evenkeel.load.result.Latencies;
import java.time.Duration;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.discrete.BinomialDistribution;

/**
 * The latencies over a bound, as a test of a percentile.
 *
 * <p>The 99th percentile is under a bound exactly if at most 1 % of the latencies are over it. Their number has a binomial
 * distribution whatever that of the latencies, so the test is exact, and needs no resamples.
 *
 * @param count the number of latencies
 * @param over the number of those over the bound
 * @param share the share that may be over the bound
 */
record Tail(long count, long over, double share) {
    static Tail of(Latencies latencies, double percentile, Duration bound) {
        long micros = bound.toNanos() / 1_000;
        long over = latencies.buckets().stream()
                .filter(bucket -> bucket.micros() > micros)
                .mapToLong(Latencies.Bucket::count)
                .sum();
        return new Tail(latencies.count(), over, 1 - percentile / 100);
    }

    /** Returns the confidence that the percentile is under the bound. */
    double under() {
        return count == 0 ? 0 : 1 - distribution().cumulativeProbability((int) Math.min(over, Integer.MAX_VALUE));
    }

    /** Returns the confidence that the percentile is over the bound. */
    double exceeds() {
        return count == 0 || over == 0
                ? 0
                : distribution().cumulativeProbability((int) Math.min(over - 1, Integer.MAX_VALUE));
    }

    /** Returns the number of further latencies for a confidence, if they are distributed as these. */
    long missing(double level) {
        double least = Math.log(1 - level) / Math.log(1 - share);
        if (over == 0) {
            return Math.max(1, (long) Math.ceil(least) - count);
        }
        double measured = (double) over / count;
        double z = new NormalDistribution().inverseCumulativeProbability(level);
        double needed = z * z * measured * (1 - measured) / ((measured - share) * (measured - share));
        return (long) Math.min(1e9, Math.max(1, Math.ceil(Math.max(least, needed) - count)));
    }

    private BinomialDistribution distribution() {
        return new BinomialDistribution((int) Math.min(count, Integer.MAX_VALUE), share);
    }
}
