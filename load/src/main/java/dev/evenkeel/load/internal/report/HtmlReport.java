package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.result.ClassGrowth;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.RequestCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Results of one run or of several next to each other as one HTML file.
 *
 * <p>The problem: a report is read on another machine, months later, from a chat or a bug tracker, and holds names that
 * others chose.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The file needs nothing else: script, style sheet and figures are in it, and its Content-Security-Policy allows no
 *       request at all and no other script or style than those, by their hashes.
 *   <li>Each text from a result is escaped: as HTML in the page, as JSON without {@code <} in the data of the plots.
 *   <li>Each figure is in a table; plots add the course of time. So the page serves without a script, on paper, and to those
 *       who hear it. An outcome is a word and a sign, not a colour alone.
 * </ol>
 */
public final class HtmlReport {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final HtmlPage page = new HtmlPage();
    private final ReportedRuns runs;

    private HtmlReport(ReportedRuns runs) {
        this.runs = runs;
    }

    /** Writes a report to a file, which is replaced if it exists. */
    public static void write(Path file, List<LoadResult> results) throws IOException {
        Files.writeString(file, of(results), StandardCharsets.UTF_8);
    }

    /** Returns a report of one result or more as HTML. */
    public static String of(List<LoadResult> results) {
        if (results.isEmpty()) {
            throw new IllegalArgumentException("results must be one or more: 0");
        }
        return new HtmlReport(new ReportedRuns(results)).render();
    }

    private String render() {
        String title = "Load of " + runs.results().getFirst().plan()
                + (runs.several() ? ", " + runs.results().size() + " runs" : "");
        header(title);
        new HtmlVerdicts(page, runs).add();
        if (runs.several()) {
            comparison();
        }
        HtmlPlots plots = new HtmlPlots(page, runs);
        plots.courses();
        plots.percentiles();
        plots.occupancy();
        classes();
        plots.sizes();
        phases();
        requests();
        environment();
        return page.document(title);
    }

    private void header(String title) {
        page.append("<header>\n<h1>").append(HtmlPage.escaped(title)).append("</h1>\n");
        for (int i = 0; i < runs.results().size(); i++) {
            LoadResult run = runs.results().get(i);
            Duration length = run.phases().stream()
                    .map(phase -> phase.start().plus(phase.duration()))
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
            long operations =
                    run.phases().stream().mapToLong(PhaseResult::operations).sum();
            page.append("<p class=\"sub\">")
                    .append(runs.several() ? "<strong>" + runs.label(i) + "</strong> " : "")
                    .append(runs.several() ? HtmlPage.escaped(run.plan()) + " · " : "")
                    .append(HtmlPage.escaped(TIME.format(run.started())))
                    .append(" · seed ")
                    .append(run.seed())
                    .append(" · ")
                    .append(run.phases().size())
                    .append(run.phases().size() == 1 ? " phase" : " phases")
                    .append(" · ")
                    .append(operations)
                    .append(" operations in ")
                    .append(HtmlPage.escaped(Quantity.of(length)))
                    .append("</p>\n");
        }
        page.append("<nav aria-label=\"Sections\"><a href=\"#verdicts\">Verdicts</a>")
                .append(runs.several() ? "<a href=\"#comparison\">Comparison</a>" : "")
                .append("<a href=\"#course\">Over time</a><a href=\"#latencies\">Latencies</a>")
                .append("<a href=\"#phases\">Phases</a><a href=\"#requests\">Requests</a>")
                .append(
                        "<a href=\"#environment\">Plan and environment</a></nav>\n</header>\n<noscript><p class=\"warn\">")
                .append("The plots need JavaScript. All figures are in the tables.</p></noscript>\n");
    }

