package dev.evenkeel.load.internal.verdict;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/** The shares of the outcomes of a judge over seeded figures. */
record Rates(Map<Outcome, Integer> counts, int seeds) {
    static final int SEEDS = 500;

    static Rates of(Function<Random, Verdict> judged) {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            // seeds next to each other begin with similar Gaussians
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            counts.merge(judged.apply(random).outcome(), 1, Integer::sum);
        }
        return new Rates(counts, SEEDS);
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
