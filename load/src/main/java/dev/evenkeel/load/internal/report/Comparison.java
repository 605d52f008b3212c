package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.internal.verdict.Bootstrap;
import dev.evenkeel.load.internal.verdict.Holm;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.distribution.discrete.HypergeometricDistribution;
import org.hipparchus.stat.descriptive.rank.Median;
import org.hipparchus.stat.inference.MannWhitneyUTest;

/**
 * The differences of the figures of runs from those of the first run.
 *
 * <p>The problem: two runs never have equal figures; a table of differences without their significance makes noise look like
 * progress.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Of all figures of a pair of runs together, one in a hundred pairs without any difference has a figure that is called
 *       different: the probabilities are corrected by the number of figures (Holm).
 *   <li>A difference is called one only if it is as large as users notice, too: thousands of latencies make a difference of
 *       0.1 % significant, which the next run on the same machine has with the other sign.
 *   <li>Samples of a series resemble their neighbours; a test that takes them for independent finds differences everywhere.
 *       So a series differs only if the medians do as well, by resamples of blocks.
 * </ol>
 *
 * <p>Latencies are compared by their whole distribution (Mann and Whitney) and by their slowest percent (Fisher), counts as those of random events (Poisson). A
 * figure that a run has once, such as the time to convergence, has a difference but no significance.
 */
public final class Comparison {

    /** Half of one percent, since the tests of series and counts are approximations. */
    private static final double FALSE_ALARMS = 0.005;

    private static final double LEAST_DIFFERENCE = 0.05;
    private static final int MOST_RANKED = 2_000;
    private static final int RESAMPLES = 1_000;
    private static final int LEAST_SAMPLES = 5;

    /** The judgement of a difference. */
    public enum Change {
        /** Significantly less. */
        LESS("less"),
        /** Significantly more. */
        MORE("more"),
        /** A difference that noise explains, or that is too small to matter. */
        NONE("no change shown"),
        /** A figure without repetitions. */
        UNTESTED("not tested"),
        /** A figure that one of the runs does not have. */
        ABSENT("absent");

        private final String words;

        Change(String words) {
            this.words = words;
        }

        /** Returns the judgement in words. */
        public String words() {
            return words;
        }
    }

    /**
     * A difference from the first run.
     *
     * @param relative the difference as a share of the figure of the first run; empty if that is 0 or absent
     * @param probability the corrected probability of such a difference between equal runs; empty without a test
     * @param change the judgement
     */
    public record Difference(OptionalDouble relative, OptionalDouble probability, Change change) {}

    /**
     * A figure of all runs.
     *
     * @param name the name
     * @param unit the unit
     * @param values the value of each run, if it has one
     * @param differences the differences of the second and later runs
     */
    public record Figure(String name, String unit, List<OptionalDouble> values, List<Difference> differences) {
        public Figure {
            values = List.copyOf(values);
            differences = List.copyOf(differences);
        }

        /** Returns whether a run differs significantly from the first. */
        public boolean changed() {
            return differences.stream().anyMatch(one -> one.change() == Change.LESS || one.change() == Change.MORE);
        }
    }

    private final List<String> warnings;
    private final List<Figure> figures;

    private Comparison(List<String> warnings, List<Figure> figures) {
        this.warnings = List.copyOf(warnings);
        this.figures = List.copyOf(figures);
    }

