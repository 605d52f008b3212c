package dev.evenkeel.load.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.load.internal.report.Comparison.Change;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.RequestCounts;
import dev.evenkeel.load.result.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    /** As in the tests of verdicts: {@code -Dload.seeds=500 -Dload.seed=10000} compares more runs, and others. */
    private static final int SEEDS = Integer.getInteger("load.seeds", 100);

    private static final long FIRST = Long.getLong("load.seed", 0);

    /** Returns a run with three distributions of latencies, a count and a series, whose neighbours are alike. */
    private static LoadResult run(Random random, double latency, double rate, double level) {
        List<Series.Sample> samples = new ArrayList<>();
        double noise = 0;
        for (int i = 0; i < 60; i++) {
            noise = 0.5 * noise + 0.1 * random.nextGaussian();
            samples.add(new Series.Sample(Duration.ofSeconds(i), level * (1 + noise)));
        }
        long requests = Math.round(rate + Math.sqrt(rate) * random.nextGaussian());
        return new LoadResult(
                "plan",
                1,
                Instant.EPOCH,
                new TreeMap<>(),
                List.of(new PhaseResult(
                        "churn",
                        Duration.ZERO,
                        Duration.ofSeconds(60),
                        200,
                        0,
                        SampleResults.latencies(random, 200, latency),
                        SampleResults.latencies(random, 200, 2 * latency),
                        Optional.of(Duration.ofSeconds(1)),
                        Optional.empty(),
                        new TreeMap<>(Map.of("update pods", new RequestCounts(requests, 0, 0, 0))))),
                List.of(new Series("process.cpu", "cores", samples)),
                List.of(),
                List.of(),
                List.of());
    }

    private static Change change(Comparison comparison, String figure) {
        return comparison.figures().stream()
                .filter(one -> one.name().equals(figure))
                .map(one -> one.differences().getFirst().change())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void equalRunsRarelyDiffer() {
        int alarms = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Comparison comparison = Comparison.of(List.of(run(random, 10, 400, 0.5), run(random, 10, 400, 0.5)));
            boolean alarm = comparison.figures().stream()
                    .flatMap(figure -> figure.differences().stream())
                    .anyMatch(one -> one.change() == Change.LESS || one.change() == Change.MORE);
            alarms += alarm ? 1 : 0;
        }
        assertThat((double) alarms / SEEDS)
                .as("seeds " + FIRST + " to " + (FIRST + SEEDS - 1))
                .isLessThanOrEqualTo(0.01);
    }

    @Test
    void differentRunsDiffer() {
        int latencies = 0;
        int counts = 0;
        int series = 0;
        int seeds = 100;
        for (int seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Comparison comparison = Comparison.of(List.of(run(random, 10, 400, 0.5), run(random, 13, 550, 0.35)));
            latencies += change(comparison, "churn: acknowledged p50") == Change.MORE ? 1 : 0;
            counts += change(comparison, "churn: update pods") == Change.MORE ? 1 : 0;
            series += change(comparison, "process.cpu: median") == Change.LESS ? 1 : 0;
        }
        assertThat(latencies).isGreaterThanOrEqualTo(95);
        assertThat(counts).isGreaterThanOrEqualTo(90);
        assertThat(series).isGreaterThanOrEqualTo(95);
    }

    @Test
    void runEqualsItself() {
        LoadResult run = SampleResults.of(1, 0.002, 1);
        Comparison comparison = Comparison.of(List.of(run, run));
        assertThat(comparison.warnings()).isEmpty();
        assertThat(comparison.figures()).allSatisfy(figure -> {
            assertThat(figure.differences().getFirst().relative()).hasValue(0);
            assertThat(figure.differences().getFirst().change()).isIn(Change.NONE, Change.UNTESTED);
        });
    }

    @Test
    void significantButSmallDifferenceIsNone() {
        Random random = new Random(1);
        LoadResult slow = single(SampleResults.latencies(random, 50_000, 10.3));
        LoadResult fast = single(SampleResults.latencies(random, 50_000, 10));
        assertThat(change(Comparison.of(List.of(fast, slow)), "churn: visible p50"))
                .isEqualTo(Change.NONE);
    }

    private static LoadResult single(Latencies visible) {
        return new LoadResult(
                "plan",
                1,
                Instant.EPOCH,
                new TreeMap<>(),
                List.of(new PhaseResult(
                        "churn",
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        visible.count(),
                        0,
                        Latencies.NONE,
                        visible,
                        Optional.empty(),
                        Optional.empty(),
                        new TreeMap<>())),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void differentPlansAreComparedWithAWarning() {
        LoadResult run = SampleResults.of(1, 0, 1);
        Comparison comparison = Comparison.of(List.of(run, SampleResults.named("other"), ResultFileTest.empty()));
        assertThat(comparison.warnings().getFirst())
                .isEqualTo("A and B are runs of different plans (quick, other): differences may come from the plan.");
        assertThat(change(comparison, "create pods: duration")).isEqualTo(Change.ABSENT);
        LoadResult reseeded = new LoadResult(
                run.plan(),
                8,
                run.started(),
                new TreeMap<>(),
                run.phases(),
                run.series(),
                List.of(),
                List.of(),
                run.verdicts());
        assertThat(Comparison.of(List.of(run, reseeded)).warnings())
                .containsExactly(
                        "A and B have different seeds (7, 8): they made different operations.",
                        "A and B ran in different environments: controller, cpus, java.");
    }

    @Test
    void tableIsAligned() {
        String text = Comparison.of(List.of(SampleResults.of(1, 0, 1), SampleResults.of(2, 0, 2)))
                .text();
        List<String> lines = text.lines().toList();
        int column = lines.getFirst().indexOf("CHANGE");
        assertThat(lines.getFirst()).startsWith("FIGURE").contains("DIFFERENCE");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("create pods: visible p50")
                        .contains("+9")
                        .contains("<0.001"));
        assertThat(lines)
                .filteredOn(line -> line.startsWith("create pods: visible p50"))
                .allSatisfy(line -> assertThat(line.indexOf("more")).isEqualTo(column));
    }

    @Test
    void refusesOneRun() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(List.of(ResultFileTest.empty())))
                .withMessage("results must be two or more: 1");
    }
}
