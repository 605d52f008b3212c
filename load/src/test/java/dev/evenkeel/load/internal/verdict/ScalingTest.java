package dev.evenkeel.load.internal.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.evenkeel.load.internal.verdict.Scaling.Point;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

class ScalingTest {
    private static final long[] SIZES = {1_000, 10_000, 100_000};

    private static List<Point> points(Random random, int repetitions, double noise, LongToDoubleFunction cost) {
        List<Point> points = new ArrayList<>();
        for (long size : SIZES) {
            for (int i = 0; i < repetitions; i++) {
                points.add(new Point(size, cost.applyAsDouble(size) * Math.exp(noise * random.nextGaussian())));
            }
        }
        return points;
    }

    private static Rates rates(double noise, LongToDoubleFunction cost) {
        return Rates.of(random -> Scaling.judge(points(random, 5, noise, cost), "ms"));
    }

    @Test
    void constantCostPasses() {
        Rates rates = rates(0.2, size -> 3);
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void logarithmicCostPasses() {
        Rates rates = rates(0.1, size -> Math.log(size));
        assertThat(rates.fail()).isLessThanOrEqualTo(0.01);
        assertThat(rates.pass()).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void costOfTheClusterFails() {
        Rates rates = rates(0.2, size -> 0.001 * size);
        assertThat(rates.pass()).isZero();
        assertThat(rates.fail()).isEqualTo(1);
    }

    @Test
    void costOfTheRootOfTheClusterFails() {
        Rates rates = rates(0.3, size -> Math.sqrt(size));
        assertThat(rates.pass()).isZero();
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void fixedCostDoesNotHideTheCluster() {
        Rates rates = rates(0.1, size -> 10 + 0.0004 * size);
        assertThat(rates.pass()).isLessThanOrEqualTo(0.01);
        assertThat(rates.fail()).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void oneMeasurementOfEachSizeDecidesLittle() {
        assertThat(Rates.of(random -> Scaling.judge(points(random, 1, 0.2, size -> 3), "ms"))
                        .fail())
                .isLessThanOrEqualTo(0.01);
        Verdict verdict = Scaling.judge(points(new Random(1), 1, 0.2, size -> 3), "ms");
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).matches("Repeat each size \\d+ times\\.");
    }

    @Test
    void fewSizesStayOpen() {
        Verdict verdict = Scaling.judge(List.of(new Point(10, 1), new Point(20, 1), new Point(30, 1)), "ms");
        assertThat(verdict.outcome()).isEqualTo(Outcome.OPEN);
        assertThat(verdict.firmer()).isEqualTo("Measure at 3 sizes at least, the largest 100 times the smallest.");
        assertThat(Scaling.judge(List.of(), "ms").outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void exactFiguresDecide() {
        List<Point> linear = points(new Random(1), 1, 0, size -> 0.5 * size);
        Verdict verdict = Scaling.judge(linear, "ms");
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAIL);
        assertThat(verdict.value()).isEqualTo(1, within(1e-9));
        assertThat(verdict.finding()).startsWith("One change costs 500 ms at 1000 objects and 50000 ms at 100000:");
        assertThat(Scaling.judge(points(new Random(1), 1, 0, size -> 2), "ms").outcome())
                .isEqualTo(Outcome.PASS);
    }

    @Test
    void curveFindsItsParameters() {
        Scaling.Curve curve = Scaling.curve(points(new Random(3), 5, 0.01, size -> 10 + 0.002 * size));
        assertThat(curve.fixed()).isCloseTo(10, within(1.5));
        assertThat(curve.exponent()).isCloseTo(1, within(0.15));
        assertThat(curve.at(100_000)).isCloseTo(210, within(5.0));
    }

    @Test
    void refusesCostsThatAreNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Point(1, 0))
                .withMessage("size and cost must be positive: 1, 0.0");
    }
}
