package dev.evenkeel.load;

import dev.evenkeel.load.internal.report.Comparison;
import dev.evenkeel.load.internal.report.HtmlReport;
import dev.evenkeel.load.internal.report.PrometheusText;
import dev.evenkeel.load.internal.report.ResultFile;
import dev.evenkeel.load.result.LoadResult;
import java.util.List;

/** Results as texts: for people, for other tools, and to compare them later. */
public final class LoadReports {
    private LoadReports() {}

    /** Returns one HTML file without references to others, with one or several results side by side. */
    public static String html(List<LoadResult> results) {
        return HtmlReport.of(results);
    }

    /** Returns a result as JSON. */
    public static String json(LoadResult result) {
        return ResultFile.json(result);
    }

    /**
     * Returns the result of a text in JSON.
     *
     * @throws IllegalArgumentException if it is not one; the message names the field
     */
    public static LoadResult parse(String json) {
        return ResultFile.parse("result", json);
    }

    /** Returns a result as Prometheus text. */
    public static String prometheus(LoadResult result) {
        return PrometheusText.of(result);
    }

    /** Returns the differences of results, with their significance, as a table. */
    public static String comparison(List<LoadResult> results) {
        return Comparison.of(results).text();
    }
}