    private void comparison() {
        page.section("comparison", "Comparison");
        Comparison comparison = Comparison.of(runs.results());
        comparison
                .warnings()
                .forEach(warning -> page.append("<p class=\"warn\">Warning: ")
                        .append(HtmlPage.escaped(warning))
                        .append("</p>\n"));
        List<Comparison.Figure> changed =
                comparison.figures().stream().filter(Comparison.Figure::changed).toList();
        page.append("<p>")
                .append(changed.isEmpty() ? "None" : Integer.toString(changed.size()))
                .append(" of ")
                .append(comparison.figures().size())
                .append(" figures differ from A significantly, and by at least 5 %. P is the probability of such a "
                        + "difference between equal runs, corrected by the number of figures; one in a hundred comparisons of "
                        + "equal runs finds a difference.</p>\n");
        if (!changed.isEmpty()) {
            comparison(changed);
        }
        page.append("<details><summary>All figures</summary>\n");
        comparison(comparison.figures());
        page.append("</details>\n");
    }

    private void comparison(List<Comparison.Figure> figures) {
        List<String> header = new ArrayList<>(List.of("Figure", "A"));
        for (String label : runs.labels().subList(1, runs.results().size())) {
            header.addAll(List.of(label, "Difference", "P", "Change"));
        }
        page.table(
                header,
                rows -> figures.forEach(figure -> {
                    List<String> row = new ArrayList<>(List.of(figure.name()));
                    for (int i = 0; i < figure.values().size(); i++) {
                        row.add(Comparison.value(figure.values().get(i), figure.unit()));
                        if (i > 0) {
                            Comparison.Difference difference =
                                    figure.differences().get(i - 1);
                            row.add(Comparison.relative(difference));
                            row.add(Comparison.probability(difference));
                            row.add(
                                    switch (difference.change()) {
                                        case LESS -> "▼ less";
                                        case MORE -> "▲ more";
                                        case NONE, UNTESTED, ABSENT ->
                                            difference.change().words();
                                    });
                        }
                    }
                    rows.add(row);
                }));
    }

    private void classes() {
        if (runs.results().stream().allMatch(run -> run.classes().isEmpty())) {
            return;
        }
        page.append(
                "<details><summary>Classes that grew from the first third of the cycles to the last one</summary>\n");
        page.table(runs.columns("Class", "Instances", "Bytes"), rows -> {
            for (int i = 0; i < runs.results().size(); i++) {
                for (ClassGrowth one : runs.results().get(i).classes()) {
                    rows.add(runs.row(
                            runs.label(i),
                            one.name(),
                            (one.instances() > 0 ? "+" : "") + one.instances(),
                            "+" + Quantity.of((double) one.bytes(), "bytes")));
                }
            }
        });
        page.append("</details>\n");
    }

    private void phases() {
        page.section("phases", "Phases");
        page.append("<p class=\"note\">Latencies as 50 % / 99 % / greatest.</p>\n");
        page.table(
                runs.columns(
                        "Phase",
                        "Start",
                        "Duration",
                        "Operations",
                        "Refused",
                        "Acknowledged",
                        "Visible",
                        "Converged",
                        "CPU",
                        "Writes for each operation"),
                rows -> {
                    for (int i = 0; i < runs.results().size(); i++) {
                        for (PhaseResult phase : runs.results().get(i).phases()) {
                            rows.add(runs.row(
                                    runs.label(i),
                                    phase.name(),
                                    Quantity.of(phase.start()),
                                    Quantity.of(phase.duration()),
                                    Long.toString(phase.operations()),
                                    Long.toString(phase.refused()),
                                    latencies(phase.acknowledged()),
                                    latencies(phase.visible()),
                                    phase.converged()
                                            .map(time -> "after " + Quantity.of(time))
                                            .orElse("✗ not in time"),
                                    phase.cpu().map(Quantity::of).orElse("–"),
                                    phase.operations() == 0
                                            ? "–"
                                            : Quantity.number((double) phase.writes() / phase.operations())));
                        }
                    }
                });
    }