    /** Compares two results or more. */
    public static Comparison of(List<LoadResult> results) {
        if (results.size() < 2) {
            throw new IllegalArgumentException("results must be two or more: " + results.size());
        }
        List<Map<String, Measured>> runs =
                results.stream().map(Comparison::measured).toList();
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> names.addAll(run.keySet()));
        List<Map<String, Difference>> differences = runs.stream()
                .skip(1)
                .map(run -> differences(names, runs.getFirst(), run))
                .toList();
        List<Figure> figures = new ArrayList<>();
        for (String name : names) {
            figures.add(new Figure(
                    name,
                    runs.stream()
                            .flatMap(run -> Optional.ofNullable(run.get(name)).stream())
                            .map(Measured::unit)
                            .findFirst()
                            .orElse(""),
                    runs.stream()
                            .map(run -> {
                                Measured measured = run.get(name);
                                return measured == null ? OptionalDouble.empty() : OptionalDouble.of(measured.value());
                            })
                            .toList(),
                    differences.stream()
                            .flatMap(all -> Optional.ofNullable(all.get(name)).stream())
                            .toList()));
        }
        return new Comparison(warnings(results), figures);
    }

    /** Returns what makes the runs hard to compare, in sentences. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the figures of all runs. */
    public List<Figure> figures() {
        return figures;
    }

    /** Returns the comparison as a table for a terminal. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("FIGURE", "A"));
        for (int i = 1; i < columns(); i++) {
            header.addAll(List.of(label(i), "DIFFERENCE", "P", "CHANGE"));
        }
        rows.add(header);
        for (Figure figure : figures) {
            List<String> row = new ArrayList<>();
            row.add(figure.name());
            for (int i = 0; i < figure.values().size(); i++) {
                row.add(value(figure.values().get(i), figure.unit()));
                if (i > 0) {
                    Difference difference = figure.differences().get(i - 1);
                    row.add(relative(difference));
                    row.add(probability(difference));
                    row.add(difference.change().words());
                }
            }
            rows.add(row);
        }
        int[] widths = new int[header.size()];
        rows.forEach(row -> {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        warnings.forEach(warning -> text.append("Warning: ").append(warning).append('\n'));
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int columns() {
        return figures.isEmpty() ? 2 : figures.getFirst().values().size();
    }

    /** Returns the label of a run: A, B and so on. */
    static String label(int run) {
        return run < 26 ? String.valueOf((char) ('A' + run)) : "run " + (run + 1);
    }

    static String value(OptionalDouble value, String unit) {
        return value.isEmpty() ? "-" : Quantity.of(value.getAsDouble(), unit);
    }

    static String relative(Difference difference) {
        if (difference.relative().isEmpty()) {
            return "-";
        }
        double percent = difference.relative().getAsDouble() * 100;
        String number = Quantity.number(Math.rint(percent * 10) / 10);
        return (percent > 0 ? "+" : "") + number + " %";
    }

    static String probability(Difference difference) {
        if (difference.probability().isEmpty()) {
            return "-";
        }
        double probability = difference.probability().getAsDouble();
        return probability < 0.001 ? "<0.001" : Quantity.number(Math.rint(probability * 1_000) / 1_000);
    }

    /**
     * A figure of one run.
     *
     * @param value the figure
     * @param unit its unit
     * @param values those that it summarizes, or of many as many as tests can take
     * @param latencies the latencies that it summarizes
     * @param test the test for a difference
     */
    private record Measured(double value, String unit, List<Double> values, Latencies latencies, Test test) {}

    private enum Test {
        /** Independent values. */
        RANKS,
        /** The slowest of independent values. */
        TAIL,
        /** Values in order of time. */
        BLOCKS,
        /** A number of events. */
        COUNTS,
        /** One value. */
        NONE
    }

    private static Map<String, Measured> measured(LoadResult result) {
        Map<String, Measured> figures = new LinkedHashMap<>();
        Map<String, Integer> seen = new TreeMap<>();
        for (PhaseResult phase : result.phases()) {
            int times = seen.merge(phase.name(), 1, Integer::sum);
            String name = times == 1 ? phase.name() : phase.name() + " (" + times + ")";
            figures.put(name + ": duration", once(seconds(phase.duration()), "seconds"));
            phase.converged()
                    .ifPresent(converged -> figures.put(name + ": converged", once(seconds(converged), "seconds")));
            latencies(figures, name + ": acknowledged", phase.acknowledged());
            latencies(figures, name + ": visible", phase.visible());
            phase.cpu().ifPresent(cpu -> figures.put(name + ": cpu", once(seconds(cpu), "seconds")));
            phase.requests().forEach((request, counts) -> {
                figures.put(name + ": " + request, count(counts.count()));
                if (counts.conflicts() > 0) {
                    figures.put(name + ": " + request + " conflicts", count(counts.conflicts()));
                }
                if (counts.throttled() > 0) {
                    figures.put(name + ": " + request + " throttled", count(counts.throttled()));
                }
            });
        }
        for (SizeResult size : result.sizes()) {
            String name = size.objects() + " objects: ";
            size.retained().ifPresent(bytes -> figures.put(name + "retained", once((double) bytes, "bytes")));
            size.costs().forEach((phase, costs) -> {
                List<Double> values = costs.stream().map(Comparison::seconds).toList();
                if (!values.isEmpty()) {
                    figures.put(
                            name + "CPU of an operation of " + phase,
                            new Measured(median(array(values)), "seconds", values, Latencies.NONE, Test.RANKS));
                }
            });
        }
        for (Series series : result.series()) {
            if (!series.samples().isEmpty()) {
                List<Double> values =
                        series.samples().stream().map(Series.Sample::value).toList();
                figures.put(
                        series.name() + ": median",
                        new Measured(
                                median(array(values)),
                                series.unit(),
                                values,
                                Latencies.NONE,
                                values.size() < LEAST_SAMPLES ? Test.NONE : Test.BLOCKS));
            }
        }
        return figures;
    }

    private static Measured count(long number) {
        return new Measured((double) number, "", List.of(), Latencies.NONE, Test.COUNTS);
    }

    private static Measured once(double value, String unit) {
        return new Measured(value, unit, List.of(), Latencies.NONE, Test.NONE);
    }

    private static void latencies(Map<String, Measured> figures, String name, Latencies latencies) {
        if (latencies.count() > 0) {
            List<Double> ranked = thinned(latencies);
            figures.put(
                    name + " p50",
                    new Measured(
                            seconds(latencies.percentile(50)),
                            "seconds",
                            ranked,
                            latencies,
                            ranked.size() < LEAST_SAMPLES ? Test.NONE : Test.RANKS));
            figures.put(
                    name + " p99",
                    new Measured(seconds(latencies.percentile(99)), "seconds", List.of(), latencies, Test.TAIL));
        }
    }

    /** Returns the latencies, or of many as many evenly over their ranks as tests can take. */
    private static List<Double> thinned(Latencies latencies) {
        long count = latencies.count();
        int kept = (int) Math.min(count, MOST_RANKED);
        List<Double> values = new ArrayList<>(kept);
        long seen = 0;
        for (Latencies.Bucket bucket : latencies.buckets()) {
            seen += bucket.count();
            while (values.size() < kept && (values.size() + 0.5) * count / kept <= seen) {
                values.add((double) bucket.micros());
            }
        }
        return values;
    }

    private static Map<String, Difference> differences(
            Set<String> names, Map<String, Measured> base, Map<String, Measured> run) {
        Map<String, Double> probabilities = new LinkedHashMap<>();
        for (String name : names) {
            Measured first = base.get(name);
            Measured second = run.get(name);
            if (first != null && second != null && first.test() == second.test()) {
                probability(first, second).ifPresent(p -> probabilities.put(name, p));
            }
        }
        Map<String, Double> corrected = Holm.corrected(probabilities);
        Map<String, Difference> differences = new LinkedHashMap<>();
        for (String name : names) {
            Measured first = base.get(name);
            Measured second = run.get(name);
            if (first == null || second == null) {
                differences.put(name, new Difference(OptionalDouble.empty(), OptionalDouble.empty(), Change.ABSENT));
                continue;
            }
            double distance = second.value() - first.value();
            OptionalDouble relative = distance == 0
                    ? OptionalDouble.of(0)
                    : first.value() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(distance / Math.abs(first.value()));
            Double probability = corrected.get(name);
            Change change = probability == null
                    ? Change.UNTESTED
                    : probability > FALSE_ALARMS || Math.abs(relative.orElse(1)) < LEAST_DIFFERENCE
                            ? Change.NONE
                            : distance > 0 ? Change.MORE : Change.LESS;
            differences.put(
                    name,
                    new Difference(
                            relative,
                            probability == null ? OptionalDouble.empty() : OptionalDouble.of(probability),
                            change));
        }
        return differences;
    }

    /** Returns the probability of a difference at least as large between equal runs. */
    private static OptionalDouble probability(Measured first, Measured second) {
        return switch (first.test()) {
            case NONE -> OptionalDouble.empty();
            case COUNTS -> OptionalDouble.of(ofCounts(first.value(), second.value()));
            case RANKS -> OptionalDouble.of(ofRanks(array(first.values()), array(second.values())));
            case TAIL -> OptionalDouble.of(ofTails(first.latencies(), second.latencies()));
            case BLOCKS -> {
                double[] before = array(first.values());
                double[] after = array(second.values());
                yield OptionalDouble.of(Math.max(ofRanks(before, after), ofMedians(before, after)));
            }
        };
    }

    private static double ofCounts(double first, double second) {
        double sum = first + second;
        return sum == 0 ? 1 : ofNormal((Math.abs(first - second) - 1) / Math.sqrt(sum));
    }

    private static double ofRanks(double[] first, double[] second) {
        double value = first[0];
        boolean equal = true;
        for (double[] values : List.of(first, second)) {
            for (double one : values) {
                equal &= one == value;
            }
        }
        double probability = equal ? 1 : new MannWhitneyUTest().mannWhitneyUTest(first, second, false);
        return Double.isNaN(probability) ? 1 : Math.min(1, probability);
    }

    /**
     * Returns the probability that equal distributions share their slowest percent as unequally: the exact test of Fisher on
     * the numbers of latencies over the 99th percentile of both together.
     */
    private static double ofTails(Latencies first, Latencies second) {
        Latencies both = Latencies.together(List.of(first, second));
        long bound = both.percentile(99).toNanos() / 1_000;
        int over = (int) over(first, bound);
        HypergeometricDistribution equal =
                new HypergeometricDistribution((int) both.count(), (int) over(both, bound), (int) first.count());
        double less = equal.cumulativeProbability(over);
        double more = equal.upperCumulativeProbability(over);
        return Math.min(1, 2 * Math.min(less, more));
    }

    private static long over(Latencies latencies, long micros) {
        return latencies.buckets().stream()
                .filter(bucket -> bucket.micros() > micros)
                .mapToLong(Latencies.Bucket::count)
                .sum();
    }

    /** Returns the probability of the distance of medians, from its error over resamples of blocks. */
    private static double ofMedians(double[] first, double[] second) {
        SplittableRandom random = new SplittableRandom(1);
        Bootstrap before = medians(first, random);
        Bootstrap after = medians(second, random);
        double error = Math.hypot(error(before, first.length), error(after, second.length));
        double distance = Math.abs(after.estimate() - before.estimate());
        if (distance == 0 || error == 0) {
            return distance == 0 ? 1 : 0;
        }
        // the error is an estimate from no more than as many values as there are blocks
        double freedom = Math.max(1, blocks(first.length) + blocks(second.length) - 2);
        return 2 * new TDistribution(freedom).cumulativeProbability(-distance / error);
    }

    private static double blocks(int count) {
        return (double) count / blockLength(count);
    }

    /** Samples of one second are alike for longer than the blocks that are best for independent ones. */
    private static int blockLength(int count) {
        return Math.min(count, 2 * Bootstrap.blockLength(count));
    }

    private static Bootstrap medians(double[] values, RandomGenerator random) {
        return Bootstrap.ofBlocks(values, Comparison::median, blockLength(values.length), RESAMPLES, random);
    }

    /** Returns a third of the interval that holds 86.6 % of a normal distribution, for few values a little more. */
    private static double error(Bootstrap median, int count) {
        double level = 0.8663856;
        return (median.upper(level) - median.lower(level)) / 3 * Math.sqrt((count + 3.0) / count);
    }

    private static double ofNormal(double deviations) {
        return 2 * new NormalDistribution().cumulativeProbability(-Math.max(0, deviations));
    }

    private static List<String> warnings(List<LoadResult> results) {
        List<String> warnings = new ArrayList<>();
        LoadResult first = results.getFirst();
        for (int i = 1; i < results.size(); i++) {
            LoadResult other = results.get(i);
            if (!first.plan().equals(other.plan())) {
                warnings.add("A and " + label(i) + " are runs of different plans (" + first.plan() + ", " + other.plan()
                        + "): differences may come from the plan.");
            } else if (first.seed() != other.seed()) {
                warnings.add("A and " + label(i) + " have different seeds (" + first.seed() + ", " + other.seed()
                        + "): they made different operations.");
            }
            Set<String> differing = new LinkedHashSet<>();
            first.environment().forEach((key, value) -> {
                if (!value.equals(other.environment().getOrDefault(key, ""))) {
                    differing.add(key);
                }
            });
            other.environment().keySet().stream()
                    .filter(key -> !first.environment().containsKey(key))
                    .forEach(differing::add);
            if (!differing.isEmpty()) {
                warnings.add(
                        "A and " + label(i) + " ran in different environments: " + String.join(", ", differing) + ".");
            }
        }
        return warnings;
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double median(double[] values) {
        return new Median().evaluate(values);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
