package dev.evenkeel.load.internal.verdict;

import static dev.evenkeel.load.internal.verdict.Wording.number;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.descriptive.rank.Median;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Judges whether one change costs more the larger the cluster is.
 *
 * <p>The problem: work over all objects for each change is hidden by the fixed cost of a change while the cluster is small,
 * and is the end of a controller when it is large.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The judgement is on the exponent: the slope of the logarithm of the cost by that of the size. It is 0 for a constant
 *       cost and 1 for work over all objects; its interval is Student's, from all repetitions.
 *   <li>A fixed cost hides growth among small sizes. So the exponent among the larger sizes alone may also fail the
 *       judgement, and must not be over the limit if it passes.
 *   <li>A failure needs a growth that matters as well: by a factor between the smallest and the largest size.
 * </ol>
 */
public final class Scaling {
    private static final int LEAST_SIZES = 3;
    private static final double LEAST_RANGE = 100;
    private static final int LEAST_POINTS_OF_LARGER = 4;

    private Scaling() {}

    /**
     * The limits of scaling.
     *
     * @param exponent the exponent of the size that is allowed
     * @param growth the factor between the costs at the smallest and the largest size that is always allowed
     * @param level the level of the intervals
     */
    public record Limits(double exponent, double growth, double level) {
        /** An exponent of 0.2, or a factor of 2. */
        public static final Limits DEFAULT = new Limits(0.2, 2, 0.95);

        public Limits {
            if (!(exponent > 0) || !(growth >= 1)) {
                throw new IllegalArgumentException(
                        "exponent must be positive and growth at least 1: " + exponent + ", " + growth);
            }
            if (!(level > 0 && level < 1)) {
                throw new IllegalArgumentException("level must be between 0 and 1: " + level);
            }
        }
    }

    /**
     * One measurement.
     *
     * @param size the number of objects in the cluster
     * @param cost the cost of one change, such as its CPU time; positive
     */
    public record Point(long size, double cost) {
        public Point {
            if (size < 1 || !(cost > 0) || Double.isInfinite(cost)) {
                throw new IllegalArgumentException("size and cost must be positive: " + size + ", " + cost);
            }
        }
    }

    /** A cost of {@code fixed + factor * size^exponent}. */
    public record Curve(double fixed, double factor, double exponent) {
        /** Returns the cost at a size. */
        public double at(double size) {
            return fixed + factor * Math.pow(size, exponent);
        }
    }

    /** Judges measurements by the default limits. */
    public static Verdict judge(List<Point> points, String unit) {
        return judge(points, unit, Limits.DEFAULT);
    }

    /**
     * Judges measurements.
     *
     * @param points several for each size give the judgement its confidence
     * @param unit the unit of the costs
     */
    public static Verdict judge(List<Point> points, String unit, Limits limits) {
        NavigableMap<Long, Double> costs = medians(points);
        if (costs.size() < LEAST_SIZES || costs.lastKey() < LEAST_RANGE * costs.firstKey()) {
            return verdict(
                    Outcome.OPEN,
                    0,
                    limits,
                    "The costs are known at " + Wording.count(costs.size(), "size", "sizes")
                            + (costs.isEmpty() ? "" : " from " + costs.firstKey() + " to " + costs.lastKey())
                            + ", too few to judge.",
                    0,
                    "Measure at " + LEAST_SIZES + " sizes at least, the largest " + number(LEAST_RANGE)
                            + " times the smallest.");
        }
        double middle = Math.sqrt((double) costs.firstKey() * costs.lastKey());
        Exponent all = Exponent.of(points, limits);
        List<Point> larger =
                points.stream().filter(point -> point.size() >= middle * 0.999).toList();
        Exponent end =
                larger.size() >= LEAST_POINTS_OF_LARGER && medians(larger).size() > 1
                        ? Exponent.of(larger, limits)
                        : all;
        double growth = costs.lastEntry().getValue() / costs.firstEntry().getValue();
        Curve curve = curve(points);
        String finding = "One change costs " + number(costs.firstEntry().getValue()) + " " + unit + " at "
                + costs.firstKey() + " objects and " + number(costs.lastEntry().getValue()) + " " + unit + " at "
                + costs.lastKey() + ": the cost grows with the size to the power of " + number(all.slope) + " ("
                + number(all.lower) + " to " + number(all.upper) + "), about " + number(curve.fixed()) + " + "
                + number(curve.factor()) + " * size^" + number(curve.exponent()) + ".";
        Exponent failing = all.lower > limits.exponent() ? all : end;
        if (failing.lower > limits.exponent() && growth > limits.growth()) {
            return verdict(Outcome.FAIL, failing.slope, limits, finding, 1 - failing.under, "");
        }
        if (all.upper < limits.exponent() && end.slope < limits.exponent()) {
            return verdict(Outcome.PASS, all.slope, limits, finding, all.under, "");
        }
        return verdict(
                Outcome.OPEN,
                all.slope,
                limits,
                finding,
                Math.max(all.under, 1 - all.under),
                all.upper < limits.exponent() || all.lower > limits.exponent()
                        ? "Measure at " + 10 * costs.lastKey() + " objects."
                        : "Repeat each size " + all.repetitions(costs.size(), limits) + " times.");
    }

