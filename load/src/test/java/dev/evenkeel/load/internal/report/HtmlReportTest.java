package dev.evenkeel.load.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
    private static final String HOSTILE = "<script>alert(1)</script>\"'&</style><!--\u2028";
    private static final Pattern CANVAS = Pattern.compile("<canvas width=\"(\\d+)\" height=\"(\\d+)\"");

    @TempDir
    Path directory;

    /** A page after its scripts have run: the document, and the messages of the browser. */
    private record Opened(String document, String messages) {
        List<int[]> canvases() {
            Matcher matcher = CANVAS.matcher(document);
            List<int[]> sizes = new ArrayList<>();
            while (matcher.find()) {
                sizes.add(new int[] {Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))});
            }
            return sizes;
        }
    }

    private Opened open(String html, String... options) throws IOException, InterruptedException {
        Optional<Path> chromium = chromium();
        assumeTrue(chromium.isPresent(), "chromium is not installed");
        Path file = Files.writeString(directory.resolve("report.html"), html);
        Path document = directory.resolve("document");
        Path messages = directory.resolve("messages");
        List<String> command = new ArrayList<>(List.of(
                chromium.orElseThrow().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + directory.resolve("profile"),
                "--enable-logging=stderr",
                "--v=0",
                "--virtual-time-budget=3000",
                "--dump-dom"));
        command.addAll(List.of(options));
        command.add(file.toUri().toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(document.toFile())
                .redirectError(messages.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("chromium ended")
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Opened(Files.readString(document), Files.readString(messages));
    }

    private static Optional<Path> chromium() {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .flatMap(path -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(path, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Test
    void browserDrawsThePlots() throws Exception {
        Opened page = open(HtmlReport.of(List.of(SampleResults.of(1, 0.002, 1))));
        // four series, three phases, one occupancy, one of costs by size
        assertThat(page.document()).contains("data-drawn=\"9\"");
        assertThat(page.canvases()).hasSize(9).allSatisfy(size -> {
            assertThat(size[0]).isGreaterThan(200);
            assertThat(size[1]).isGreaterThan(150);
        });
        assertThat(page.messages()).doesNotContain("CONSOLE").doesNotContain("Content Security Policy");
    }

    @Test
    void namesOfShortPhasesAreCut() throws Exception {
        // the name of a phase that was too narrow for three letters was cut without an end
        LoadResult sample = SampleResults.of(1, 0, 1);
        PhaseResult first = sample.phases().getFirst();
        List<PhaseResult> phases = new ArrayList<>();
        Duration start = Duration.ZERO;
        for (int seconds = 1; seconds <= 24; seconds++) {
            phases.add(new PhaseResult(
                    "a phase of " + seconds + " s",
                    start,
                    Duration.ofSeconds(seconds),
                    first.operations(),
                    first.refused(),
                    first.acknowledged(),
                    first.visible(),
                    first.converged(),
                    first.cpu(),
                    first.requests()));
            start = start.plusSeconds(seconds);
        }
        Opened page = open(HtmlReport.of(List.of(new LoadResult(
                sample.plan(),
                sample.seed(),
                sample.started(),
                sample.environment(),
                phases,
                sample.series(),
                sample.sizes(),
                sample.classes(),
                sample.verdicts()))));
        assertThat(page.document()).contains("data-drawn=\"");
        assertThat(page.messages()).doesNotContain("CONSOLE");
    }

    @Test
    void browserDrawsRunsNextToEachOther() throws Exception {
        Opened page = open(HtmlReport.of(List.of(SampleResults.of(1, 0, 1), SampleResults.of(2, 0.002, 2))));
        assertThat(page.canvases()).hasSize(10);
        assertThat(page.messages()).doesNotContain("CONSOLE");
        assertThat(page.document()).contains("<h2 id=\"comparison\">").contains("▲ more");
    }

    @Test
    void browserShowsHostileNamesAsText() throws Exception {
        String html = HtmlReport.of(List.of(SampleResults.named(HOSTILE), SampleResults.named(HOSTILE)));
        assertThat(html).doesNotContain("alert(1)</script>").doesNotContain("<script>alert");
        Opened page = open(html);
        assertThat(page.messages()).doesNotContain("CONSOLE");
        assertThat(page.document())
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script>alert");
        assertThat(page.canvases()).hasSize(3);
    }

    @Test
    void policyForbidsOtherScripts() throws Exception {
        String html = HtmlReport.of(List.of(SampleResults.of(1, 0, 1)))
                .replace("</body>", "<script>document.title = 'changed'</script></body>");
        Opened page = open(html);
        assertThat(page.document()).doesNotContain("<title>changed");
        assertThat(page.messages()).contains("Content Security Policy");
    }

    @Test
    void pageRefersToNothingElse() {
        String html = HtmlReport.of(List.of(SampleResults.of(1, 0, 1)));
        assertThat(Pattern.compile("(?:src|href)=\"(?!#)").matcher(html).find()).isFalse();
        assertThat(html)
                .contains("default-src 'none'")
                .doesNotContain("@import")
                .doesNotContain("url(");
    }

    @Test
    void failuresComeFirst() {
        String html = HtmlReport.of(List.of(SampleResults.of(1, 0.002, 1)));
        String body = html.substring(html.indexOf("<body>"));
        assertThat(body.indexOf("✗ Fail")).isPositive().isLessThan(body.indexOf("✓ Pass"));
        assertThat(body.indexOf("id=\"verdicts\"")).isLessThan(body.indexOf("id=\"course\""));
        assertThat(body).contains("<h3>leak</h3>").contains("Does memory grow from cycle to cycle");
    }

    @Test
    void tablesHoldTheFiguresWithoutScript() {
        String html = HtmlReport.of(List.of(SampleResults.of(1, 0, 1)));
        assertThat(html)
                .contains("<noscript>")
                .contains("<th>process.resident</th>")
                .contains("<th>rotate labels</th>")
                .contains("<th>update pods/status</th>")
                .contains("<td class=\"text\">java -jar agent.jar</td>");
    }

    @Test
    void emptyResultIsAPage() throws Exception {
        Opened page = open(HtmlReport.of(List.of(ResultFileTest.empty())));
        assertThat(page.document()).contains("data-drawn=\"0\"").contains("The plan has no verdicts.");
        assertThat(page.messages()).doesNotContain("CONSOLE");
    }

    @Test
    void refusesNoResult() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HtmlReport.of(List.of()))
                .withMessage("results must be one or more: 0");
    }
}
