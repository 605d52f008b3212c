package dev.evenkeel.load.internal.verdict;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * The shares of the outcomes of a judge over seeded figures. The seeds are fixed, so that a failure repeats; {@code
 * -Dload.seeds=500 -Dload.seed=10000} judges more of them, and others, and prints all rates.
 */
record Rates(Map<Outcome, Integer> counts, int seeds) {
    private static final int SEEDS = Integer.getInteger("load.seeds", 100);
    private static final long FIRST = Long.getLong("load.seed", 0);

    static Rates of(Function<Random, Verdict> judged) {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            // seeds next to each other begin with similar Gaussians
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            counts.merge(judged.apply(random).outcome(), 1, Integer::sum);
        }
        if (System.getProperty("load.seed") != null) {
            System.out.println(caller() + ": " + counts);
        }
        return new Rates(counts, SEEDS);
    }

    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().endsWith("Test")
                                && !frame.getMethodName().equals("rates"))
                        .findFirst()
                        .map(StackWalker.StackFrame::toString)
                        .orElse(""));
    }

    double pass() {
        return share(Outcome.PASS);
    }

    double fail() {
        return share(Outcome.FAIL);
    }

    double open() {
        return share(Outcome.OPEN);
    }

    private double share(Outcome outcome) {
        return (double) counts.getOrDefault(outcome, 0) / seeds;
    }
}
