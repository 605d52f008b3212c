package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.number;
import static dev.evenkeel.load.internal.verdict.Wording.percent;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.descriptive.rank.Median;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Judges whether memory grows from cycle to cycle.
 *
 * <p>The problem: a leak of a few hundred bytes for each object is a fraction of a percent of the heap in a cycle, less than
 * the heap differs between cycles; and a heap that is sound grows, too, while code is compiled and caches fill up.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The cycles of the warm-up are found in the figures and left out, at most half of all. The rule is that of MSER (White,
 *       <i>An effective truncation heuristic for bias reduction in simulation output</i>, 1997), applied to the slope: the
 *       truncation is the one with the least standard error of the slope of the rest. MSER itself minimizes that of the mean,
 *       and so would cut a leak off as warm-up.
 *   <li>One cycle, however far off, decides nothing: the slope is the median of the slopes between all pairs of cycles (Theil
 *       and Sen).
 *   <li>The judgement is that of the interval, not of the slope. The interval comes from moving blocks of the residuals,
 *       since neighbouring cycles resemble each other.
 *   <li>Growth that slows down or was one step or two is not called a leak, and growth that has begun late is not called sound: both stay open until
 *       more cycles show which it is.
 * </ol>
 *
 * <p>Cost: the pairs of at most {@value #MOST_CYCLES} cycles for each resample; more cycles are averaged in groups.
 */
public final class Leak {
    private static final int MOST_CYCLES = 120;
    private static final int MOST_MORE_CYCLES = 1_000;

    /** The confidence that suffices to doubt a leak; the price is one more run. */
    private static final double BENT = 0.8;

    /** The share of the early growth under which the late growth is doubtful. */
    private static final double SLOWED = 0.7;

    private Leak() {}

    /**
     * The limits of leaks.
     *
     * @param slope the growth in a cycle that is allowed, as a share of the occupancy
     * @param level the level of the interval
     * @param leastCycles the number of cycles after the warm-up from which on the figures can decide
     * @param resamples the number of resamples
     * @param seed the seed of the resamples
     */
    public record Limits(double slope, double level, int leastCycles, int resamples, long seed) {
        /** 0.1 % a cycle. */
        public static final Limits DEFAULT = new Limits(0.001, 0.95, 10, 2_000, 1);

        public Limits {
            if (!(slope > 0)) {
                throw new IllegalArgumentException("slope must be positive: " + slope);
            }
            if (!(level > 0 && level < 1)) {
                throw new IllegalArgumentException("level must be between 0 and 1: " + level);
            }
            if (leastCycles < 5 || resamples < 100) {
                throw new IllegalArgumentException(
                        "leastCycles must be at least 5 and resamples at least 100: " + leastCycles + ", " + resamples);
            }
        }
    }

    /**
     * The line through the cycles after the warm-up.
     *
     * @param warmUp the number of cycles before it
     * @param first the occupancy of the line at the first cycle after the warm-up
     * @param slope the growth in a cycle
     */
    public record Line(int warmUp, double first, double slope) {
        /** Returns the occupancy of the line at a cycle; the first is 0. */
        public double at(int cycle) {
            return first + slope * (cycle - warmUp);
        }
    }

    /** Returns the line through the occupancy after each cycle, of at least three cycles. */
    public static Line line(double[] occupancy) {
        int warmUp = warmUp(occupancy);
        double[] rest = Arrays.copyOfRange(occupancy, warmUp, occupancy.length);
        double slope = slope(rest);
        double[] offsets = new double[rest.length];
        for (int i = 0; i < rest.length; i++) {
            offsets[i] = rest[i] - slope * i;
        }
        return new Line(warmUp, median(offsets), slope);
    }

    /** Judges the occupancy after each cycle by the default limits. */
    public static Verdict judge(double[] occupancy) {
        return judge(occupancy, Limits.DEFAULT);
    }

    /**
     * Judges the occupancy after each cycle.
     *
     * @param occupancy the bytes in use after a collection, one for each cycle, all positive
     */
    public static Verdict judge(double[] occupancy, Limits limits) {
        for (int i = 0; i < occupancy.length; i++) {
            if (!(occupancy[i] > 0) || Double.isInfinite(occupancy[i])) {
                throw new IllegalArgumentException(
                        "occupancy must be positive and finite in each cycle: " + occupancy[i] + " in cycle " + i);
            }
        }
        int group = (occupancy.length + MOST_CYCLES - 1) / MOST_CYCLES;
        double[] cycles = group > 1 ? averaged(occupancy, group) : occupancy;
        int warmUp = cycles.length < 3 ? 0 : warmUp(cycles);
        int kept = cycles.length - warmUp;
        if (kept < limits.leastCycles()) {
            // the longest warm-up is half of all cycles, so twice the least number suffices
            int missing = Math.max(limits.leastCycles() - kept, 1);
            return verdict(
                    Outcome.OPEN,
                    0,
                    limits,
                    Wording.count(kept, "cycle", "cycles") + " after the warm-up of " + warmUp
                            + " are too few to judge.",
                    0,
                    more(missing));
        }
        double[] rest = Arrays.copyOfRange(cycles, warmUp, cycles.length);
        double level = median(rest);
        double slope = slope(rest);
        Bootstrap slopes = Bootstrap.of(slope, resampled(rest, slope, limits))
                .widened(kept, 2, limits.level())
                .times(1 / (level * group));
        double relative = slopes.estimate();
        double lower = slopes.lower(limits.level());
        double upper = slopes.upper(limits.level());
        double under = slopes.under(limits.slope());
        Shape shape = Shape.of(rest, level * group, limits.level());
        String finding = "Occupancy " + (relative < 0 ? "shrinks" : "grows") + " by " + percent(Math.abs(relative))
                + " a cycle (" + Wording.bytes(Math.abs(relative) * level) + "); the "
                + number(limits.level() * 100) + " % interval is " + number(lower * 100) + " to " + percent(upper)
                + ", without a warm-up of " + Wording.count((long) warmUp * group, "cycle", "cycles") + " of "
                + occupancy.length + ".";
        if (upper < limits.slope()) {
            if (shape.lateLower() > limits.slope()) {
                return verdict(
                        Outcome.OPEN,
                        relative,
                        limits,
                        finding + " But the last " + kept / 2 * group + " cycles grow by " + percent(shape.late())
                                + " a cycle.",
                        under,
                        more(kept * group / 2));
            }
            return verdict(Outcome.PASS, relative, limits, finding, under, "");
        }
        if (lower > limits.slope()) {
            if (!shape.steps().isEmpty()) {
                String places = shape.steps().stream()
                        .map(step -> Integer.toString((warmUp + step) * group))
                        .collect(Collectors.joining(" and "));
                String steps = shape.steps().size() == 1
                        ? " But a step after cycle " + places + " explains the figures better than a line."
                        : " But steps after cycles " + places + " explain the figures better than a line.";
                return verdict(Outcome.OPEN, relative, limits, finding + steps, 1 - under, more(occupancy.length));
            }
            if (shape.slowing() && (shape.late() < SLOWED * shape.early() || shape.late() < limits.slope())) {
                return verdict(
                        Outcome.OPEN,
                        relative,
                        limits,
                        finding + " But the growth slows down, to " + percent(shape.late()) + " a cycle in the last "
                                + kept / 2 * group + ": a cache that fills up grows like this, too.",
                        1 - under,
                        more(occupancy.length));
            }
            return verdict(Outcome.FAIL, relative, limits, finding, 1 - under, "");
        }
        // the width of the interval shrinks with the number of cycles to the power of -1.5
        double width = relative < limits.slope() ? upper - relative : relative - lower;
        double distance = Math.abs(relative - limits.slope());
        double needed = kept * Math.pow(width / distance, 2 / 3.0);
        int missing = (int) Math.min(MOST_MORE_CYCLES + 1, Math.max(1, Math.ceil((needed - kept) * group)));
        return verdict(
                Outcome.OPEN,
                relative,
                limits,
                finding,
                Math.max(under, 1 - under),
                missing > MOST_MORE_CYCLES
                        ? "The growth is as large as the limit; more cycles hardly decide. Choose another limit."
                        : more(missing));
    }

    private static Verdict verdict(
            Outcome outcome, double slope, Limits limits, String finding, double confidence, String firmer) {
        return new Verdict(
                "leak", outcome, slope * 100, limits.slope() * 100, "% per cycle", finding, confidence, firmer);
    }

    private static String more(int cycles) {
        return "Run " + Wording.count(cycles, "more cycle", "more cycles") + ".";
    }

    /** Returns the number of cycles to leave out: as many as make the standard error of the slope of the rest the least. */
    static int warmUp(double[] cycles) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int dropped = 0; dropped <= cycles.length / 2 && cycles.length - dropped >= 3; dropped++) {
            double error = regression(cycles, dropped, cycles.length).getSlopeStdErr();
            if (error < least) {
                least = error;
                best = dropped;
            }
        }
        return best;
    }

    private static SimpleRegression regression(double[] cycles, int from, int to) {
        SimpleRegression regression = new SimpleRegression();
        for (int i = from; i < to; i++) {
            regression.addData(i, cycles[i]);
        }
        return regression;
    }

    private static double[] resampled(double[] rest, double slope, Limits limits) {
        double[] residuals = new double[rest.length];
        for (int i = 0; i < rest.length; i++) {
            residuals[i] = rest[i] - slope * i;
        }
        double[] drawn = new double[rest.length];
        double[] slopes = new double[limits.resamples()];
        SplittableRandom random = new SplittableRandom(limits.seed());
        int length = Bootstrap.blockLength(rest.length);
        for (int i = 0; i < slopes.length; i++) {
            Bootstrap.drawBlocks(residuals, drawn, length, random);
            // the slope of a line plus residuals is that of the line plus that of the residuals
            slopes[i] = slope + slope(drawn);
        }
        return slopes;
    }

    /** Returns the median of the slopes between all pairs. */
    private static double slope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int at = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                slopes[at++] = (values[j] - values[i]) / (j - i);
            }
        }
        return median(slopes);
    }

    private static double median(double[] values) {
        return new Median().evaluate(values);
    }

    /** Returns the means of groups of cycles, without the first ones that fill no group. */
    private static double[] averaged(double[] cycles, int group) {
        double[] means = new double[cycles.length / group];
        int from = cycles.length % group;
        for (int i = 0; i < means.length; i++) {
            means[i] = Arrays.stream(cycles, from + i * group, from + (i + 1) * group)
                    .average()
                    .orElseThrow();
        }
        return means;
    }

    /**
     * The shape of the growth; slopes are shares of the occupancy.
     *
     * @param early the slope of the first half of the cycles
     * @param late that of the second half
     * @param lateLower the lower end of the interval of the second
     * @param slowing whether a parabola through the cycles rather bends down
     * @param steps the numbers of cycles before one step or two that explain the figures better than a line; empty if none do
     */
    private record Shape(double early, double late, double lateLower, boolean slowing, List<Integer> steps) {
        static Shape of(double[] rest, double unit, double level) {
            int middle = rest.length - rest.length / 2;
            SimpleRegression first = regression(rest, 0, middle);
            SimpleRegression second = regression(rest, middle, rest.length);
            double width = new TDistribution(rest.length / 2.0 - 2).inverseCumulativeProbability((1 + level) / 2);
            return new Shape(
                    first.getSlope() / unit,
                    second.getSlope() / unit,
                    (second.getSlope() - width * second.getSlopeStdErr()) / unit,
                    slowing(rest),
                    steps(rest));
        }

        private static boolean slowing(double[] rest) {
            double centre = (rest.length - 1) / 2.0;
            double scale = median(rest);
            double[] values = new double[rest.length];
            double[][] powers = new double[rest.length][];
            for (int i = 0; i < rest.length; i++) {
                values[i] = rest[i] / scale;
                powers[i] = new double[] {i - centre, (i - centre) * (i - centre)};
            }
            OLSMultipleLinearRegression parabola = new OLSMultipleLinearRegression();
            parabola.newSampleData(values, powers);
            double bend = parabola.estimateRegressionParameters()[2];
            double error = parabola.estimateRegressionParametersStandardErrors()[2];
            double t = new TDistribution(rest.length - 3).inverseCumulativeProbability(BENT);
            return -bend > t * error;
        }

        /** Compares a line with steps by the information criterion of Schwarz, since more steps always fit better. */
        private static List<Integer> steps(double[] rest) {
            int count = rest.length;
            Sums sums = new Sums(rest);
            // a line has two parameters, one step three, two steps five
            double least = criterion(regression(rest, 0, count).getSumSquaredErrors(), count, 2, sums);
            List<Integer> best = List.of();
            for (int i = 1; i < count; i++) {
                double one = criterion(sums.squares(0, i) + sums.squares(i, count), count, 3, sums);
                if (one < least) {
                    least = one;
                    best = List.of(i);
                }
                for (int j = i + 1; j < count; j++) {
                    double errors = sums.squares(0, i) + sums.squares(i, j) + sums.squares(j, count);
                    double two = criterion(errors, count, 5, sums);
                    if (two < least) {
                        least = two;
                        best = List.of(i, j);
                    }
                }
            }
            return best;
        }

        private static double criterion(double errors, int count, int parameters, Sums sums) {
            // sums of squares are not more exact than this; without a floor, rounding would decide between exact fits
            double floor = 1e-12 * sums.squares(0, count);
            return count * Math.log(Math.max(errors, floor) + Double.MIN_NORMAL) + parameters * Math.log(count);
        }
    }

    /** Sums from the first value on, by which those of any range are differences. */
    private static final class Sums {
        private final double[] values;
        private final double[] squares;

        Sums(double[] all) {
            values = new double[all.length + 1];
            squares = new double[all.length + 1];
            double centre = median(all);
            for (int i = 0; i < all.length; i++) {
                double value = all[i] - centre;
                values[i + 1] = values[i] + value;
                squares[i + 1] = squares[i] + value * value;
            }
        }

        /** Returns the sum of the squares of the distances from the mean of a range. */
        double squares(int from, int to) {
            double sum = values[to] - values[from];
            return Math.max(0, squares[to] - squares[from] - sum * sum / (to - from));
        }
    }
}