    private void requests() {
        page.section("requests", "Requests of the controller");
        SortedSet<String> names = new TreeSet<>();
        runs.results()
                .forEach(run -> run.phases()
                        .forEach(phase -> names.addAll(phase.requests().keySet())));
        if (names.isEmpty()) {
            page.append("<p>The run has no requests of the controller.</p>\n");
            return;
        }
        long most = runs.results().stream()
                .flatMapToLong(
                        run -> names.stream().mapToLong(name -> total(run, name).count()))
                .max()
                .orElse(1);
        page.append("<div class=\"scroll\"><table><thead><tr><th>Request</th>")
                .append(runs.several() ? "<th>Run</th>" : "")
                .append("<th class=\"n\">Total</th><th></th><th class=\"n\">Conflicts (409)</th>")
                .append("<th class=\"n\">Throttled (429)</th><th class=\"n\">Bytes of an answer</th>");
        Set<String> phases = new LinkedHashSet<>();
        runs.results().forEach(run -> run.phases().forEach(phase -> phases.add(phase.name())));
        phases.forEach(phase ->
                page.append("<th class=\"n\">").append(HtmlPage.escaped(phase)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (String name : names) {
            for (int i = 0; i < runs.results().size(); i++) {
                LoadResult run = runs.results().get(i);
                RequestCounts total = total(run, name);
                page.append("<tr><th>")
                        .append(HtmlPage.escaped(name))
                        .append("</th>")
                        .append(runs.several() ? "<td>" + runs.label(i) + "</td>" : "")
                        .append("<td class=\"n\">")
                        .append(total.count())
                        .append("</td><td><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                                + "aria-hidden=\"true\"><rect width=\"")
                        .append(Math.round(1_000.0 * total.count() / Math.max(1, most)) / 10.0)
                        .append("\" height=\"10\"/></svg></td><td class=\"n\">")
                        .append(total.conflicts())
                        .append("</td><td class=\"n\">")
                        .append(total.throttled())
                        .append("</td><td class=\"n\">")
                        .append(
                                total.count() == 0
                                        ? "–"
                                        : HtmlPage.escaped(
                                                Quantity.of((double) total.bytes() / total.count(), "bytes")))
                        .append("</td>");
                for (String phase : phases) {
                    long count = run.phases().stream()
                            .filter(one -> one.name().equals(phase))
                            .mapToLong(one -> one.requests()
                                    .getOrDefault(name, RequestCounts.NONE)
                                    .count())
                            .sum();
                    page.append("<td class=\"n\">").append(count).append("</td>");
                }
                page.append("</tr>\n");
            }
        }
        page.append("</tbody></table></div>\n");
    }

    private static RequestCounts total(LoadResult run, String request) {
        return run.phases().stream()
                .map(phase -> phase.requests().getOrDefault(request, RequestCounts.NONE))
                .reduce(RequestCounts.NONE, RequestCounts::plus);
    }

    private void environment() {
        page.section("environment", "Plan and environment");
        SortedSet<String> keys = new TreeSet<>();
        runs.results().forEach(run -> keys.addAll(run.environment().keySet()));
        page.append("<div class=\"scroll\"><table><thead><tr><th></th>");
        for (String label : runs.labels()) {
            page.append("<th>").append(runs.several() ? label : "This run").append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        property("plan", LoadResult::plan);
        property("seed", run -> Long.toString(run.seed()));
        property("started", run -> run.started().toString());
        keys.forEach(key -> property(key, run -> run.environment().getOrDefault(key, "-")));
        page.append("</tbody></table></div>\n");
    }

    private void property(String name, Function<LoadResult, String> value) {
        page.append("<tr><th>").append(HtmlPage.escaped(name)).append("</th>");
        runs.results()
                .forEach(run -> page.append("<td class=\"text\">")
                        .append(HtmlPage.escaped(value.apply(run)))
                        .append("</td>"));
        page.append("</tr>\n");
    }

    private static String latencies(Latencies latencies) {
        return latencies.count() == 0
                ? "-"
                : Quantity.of(latencies.percentile(50)) + " / " + Quantity.of(latencies.percentile(99)) + " / "
                        + Quantity.of(latencies.max());
    }
}
