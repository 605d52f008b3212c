package dev.evenkeel.load.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Series;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultFileTest {
    @TempDir
    Path directory;

    static LoadResult empty() {
        return new LoadResult(
                "none", -1, Instant.EPOCH, new TreeMap<>(), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    @Test
    void fileHoldsTheResult() throws Exception {
        Path file = directory.resolve("run.json");
        for (LoadResult result : List.of(SampleResults.of(3, 0.002, 1), SampleResults.named("\"<\u2028é\n"), empty())) {
            ResultFile.write(file, result);
            assertThat(ResultFile.read(file)).isEqualTo(result);
        }
    }

    @Test
    void equalResultsAreEqualFiles() {
        assertThat(ResultFile.json(SampleResults.of(3, 0, 1))).isEqualTo(ResultFile.json(SampleResults.of(3, 0, 1)));
    }

    @Test
    void valuesKeepTheirPrecision() {
        Series series = new Series(
                "x",
                "",
                List.of(
                        new Series.Sample(Duration.ofNanos(1), Double.NaN),
                        new Series.Sample(Duration.ofNanos(123_456_789_012_345_678L), Double.NEGATIVE_INFINITY),
                        new Series.Sample(Duration.ofHours(3), 0.1 + 0.2),
                        new Series.Sample(Duration.ZERO, Double.MIN_VALUE)));
        LoadResult result = new LoadResult(
                "p",
                Long.MAX_VALUE,
                Instant.EPOCH,
                new TreeMap<>(),
                List.of(),
                List.of(series),
                List.of(),
                List.of(),
                List.of());
        assertThat(ResultFile.parse("r", ResultFile.json(result))).isEqualTo(result);
    }

    @Test
    void durationsAreSecondsAndBucketsPairs() {
        String json = ResultFile.json(SampleResults.of(3, 0, 1));
        assertThat(json)
                .startsWith("{\n  \"format\" : 1,\n  \"plan\" : \"quick\",\n  \"seed\" : 7,")
                .contains("\"duration\" : 120,")
                .contains("\"converged\" : 2.25,")
                .containsPattern("\"acknowledged\" : \\[ \\[ \\d+, \\d+ \\], \\[ ");
    }

    @Test
    void unknownFieldsAreIgnored() {
        String json = ResultFile.json(empty()).replace("\"plan\"", "\"later\" : {\"a\": [1]},\n  \"plan\"");
        assertThat(ResultFile.parse("r", json)).isEqualTo(empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"format\" : 1 | \"format\" : 2 | run.json: format must be 1; a newer version wrote the file: 2",
                "\"plan\" : \"quick\" | \"plan\" : 5 | run.json: plan must be a string: 5",
                "\"seed\" : 7 | \"seed\" : 7.5 | run.json: seed must be an integer: 7.5",
                "\"seed\" : 7, | `` | run.json: seed must be an integer: nothing",
                "2026-01-31T12 | noon | run.json: started must be a time such as 2026-01-31T12:00:00Z: \"noon:00:00Z\"",
                "\"duration\" : 120 | \"duration\" : \"2m\" | run.json: phases[1].duration must be a number of seconds: \"2m\"",
                "\"duration\" : 120 | \"duration\" : 1e300 | run.json: phases[1].duration must be a number of seconds under 9e9",
                "\"outcome\" : \"fail\" | \"outcome\" : \"bad\" | run.json: verdicts[0].outcome must be pass, fail or open: \"bad\"",
                "\"format\" : 1, | \"format\" : 1 | run.json: must be JSON: Unexpected character"
            })
    void errorsNameFileAndField(String from, String to, String message) {
        String json =
                ResultFile.json(SampleResults.of(3, 0.002, 1)).replaceFirst(java.util.regex.Pattern.quote(from), to);
        assertThatThrownBy(() -> ResultFile.parse("run.json", json))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void otherDocumentsAreRefused() {
        for (String json : List.of("", "[]", "null", "1", "{}", "{\"format\": 1} x")) {
            assertThatThrownBy(() -> ResultFile.parse("run.json", json))
                    .as(json)
                    .isInstanceOf(ResultFormatException.class)
                    .hasMessageStartingWith("run.json: ");
        }
    }

    @Test
    void pairsHaveTwoNumbers() {
        String json = ResultFile.json(SampleResults.of(3, 0, 1)).replaceFirst("\\[ \\[ \\d+, \\d+ \\]", "[ [ 1 ]");
        assertThatThrownBy(() -> ResultFile.parse("run.json", json))
                .hasMessage("run.json: phases[0].acknowledged[0] must be an array of two numbers: [1]");
    }

    @Test
    void latenciesOfAReadResultHaveTheirPercentiles() {
        LoadResult result = SampleResults.of(3, 0, 1);
        Latencies read = ResultFile.parse("r", ResultFile.json(result))
                .phases()
                .getFirst()
                .visible();
        assertThat(read.percentile(99))
                .isEqualTo(result.phases().getFirst().visible().percentile(99));
    }
}
