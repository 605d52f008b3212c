package dev.evenkeel.load.internal.verdict;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * An estimate and its distribution over resamples.
 *
 * <p>Few values resample too narrowly, by the factor that separates the normal distribution from Student's, and by that of
 * the degrees of freedom; {@link #widened} mends both (Hesterberg, <i>What Teachers Should Know About the Bootstrap</i>,
 * 2015: the expanded percentile interval).
 */
public final class Bootstrap {
    private final double estimate;
    private final double[] sorted;

    private Bootstrap(double estimate, double[] sorted) {
        this.estimate = estimate;
        this.sorted = sorted;
    }

    /** Returns the distribution of an estimate from its values for resamples. */
    static Bootstrap of(double estimate, double[] resampled) {
        double[] sorted = resampled.clone();
        Arrays.sort(sorted);
        return new Bootstrap(estimate, sorted);
    }

    /**
     * Returns the distribution of a statistic of values that depend on their neighbours, from moving blocks of them.
     *
     * @param values at least one value
     * @param statistic the statistic
     * @param length the length of a block, at most the number of values
     * @param resamples the number of resamples
     * @param random draws the blocks
     */
    public static Bootstrap ofBlocks(
            double[] values, ToDoubleFunction<double[]> statistic, int length, int resamples, RandomGenerator random) {
        double[] results = new double[resamples];
        double[] drawn = new double[values.length];
        for (int i = 0; i < resamples; i++) {
            drawBlocks(values, drawn, length, random);
            results[i] = statistic.applyAsDouble(drawn);
        }
        return of(statistic.applyAsDouble(values), results);
    }

    /** Returns the cube root of a number of values: the order that serves intervals best (Hall, Horowitz and Jing, 1995). */
    public static int blockLength(int count) {
        return (int) Math.max(1, Math.round(Math.cbrt(count)));
    }

    /** Fills an array with blocks of consecutive values, each from a random place. */
    static void drawBlocks(double[] from, double[] into, int length, RandomGenerator random) {
        for (int at = 0; at < into.length; at += length) {
            int start = random.nextInt(from.length - length + 1);
            System.arraycopy(from, start, into, at, Math.min(length, into.length - at));
        }
    }

    /** Returns a distribution as wide as few values require. */
    Bootstrap widened(int count, int parameters, double level) {
        int freedom = Math.max(1, count - parameters);
        double share = (1 + level) / 2;
        double factor = new TDistribution(freedom).inverseCumulativeProbability(share)
                / new NormalDistribution().inverseCumulativeProbability(share)
                * Math.sqrt((double) count / freedom);
        return new Bootstrap(
                estimate,
                Arrays.stream(sorted)
                        .map(value -> estimate + factor * (value - estimate))
                        .toArray());
    }

    /** Returns the distribution of the estimate multiplied by a positive number. */
    Bootstrap times(double factor) {
        return new Bootstrap(
                estimate * factor,
                Arrays.stream(sorted).map(value -> value * factor).toArray());
    }

    /** Returns the estimate from all values. */
    public double estimate() {
        return estimate;
    }

    /** Returns the lower end of the interval that holds a share of the distribution in its middle. */
    public double lower(double level) {
        return quantile((1 - level) / 2);
    }

    /** Returns the upper end of the interval that holds a share of the distribution in its middle. */
    public double upper(double level) {
        return quantile((1 + level) / 2);
    }

    /** Returns the share of the distribution under a value; as many resamples can tell it from 0 and 1. */
    public double under(double value) {
        long under = Arrays.stream(sorted).filter(one -> one < value).count();
        double least = 1.0 / (sorted.length + 1);
        return Math.clamp((double) under / sorted.length, least, 1 - least);
    }

    private double quantile(double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
