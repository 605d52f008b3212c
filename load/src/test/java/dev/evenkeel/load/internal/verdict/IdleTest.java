package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IdleTest {
    private static final Duration REST = Duration.ofSeconds(30);
    private static final SortedMap<String, Long> QUIET =
            new TreeMap<>(Map.of("watch pods", 2L, "update leases.coordination.k8s.io", 15L));

    private static double[] cores(Random random, double mean) {
        return random.doubles(30, 0, 2 * mean).toArray();
    }

    /** Returns a number of events in the rest, at a rate in a second. */
    private static long events(Random random, double rate) {
        long count = 0;
        for (double time = -Math.log(1 - random.nextDouble()) / rate;
                time < REST.toSeconds();
                time += -Math.log(1 - random.nextDouble()) / rate) {
            count++;
        }
        return count;
    }

    @Test
    void quietControllerPasses() {
        assertThat(Idle.judge(REST, QUIET, cores(new Random(1), 0.005)))
                .extracting(Verdict::outcome)
                .containsOnly(Outcome.PASS);
    }

    @Test
    void confidenceInNoWritesGrowsWithTheRest() {
        Verdict thirty = Idle.judge(REST, QUIET, new double[0]).getFirst();
        assertThat(thirty.confidence()).isBetween(0.95, 0.951);
        assertThat(thirty.firmer()).isEmpty();
        Verdict twenty =
                Idle.judge(Duration.ofSeconds(20), QUIET, new double[0]).getFirst();
        assertThat(twenty.outcome()).isEqualTo(Outcome.PASS);
        assertThat(twenty.confidence()).isLessThan(0.9);
        assertThat(twenty.firmer()).isEqualTo("Rest for 30 s.");
    }

    @Test
    void oneWriteFails() {
        Verdict verdict = Idle.judge(REST, new TreeMap<>(Map.of("update pods/status", 1L)), new double[0])
                .getFirst();
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.finding())
                .isEqualTo(
                        "At rest for 30 s, the controller wrote although nothing had changed: 1 update pods/status.");
    }

    @Test
    void writesExplainTheirCpuTime() {
        assertThat(Idle.judge(REST, new TreeMap<>(Map.of("update configmaps", 300L)), cores(new Random(1), 0.04)))
                .extracting(Verdict::name)
                .containsExactly("idle.writes", "idle.requests");
    }

    @Test
    void confidenceIsTheShareOfSlowWritersThatAreSeen() {
        Rates rates = Rates.of(random -> Idle.judge(
                        REST, new TreeMap<>(Map.of("patch pods", events(random, 0.1))), new double[0])
                .getFirst());
        assertThat(rates.fail()).isBetween(0.92, 0.98);
    }

    @Test
    void shortRestStaysOpen() {
        assertThat(Idle.judge(Duration.ofSeconds(5), QUIET, cores(new Random(1), 0.001)))
                .extracting(Verdict::outcome)
                .containsOnly(Outcome.OPEN);
        assertThat(Idle.judge(Duration.ZERO, new TreeMap<>(), new double[0]))
                .extracting(Verdict::outcome)
                .containsOnly(Outcome.OPEN);
    }

    @Test
    void busyWaitingFails() {
        Rates rates =
                Rates.of(random -> Idle.judge(REST, QUIET, cores(random, 0.04)).get(2));
        assertThat(rates.pass()).isLessThanOrEqualTo(0.01);
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void littleCpuTimePasses() {
        Rates rates =
                Rates.of(random -> Idle.judge(REST, QUIET, cores(random, 0.01)).get(2));
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void cpuTimeAtTheLimitStaysOpenMostly() {
        Rates rates =
                Rates.of(random -> Idle.judge(REST, QUIET, cores(random, 0.02)).get(2));
        assertThat(rates.open()).isGreaterThanOrEqualTo(0.85);
    }

    @Test
    void pollingFails() {
        Verdict verdict = Idle.judge(REST, new TreeMap<>(Map.of("list pods", 30L)), new double[0])
                .get(1);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isEqualTo(60);
        Rates rates = Rates.of(random -> Idle.judge(
                        REST, new TreeMap<>(Map.of("get pods", events(random, 1 / 30.0))), new double[0])
                .get(1));
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void refusesLimitsOutOfRange() {
        Idle.Limits limits = Idle.Limits.DEFAULT;
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Idle.Limits(Duration.ZERO, 0, 0.02, 1, limits.period(), limits.ignored(), limits.level()))
                .withMessageContaining("leastRest and period must be positive");
    }
}
