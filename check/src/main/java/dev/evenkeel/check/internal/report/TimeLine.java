package dev.evenkeel.check.internal.report;

import dev.evenkeel.check.internal.run.RunLog;
import dev.evenkeel.check.internal.run.RunOutcome;
import java.util.List;
import java.util.Locale;

/** Draws runs as one page of HTML, without scripts and without the network: a column for each source, a row for each entry. */
public final class TimeLine {
    private static final String STYLE = """
            body{font:14px system-ui,sans-serif;margin:2em;color:#222;background:#fff}
            h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}
            table{border-collapse:collapse;width:100%}
            th{text-align:left;position:sticky;top:0;background:#fff;border-bottom:2px solid #999}
            td,th{padding:.15em .6em;vertical-align:top}
            td{border-left:1px solid #e4e4e4}
            td.time{font-variant-numeric:tabular-nums;text-align:right;color:#777;border:0;white-space:nowrap}
            .read{color:#888}.output{color:#666;font:12px monospace}.write{font-weight:600}.process{color:#06c}
            .fault{background:#fde9d9}.wrong{background:#f9d0d0;font-weight:600}.rest{background:#eef6ee}
            pre{background:#f5f5f5;padding:.8em;overflow:auto}
            """;

    private TimeLine() {}

    /** Returns the page of a run without faults and of runs with them. */
    public static String html(List<RunOutcome> runs) {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<title>evenkeel check</title><style>")
                .append(STYLE)
                .append("</style></head><body>\n<h1>evenkeel check</h1>\n");
        for (RunOutcome run : runs) {
            section(run, page);
        }
        return page.append("</body></html>\n").toString();
    }

    private static void section(RunOutcome run, StringBuilder page) {
        String schedule = run.schedule().toString();
        page.append("<h2>")
                .append(schedule.isEmpty() ? "The run without faults" : escaped(schedule))
                .append("</h2>\n");
        run.problem()
                .ifPresent(problem -> page.append("<pre>")
                        .append(escaped(problem.title()))
                        .append('\n')
                        .append(escaped(String.join("\n", problem.lines())))
                        .append("</pre>\n"));
        int processes = run.log().stream().mapToInt(RunLog.Entry::process).max().orElse(1);
        page.append("<table><thead><tr><th>time</th><th>user and faults</th>");
        for (int process = 1; process <= processes; process++) {
            page.append("<th>process")
                    .append(processes == 1 ? "" : " " + process)
                    .append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        run.log().forEach(entry -> row(entry, processes, page));
        page.append("</tbody></table>\n");
    }

    private static void row(RunLog.Entry entry, int processes, StringBuilder page) {
        String style = entry.text().startsWith("WRONG")
                ? "wrong"
                : entry.text().equals("at rest") ? "rest" : entry.lane().name().toLowerCase(Locale.ROOT);
        page.append("<tr><td class=\"time\">")
                .append(String.format(Locale.ROOT, "%.3f", entry.nanos() / 1e9))
                .append("</td>");
        for (int column = 0; column <= processes; column++) {
            if (column == entry.process()) {
                page.append("<td class=\"").append(style).append("\">").append(escaped(entry.text()));
            } else {
                page.append("<td>");
            }
            page.append("</td>");
        }
        page.append("</tr>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
