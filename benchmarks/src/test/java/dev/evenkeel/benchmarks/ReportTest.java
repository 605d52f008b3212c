package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    @DisplayName("A ratio above 1 means better, for rates and for times")
    void ratios() {
        assertThat(measurement(Unit.PER_SECOND, 20, 10).ratio()).hasValue(2);
        assertThat(measurement(Unit.DELIVERIES_PER_SECOND, 5, 10).ratio()).hasValue(0.5);
        assertThat(measurement(Unit.MILLISECONDS, 20, 10).ratio()).hasValue(0.5);
        assertThat(measurement(Unit.MICROSECONDS, 5, 10).ratio()).hasValue(2);
        assertThat(measurement(Unit.BYTES, 5, 10).ratio()).hasValue(2);
    }

    @Test
    @DisplayName("A line shows both numbers and the ratio")
    void prints() {
        report.add(measurement(Unit.PER_SECOND, 12_345, 10));
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("create [1/s]")
                .contains("12,300")
                .contains("10.0")
                .contains("1,230x");
    }

    @Test
    @DisplayName("The file is a list of measurements, with nulls without a peer")
    void writes(@TempDir Path directory) throws IOException {
        report.add(measurement(Unit.PER_SECOND, 20, 10));
        report.add(new Measurement("engine", "commits", Unit.PER_SECOND, 7, OptionalDouble.empty(), ""));
        Path file = directory.resolve("results.json");
        report.write(file);
        assertThat(Files.readString(file))
                .isEqualTo("[{\"suite\":\"server\",\"workload\":\"create\",\"unit\":\"1/s\",\"ours\":20,\"peer\":10,"
                        + "\"peerName\":\"peer\",\"ratio\":2,\"ourRuns\":[20],\"peerRuns\":[10]},"
                        + "{\"suite\":\"engine\",\"workload\":\"commits\",\"unit\":\"1/s\",\"ours\":7,\"peer\":null,"
                        + "\"peerName\":\"\",\"ratio\":null,\"ourRuns\":[7],\"peerRuns\":[]}]");
    }

    @Test
    @DisplayName("The summary has the median and the spread, and the rows in which runs disagree")
    void summary() {
        for (double ours : new double[] {20, 8, 30}) {
            report.add(measurement(Unit.PER_SECOND, ours, 10));
            report.add(new Measurement("engine", "commits", Unit.BYTES, 7, OptionalDouble.of(14), "peer"));
        }
        report.summary(3);
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "server: create [1/s] 20.0 (8.00 to 30.0) 10.0 (10.0 to 10.0) 2.00x (0.800 to 3.00) undecided")
                .contains("engine: commits [B] 7.00 (7.00 to 7.00) 14.0 (14.0 to 14.0) 2.00x (2.00 to 2.00)");
    }

    @ParameterizedTest
    @DisplayName("Numbers have three digits")
    @CsvSource(
            delimiter = '|',
            value = {"0.012345|0.0123", "1.2345|1.23", "12.345|12.3", "999.4|999", "1234.5|1,230", "1234567|1,230,000"})
    void rounds(double value, String text) {
        assertThat(Report.number(value)).isEqualTo(text);
    }

    private static Measurement measurement(Unit unit, double ours, double peer) {
        return new Measurement("server", "create", unit, ours, OptionalDouble.of(peer), "peer");
    }
}
