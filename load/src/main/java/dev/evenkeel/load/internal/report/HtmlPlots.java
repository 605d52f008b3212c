package dev.evenkeel.load.internal.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.load.internal.verdict.Leak;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The plots of a report. Their data is JSON, which a script of the page draws.
 *
 * <p>A series whose name ends in {@code occupancy} has one sample for each cycle; it is drawn by cycle, with the line that
 * the judgement on leaks uses.
 */
final class HtmlPlots {
    private final HtmlPage page;
    private final ReportedRuns runs;

    HtmlPlots(HtmlPage page, ReportedRuns runs) {
        this.page = page;
        this.runs = runs;
    }

    /** Adds the section of figures over time, and their table. */
    void courses() {
        page.section("course", "Over time");
        SortedSet<String> names = new TreeSet<>();
        runs.results()
                .forEach(run -> run.series().stream()
                        .filter(series -> !series.samples().isEmpty() && !byCycle(series))
                        .forEach(series -> names.add(series.name())));
        if (names.isEmpty()) {
            page.append("<p>The run has no figures over time.</p>\n");
            return;
        }
        page.append("<p class=\"note\">Bands are phases")
                .append(runs.several() ? " of A" : "")
                .append(". Drag to enlarge; a double click shows all.</p>\n<div class=\"plots\">\n");
        for (String name : names) {
            ObjectNode plot = JsonNodeFactory.instance.objectNode().put("kind", "time");
            ArrayNode lines = plot.putArray("lines");
            for (int i = 0; i < runs.results().size(); i++) {
                int run = i;
                runs.results()
                        .get(i)
                        .series(name)
                        .filter(series -> !series.samples().isEmpty())
                        .ifPresent(series -> {
                            plot.put("unit", series.unit());
                            ObjectNode line = line(lines, runs.several() ? runs.label(run) : name, run, run);
                            ArrayNode x = line.putArray("x");
                            ArrayNode y = line.putArray("y");
                            series.samples().forEach(sample -> {
                                x.add(seconds(sample.at()));
                                add(y, sample.value());
                            });
                        });
            }
            ArrayNode bands = plot.putArray("bands");
            runs.results()
                    .getFirst()
                    .phases()
                    .forEach(phase -> bands.addObject()
                            .put("name", phase.name())
                            .put("from", seconds(phase.start()))
                            .put(
                                    "to",
                                    seconds(phase.start()
                                            .plus(phase.duration())
                                            .plus(phase.converged().orElse(Duration.ZERO)))));
            page.figure(plot, name, plot.path("unit").textValue());
        }
        page.append("</div>\n<details><summary>Table of these figures</summary>\n");
        page.table(runs.columns("Figure", "Least", "Median", "Greatest", "Last"), rows -> {
            for (String name : names) {
                for (int i = 0; i < runs.results().size(); i++) {
                    String label = runs.label(i);
                    runs.results()
                            .get(i)
                            .series(name)
                            .filter(series -> !series.samples().isEmpty())
                            .ifPresent(series -> {
                                double[] sorted = series.values();
                                double last = sorted[sorted.length - 1];
                                Arrays.sort(sorted);
                                rows.add(runs.row(
                                        label,
                                        name,
                                        Quantity.of(sorted[0], series.unit()),
                                        Quantity.of(sorted[sorted.length / 2], series.unit()),
                                        Quantity.of(sorted[sorted.length - 1], series.unit()),
                                        Quantity.of(last, series.unit())));
                            });
                }
            }
        });
        page.append("</details>\n");
    }

    /** Adds the section of latencies. */
    void percentiles() {
        page.section("latencies", "Latencies");
        Set<String> names = new LinkedHashSet<>();
        runs.results()
                .forEach(run -> run.phases().stream()
                        .filter(phase ->
                                phase.acknowledged().count() + phase.visible().count() > 0)
                        .forEach(phase -> names.add(phase.name())));
        if (names.isEmpty()) {
            page.append("<p>The run has no latencies.</p>\n");
            return;
        }
        page.append(
                "<p>The latency that a share of the operations does not exceed; the shares are drawn towards the slowest. "
                        + "<em>Acknowledged</em> is from when an operation was due, so that a server that stalls does not hide it; "
                        + "<em>visible</em> is from the acknowledgement to the effect.</p>\n<div class=\"plots\">\n");
        for (String name : names) {
            ObjectNode plot =
                    JsonNodeFactory.instance.objectNode().put("kind", "tail").put("unit", "seconds");
            plot.putArray("bands");
            ArrayNode lines = plot.putArray("lines");
            for (int i = 0; i < runs.results().size(); i++) {
                String prefix = runs.several() ? runs.label(i) + " " : "";
                List<PhaseResult> phases = runs.results().get(i).phases().stream()
                        .filter(phase -> phase.name().equals(name))
                        .toList();
                tail(lines, prefix + "acknowledged", 2 * i, 0, phases, PhaseResult::acknowledged);
                tail(lines, prefix + "visible", 2 * i + 1, 1, phases, PhaseResult::visible);
            }
            page.figure(plot, name, "");
        }
        page.append("</div>\n");
    }

    private static void tail(
            ArrayNode lines,
            String label,
            int color,
            int dash,
            List<PhaseResult> phases,
            Function<PhaseResult, Latencies> which) {
        for (PhaseResult phase : phases) {
            Latencies latencies = which.apply(phase);
            if (latencies.count() == 0) {
                continue;
            }
            ObjectNode line = line(lines, label, color, dash);
            ArrayNode x = line.putArray("x");
            ArrayNode y = line.putArray("y");
            // the slowest of n is at the share 1 - 1/n
            double end = Math.log10((double) latencies.count());
            int steps = (int) Math.ceil(end * 16);
            for (int i = 0; i <= steps; i++) {
                double nines = Math.min(end, i / 16.0);
                x.add(nines);
                y.add(Math.max(1e-6, seconds(latencies.percentile(100 * (1 - Math.pow(10, -nines))))));
            }
        }
    }

