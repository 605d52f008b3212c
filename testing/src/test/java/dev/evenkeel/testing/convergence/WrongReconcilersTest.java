package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.simulation.internal.Schedule;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;

/** Wrong reconcilers are found, each within a number of schedules, and the printed schedule reproduces the failure. */
class WrongReconcilersTest {
    /** Without those of the reduction. */
    private static final int SCHEDULES = 300;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @BeforeAll
    static void warmUp() {
        var unused = Gardening.inCluster(Gardening.child()).schedules(50).check();
    }

    @TestFactory
    Stream<DynamicTest> wrong() {
        return WrongReconcilers.all().stream()
                .map(wrong -> DynamicTest.dynamicTest(wrong.bug() + ": " + wrong.mistake(), () -> isFound(wrong)));
    }

    private static void isFound(WrongReconcilers.Wrong wrong) {
        long before = THREADS.getCurrentThreadCpuTime();
        Convergence.Report report = wrong.convergence().schedules(SCHEDULES).check();
        long millis = (THREADS.getCurrentThreadCpuTime() - before) / 1_000_000;

        assertThat(report.failure()).as("%s", report).isPresent();
        Convergence.Failure failure = report.failure().orElseThrow();
        System.out.println(String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %d | %s | %s |",
                wrong.bug(),
                wrong.mistake(),
                report.schedules(),
                millis,
                failure.faults(),
                failure.schedule(),
                failure.problem()));
        assertThat(failure.faults()).isLessThanOrEqualTo(2);
        assertThat(Schedule.parse(failure.schedule()).toString()).isEqualTo(failure.schedule());
        assertThatThrownBy(() -> wrong.convergence().replay(failure.schedule()))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining(failure.problem())
                .hasMessageContaining(String.join("\n    ", failure.details()));
    }
}
