package dev.evenkeel.load.internal.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.load.internal.verdict.Leak;
import dev.evenkeel.load.result.ClassGrowth;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.RequestCounts;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

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
 *
 * <p>A series whose name ends in {@code occupancy} has one sample for each cycle; it is drawn by cycle, with the line that
 * the judgement on leaks uses.
 */
public final class HtmlReport {
    private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern UNIT = Pattern.compile("(\\d) (%|s|ms|µs|bytes|kB|MB|cores)(?![A-Za-z])");

    /** Explanations of verdicts by their names. */
    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("leak", "Does memory grow from cycle to cycle, after a full collection and without the warm-up?"),
            Map.entry("convergence", "Does the controller finish its work after each phase in time?"),
            Map.entry("end-state", "Do the objects end as they do in a run without load?"),
            Map.entry(
                    "scaling",
                    "Does one change cost more the larger the cluster is? An exponent of 1 is work over all objects."),
            Map.entry("idle.writes", "Does the controller write while nothing changes?"),
            Map.entry("idle.requests", "Does the controller poll while nothing changes?"),
            Map.entry("idle.cpu", "Does the controller use CPU time while nothing changes?"),
            Map.entry("restart.lists", "Does a restarted controller list each kind once, or again and again?"),
            Map.entry("restart.gets", "Does a restarted controller get each object singly?"),
            Map.entry("restart.writes", "Does a restarted controller write although nothing has changed?"),
            Map.entry("fairness", "Are quiet namespaces served while one namespace is busy?"),
            Map.entry("latency", "Do effects become visible soon after the change is acknowledged?"));

    private final StringBuilder page = new StringBuilder();
    private final ArrayNode plots = JsonNodeFactory.instance.arrayNode();
    private final List<LoadResult> runs;
    private final List<String> labels;

    private HtmlReport(List<LoadResult> runs) {
        this.runs = runs;
        this.labels =
                IntStream.range(0, runs.size()).mapToObj(Comparison::label).toList();
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
        return new HtmlReport(List.copyOf(results)).render();
    }

    private String render() {
        String library = resource(LIBRARY + "uPlot.iife.min.js");
        String script = resource("report.js");
        String style = resource(LIBRARY + "uPlot.min.css") + "\n" + resource("report.css");
        LoadResult first = runs.getFirst();
        String title = "Load of " + first.plan() + (runs.size() > 1 ? ", " + runs.size() + " runs" : "");
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ")
                .append(hash(library))
                .append(' ')
                .append(hash(script))
                .append("; style-src ")
                .append(hash(style))
                .append("; base-uri 'none'; form-action 'none'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped(title))
                .append("</title>\n<style>")
                .append(style)
                .append("</style>\n</head>\n<body>\n");
        header(title);
        verdicts();
        if (runs.size() > 1) {
            comparison();
        }
        courses();
        percentiles();
        occupancy();
        classes();
        sizes();
        phases();
        requests();
        environment();
        page.append("<script type=\"application/json\" id=\"data\">")
                .append(data())
                .append("</script>\n<script>")
                .append(library)
                .append("</script>\n<script>")
                .append(script)
                .append("</script>\n</body>\n</html>\n");
        return page.toString();
    }

    private void header(String title) {
        page.append("<header>\n<h1>").append(escaped(title)).append("</h1>\n");
        for (int i = 0; i < runs.size(); i++) {
            LoadResult run = runs.get(i);
            Duration length = run.phases().stream()
                    .map(phase -> phase.start().plus(phase.duration()))
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
            long operations =
                    run.phases().stream().mapToLong(PhaseResult::operations).sum();
            page.append("<p class=\"sub\">")
                    .append(runs.size() > 1 ? "<strong>" + labels.get(i) + "</strong> " : "")
                    .append(runs.size() > 1 ? escaped(run.plan()) + " · " : "")
                    .append(escaped(TIME.format(run.started())))
                    .append(" · seed ")
                    .append(run.seed())
                    .append(" · ")
                    .append(run.phases().size())
                    .append(run.phases().size() == 1 ? " phase" : " phases")
                    .append(" · ")
                    .append(operations)
                    .append(" operations in ")
                    .append(escaped(Quantity.of(length)))
                    .append("</p>\n");
        }
        page.append("<nav aria-label=\"Sections\"><a href=\"#verdicts\">Verdicts</a>")
                .append(runs.size() > 1 ? "<a href=\"#comparison\">Comparison</a>" : "")
                .append("<a href=\"#course\">Over time</a><a href=\"#latencies\">Latencies</a>")
                .append("<a href=\"#phases\">Phases</a><a href=\"#requests\">Requests</a>")
                .append(
                        "<a href=\"#environment\">Plan and environment</a></nav>\n</header>\n<noscript><p class=\"warn\">")
                .append("The plots need JavaScript. All figures are in the tables.</p></noscript>\n");
    }

    private void verdicts() {
        section("verdicts", "Verdicts");
        Set<String> names = new LinkedHashSet<>();
        for (Outcome outcome : List.of(Outcome.FAIL, Outcome.OPEN, Outcome.PASS)) {
            runs.forEach(run -> run.verdicts().stream()
                    .filter(verdict -> verdict.outcome() == outcome)
                    .forEach(verdict -> names.add(verdict.name())));
        }
        if (names.isEmpty()) {
            page.append("<p>The plan has no verdicts.</p>\n");
            return;
        }
        page.append("<ul class=\"sum\">");
        for (Outcome outcome : List.of(Outcome.FAIL, Outcome.OPEN, Outcome.PASS)) {
            long count = runs.stream()
                    .flatMap(run -> run.verdicts().stream())
                    .filter(verdict -> verdict.outcome() == outcome)
                    .count();
            if (count > 0) {
                page.append("<li class=\"")
                        .append(style(outcome))
                        .append("\">")
                        .append(sign(outcome))
                        .append(' ')
                        .append(count)
                        .append(
                                switch (outcome) {
                                    case PASS -> " passed";
                                    case FAIL -> " failed";
                                    case OPEN -> " open";
                                })
                        .append("</li>");
            }
        }
        page.append(
                "</ul>\n<p class=\"note\">A verdict is open if the figures do not decide; it says what would.</p>\n");
        page.append("<div class=\"verdicts")
                .append(runs.size() > 1 ? "" : " single")
                .append("\">\n");
        names.forEach(this::verdict);
        page.append("</div>\n");
    }

    private void verdict(String name) {
        Outcome worst = runs.stream()
                .flatMap(run -> run.verdicts().stream())
                .filter(verdict -> verdict.name().equals(name))
                .map(Verdict::outcome)
                .min(Comparator.comparing(outcome -> switch (outcome) {
                    case FAIL -> 0;
                    case OPEN -> 1;
                    case PASS -> 2;
                }))
                .orElseThrow();
        page.append("<article class=\"verdict ")
                .append(style(worst))
                .append("\"><header><h3>")
                .append(escaped(name))
                .append("</h3></header>");
        String meaning = MEANINGS.getOrDefault(name, "");
        if (!meaning.isEmpty()) {
            page.append("<p class=\"meaning\">").append(escaped(meaning)).append("</p>");
        }
        page.append("<div class=\"runs\">");
        for (int i = 0; i < runs.size(); i++) {
            for (Verdict verdict : runs.get(i).verdicts()) {
                if (verdict.name().equals(name)) {
                    verdict(labels.get(i), verdict);
                }
            }
        }
        page.append("</div></article>\n");
    }

    private void verdict(String label, Verdict verdict) {
        page.append("<div class=\"run\"><p>")
                .append(runs.size() > 1 ? "<strong>" + label + "</strong> " : "")
                .append("<span class=\"badge ")
                .append(style(verdict.outcome()))
                .append("\">")
                .append(sign(verdict.outcome()))
                .append(' ')
                .append(
                        switch (verdict.outcome()) {
                            case PASS -> "Pass";
                            case FAIL -> "Fail";
                            case OPEN -> "Open";
                        })
                .append("</span> <span class=\"value\">")
                .append(escaped(Quantity.of(verdict.value(), verdict.unit())))
                .append("</span> <span class=\"note\">· limit ")
                .append(sentence(
                        verdict.unit().equals("seconds")
                                ? Quantity.of(verdict.limit(), verdict.unit())
                                : Quantity.number(verdict.limit())))
                .append(" · confidence ")
                .append(confidence(verdict.confidence()))
                .append("</span></p><p>")
                .append(sentence(verdict.finding()))
                .append("</p>");
        if (!verdict.firmer().isEmpty()) {
            page.append("<p class=\"firmer\">For more confidence: ")
                    .append(sentence(verdict.firmer()))
                    .append("</p>");
        }
        page.append("</div>");
    }

    private void comparison() {
        section("comparison", "Comparison");
        Comparison comparison = Comparison.of(runs);
        comparison
                .warnings()
                .forEach(warning -> page.append("<p class=\"warn\">Warning: ")
                        .append(escaped(warning))
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
        for (String label : labels.subList(1, labels.size())) {
            header.addAll(List.of(label, "Difference", "P", "Change"));
        }
        table(
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

    private void courses() {
        section("course", "Over time");
        SortedSet<String> names = new TreeSet<>();
        runs.forEach(run -> run.series().stream()
                .filter(series -> !series.samples().isEmpty() && !byCycle(series))
                .forEach(series -> names.add(series.name())));
        if (names.isEmpty()) {
            page.append("<p>The run has no figures over time.</p>\n");
            return;
        }
        page.append("<p class=\"note\">Bands are phases")
                .append(runs.size() > 1 ? " of A" : "")
                .append(". Drag to enlarge; a double click shows all.</p>\n<div class=\"plots\">\n");
        for (String name : names) {
            ObjectNode plot = JsonNodeFactory.instance.objectNode().put("kind", "time");
            ArrayNode lines = plot.putArray("lines");
            for (int i = 0; i < runs.size(); i++) {
                int run = i;
                runs.get(i)
                        .series(name)
                        .filter(series -> !series.samples().isEmpty())
                        .ifPresent(series -> {
                            plot.put("unit", series.unit());
                            ObjectNode line = line(lines, runs.size() > 1 ? labels.get(run) : name, run, run);
                            ArrayNode x = line.putArray("x");
                            ArrayNode y = line.putArray("y");
                            series.samples().forEach(sample -> {
                                x.add(seconds(sample.at()));
                                add(y, sample.value());
                            });
                        });
            }
            ArrayNode bands = plot.putArray("bands");
            runs.getFirst()
                    .phases()
                    .forEach(phase -> bands.addObject()
                            .put("name", phase.name())
                            .put("from", seconds(phase.start()))
                            .put(
                                    "to",
                                    seconds(phase.start()
                                            .plus(phase.duration())
                                            .plus(phase.converged().orElse(Duration.ZERO)))));
            figure(plot, name, plot.path("unit").textValue());
        }
        page.append("</div>\n<details><summary>Table of these figures</summary>\n");
        table(columns("Figure", "Least", "Median", "Greatest", "Last"), rows -> {
            for (String name : names) {
                for (int i = 0; i < runs.size(); i++) {
                    String label = labels.get(i);
                    runs.get(i)
                            .series(name)
                            .filter(series -> !series.samples().isEmpty())
                            .ifPresent(series -> {
                                double[] sorted = series.values();
                                double last = sorted[sorted.length - 1];
                                Arrays.sort(sorted);
                                rows.add(row(
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

    private void percentiles() {
        section("latencies", "Latencies");
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> run.phases().stream()
                .filter(phase -> phase.acknowledged().count() + phase.visible().count() > 0)
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
            for (int i = 0; i < runs.size(); i++) {
                String prefix = runs.size() > 1 ? labels.get(i) + " " : "";
                List<PhaseResult> phases = runs.get(i).phases().stream()
                        .filter(phase -> phase.name().equals(name))
                        .toList();
                tail(lines, prefix + "acknowledged", 2 * i, 0, phases, PhaseResult::acknowledged);
                tail(lines, prefix + "visible", 2 * i + 1, 1, phases, PhaseResult::visible);
            }
            figure(plot, name, "");
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

    private void occupancy() {
        boolean any = runs.stream().anyMatch(run -> run.series().stream().anyMatch(HtmlReport::byCycle));
        if (!any) {
            return;
        }
        section("occupancy", "Occupancy per cycle");
        page.append(
                "<p>Memory in use after each cycle. The line is that of the verdict on leaks (Theil and Sen), without the "
                        + "warm-up.</p>\n<div class=\"plots\">\n");
        for (int i = 0; i < runs.size(); i++) {
            for (Series series : runs.get(i).series()) {
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
        figure(
                plot,
                (runs.size() > 1 ? labels.get(run) + " " : "") + series.name(),
                Quantity.of(fitted.slope(), series.unit()) + " a cycle, from " + Quantity.of(values[0], series.unit())
                        + " to " + Quantity.of(values[values.length - 1], series.unit()));
    }

    private void classes() {
        if (runs.stream().allMatch(run -> run.classes().isEmpty())) {
            return;
        }
        page.append(
                "<details><summary>Classes that grew from the first third of the cycles to the last one</summary>\n");
        table(columns("Class", "Instances", "Bytes"), rows -> {
            for (int i = 0; i < runs.size(); i++) {
                for (ClassGrowth one : runs.get(i).classes()) {
                    rows.add(row(
                            labels.get(i),
                            one.name(),
                            (one.instances() > 0 ? "+" : "") + one.instances(),
                            "+" + Quantity.of((double) one.bytes(), "bytes")));
                }
            }
        });
        page.append("</details>\n");
    }

    private void sizes() {
        if (runs.stream().allMatch(run -> run.sizes().isEmpty())) {
            return;
        }
        section("sizes", "Sizes of the cluster");
        SortedSet<String> phases = new TreeSet<>();
        runs.forEach(
                run -> run.sizes().forEach(size -> phases.addAll(size.costs().keySet())));
        page.append("<p>CPU time of the controller for one operation, in clusters of several sizes; both axes are "
                + "logarithmic, so work over all objects is a line that rises as steeply as the number of objects.</p>\n"
                + "<div class=\"plots\">\n");
        for (String phase : phases) {
            ObjectNode plot =
                    JsonNodeFactory.instance.objectNode().put("kind", "sizes").put("unit", "seconds");
            plot.putArray("bands");
            ArrayNode lines = plot.putArray("lines");
            for (int i = 0; i < runs.size(); i++) {
                ObjectNode line = line(lines, runs.size() > 1 ? labels.get(i) : phase, i, i)
                        .put("dots", true);
                ArrayNode x = line.putArray("x");
                ArrayNode y = line.putArray("y");
                runs.get(i)
                        .sizes()
                        .forEach(size -> median(size.costs().getOrDefault(phase, List.of()))
                                .ifPresent(cost -> {
                                    x.add(size.objects());
                                    y.add(seconds(cost));
                                }));
            }
            figure(plot, phase, "CPU time of an operation, median");
        }
        page.append("</div>\n");
        List<String> others = new ArrayList<>(List.of("Retained"));
        phases.forEach(phase -> others.add("CPU of an operation of " + phase));
        table(columns("Objects", others.toArray(String[]::new)), rows -> {
            for (int i = 0; i < runs.size(); i++) {
                for (SizeResult size : runs.get(i).sizes()) {
                    List<String> figures = new ArrayList<>();
                    figures.add(
                            size.retained().isPresent()
                                    ? Quantity.of((double) size.retained().getAsLong(), "bytes")
                                    : "–");
                    phases.forEach(phase -> figures.add(median(size.costs().getOrDefault(phase, List.of()))
                            .map(Quantity::of)
                            .orElse("–")));
                    rows.add(row(labels.get(i), Long.toString(size.objects()), figures.toArray(String[]::new)));
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

    private void phases() {
        section("phases", "Phases");
        page.append("<p class=\"note\">Latencies as 50 % / 99 % / greatest.</p>\n");
        table(
                columns(
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
                    for (int i = 0; i < runs.size(); i++) {
                        for (PhaseResult phase : runs.get(i).phases()) {
                            rows.add(row(
                                    labels.get(i),
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
        section("requests", "Requests of the controller");
        SortedSet<String> names = new TreeSet<>();
        runs.forEach(run ->
                run.phases().forEach(phase -> names.addAll(phase.requests().keySet())));
        if (names.isEmpty()) {
            page.append("<p>The run has no requests of the controller.</p>\n");
            return;
        }
        long most = runs.stream()
                .flatMapToLong(
                        run -> names.stream().mapToLong(name -> total(run, name).count()))
                .max()
                .orElse(1);
        page.append("<div class=\"scroll\"><table><thead><tr><th>Request</th>")
                .append(runs.size() > 1 ? "<th>Run</th>" : "")
                .append("<th class=\"n\">Total</th><th></th><th class=\"n\">Conflicts (409)</th>")
                .append("<th class=\"n\">Throttled (429)</th><th class=\"n\">Bytes of an answer</th>");
        Set<String> phases = new LinkedHashSet<>();
        runs.forEach(run -> run.phases().forEach(phase -> phases.add(phase.name())));
        phases.forEach(
                phase -> page.append("<th class=\"n\">").append(escaped(phase)).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (String name : names) {
            for (int i = 0; i < runs.size(); i++) {
                LoadResult run = runs.get(i);
                RequestCounts total = total(run, name);
                page.append("<tr><th>")
                        .append(escaped(name))
                        .append("</th>")
                        .append(runs.size() > 1 ? "<td>" + labels.get(i) + "</td>" : "")
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
                                        : escaped(Quantity.of((double) total.bytes() / total.count(), "bytes")))
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
        section("environment", "Plan and environment");
        SortedSet<String> keys = new TreeSet<>();
        runs.forEach(run -> keys.addAll(run.environment().keySet()));
        page.append("<div class=\"scroll\"><table><thead><tr><th></th>");
        for (String label : labels) {
            page.append("<th>").append(runs.size() > 1 ? label : "This run").append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        property("plan", LoadResult::plan);
        property("seed", run -> Long.toString(run.seed()));
        property("started", run -> run.started().toString());
        keys.forEach(key -> property(key, run -> run.environment().getOrDefault(key, "-")));
        page.append("</tbody></table></div>\n");
    }

    private void property(String name, Function<LoadResult, String> value) {
        page.append("<tr><th>").append(escaped(name)).append("</th>");
        runs.forEach(run -> page.append("<td class=\"text\">")
                .append(escaped(value.apply(run)))
                .append("</td>"));
        page.append("</tr>\n");
    }

    private void section(String id, String title) {
        page.append("<h2 id=\"").append(id).append("\">").append(title).append("</h2>\n");
    }

    private void figure(ObjectNode plot, String title, String note) {
        page.append("<figure><figcaption>")
                .append(escaped(title))
                .append(note.isEmpty() ? "" : " <small>" + escaped(note) + "</small>")
                .append("</figcaption><div class=\"plot\" data-plot=\"")
                .append(plots.size())
                .append("\"></div></figure>\n");
        plots.add(plot);
    }

    /** Returns the columns of a table that has a row for each run. */
    private List<String> columns(String first, String... others) {
        List<String> columns = new ArrayList<>(List.of(first));
        if (runs.size() > 1) {
            columns.add("Run");
        }
        columns.addAll(List.of(others));
        return columns;
    }

    private List<String> row(String label, String first, String... others) {
        List<String> row = new ArrayList<>(List.of(first));
        if (runs.size() > 1) {
            row.add(label);
        }
        row.addAll(List.of(others));
        return row;
    }

    private void table(List<String> header, Consumer<List<List<String>>> fill) {
        List<List<String>> rows = new ArrayList<>();
        fill.accept(rows);
        page.append("<div class=\"scroll\"><table><thead><tr>");
        for (int i = 0; i < header.size(); i++) {
            page.append(i == 0 ? "<th>" : "<th class=\"n\">")
                    .append(escaped(header.get(i)))
                    .append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            page.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                page.append(i == 0 ? "<th>" : "<td class=\"n\">")
                        .append(escaped(row.get(i)))
                        .append(i == 0 ? "</th>" : "</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>\n");
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

    private String data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.set("plots", plots);
        try {
            // a name in the data must not end the element or begin a comment
            return new JsonMapper().writeValueAsString(data).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result must be representable as JSON", e);
        }
    }

    private static String latencies(Latencies latencies) {
        return latencies.count() == 0
                ? "-"
                : Quantity.of(latencies.percentile(50)) + " / " + Quantity.of(latencies.percentile(99)) + " / "
                        + Quantity.of(latencies.max());
    }

    private static String confidence(double confidence) {
        double percent = confidence * 100;
        return Quantity.number(confidence < 1 ? Math.min(99.9, Math.floor(percent * 10) / 10) : percent) + "&nbsp;%";
    }

    private static String style(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String sign(Outcome outcome) {
        return switch (outcome) {
            case PASS -> "✓";
            case FAIL -> "✗";
            case OPEN -> "?";
        };
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Returns text whose numbers stay on the line of their units. */
    private static String sentence(String text) {
        return UNIT.matcher(escaped(text)).replaceAll("$1&nbsp;$2");
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK must have SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the class path must hold " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
