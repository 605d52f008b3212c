package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.MatchUnderTest.Pod;
import dev.evenkeel.benchmarks.MatchUnderTest.Selector;
import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Selectors and pods that come and change. The first three are those of Felix's label index ({@code named_port_bench_test.go}):
 * a new pod among N selectors, a relabelled namespace among N pods, and a new selector among N equal pods.
 */
final class MatchWorkload {
    private static final String PEER = "recomputation, indexed by object";

    private MatchWorkload() {}

    static void run(ReportSection section) {
        for (int selectors : new int[] {10, 100, 1_000, 10_000}) {
            both(section, "pod added, " + selectors + " selectors", match -> pods(match.get(), selectors));
        }
        for (int pods : new int[] {100, 1_000, 10_000, 100_000}) {
            both(
                    section,
                    "namespace relabelled, " + pods + " pods, each in its own",
                    match -> relabels(match.get(), pods));
        }
        for (int pods : new int[] {100, 1_000, 10_000, 100_000}) {
            both(
                    section,
                    "selector added, " + pods + " pods, one of ten matches all",
                    match -> selectors(match.get(), pods));
        }
        both(section, "namespace with 10,000 pods relabelled", match -> children(match.get(), true));
        both(section, "the same, with a label that is not mentioned", match -> children(match.get(), false));
    }

    @FunctionalInterface
    private interface Workload {
        /** Returns nanoseconds for each operation. */
        double nanos(Supplier<MatchUnderTest> match);
    }

    private static void both(ReportSection section, String name, Workload workload) {
        int rounds = section.quick() ? 3 : 9;
        double[] ours = new double[rounds];
        double[] peer = new double[rounds];
        for (int i = -2; i < rounds; i++) {
            double mine = workload.nanos(MatchUnderTest.OnGraph::new);
            double theirs = workload.nanos(MatchUnderTest.Recomputed::new);
            if (i >= 0) {
                ours[i] = mine;
                peer[i] = theirs;
            }
        }
        Arrays.sort(ours);
        Arrays.sort(peer);
        section.both(name, Unit.MICROSECONDS, ours[rounds / 2] / 1e3, peer[rounds / 2] / 1e3, PEER);
    }

    private static double pods(MatchUnderTest match, int selectors) {
        for (int i = 0; i < selectors; i++) {
            match.selector("s" + i, new Selector(Map.of("alpha", Set.of("beta"), "ipset-" + i, Set.of())));
        }
        return measure(
                match,
                300,
                300,
                i -> match.pod("p" + i, new Pod("ns" + i, Map.of("alpha", "beta", "ipset-1", "true"))));
    }

    private static double relabels(MatchUnderTest match, int pods) {
        for (int i = 0; i < 100; i++) {
            match.selector("s" + i, new Selector(Map.of("name", Set.of("namespace-" + i))));
        }
        for (int i = 0; i < pods; i++) {
            match.pod("p" + i, new Pod("ns" + i, Map.of("alpha", "beta")));
        }
        int operations = Math.min(pods, 2_000);
        return measure(
                match,
                operations,
                100,
                i -> match.namespace("ns" + i, Map.of("name", "namespace-" + i, "team", "a", "area", "b")));
    }

    private static double selectors(MatchUnderTest match, int pods) {
        for (int i = 0; i < pods; i++) {
            match.pod("p" + i, new Pod("ns" + i, Map.of("alpha", "beta", "ipset-1", "true")));
        }
        int operations = 50;
        return measure(
                match,
                operations,
                operations / 10 * pods,
                i -> match.selector(
                        "s" + i, new Selector(Map.of("alpha", Set.of("beta"), "ipset-" + i % 10, Set.of()))));
    }

    private static double children(MatchUnderTest match, boolean mentioned) {
        for (int i = 0; i < 100; i++) {
            match.selector("s" + i, new Selector(Map.of("area", Set.of("a" + i % 10), "role", Set.of("r" + i / 10))));
        }
        match.namespace("ns", Map.of("area", "a1"));
        int pods = 10_000;
        for (int i = 0; i < pods; i++) {
            match.pod("p" + i, new Pod("ns", Map.of("role", "r" + i % 50, "id", "x" + i)));
        }
        int _ = match.changes();
        // a fifth of the pods has one of the roles
        return measure(
                match,
                10,
                mentioned ? 10 * 2 * pods / 5 : 0,
                i -> match.namespace("ns", Map.of("area", mentioned ? "a" + (2 + i % 2) : "a1", "other", "y" + i)));
    }

    private static double measure(MatchUnderTest match, int operations, int changes, IntConsumer operation) {
        long begin = System.nanoTime();
        int seen = 0;
        for (int i = 0; i < operations; i++) {
            operation.accept(i);
            seen += match.changes();
        }
        long end = System.nanoTime();
        ReportSection.check(seen == changes, "pairs that changed: " + seen + " instead of " + changes);
        return (double) (end - begin) / operations;
    }
}
