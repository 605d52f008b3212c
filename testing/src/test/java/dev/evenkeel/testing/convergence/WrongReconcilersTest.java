package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.simulation.internal.Schedule;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.AssertionFailedError;

/**
 * Wrong reconcilers are found, each within a number of schedules, and the printed schedule reproduces the failure: those
 * of {@link WrongReconcilers}, and those with defects that were reported for published controllers. Without the defects
 * they pass.
 */
@Execution(ExecutionMode.CONCURRENT)
class WrongReconcilersTest {
    /** Without those of the reduction. */
    private static final int SCHEDULES = 300;

    private static List<Defect> published() {
        return Stream.of(
                        StaleReadDefects.all(),
                        IntermediateStateDefects.all(),
                        DeletionDefects.all(),
                        DriftDefects.all(),
                        OwnershipDefects.all(),
                        SettlingDefects.all())
                .flatMap(List::stream)
                .toList();
    }

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
        long before = cpuTime();
        Convergence.Report report = wrong.convergence().schedules(SCHEDULES).check();
        long millis = (cpuTime() - before) / 1_000_000;

        Convergence.Failure failure = failure(report);
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
        assertThatThrownBy(() -> wrong.convergence().replay(failure.schedule()))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining(failure.problem())
                .hasMessageContaining(String.join("\n    ", failure.details()));
    }

    @TestFactory
    Stream<DynamicTest> publishedDefectsAreFound() {
        return published().stream()
                .map(defect ->
                        DynamicTest.dynamicTest(defect.reference() + ": " + defect.cause(), () -> isFound(defect)));
    }

    private static void isFound(Defect defect) {
        long before = cpuTime();
        Convergence.Report report = defect.wrong().schedules(defect.bound()).check();
        long millis = (cpuTime() - before) / 1_000_000;

        Convergence.Failure failure = failure(report);
        System.out.println(String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %s | %s |",
                defect.reference(),
                defect.cause(),
                report.schedules(),
                millis,
                failure.schedule().isEmpty() ? "none" : "`" + failure.schedule() + "`",
                failure.problem()));
    }

    private static Convergence.Failure failure(Convergence.Report report) {
        assertThat(report.failure()).as("%s", report).isPresent();
        Convergence.Failure failure = report.failure().orElseThrow();
        assertThat(Schedule.parse(failure.schedule()).toString()).isEqualTo(failure.schedule());
        return failure;
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** If one is found by a new fault, it belongs to the others. */
    @TestFactory
    Stream<DynamicTest> somePublishedDefectsAreNotFound() {
        return UnseenDefects.all().stream()
                .map(defect -> DynamicTest.dynamicTest(
                        defect.reference() + ": " + defect.cause(),
                        () -> assertThat(defect.wrong()
                                        .schedules(defect.bound())
                                        .check()
                                        .failure())
                                .isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> withoutThePublishedDefectTheyConverge() {
        return published().stream()
                .filter(defect -> defect.right().isPresent())
                .map(defect -> DynamicTest.dynamicTest(
                        defect.reference() + ": without the defect",
                        () -> defect.right().orElseThrow().assertConverges()));
    }

    @Test
    void thePageHasEachPublishedDefect() throws IOException {
        String page = Files.readString(Path.of("../docs/convergence.md"));
        List<Defect> found = published();
        List<Defect> every =
                Stream.of(found, UnseenDefects.all()).flatMap(List::stream).toList();

        assertThat(every)
                .allSatisfy(defect -> assertThat(page)
                        .containsOnlyOnce("[" + defect.reference() + "](")
                        .contains(defect.cause()));
        assertThat(page).contains("Of " + every.size() + " defects, the checker finds these " + found.size());
    }
}
