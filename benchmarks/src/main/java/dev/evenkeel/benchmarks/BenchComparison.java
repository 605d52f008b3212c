package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.load.internal.verdict.Holm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.hipparchus.stat.descriptive.moment.Mean;
import org.hipparchus.stat.descriptive.moment.Variance;
import org.hipparchus.stat.inference.TTest;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the results of two versions.
 *
 * <p>The problem: two runs of the same version never have equal figures, and of a hundred rows some always differ by 20 %.
 *
 * <p>Rows with a peer are compared by their ratio, since a machine that is slower today is so for both; others by their
 * figure. The logarithms of the runs are tested for equal means (Welch), and the probabilities are corrected by the number
 * of rows (Holm): of twenty comparisons without any difference, one has a row that is called better or worse. A difference of
 * less than 5 % is never called one.
 */
final class BenchComparison {
    private static final double FALSE_ALARMS = 0.05;
    private static final double LEAST_DIFFERENCE = 0.05;
    private static final int LEAST_RUNS = 3;
    private static final String LINE = "%-66s %14s %14s %9s %8s  %s%n";

    enum Change {
        BETTER("better"),
        WORSE("worse"),
        NONE("no change shown"),
        UNTESTED("not tested: fewer than " + LEAST_RUNS + " runs"),
        ABSENT("absent");

        final String words;

        Change(String words) {
            this.words = words;
        }
    }

    /**
     * A row of both results.
     *
     * @param before the median before; empty when absent
     * @param after the median after; empty when absent
     * @param times how many times better it is, above 1, or worse; empty when a figure is absent or zero
     * @param probability the corrected probability of such a difference between equal versions; empty without a test
     */
    record Difference(
            ReportRow.Key key,
            OptionalDouble before,
            OptionalDouble after,
            OptionalDouble times,
            OptionalDouble probability,
            Change change) {
        private Difference judged(double corrected) {
            double factor = times.orElse(1);
            boolean large = Math.max(factor, 1 / factor) > 1 + LEAST_DIFFERENCE;
            Change judgement =
                    corrected >= FALSE_ALARMS || !large ? Change.NONE : factor > 1 ? Change.BETTER : Change.WORSE;
            return new Difference(key, before, after, times, OptionalDouble.of(corrected), judgement);
        }
    }

    private BenchComparison() {}

    /**
     * Reads the rows of a file of results.
     *
     * @throws IllegalArgumentException when it is not one; the message names the file
     */
    static List<ReportRow> read(Path file) {
        try {
            List<ReportRow> rows = new ArrayList<>();
            if (!(Json.parse(Files.readAllBytes(file), JsonLimits.DEFAULT) instanceof List<?> list)) {
                throw new IllegalArgumentException("it is not a list");
            }
            for (Object item : list) {
                rows.add(row(
                        Json.object(item).orElseThrow(() -> new IllegalArgumentException("an item is not an object"))));
            }
            return rows;
        } catch (JsonException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " is not a file of results, as bench --json writes it: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("the results cannot be read: " + file, e);
        }
    }

