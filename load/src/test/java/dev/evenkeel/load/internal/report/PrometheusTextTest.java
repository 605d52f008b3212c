package dev.evenkeel.load.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    /** The grammar of the text format. */
    private static final Pattern SAMPLE =
            Pattern.compile("[a-z_]+(?:\\{(?:[a-z]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*\\})? "
                    + "(?:-?[0-9.]+(?:E-?[0-9]+)?|NaN|[+-]Inf)");

    private static final Pattern COMMENT = Pattern.compile("# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ (?:gauge|summary))");

    @Test
    void eachLineIsASampleOrAComment() {
        for (String text : List.of(
                PrometheusText.of(SampleResults.of(1, 0.002, 1)),
                PrometheusText.of(SampleResults.named("a\"b\\c\nd{}=,")),
                PrometheusText.of(ResultFileTest.empty()))) {
            assertThat(text.lines())
                    .allMatch(line -> SAMPLE.matcher(line).matches()
                            || COMMENT.matcher(line).matches());
            assertThat(text).endsWith("\n");
        }
    }

    @Test
    void metricsAreDescribedOnceAndBeforeTheirSamples() {
        Set<String> described = new HashSet<>();
        String current = "";
        for (String line : PrometheusText.of(SampleResults.of(1, 0, 1)).lines().toList()) {
            if (line.startsWith("# HELP ")) {
                current = line.split(" ")[2];
                assertThat(described.add(current)).isTrue();
            } else {
                assertThat(line).contains(current);
            }
        }
        assertThat(described).allMatch(name -> name.startsWith("evenkeel_load_"));
    }

    @Test
    void samplesAreUnique() {
        List<String> names = PrometheusText.of(SampleResults.of(1, 0, 1))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void figuresAreThoseOfTheResult() {
        assertThat(PrometheusText.of(SampleResults.of(1, 0.002, 1)).lines())
                .contains(
                        "evenkeel_load_info{plan=\"quick\",seed=\"7\"} 1",
                        "evenkeel_load_passed 0",
                        "evenkeel_load_verdict{verdict=\"leak\",outcome=\"fail\"} 1",
                        "evenkeel_load_verdict{verdict=\"leak\",outcome=\"pass\"} 0",
                        "evenkeel_load_verdict_limit{verdict=\"leak\",unit=\"% per cycle\"} 0.1",
                        "evenkeel_load_phase_operations{phase=\"create pods\",index=\"0\"} 3000",
                        "evenkeel_load_phase_convergence_seconds{phase=\"policy churn\",index=\"2\"} 2.25",
                        "evenkeel_load_phase_visible_seconds_count{phase=\"create pods\",index=\"0\"} 3000",
                        "evenkeel_load_phase_requests{phase=\"create pods\",index=\"0\",verb=\"update\",kind=\"pods/status\"} 1000",
                        "evenkeel_load_series_max{series=\"process.threads\",unit=\"\"} 34");
    }

    @Test
    void labelsAreEscaped() {
        assertThat(PrometheusText.of(SampleResults.named("a\"b\\c\nd")))
                .contains("evenkeel_load_info{plan=\"a\\\"b\\\\c\\nd\",seed=\"1\"} 1");
    }
}
