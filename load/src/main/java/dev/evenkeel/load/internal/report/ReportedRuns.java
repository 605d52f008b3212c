package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.result.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The results in a report; several have labels, which are letters. */
record ReportedRuns(List<LoadResult> results) {
    ReportedRuns {
        results = List.copyOf(results);
    }

    /** Returns true if the report compares several runs. */
    boolean several() {
        return results.size() > 1;
    }

    /** Returns the label of a run, by its place. */
    String label(int run) {
        return Comparison.label(run);
    }

    /** Returns the labels of all runs. */
    List<String> labels() {
        return IntStream.range(0, results.size()).mapToObj(this::label).toList();
    }

    /** Returns the columns of a table that has a row for each run. */
    List<String> columns(String first, String... others) {
        List<String> columns = new ArrayList<>(List.of(first));
        if (several()) {
            columns.add("Run");
        }
        columns.addAll(List.of(others));
        return columns;
    }

    /** Returns a row of such a table, for the run with a label. */
    List<String> row(String label, String first, String... others) {
        List<String> row = new ArrayList<>(List.of(first));
        if (several()) {
            row.add(label);
        }
        row.addAll(List.of(others));
        return row;
    }
}
