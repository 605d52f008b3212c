package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.internal.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Prints measurements immediately, one line each, and collects those of all runs for a summary and a file. */
final class Report {
    private static final String SUMMARY_LINE = "%-66s %32s %32s %s%n";
    private static final String LINE = "%-54s %14s %14s %9s%n";

    private final PrintStream out;
    private final Map<ReportRow.Key, List<Measurement>> measurements = new LinkedHashMap<>();

    Report(PrintStream out) {
        this.out = out;
    }

    void begin(String suite, String remark) {
        out.printf("%n%s: %s%n%n", suite, remark);
        out.printf(LINE, "workload", "ours", "peer", "ratio");
    }

    void add(Measurement measurement) {
        measurements
                .computeIfAbsent(new ReportRow(List.of(measurement)).key(), key -> new ArrayList<>())
                .add(measurement);
        OptionalDouble ratio = measurement.ratio();
        out.printf(
                LINE,
                measurement.workload() + " [" + measurement.unit().symbol + "]",
                number(measurement.ours()),
                measurement.peer().isEmpty() ? "-" : number(measurement.peer().getAsDouble()),
                ratio.isEmpty() ? "-" : number(ratio.getAsDouble()) + "x");
        out.flush();
    }

    /** Returns all workloads with what each run measured. */
    List<ReportRow> rows() {
        return measurements.values().stream().map(ReportRow::new).toList();
    }

    /** Prints the medians of all runs, the least and the greatest, and which rows are undecided. */
    void summary(int runs) {
        out.printf("%nMedians of %d runs, with the least and the greatest:%n%n", runs);
        out.printf(SUMMARY_LINE, "workload", "ours", "peer", "ratio");
        for (ReportRow row : rows()) {
            out.printf(
                    SUMMARY_LINE,
                    row.key().suite() + ": " + row.key().workload() + " ["
                            + row.key().unit() + "]",
                    spread(row.ours(), ""),
                    row.peer().map(peer -> spread(peer, "")).orElse("-"),
                    row.ratio().map(ratio -> spread(ratio, "x")).orElse("-") + (row.undecided() ? " undecided" : ""));
        }
        out.flush();
    }

    private static String spread(Rounds rounds, String unit) {
        return number(rounds.median()) + unit + " (" + rounds.spread() + ")";
    }

    /** Prints figures of the same workload from another run, on another machine; not part of the file. */
    void elsewhere(String figures) {
        note("measured elsewhere: " + figures);
    }

    /** Prints a remark on the line above; not part of the file. */
    void note(String text) {
        out.printf("    (%s)%n", text);
        out.flush();
    }

    /** Formats three significant digits, which matches the precision of the measurements. */
    static String number(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return Double.toString(value);
        }
        int digits = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
        if (digits >= 3) {
            double unit = Math.pow(10, digits - 3);
            return String.format(Locale.ROOT, "%,.0f", Math.round(value / unit) * unit);
        }
        return String.format(Locale.ROOT, "%." + Math.min(6, 3 - digits) + "f", value);
    }

    void write(Path file) {
        try {
            Files.write(file, Json.write(rows().stream().map(ReportRow::json).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException("the results cannot be written to " + file, e);
        }
    }
}
