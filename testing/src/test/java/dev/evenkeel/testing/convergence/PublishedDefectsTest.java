package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * Defects that were reported for published controllers are found, each within its number of schedules; the same
 * reconcilers without the defects pass.
 */
@Execution(ExecutionMode.CONCURRENT)
class PublishedDefectsTest {
    private static List<Defect> all() {
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
        var unused = Gardening.inCluster(Gardening.child()).schedules(20).check();
    }

    @TestFactory
    Stream<DynamicTest> defectsAreFound() {
        return all().stream()
                .map(defect ->
                        DynamicTest.dynamicTest(defect.reference() + ": " + defect.cause(), () -> isFound(defect)));
    }

    private static void isFound(Defect defect) {
        long before = cpuTime();
        Convergence.Report report = defect.wrong().schedules(defect.bound()).check();
        long millis = (cpuTime() - before) / 1_000_000;

        assertThat(report.failure()).as("%s", report).isPresent();
        Convergence.Failure failure = report.failure().orElseThrow();
        System.out.println(String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %s | %s |",
                defect.reference(),
                defect.cause(),
                report.schedules(),
                millis,
                failure.schedule().isEmpty() ? "none" : "`" + failure.schedule() + "`",
                failure.problem()));
        assertThat(Schedule.parse(failure.schedule()).toString()).isEqualTo(failure.schedule());
    }

    /** If one is found by a new fault, it belongs to the others. */
    @TestFactory
    Stream<DynamicTest> someDefectsAreNotFound() {
        return UnseenDefects.all().stream()
                .map(defect -> DynamicTest.dynamicTest(
                        defect.reference() + ": " + defect.cause(),
                        () -> assertThat(defect.wrong()
                                        .schedules(defect.bound())
                                        .check()
                                        .failure())
                                .isEmpty()));
    }

    @Test
    void thePageHasEachDefect() throws IOException {
        String page = Files.readString(Path.of("../docs/convergence.md"));
        List<Defect> found = all();
        List<Defect> every =
                Stream.of(found, UnseenDefects.all()).flatMap(List::stream).toList();

        assertThat(every)
                .allSatisfy(defect -> assertThat(page)
                        .containsOnlyOnce("[" + defect.reference() + "](")
                        .contains(defect.cause()));
        assertThat(page).contains("Of " + every.size() + " defects, the checker finds these " + found.size());
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @TestFactory
    Stream<DynamicTest> withoutTheDefectTheyConverge() {
        return all().stream()
                .filter(defect -> defect.right().isPresent())
                .map(defect -> DynamicTest.dynamicTest(
                        defect.reference() + ": without the defect",
                        () -> defect.right().orElseThrow().assertConverges()));
    }
}
