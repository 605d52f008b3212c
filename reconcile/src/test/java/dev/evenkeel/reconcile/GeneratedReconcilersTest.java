package dev.evenkeel.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.testing.convergence.Convergence;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Generated right reconcilers pass: each finding is a false alarm of the convergence checker, or a defect of a part.
 * {@code -Devenkeel.generated=200 -Devenkeel.schedules=10000} checks more, {@code -Devenkeel.generated.first=17} begins
 * with another seed. Reconcilers are checked at once, as many as there are processors.
 */
class GeneratedReconcilersTest {
    private static final int COUNT = Integer.getInteger("evenkeel.generated", 4);
    private static final long FIRST = Long.getLong("evenkeel.generated.first", 1);
    private static final int SCHEDULES = Integer.getInteger("evenkeel.schedules", 40);

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> rightReconcilersConverge() {
        return LongStream.range(FIRST, FIRST + COUNT).mapToObj(seed -> {
            GeneratedReconcilers.Generated generated = GeneratedReconcilers.of(seed);
            return DynamicTest.dynamicTest("seed " + seed + ": " + generated.description(), () -> {
                Convergence.Report report =
                        generated.convergence().schedules(SCHEDULES).seed(seed).check();
                System.out.println("generated, seed " + seed + ": "
                        + report.toString().lines().findFirst().orElse(""));
                assertThat(report.failure())
                        .as("seed %d, %s: %s", seed, generated.description(), report)
                        .isEmpty();
            });
        });
    }

    /** The object is deleted, and a foreign finalizer holds it; then its user changes it. It is no survivor. */
    @Test
    void anObjectThatIsChangedWhileItIsDeletedIsNoSurvivor() {
        String thing = "things.test.evenkeel.dev default/thing0";

        GeneratedReconcilers.of(5)
                .convergence()
                .replay("hold " + thing + " after write 0; delete " + thing + " after call 1");
    }
}
