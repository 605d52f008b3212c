package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeakTest {
    private static final double HEAP = 30e6;
    private static final int CYCLES = 30;

    /** Fewer resamples than the default, since each rate takes 500 judgements. */
    private static final Leak.Limits LIMITS = new Leak.Limits(0.001, 0.95, 10, 150, 1);

    /** Returns occupancies: a share of the heap for each cycle, with noise. */
    private static double[] heap(int cycles, Random random, double noise, IntToDoubleFunction share) {
        double[] heap = new double[cycles];
        for (int i = 0; i < cycles; i++) {
            heap[i] = HEAP * (share.applyAsDouble(i) + noise * random.nextGaussian());
        }
        return heap;
    }

    private static Rates rates(double noise, IntToDoubleFunction share) {
        return Rates.of(random -> Leak.judge(heap(CYCLES, random, noise, share), LIMITS));
    }

    @ParameterizedTest
    @CsvSource({"0.0005", "0.002"})
    void leakOfTwoPermilleIsFound(double noise) {
        Rates rates = rates(noise, cycle -> 1 + 0.002 * cycle);
        assertThat(rates.pass()).isLessThanOrEqualTo(0.01);
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void leakInNoiseOfFivePermilleIsNotMissed() {
        Rates rates = rates(0.005, cycle -> 1 + 0.002 * cycle);
        assertThat(rates.pass()).isLessThanOrEqualTo(0.01);
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.8);
        assertThat(rates(0.005, cycle -> 1 + 0.005 * cycle).fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void leakAfterWarmUpIsFound() {
        Rates rates = rates(0.002, cycle -> 1 + 0.002 * cycle + 0.2 * (1 - Math.exp(-cycle / 2.0)));
        assertThat(rates.pass()).isLessThanOrEqualTo(0.01);
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.9);
    }

    @ParameterizedTest
    @CsvSource({"0.0005", "0.005", "0.02"})
    void flatHeapIsNoLeak(double noise) {
        assertThat(rates(noise, cycle -> 1).fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void flatHeapPasses() {
        assertThat(rates(0.002, cycle -> 1).pass()).isGreaterThanOrEqualTo(0.95);
    }

    @ParameterizedTest
    @CsvSource({"3", "14", "18", "27"})
    void stepIsNoLeak(int cycleOfStep) {
        assertThat(rates(0.002, cycle -> cycle < cycleOfStep ? 0.9 : 1).fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void twoStepsAreNoLeak() {
        assertThat(rates(0.002, cycle -> 1 + (cycle > 9 ? 0.03 : 0) + (cycle > 19 ? 0.03 : 0))
                        .fail())
                .isLessThanOrEqualTo(0.01);
    }

    @ParameterizedTest
    @CsvSource({"10", "20"})
    void cacheThatFillsUpAndStaysIsNoLeak(int full) {
        assertThat(rates(0.002, cycle -> 1 + 0.01 * Math.min(cycle, full)).fail())
                .isLessThanOrEqualTo(0.01);
    }

    @ParameterizedTest
    @CsvSource({"3", "8"})
    void cacheThatFillsUpEverSlowerIsNoLeak(double cycles) {
        assertThat(rates(0.002, cycle -> 1.3 - 0.3 * Math.exp(-cycle / cycles)).fail())
                .isLessThanOrEqualTo(0.01);
    }

    @ParameterizedTest
    @CsvSource({"7"})
    void cacheThatIsEmptiedInTurnsIsNoLeak(int period) {
        assertThat(rates(0.002, cycle -> 1 + 0.02 * (cycle % period) / period).fail())
                .isLessThanOrEqualTo(0.01);
    }

    @ParameterizedTest
    @CsvSource({"0", "28"})
    void oneOutlierDecidesNothing(int outlier) {
        Rates rates = rates(0.002, cycle -> cycle == outlier ? 1.5 : 1);
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.8);
        assertThat(rates(0.002, cycle -> (cycle == outlier ? 1.5 : 1) + 0.002 * cycle)
                        .pass())
                .isLessThanOrEqualTo(0.01);
    }

    @Test
    void noiseThatDependsOnItsNeighboursIsNoLeak() {
        Rates rates = Rates.of(random -> {
            double[] heap = new double[CYCLES];
            double noise = 0;
            for (int i = 0; i < CYCLES; i++) {
                noise = 0.6 * noise + 0.002 * random.nextGaussian();
                heap[i] = HEAP * (1 + noise);
            }
            return Leak.judge(heap, LIMITS);
        });
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void leakThatBeginsLateDoesNotPass() {
        assertThat(rates(0.002, cycle -> 1 + 0.005 * Math.max(0, cycle - 18)).pass())
                .isLessThanOrEqualTo(0.01);
    }

    @Test
    void findsItsOwnWarmUp() {
        Random random = new Random(1);
        assertThat(Leak.warmUp(heap(CYCLES, random, 0.001, cycle -> cycle < 6 ? 0.8 : 1)))
                .isEqualTo(6);
        assertThat(Leak.warmUp(heap(CYCLES, random, 0.001, cycle -> 1))).isLessThan(10);
        assertThat(Leak.warmUp(heap(CYCLES, random, 0.001, cycle -> 1 + 0.01 * cycle)))
                .isLessThan(10);
        assertThat(Leak.warmUp(heap(CYCLES, random, 0.001, cycle -> cycle < 25 ? 0.8 : 1)))
                .isLessThanOrEqualTo(15);
    }

    @Test
    void fewCyclesStayOpen() {
        Verdict verdict = Leak.judge(heap(9, new Random(1), 0.001, cycle -> 1 + 0.1 * cycle));
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).startsWith("Run ").endsWith("more cycles.");
        assertThat(Leak.judge(new double[0]).outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void openVerdictSaysHowManyCyclesDecide() {
        Random random = new Random(7);
        Verdict verdict = Leak.judge(heap(14, random, 0.01, cycle -> 1 + 0.0018 * cycle));
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).matches("Run \\d+ more cycles?\\.");
    }

    @Test
    void promisedCyclesDecide() {
        int decided = 0;
        int open = 0;
        for (int seed = 0; seed < 100; seed++) {
            double[] heap = heap(400, new Random(seed * 0x9E3779B97F4A7C15L), 0.008, cycle -> 1 + 0.002 * cycle);
            Verdict first = Leak.judge(Arrays.copyOf(heap, 16), LIMITS);
            if (first.outcome() == Outcome.OPEN && first.firmer().startsWith("Run ")) {
                int more = Integer.parseInt(first.firmer().replaceAll("\\D", ""));
                open++;
                // the slope is an estimate, and so is the number
                Verdict second = Leak.judge(Arrays.copyOf(heap, Math.min(400, 16 + 2 * more)), LIMITS);
                decided += second.outcome() == Outcome.OPEN ? 0 : 1;
            }
        }
        assertThat(open).isGreaterThan(20);
        assertThat((double) decided / open).isGreaterThan(0.7);
    }

    @Test
    void findingNamesTheSlopeAndTheWarmUp() {
        Verdict verdict = Leak.judge(heap(40, new Random(3), 0.0005, cycle -> cycle < 4 ? 0.7 : 1 + 0.004 * cycle));
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isBetween(0.33, 0.40);
        assertThat(verdict.limit()).isEqualTo(0.1);
        assertThat(verdict.confidence()).isGreaterThan(0.99).isLessThan(1);
        assertThat(verdict.finding()).contains("a warm-up of 4 cycles of 40").contains("kB");
        assertThat(verdict.firmer()).isEmpty();
    }

    @Test
    void thousandCyclesAreJudgedInGroups() {
        assertThat(Leak.judge(heap(1_000, new Random(5), 0.01, cycle -> 1)).outcome())
                .isEqualTo(Outcome.PASS);
        Verdict leak = Leak.judge(
                heap(1_000, new Random(5), 0.01, cycle -> 1 + 0.002 * cycle),
                new Leak.Limits(0.0005, 0.95, 10, 300, 1));
        assertThat(leak.outcome()).isEqualTo(Outcome.FAIL);
    }

    @Test
    void sameFiguresGiveTheSameVerdict() {
        double[] heap = heap(30, new Random(11), 0.002, cycle -> 1 + 0.0011 * cycle);
        assertThat(Leak.judge(heap)).isEqualTo(Leak.judge(heap));
    }

    @Test
    void lineFollowsTheCyclesAfterTheWarmUp() {
        Leak.Line line = Leak.line(heap(30, new Random(2), 0.0001, cycle -> cycle < 5 ? 0.5 : 1 + 0.01 * cycle));
        assertThat(line.warmUp()).isBetween(5, 10);
        assertThat(line.at(20) / HEAP).isBetween(1.195, 1.205);
    }

    @Test
    void constantHeapPasses() {
        double[] heap = new double[20];
        Arrays.fill(heap, 1e6);
        assertThat(Leak.judge(heap).outcome()).isEqualTo(Outcome.PASS);
    }

    @Test
    void refusesWhatIsNoOccupancy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Leak.judge(new double[] {1, Double.NaN}))
                .withMessage("occupancy must be positive and finite in each cycle: NaN in cycle 1");
        assertThatIllegalArgumentException().isThrownBy(() -> new Leak.Limits(0, 0.95, 10, 300, 1));
    }
}
