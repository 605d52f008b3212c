package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.benchmarks.BenchComparison.Change;
import dev.evenkeel.benchmarks.BenchComparison.Difference;
import dev.evenkeel.benchmarks.Measurement.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchComparisonTest {
    /** The figures of five runs: noise of some percent, and in one of ten runs another process takes half of the time. */
    private static List<ReportRow> results(
            SplittableRandom random, int rows, IntToDoubleFunction nanos, double machine) {
        List<ReportRow> results = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            List<Measurement> runs = new ArrayList<>();
            for (int run = 0; run < 5; run++) {
                runs.add(new Measurement(
                        "queue",
                        "workload " + row,
                        Unit.NANOSECONDS,
                        nanos.applyAsDouble(row) * machine * noise(random),
                        row % 2 == 0 ? OptionalDouble.empty() : OptionalDouble.of(100 * machine * noise(random)),
                        row % 2 == 0 ? "" : "peer"));
            }
            results.add(new ReportRow(runs));
        }
        return results;
    }

    private static double noise(SplittableRandom random) {
        double disturbed = random.nextInt(10) == 0 ? 1 + random.nextDouble() : 1;
        return Math.exp(random.nextGaussian() * 0.05) * disturbed;
    }

    private static List<Change> changes(List<ReportRow> before, List<ReportRow> after) {
        return BenchComparison.of(before, after).stream()
                .map(Difference::change)
                .toList();
    }

    @Test
    void equalVersionsRarelyDiffer() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int alarms = 0;
        for (int i = 0; i < 200; i++) {
            List<Change> changes = changes(results(random, 60, row -> 100, 1), results(random, 60, row -> 100, 1));
            if (!changes.stream().allMatch(Change.NONE::equals)) {
                alarms++;
            }
        }
        // 10 are expected at most; 25 have a probability of one in 40,000
        assertThat(alarms).as("seed %d", seed).isLessThan(25);
    }

    @Test
    void largeDifferencesAreFound() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 50; i++) {
            List<Change> changes = changes(
                    results(random, 60, row -> 100, 1),
                    results(random, 60, row -> row == 2 ? 33 : row == 3 ? 300 : 100, 1));
            found += changes.get(2) == Change.BETTER ? 1 : 0;
            found += changes.get(3) == Change.WORSE ? 1 : 0;
            assertThat(changes.get(2)).as("seed %d", seed).isNotEqualTo(Change.WORSE);
            assertThat(changes.get(3)).as("seed %d", seed).isNotEqualTo(Change.BETTER);
        }
        assertThat(found).as("seed %d, of 100", seed).isGreaterThan(50);
    }

    @Test
    void aSlowerMachineDoesNotChangeRowsWithPeers() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Difference> differences =
                BenchComparison.of(results(random, 2, row -> 100, 1), results(random, 2, row -> 100, 4));
        assertThat(differences.get(0).change()).as("seed %d", seed).isEqualTo(Change.WORSE);
        assertThat(differences.get(1).change()).as("seed %d", seed).isEqualTo(Change.NONE);
    }

    private static ReportRow row(String workload, Unit unit, double... ours) {
        List<Measurement> runs = new ArrayList<>();
        for (double one : ours) {
            runs.add(new Measurement("engine", workload, unit, one, OptionalDouble.empty(), ""));
        }
        return new ReportRow(runs);
    }

    @Test
    void exactFiguresDifferWithoutNoise() {
        List<Difference> differences = BenchComparison.of(
                List.of(row("a", Unit.BYTES, 100, 100, 100), row("b", Unit.BYTES, 100, 100, 100)),
                List.of(row("a", Unit.BYTES, 80, 80, 80), row("b", Unit.BYTES, 100, 100, 100)));
        assertThat(differences.get(0).change()).isEqualTo(Change.BETTER);
        assertThat(differences.get(0).times()).hasValueCloseTo(1.25, org.assertj.core.data.Offset.offset(1e-9));
        assertThat(differences.get(1).change()).isEqualTo(Change.NONE);
    }

    @Test
    void singleRunsAreNotTestedAndRowsOfOneResultAreAbsent() {
        List<Difference> differences = BenchComparison.of(
                List.of(row("a", Unit.PER_SECOND, 100), row("old", Unit.PER_SECOND, 1)),
                List.of(row("new", Unit.PER_SECOND, 2), row("a", Unit.PER_SECOND, 200, 210, 190)));
        assertThat(differences)
                .extracting(one -> one.key().workload() + ": " + one.change())
                .containsExactly("a: UNTESTED", "new: ABSENT", "old: ABSENT");
        assertThat(differences.getFirst().times().orElseThrow()).isBetween(1.9, 2.1);
    }

    @Test
    void filesAreReadAsTheyAreWritten(@TempDir Path directory) throws IOException {
        Report report = new Report(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        List<Measurement> runs = List.of(
                new Measurement("engine", "create", Unit.MICROSECONDS, 1.5, OptionalDouble.of(3), "peer"),
                new Measurement("engine", "create", Unit.MICROSECONDS, 2, OptionalDouble.of(4), "peer"));
        runs.forEach(report::add);
        Path file = directory.resolve("results.json");
        report.write(file);

        assertThat(BenchComparison.read(file)).containsExactly(new ReportRow(runs));
    }

    @Test
    void filesOfEarlierVersionsHaveOneRun(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("old.json"),
                "[{\"suite\":\"engine\",\"workload\":\"get\",\"unit\":\"1/s\",\"ours\":5,\"peer\":null,\"peerName\":\"\","
                        + "\"ratio\":null}]");
        assertThat(BenchComparison.read(file)).containsExactly(row("get", Unit.PER_SECOND, 5));
    }
}