    /** Returns the curve with the least relative error, of costs at two sizes at least. */
    public static Curve curve(List<Point> points) {
        Curve best = new Curve(0, 0, 0);
        double least = Double.POSITIVE_INFINITY;
        for (int step = 1; step <= 40; step++) {
            Curve curve = curve(points, step * 0.05);
            double error = 0;
            for (Point point : points) {
                double miss = curve.at((double) point.size()) / point.cost() - 1;
                error += miss * miss;
            }
            if (error < least * (1 - 1e-9)) {
                least = error;
                best = curve;
            }
        }
        return best;
    }

    /** Returns the curve of an exponent with the least relative error, whose parameters are not negative. */
    private static Curve curve(List<Point> points, double exponent) {
        // minimizes the sum of (fixed * u + factor * v - 1)^2, with u = 1 / cost and v = size^exponent / cost
        double uu = 0;
        double uv = 0;
        double vv = 0;
        double u1 = 0;
        double v1 = 0;
        for (Point point : points) {
            double u = 1 / point.cost();
            double v = Math.pow((double) point.size(), exponent) / point.cost();
            uu += u * u;
            uv += u * v;
            vv += v * v;
            u1 += u;
            v1 += v;
        }
        double determinant = uu * vv - uv * uv;
        double fixed = (u1 * vv - v1 * uv) / determinant;
        double factor = (v1 * uu - u1 * uv) / determinant;
        if (!(factor > 0)) {
            return new Curve(u1 / uu, 0, exponent);
        }
        return fixed >= 0 ? new Curve(fixed, factor, exponent) : new Curve(0, v1 / vv, exponent);
    }

    private static NavigableMap<Long, Double> medians(List<Point> points) {
        Map<Long, List<Double>> bySize = new TreeMap<>();
        points.forEach(point ->
                bySize.computeIfAbsent(point.size(), size -> new ArrayList<>()).add(point.cost()));
        NavigableMap<Long, Double> medians = new TreeMap<>();
        bySize.forEach((size, costs) -> medians.put(
                size,
                new Median()
                        .evaluate(
                                costs.stream().mapToDouble(Double::doubleValue).toArray())));
        return medians;
    }

    private static Verdict verdict(
            Outcome outcome, double exponent, Limits limits, String finding, double confidence, String firmer) {
        return new Verdict("scaling", outcome, exponent, limits.exponent(), "exponent", finding, confidence, firmer);
    }

    /**
     * The exponent of costs.
     *
     * @param points the number of points that it comes from
     * @param under the confidence that it is under the limit
     */
    private record Exponent(double slope, double error, long points, double lower, double upper, double under) {
        /** Measurements of a clock differ by this share, if not more. */
        private static final double LEAST_NOISE = 1e-6;

        static Exponent of(List<Point> points, Limits limits) {
            SimpleRegression regression = new SimpleRegression();
            points.forEach(point -> regression.addData(Math.log((double) point.size()), Math.log(point.cost())));
            double slope = regression.getSlope();
            double error = Math.max(LEAST_NOISE, regression.getSlopeStdErr());
            TDistribution t = new TDistribution(points.size() - 2);
            double width = t.inverseCumulativeProbability((1 + limits.level()) / 2) * error;
            double under = t.cumulativeProbability((limits.exponent() - slope) / error);
            return new Exponent(slope, error, points.size(), slope - width, slope + width, under);
        }

        /** Returns the number of repetitions of each size that is likely to decide: errors shrink with their root. */
        long repetitions(int sizes, Limits limits) {
            double distance = Math.max(1e-3, Math.abs(slope - limits.exponent()));
            double factor = Math.pow(2.2 * error / distance, 2);
            long most = Math.max(points / sizes + 1, 1_000);
            return Math.clamp((long) Math.ceil(factor * points / sizes), points / sizes + 1, most);
        }
    }
}
