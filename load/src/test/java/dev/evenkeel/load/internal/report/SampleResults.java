package dev.evenkeel.load.internal.report;

import dev.evenkeel.load.internal.verdict.Convergence;
import dev.evenkeel.load.internal.verdict.EndState;
import dev.evenkeel.load.internal.verdict.Idle;
import dev.evenkeel.load.internal.verdict.LatencyBound;
import dev.evenkeel.load.internal.verdict.Leak;
import dev.evenkeel.load.internal.verdict.Restart;
import dev.evenkeel.load.result.ClassGrowth;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.RequestCounts;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import dev.evenkeel.load.result.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;

/** Results as runs have them, from seeds. */
final class SampleResults {
    private SampleResults() {}

    /** Returns the result of a run whose controller leaks and is slower, each by a factor; 0 and 1 is a sound one. */
    static LoadResult of(long seed, double leak, double slowness) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        double[] occupancy = new double[40];
        for (int i = 0; i < occupancy.length; i++) {
            occupancy[i] = 30e6 * (1 + leak * i + 0.002 * random.nextGaussian() - (i < 4 ? 0.05 * (4 - i) : 0));
        }
        List<PhaseResult> phases = List.of(
                phase(
                        "create pods",
                        2,
                        60,
                        latencies(random, 3_000, 4 * slowness),
                        latencies(random, 3_000, 30 * slowness),
                        1.4,
                        1_000),
                phase(
                        "rotate labels",
                        65,
                        120,
                        latencies(random, 1_200, 5 * slowness),
                        latencies(random, 1_200, 45 * slowness),
                        0.3,
                        400),
                phase(
                        "policy churn",
                        190,
                        100,
                        latencies(random, 900, 6 * slowness),
                        latencies(random, 900, 80 * slowness),
                        2.25,
                        310));
        List<Series> series = new ArrayList<>(List.of(
                series("process.resident", "bytes", random, at -> 2.1e8 + 2e5 * at),
                series("process.cpu", "cores", random, at -> at % 60 < 40 ? 0.6 * slowness : 0.05),
                series("process.threads", "", random, at -> 34),
                series("jvm.allocated", "bytes/s", random, at -> at % 60 < 40 ? 8e7 : 1e6),
                cycles(occupancy)));
        List<Verdict> verdicts = new ArrayList<>(List.of(
                Leak.judge(occupancy),
                Convergence.judge(phases),
                EndState.judge(List.of(), 1_240),
                LatencyBound.judge(phases.getFirst().visible())));
        verdicts.addAll(Idle.judge(
                Duration.ofSeconds(30),
                new TreeMap<>(Map.of("watch pods", 2L)),
                random.doubles(30, 0, 0.02).toArray()));
        verdicts.addAll(Restart.judge(List.of(Map.of("list pods", 1L, "get pods", 900L)), 1_000));
        return new LoadResult(
                "quick",
                7,
                Instant.parse("2026-01-31T12:00:00Z"),
                new TreeMap<>(Map.of("cpus", "2", "controller", "java -jar agent.jar", "java", "25.0.1")),
                phases,
                series,
                List.of(
                        size(1_070, 30_000_000, 400, 420, 410),
                        size(10_700, 90_000_000, 440, 470, 450),
                        size(107_000, 700_000_000, 700, 710, 740)),
                List.of(new ClassGrowth("[B", 120, 9_600), new ClassGrowth("java.util.HashMap$Node", 100, 3_200)),
                verdicts);
    }

    /** Returns a result with a text in each place that a user can choose. */
    static LoadResult named(String text) {
        TreeMap<String, String> environment = new TreeMap<>(Map.of(text, text));
        TreeMap<String, RequestCounts> requests = new TreeMap<>(Map.of("get " + text, new RequestCounts(3, 1, 0, 500)));
        Latencies latencies = latencies(new Random(1), 100, 3);
        return new LoadResult(
                text,
                1,
                Instant.EPOCH,
                environment,
                List.of(new PhaseResult(
                        text,
                        Duration.ZERO,
                        Duration.ofSeconds(5),
                        100,
                        0,
                        latencies,
                        latencies,
                        Optional.empty(),
                        Optional.of(Duration.ofMillis(120)),
                        requests)),
                List.of(new Series(
                        text,
                        text,
                        List.of(new Series.Sample(Duration.ZERO, 1), new Series.Sample(Duration.ofSeconds(5), 2)))),
                List.of(new SizeResult(1, OptionalLong.empty(), new TreeMap<>(Map.of(text, List.of())))),
                List.of(new ClassGrowth(text, -1, 10)),
                List.of(new Verdict(text, Verdict.Outcome.OPEN, Double.POSITIVE_INFINITY, 1, text, text, 0.5, text)));
    }

    static Latencies latencies(Random random, int count, double meanMillis) {
        TreeMap<Long, Long> counts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            double micros = meanMillis * 1_000 * Math.exp(0.5 * random.nextGaussian());
            // three digits, as histograms have
            double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(micros)) - 2));
            counts.merge((long) (Math.rint(micros / unit) * unit), 1L, Long::sum);
        }
        return new Latencies(counts.entrySet().stream()
                .map(entry -> new Latencies.Bucket(entry.getKey(), entry.getValue()))
                .toList());
    }

    private static PhaseResult phase(
            String name,
            long start,
            long seconds,
            Latencies acknowledged,
            Latencies visible,
            double converged,
            long base) {
        return new PhaseResult(
                name,
                Duration.ofSeconds(start),
                Duration.ofSeconds(seconds),
                acknowledged.count(),
                name.startsWith("policy") ? 3 : 0,
                acknowledged,
                visible,
                Optional.of(Duration.ofMillis(Math.round(converged * 1_000))),
                Optional.of(Duration.ofMillis(400 * seconds)),
                new TreeMap<>(Map.of(
                        "list pods",
                        new RequestCounts(1, 0, 0, 1_200_000),
                        "watch pods",
                        new RequestCounts(2, 0, 0, 90_000),
                        "update pods/status",
                        new RequestCounts(base, base / 50, 0, 1_100 * base),
                        "patch networkpolicies",
                        new RequestCounts(base / 3, 0, 2, 900 * base))));
    }

    private static SizeResult size(long objects, long retained, long... micros) {
        return new SizeResult(
                objects,
                OptionalLong.of(retained),
                new TreeMap<>(Map.of(
                        "create pods",
                        LongStream.of(micros)
                                .mapToObj(value -> Duration.ofNanos(1_000 * value))
                                .toList())));
    }

    private static Series series(String name, String unit, Random random, IntToDoubleFunction value) {
        List<Series.Sample> samples = new ArrayList<>();
        double noise = 0;
        for (int at = 0; at < 300; at++) {
            noise = 0.7 * noise + 0.03 * random.nextGaussian();
            double exact = value.applyAsDouble(at);
            samples.add(new Series.Sample(
                    Duration.ofSeconds(at), Math.max(0, unit.isEmpty() ? exact : exact * (1 + noise))));
        }
        return new Series(name, unit, samples);
    }

    private static Series cycles(double[] occupancy) {
        List<Series.Sample> samples = new ArrayList<>();
        for (int i = 0; i < occupancy.length; i++) {
            samples.add(new Series.Sample(Duration.ofSeconds(5L * i), occupancy[i]));
        }
        return new Series("jvm.occupancy", "bytes", samples);
    }
}