    private static ReportRow row(JsonObject row) {
        List<Double> ours = numbers(row, "ourRuns", "ours");
        List<Double> peer = numbers(row, "peerRuns", "peer");
        List<Measurement> runs = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            runs.add(new Measurement(
                    row.string("suite"),
                    row.string("workload"),
                    Measurement.Unit.of(row.string("unit")),
                    ours.get(i),
                    i < peer.size() ? OptionalDouble.of(peer.get(i)) : OptionalDouble.empty(),
                    row.string("peerName")));
        }
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("\"" + row.string("workload") + "\" has no figure");
        }
        return new ReportRow(runs);
    }

    /** Returns the figures of all runs; files of earlier versions have only the one. */
    private static List<Double> numbers(JsonObject row, String all, String one) {
        List<?> values =
                row.get(all) instanceof List<?> list ? list : row.get(one) == null ? List.of() : List.of(row.get(one));
        List<Double> numbers = new ArrayList<>();
        for (Object value : values) {
            if (!(value instanceof Number number)) {
                throw new IllegalArgumentException(all + " of \"" + row.string("workload") + "\" has " + value);
            }
            numbers.add(number.doubleValue());
        }
        return numbers;
    }

    /** Compares the rows of two results, in the order of the later one; rows that one lacks are last. */
    static List<Difference> of(List<ReportRow> before, List<ReportRow> after) {
        Map<ReportRow.Key, ReportRow> old = byKey(before);
        Map<ReportRow.Key, ReportRow> now = byKey(after);
        List<Difference> differences = new ArrayList<>();
        now.forEach((key, row) -> {
            if (old.containsKey(key)) {
                differences.add(compared(key, old.get(key), row));
            }
        });
        correct(differences);
        now.forEach((key, row) -> {
            if (!old.containsKey(key)) {
                differences.add(absent(key, null, row));
            }
        });
        old.forEach((key, row) -> {
            if (!now.containsKey(key)) {
                differences.add(absent(key, row, null));
            }
        });
        return differences;
    }

    private static Map<ReportRow.Key, ReportRow> byKey(List<ReportRow> rows) {
        Map<ReportRow.Key, ReportRow> all = new LinkedHashMap<>();
        rows.forEach(row -> all.put(row.key(), row));
        return all;
    }

    private static Difference absent(ReportRow.Key key, @Nullable ReportRow before, @Nullable ReportRow after) {
        return new Difference(
                key, median(before), median(after), OptionalDouble.empty(), OptionalDouble.empty(), Change.ABSENT);
    }

    private static OptionalDouble median(@Nullable ReportRow row) {
        return row == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(row.ours().median());
    }

    /** Returns a difference with its probability, which is not corrected yet. */
    private static Difference compared(ReportRow.Key key, ReportRow before, ReportRow after) {
        boolean ratios = before.ratio().isPresent() && after.ratio().isPresent();
        double[] old = goodness(before, ratios);
        double[] now = goodness(after, ratios);
        double difference = new Mean().evaluate(now) - new Mean().evaluate(old);
        boolean finite = Double.isFinite(difference);
        boolean tested = finite && Math.min(old.length, now.length) >= LEAST_RUNS;
        return new Difference(
                key,
                median(before),
                median(after),
                finite ? OptionalDouble.of(Math.exp(difference)) : OptionalDouble.empty(),
                tested ? OptionalDouble.of(probability(old, now, difference)) : OptionalDouble.empty(),
                Change.UNTESTED);
    }

    /** Returns logarithms, of which the greater is the better. */
    private static double[] goodness(ReportRow row, boolean ratios) {
        int sign = ratios || row.unit().moreIsBetter ? 1 : -1;
        return row.runs().stream()
                .mapToDouble(run -> sign * Math.log(ratios ? run.ratio().orElseThrow() : run.ours()))
                .toArray();
    }

    private static double probability(double[] before, double[] after, double difference) {
        if (new Variance().evaluate(before) + new Variance().evaluate(after) < 1e-18) {
            // such as allocation, which is the same in each run
            return Math.abs(difference) < 1e-9 ? 1 : 0;
        }
        return new TTest().tTest(before, after);
    }

    /** Corrects the probabilities by their number, and judges by them. */
    private static void correct(List<Difference> differences) {
        Map<ReportRow.Key, Double> probabilities = new LinkedHashMap<>();
        differences.forEach(one -> one.probability().ifPresent(p -> probabilities.put(one.key(), p)));
        Map<ReportRow.Key, Double> corrected = Holm.corrected(probabilities);
        differences.replaceAll(one -> {
            Double probability = corrected.get(one.key());
            return probability == null ? one : one.judged(probability);
        });
    }

    /** Returns the differences as a table. */
    static String text(List<Difference> differences) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, LINE, "workload", "before", "after", "times", "p", "change"));
        for (Difference one : differences) {
            text.append(String.format(
                    Locale.ROOT,
                    LINE,
                    one.key().suite() + ": " + one.key().workload() + " ["
                            + one.key().unit() + "]",
                    number(one.before()),
                    number(one.after()),
                    one.times().isEmpty() ? "-" : number(one.times()) + "x",
                    one.probability().isEmpty()
                            ? "-"
                            : String.format(
                                    Locale.ROOT, "%.3f", one.probability().getAsDouble()),
                    one.change().words));
        }
        return text.toString();
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty() ? "-" : Report.number(value.getAsDouble());
    }
}
