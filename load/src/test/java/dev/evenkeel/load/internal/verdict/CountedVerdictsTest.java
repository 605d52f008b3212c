package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Convergence, the end state, and restarts: judgements of counts. */
class CountedVerdictsTest {
    private static PhaseResult phase(String name, Optional<Duration> converged) {
        return new PhaseResult(
                name,
                Duration.ZERO,
                Duration.ofSeconds(1),
                10,
                0,
                Latencies.NONE,
                Latencies.NONE,
                converged,
                Optional.empty(),
                new TreeMap<>());
    }

    private static PhaseResult phase(String name, long seconds) {
        return phase(name, Optional.of(Duration.ofSeconds(seconds)));
    }

    @Test
    void convergedPhasesPass() {
        Verdict verdict = Convergence.judge(List.of(phase("churn", 2), phase("drain", 29)));
        assertThat(verdict.outcome()).isEqualTo(Outcome.PASS);
        assertThat(verdict.value()).isEqualTo(29);
        assertThat(verdict.limit()).isEqualTo(30);
        assertThat(verdict.confidence()).isEqualTo(0.75);
        assertThat(verdict.finding())
                .isEqualTo("The controller converged after each of 2 phases; the longest time was 29 s, after drain.");
        assertThat(verdict.firmer()).isEqualTo("Run 16 more phases.");
    }

    @Test
    void manyPhasesNeedNoMore() {
        Verdict verdict = Convergence.judge(Collections.nCopies(18, phase("churn", 2)));
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.95);
        assertThat(verdict.firmer()).isEmpty();
    }

    @Test
    void latePhaseFails() {
        Verdict verdict = Convergence.judge(List.of(phase("churn", 2), phase("drain", 31)));
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.finding()).contains("31 s after the last operation of drain");
    }

    @Test
    void stuckPhaseFails() {
        Verdict verdict = Convergence.judge(List.of(phase("churn", 2), phase("drain", Optional.empty())));
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isInfinite();
        assertThat(verdict.finding()).contains("drain").doesNotContain("churn");
    }

    @Test
    void noPhaseStaysOpen() {
        assertThat(Convergence.judge(List.of()).outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void eachPhaseHasItsBound() {
        // a phase with a longer bound failed by the default one
        List<PhaseResult> phases = List.of(phase("churn", 4), phase("drain", 45));
        Verdict verdict = Convergence.judge(
                phases, phase -> Duration.ofSeconds(phase.name().equals("drain") ? 60 : 5));
        assertThat(verdict.outcome()).isEqualTo(Outcome.PASS);
        assertThat(verdict.value()).isEqualTo(4);
        assertThat(verdict.limit()).isEqualTo(5);
        assertThat(Convergence.judge(
                                phases, phase -> Duration.ofSeconds(phase.name().equals("drain") ? 60 : 3))
                        .finding())
                .contains("4 s after the last operation of churn, later than 3 s");
    }

    @Test
    void equalEndStatePasses() {
        Verdict verdict = EndState.judge(List.of(), 98);
        assertThat(verdict.outcome()).isEqualTo(Outcome.PASS);
        assertThat(verdict.confidence()).isEqualTo(0.99);
    }

    @Test
    void differentEndStateFails() {
        Verdict verdict = EndState.judge(List.of("a/x: spec", "a/y: missing", "b/z", "c/u", "c/v"), 98);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isEqualTo(5);
        assertThat(verdict.finding())
                .isEqualTo("The end state differs from that without load in 5 places: "
                        + "a/x: spec, a/y: missing, b/z and 2 more.");
    }

    @Test
    void emptyEndStateStaysOpen() {
        assertThat(EndState.judge(List.of(), 0).outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void restartByListsPasses() {
        Map<String, Long> requests = Map.of(
                "list pods",
                1L,
                "list nodes",
                2L,
                "watch pods",
                1L,
                "get leases.coordination.k8s.io",
                40L,
                "update leases.coordination.k8s.io",
                9L,
                "get configmaps",
                2L);
        List<Verdict> verdicts = Restart.judge(List.of(requests), 1_000);
        assertThat(verdicts).extracting(Verdict::outcome).containsOnly(Outcome.PASS);
        assertThat(verdicts)
                .extracting(Verdict::name)
                .containsExactly("restart.lists", "restart.gets", "restart.writes");
        assertThat(verdicts).extracting(Verdict::firmer).containsOnly("Restart it 17 more times.");
    }

    @Test
    void stampedeFails() {
        Map<String, Long> requests =
                Map.of("list pods", 3L, "get pods", 1_000L, "update pods/status", 1_000L, "watch pods", 1L);
        List<Verdict> verdicts = Restart.judge(List.of(requests), 1_000);
        assertThat(verdicts).extracting(Verdict::outcome).containsOnly(Outcome.FAIL);
        assertThat(verdicts.get(0).finding()).isEqualTo("The restarted controller listed pods 3 times.");
        assertThat(verdicts.get(1).value()).isEqualTo(1);
        assertThat(verdicts.get(2).finding()).contains("1000 update pods/status");
    }

    @Test
    void worstRestartDecides() {
        List<Map<String, Long>> restarts = new ArrayList<>(Collections.nCopies(5, Map.of("list pods", 1L)));
        restarts.add(Map.of("list pods", 1L, "patch pods", 1L));
        assertThat(Restart.judge(restarts, 100))
                .extracting(Verdict::outcome)
                .containsExactly(Outcome.PASS, Outcome.PASS, Outcome.FAIL);
    }

    @Test
    void restartAmongFewObjectsStaysOpen() {
        assertThat(Restart.judge(List.of(Map.of("get pods", 1L)), 5).get(1).outcome())
                .isEqualTo(Outcome.OPEN);
        assertThat(Restart.judge(List.of(), 5)).extracting(Verdict::outcome).containsOnly(Outcome.OPEN);
        assertThat(Restart.judge(List.of(Map.of("list pods", 1L)), 0).get(1).outcome())
                .isEqualTo(Outcome.OPEN);
    }

    @Test
    void refusesRequestsWithoutKind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Restart.judge(List.of(Map.of("pods", 1L)), 5))
                .withMessageContaining("a request must be a verb, a space and a kind");
    }
}
