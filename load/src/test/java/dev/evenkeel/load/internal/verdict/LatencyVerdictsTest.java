package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.load.internal.verdict.Fairness.Namespace;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bound of latencies, and fairness between namespaces. */
class LatencyVerdictsTest {
    /** Returns latencies with an exponential distribution around a mean. */
    private static Latencies latencies(Random random, int count, double meanMillis) {
        TreeMap<Long, Long> counts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            long micros = Math.max(1, Math.round(-Math.log(1 - random.nextDouble()) * meanMillis * 1_000));
            counts.merge(micros, 1L, Long::sum);
        }
        return new Latencies(counts.entrySet().stream()
                .map(entry -> new Latencies.Bucket(entry.getKey(), entry.getValue()))
                .toList());
    }

    private static List<Namespace> quiet(Random random, int operations, double millis) {
        List<Namespace> quiet = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            quiet.add(new Namespace(
                    "quiet-" + i, latencies(random, operations, 5), latencies(random, operations, millis), 0));
        }
        return quiet;
    }

    private static Namespace busy(Random random, double millis) {
        return new Namespace("busy", latencies(random, 100, 5), latencies(random, 5_000, millis), 0);
    }

    @Test
    void latencyUnderTheBoundPasses() {
        // the 99th percentile of an exponential distribution is 4.6 times its mean
        Rates rates = Rates.of(random -> LatencyBound.judge(latencies(random, 1_000, 100)));
        assertThat(rates.fail()).isZero();
        assertThat(rates.pass()).isEqualTo(1);
    }

    @Test
    void latencyOverTheBoundFails() {
        Rates rates = Rates.of(random -> LatencyBound.judge(latencies(random, 1_000, 300)));
        assertThat(rates.pass()).isZero();
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void latencyJustUnderTheBoundRarelyFails() {
        Rates rates = Rates.of(random -> LatencyBound.judge(latencies(random, 1_000, 200)));
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void fewLatenciesStayOpen() {
        Verdict verdict = LatencyBound.judge(latencies(new Random(1), 100, 1));
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).isEqualTo("Make 199 more operations.");
        assertThat(verdict.confidence()).isBetween(0.63, 0.64);
        assertThat(LatencyBound.judge(latencies(new Random(1), 299, 1)).outcome())
                .isEqualTo(Outcome.PASS);
        assertThat(LatencyBound.judge(Latencies.NONE).outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void findingNamesTheOperationsOverTheBound() {
        Latencies latencies =
                new Latencies(List.of(new Latencies.Bucket(10_000, 900), new Latencies.Bucket(2_000_000, 100)));
        Verdict verdict = LatencyBound.judge(latencies);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isEqualTo(2);
        assertThat(verdict.finding())
                .isEqualTo("Effects become visible within 2 s for 99 % of 1000 operations; 100 took longer than 1 s.");
    }

    @Test
    void fairControllerPasses() {
        Rates rates = Rates.of(random -> Fairness.judge(busy(random, 500), quiet(random, 60, 10)));
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void controllerThatHasTooMuchToDoIsFairIfTheBusyNamespaceWaitsLongest() {
        Rates rates = Rates.of(random -> Fairness.judge(busy(random, 2_000), quiet(random, 60, 200)));
        assertThat(rates.fail()).isZero();
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void oneQueueForAllFails() {
        Rates rates = Rates.of(random -> Fairness.judge(busy(random, 2_000), quiet(random, 60, 2_000)));
        assertThat(rates.pass()).isZero();
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void oneStarvedNamespaceFailsAndIsNamed() {
        Random random = new Random(4);
        List<Namespace> quiet = new ArrayList<>(quiet(random, 60, 10));
        quiet.add(new Namespace("last", latencies(random, 20, 5), latencies(random, 20, 5_000), 0));
        Verdict verdict = Fairness.judge(busy(random, 500), quiet);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.finding())
                .contains("in last became visible only within")
                .doesNotContain("quiet-3");
        assertThat(verdict.confidence()).isGreaterThan(0.99);
    }

    @Test
    void manyNamespacesWithFewOperationsFailTogether() {
        Rates slow = Rates.of(random -> Fairness.judge(busy(random, 50), quiet(random, 1, 400)));
        assertThat(slow.fail()).isGreaterThanOrEqualTo(0.9);
        Rates fast = Rates.of(random -> Fairness.judge(busy(random, 100), quiet(random, 10, 10)));
        assertThat(fast.fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void lostOperationsFail() {
        Random random = new Random(4);
        List<Namespace> quiet = new ArrayList<>(quiet(random, 60, 10));
        quiet.add(new Namespace("last", latencies(random, 20, 5), Latencies.NONE, 3));
        Verdict verdict = Fairness.judge(busy(random, 500), quiet);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.finding()).isEqualTo("While busy was busy, operations never became visible in last.");
    }

    @Test
    void fewOperationsStayOpen() {
        Random random = new Random(4);
        Verdict verdict = Fairness.judge(busy(random, 500), quiet(random, 10, 10));
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).isEqualTo("Make 209 more operations in quiet namespaces.");
        assertThat(Fairness.judge(busy(random, 500), List.of()).outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void refusesLimitsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LatencyBound.Limits(100, Duration.ofSeconds(1), 0.95))
                .withMessage("percentile must be between 0 and 100: 100.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new Fairness.Limits(0.5, 1, Duration.ofSeconds(1), 0.95));
    }
}
