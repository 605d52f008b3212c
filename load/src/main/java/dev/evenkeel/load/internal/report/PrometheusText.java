package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A result in the text format of Prometheus, version 0.0.4.
 *
 * <p>A phase may occur twice, so each has its index as a label, too.
 */
public final class PrometheusText {
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};

    /** The lines of a metric by its name, since those of one metric must be together. */
    private final Map<String, List<String>> metrics = new LinkedHashMap<>();

    private PrometheusText() {}

    /** Returns a result as text. */
    public static String of(LoadResult result) {
        PrometheusText text = new PrometheusText();
        text.gauge("info", "The run; always 1.", 1, "plan", result.plan(), "seed", Long.toString(result.seed()));
        text.gauge(
                "start_time_seconds",
                "The time at which the run began, since 1970.",
                result.started().toEpochMilli() / 1e3);
        text.gauge("passed", "Whether no verdict is a failure.", result.passed() ? 1 : 0);
        result.verdicts().forEach(text::verdict);
        for (int i = 0; i < result.phases().size(); i++) {
            text.phase(result.phases().get(i), Integer.toString(i));
        }
        result.series().forEach(text::series);
        StringBuilder all = new StringBuilder();
        text.metrics
                .values()
                .forEach(lines -> lines.forEach(line -> all.append(line).append('\n')));
        return all.toString();
    }

    private void verdict(Verdict verdict) {
        for (Verdict.Outcome outcome : Verdict.Outcome.values()) {
            gauge(
                    "verdict",
                    "Whether a verdict has an outcome.",
                    verdict.outcome() == outcome ? 1 : 0,
                    "verdict",
                    verdict.name(),
                    "outcome",
                    outcome.name().toLowerCase(Locale.ROOT));
        }
        gauge(
                "verdict_value",
                "The value that decides a verdict.",
                verdict.value(),
                "verdict",
                verdict.name(),
                "unit",
                verdict.unit());
        gauge(
                "verdict_limit",
                "The limit of a verdict.",
                verdict.limit(),
                "verdict",
                verdict.name(),
                "unit",
                verdict.unit());
        gauge(
                "verdict_confidence",
                "The probability that a verdict is right.",
                verdict.confidence(),
                "verdict",
                verdict.name());
    }

    private void phase(PhaseResult phase, String index) {
        String[] labels = {"phase", phase.name(), "index", index};
        gauge("phase_start_seconds", "The time from the start of the run.", seconds(phase.start()), labels);
        gauge("phase_duration_seconds", "The duration of a phase.", seconds(phase.duration()), labels);
        gauge("phase_operations", "The number of operations.", (double) phase.operations(), labels);
        gauge(
                "phase_refused_operations",
                "The number of operations that the server refused.",
                (double) phase.refused(),
                labels);
        gauge(
                "phase_converged",
                "Whether the controller converged in time.",
                phase.converged().isPresent() ? 1 : 0,
                labels);
        phase.converged()
                .ifPresent(converged -> gauge(
                        "phase_convergence_seconds",
                        "The time from the last acknowledgement to convergence.",
                        seconds(converged),
                        labels));
        summary(
                "phase_acknowledged_seconds",
                "The time from when an operation was due to its acknowledgement.",
                phase.acknowledged(),
                labels);
        summary(
                "phase_visible_seconds",
                "The time from the acknowledgement to the visible effect.",
                phase.visible(),
                labels);
        phase.cpu()
                .ifPresent(cpu -> gauge(
                        "phase_cpu_seconds",
                        "The CPU time of the controller, until it converged.",
                        seconds(cpu),
                        labels));
        phase.requests().forEach((request, counts) -> {
            int space = request.indexOf(' ');
            String[] named = with(
                    labels,
                    "verb",
                    space < 0 ? request : request.substring(0, space),
                    "kind",
                    space < 0 ? "" : request.substring(space + 1));
            gauge("phase_requests", "The number of requests of the controller.", (double) counts.count(), named);
            gauge("phase_conflicts", "Its requests that were answered with 409.", (double) counts.conflicts(), named);
            gauge(
                    "phase_throttled_requests",
                    "Its requests that were answered with 429.",
                    (double) counts.throttled(),
                    named);
            gauge("phase_answer_bytes", "The bytes of the answers.", (double) counts.bytes(), named);
        });
    }

    private void series(Series series) {
        double[] values = series.values();
        if (values.length == 0) {
            return;
        }
        String[] labels = {"series", series.name(), "unit", series.unit()};
        gauge("series_last", "The last value of a series.", values[values.length - 1], labels);
        gauge(
                "series_mean",
                "The mean of a series.",
                Arrays.stream(values).average().orElseThrow(),
                labels);
        gauge(
                "series_max",
                "The greatest value of a series.",
                Arrays.stream(values).max().orElseThrow(),
                labels);
    }

    private void summary(String name, String help, Latencies latencies, String... labels) {
        List<String> lines = lines(name, help, "summary");
        if (latencies.count() > 0) {
            for (double quantile : QUANTILES) {
                lines.add(line(
                        name,
                        seconds(latencies.percentile(quantile * 100)),
                        with(labels, "quantile", number(quantile))));
            }
        }
        double sum = latencies.buckets().stream()
                .mapToDouble(bucket -> (double) bucket.micros() * bucket.count())
                .sum();
        lines.add(line(name + "_sum", sum / 1e6, labels));
        lines.add(line(name + "_count", (double) latencies.count(), labels));
    }

    private void gauge(String name, String help, double value, String... labels) {
        lines(name, help, "gauge").add(line(name, value, labels));
    }

    private List<String> lines(String name, String help, String type) {
        return metrics.computeIfAbsent(
                name,
                any -> new ArrayList<>(List.of(
                        "# HELP evenkeel_load_" + name + " " + help, "# TYPE evenkeel_load_" + name + " " + type)));
    }

    private static String line(String name, double value, String... labels) {
        StringBuilder line = new StringBuilder("evenkeel_load_").append(name);
        for (int i = 0; i < labels.length; i += 2) {
            line.append(i == 0 ? '{' : ',')
                    .append(labels[i])
                    .append("=\"")
                    .append(escaped(labels[i + 1]))
                    .append('"');
        }
        return line.append(labels.length > 0 ? "} " : " ").append(number(value)).toString();
    }

    private static String[] with(String[] labels, String... more) {
        String[] all = Arrays.copyOf(labels, labels.length + more.length);
        System.arraycopy(more, 0, all, labels.length, more.length);
        return all;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
