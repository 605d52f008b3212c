package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The verdicts of a report: each name once, the worst first, with the verdict of each run. */
final class HtmlVerdicts {
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

    private final HtmlPage page;
    private final ReportedRuns runs;

    HtmlVerdicts(HtmlPage page, ReportedRuns runs) {
        this.page = page;
        this.runs = runs;
    }

    /** Adds the section of the verdicts. */
    void add() {
        page.section("verdicts", "Verdicts");
        Set<String> names = new LinkedHashSet<>();
        for (Outcome outcome : List.of(Outcome.FAIL, Outcome.OPEN, Outcome.PASS)) {
            runs.results()
                    .forEach(run -> run.verdicts().stream()
                            .filter(verdict -> verdict.outcome() == outcome)
                            .forEach(verdict -> names.add(verdict.name())));
        }
        if (names.isEmpty()) {
            page.append("<p>The plan has no verdicts.</p>\n");
            return;
        }
        page.append("<ul class=\"sum\">");
        for (Outcome outcome : List.of(Outcome.FAIL, Outcome.OPEN, Outcome.PASS)) {
            long count = runs.results().stream()
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
                .append(runs.several() ? "" : " single")
                .append("\">\n");
        names.forEach(this::verdict);
        page.append("</div>\n");
    }

    private void verdict(String name) {
        Outcome worst = runs.results().stream()
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
                .append(HtmlPage.escaped(name))
                .append("</h3></header>");
        String meaning = MEANINGS.getOrDefault(name, "");
        if (!meaning.isEmpty()) {
            page.append("<p class=\"meaning\">")
                    .append(HtmlPage.escaped(meaning))
                    .append("</p>");
        }
        page.append("<div class=\"runs\">");
        for (int i = 0; i < runs.results().size(); i++) {
            for (Verdict verdict : runs.results().get(i).verdicts()) {
                if (verdict.name().equals(name)) {
                    verdict(runs.label(i), verdict);
                }
            }
        }
        page.append("</div></article>\n");
    }

    private void verdict(String label, Verdict verdict) {
        page.append("<div class=\"run\"><p>")
                .append(runs.several() ? "<strong>" + label + "</strong> " : "")
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
                .append(HtmlPage.escaped(Quantity.of(verdict.value(), verdict.unit())))
                .append("</span> <span class=\"note\">· limit ")
                .append(HtmlPage.sentence(
                        verdict.unit().equals("seconds")
                                ? Quantity.of(verdict.limit(), verdict.unit())
                                : Quantity.number(verdict.limit())))
                .append(" · confidence ")
                .append(confidence(verdict.confidence()))
                .append("</span></p><p>")
                .append(HtmlPage.sentence(verdict.finding()))
                .append("</p>");
        if (!verdict.firmer().isEmpty()) {
            page.append("<p class=\"firmer\">For more confidence: ")
                    .append(HtmlPage.sentence(verdict.firmer()))
                    .append("</p>");
        }
        page.append("</div>");
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
}