    /** Adds the section of memory in use by cycle, if there is any. */
    void occupancy() {
        boolean any =
                runs.results().stream().anyMatch(run -> run.series().stream().anyMatch(HtmlPlots::byCycle));
        if (!any) {
            return;
        }
        page.section("occupancy", "Occupancy per cycle");
        page.append(
                "<p>Memory in use after each cycle. The line is that of the verdict on leaks (Theil and Sen), without the "
                        + "warm-up.</p>\n<div class=\"plots\">\n");
        for (int i = 0; i < runs.results().size(); i++) {
            for (Series series : runs.results().get(i).series()) {
                if (byCycle(series)) {
                    occupancy(i, series);
                }
            }
        }
        page.append("</div>\n");
    }

    private void occupancy(int run, Series series) {
        double[] values = series.values();
        Leak.Line fitted = Leak.line(values);
        ObjectNode plot =
                JsonNodeFactory.instance.objectNode().put("kind", "cycles").put("unit", series.unit());
        ArrayNode lines = plot.putArray("lines");
        ObjectNode measured = line(lines, "measured", 2 * run, 0).put("marks", true);
        ObjectNode line = line(lines, "line", 2 * run + 1, 0);
        ArrayNode x = measured.putArray("x");
        ArrayNode y = measured.putArray("y");
        ArrayNode fittedX = line.putArray("x");
        ArrayNode fittedY = line.putArray("y");
        for (int i = 0; i < values.length; i++) {
            x.add(i + 1);
            add(y, values[i]);
            if (i >= fitted.warmUp()) {
                fittedX.add(i + 1);
                fittedY.add(fitted.at(i));
            }
        }
        ArrayNode bands = plot.putArray("bands");
        if (fitted.warmUp() > 0) {
            bands.addObject().put("name", "warm-up").put("from", 0).put("to", fitted.warmUp() + 0.5);
        }
        page.figure(
                plot,
                (runs.several() ? runs.label(run) + " " : "") + series.name(),
                Quantity.of(fitted.slope(), series.unit()) + " a cycle, from " + Quantity.of(values[0], series.unit())
                        + " to " + Quantity.of(values[values.length - 1], series.unit()));
    }

    /** Adds the section of clusters of several sizes, if there are any. */
    void sizes() {
        if (runs.results().stream().allMatch(run -> run.sizes().isEmpty())) {
            return;
        }
        page.section("sizes", "Sizes of the cluster");
        SortedSet<String> phases = new TreeSet<>();
        runs.results()
                .forEach(run ->
                        run.sizes().forEach(size -> phases.addAll(size.costs().keySet())));
        page.append("<p>CPU time of the controller for one operation, in clusters of several sizes; both axes are "
                + "logarithmic, so work over all objects is a line that rises as steeply as the number of objects.</p>\n"
                + "<div class=\"plots\">\n");
        for (String phase : phases) {
            ObjectNode plot =
                    JsonNodeFactory.instance.objectNode().put("kind", "sizes").put("unit", "seconds");
            plot.putArray("bands");
            ArrayNode lines = plot.putArray("lines");
            for (int i = 0; i < runs.results().size(); i++) {
                ObjectNode line = line(lines, runs.several() ? runs.label(i) : phase, i, i)
                        .put("dots", true);
                ArrayNode x = line.putArray("x");
                ArrayNode y = line.putArray("y");
                runs.results()
                        .get(i)
                        .sizes()
                        .forEach(size -> median(size.costs().getOrDefault(phase, List.of()))
                                .ifPresent(cost -> {
                                    x.add(size.objects());
                                    y.add(seconds(cost));
                                }));
            }
            page.figure(plot, phase, "CPU time of an operation, median");
        }
        page.append("</div>\n");
        List<String> others = new ArrayList<>(List.of("Retained"));
        phases.forEach(phase -> others.add("CPU of an operation of " + phase));
        page.table(runs.columns("Objects", others.toArray(String[]::new)), rows -> {
            for (int i = 0; i < runs.results().size(); i++) {
                for (SizeResult size : runs.results().get(i).sizes()) {
                    List<String> figures = new ArrayList<>();
                    figures.add(
                            size.retained().isPresent()
                                    ? Quantity.of((double) size.retained().getAsLong(), "bytes")
                                    : "–");
                    phases.forEach(phase -> figures.add(median(size.costs().getOrDefault(phase, List.of()))
                            .map(Quantity::of)
                            .orElse("–")));
                    rows.add(runs.row(runs.label(i), Long.toString(size.objects()), figures.toArray(String[]::new)));
                }
            }
        });
    }

    private static Optional<Duration> median(List<Duration> values) {
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(values.stream().sorted().toList().get(values.size() / 2));
    }

    private static boolean byCycle(Series series) {
        return series.name().endsWith("occupancy")
                && series.samples().size() >= 3
                && series.samples().stream().allMatch(sample -> sample.value() > 0);
    }

    private static ObjectNode line(ArrayNode lines, String label, int color, int dash) {
        return lines.addObject().put("label", label).put("color", color).put("dash", dash);
    }

    private static void add(ArrayNode values, double value) {
        if (Double.isFinite(value)) {
            values.add(value);
        } else {
            values.addNull();
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
