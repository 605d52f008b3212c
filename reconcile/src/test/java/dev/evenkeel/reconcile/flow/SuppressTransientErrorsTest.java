package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SuppressTransientErrorsTest {
    private static final Given<ConfigMap> OTHER = MAP.name("b");
    private static final IllegalArgumentException LASTING = new IllegalArgumentException("lasting");

    private static SubReconcilerTests<ConfigMap> part(Result... outcomes) {
        return SubReconcilerTests.of(ConfigMap.class, () -> {
            AtomicInteger run = new AtomicInteger();
            return SuppressTransientErrors.of((r, map) -> outcomes[run.getAndIncrement()]);
        });
    }

    private static Consumer<SubReconcilerTests.Case<ConfigMap>> quiet(Given<ConfigMap> map) {
        return t -> t.resource(map)
                .expectError(IllegalStateException.class, "no")
                .verify(run -> {
                    assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
                    assertThat(run.outcome().skipsStatus()).isTrue();
                    assertThat(run.outcome().retries()).isTrue();
                });
    }

    private static Consumer<SubReconcilerTests.Case<ConfigMap>> told(Given<ConfigMap> map) {
        return t -> t.resource(map)
                .expectError(IllegalStateException.class, "no")
                .verify(run -> assertThat(run.outcome()).isEqualTo(FAILED));
    }

    private static Consumer<SubReconcilerTests.Case<ConfigMap>> ends(Result outcome) {
        return t -> {
            var unused = t.resource(MAP).expectResult(outcome);
        };
    }

    private static Consumer<SubReconcilerTests.Case<ConfigMap>> all(
            List<Consumer<SubReconcilerTests.Case<ConfigMap>>> steps) {
        return t -> {
            steps.getFirst().accept(t);
            steps.stream().skip(1).forEach(t::again);
        };
    }

    @TestFactory
    Stream<DynamicTest> rows() {
        Given<ConfigMap> changed = MAP.generation(2);
        return Stream.of(
                        part(FAILED, FAILED, FAILED, FAILED)
                                .test(
                                        "the third error is reported, and later ones",
                                        all(List.of(quiet(MAP), quiet(MAP), told(MAP), told(MAP)))),
                        part(FAILED, FAILED, FAILED, FAILED, FAILED, FAILED)
                                .test(
                                        "objects are counted by themselves",
                                        all(List.of(
                                                quiet(MAP),
                                                quiet(OTHER),
                                                quiet(MAP),
                                                quiet(OTHER),
                                                told(MAP),
                                                told(OTHER)))),
                        part(FAILED, FAILED, SOON, FAILED, FAILED, FAILED)
                                .test(
                                        "success ends the row",
                                        all(List.of(
                                                quiet(MAP),
                                                quiet(MAP),
                                                ends(SOON),
                                                quiet(MAP),
                                                quiet(MAP),
                                                told(MAP)))),
                        part(FAILED, FAILED, FAILED, FAILED, FAILED)
                                .test(
                                        "and another generation",
                                        all(List.of(
                                                quiet(MAP.generation(1)),
                                                quiet(MAP.generation(1)),
                                                quiet(changed),
                                                quiet(changed),
                                                told(changed)))),
                        part(FAILED, FAILED, Result.durable(LASTING), FAILED)
                                .test(
                                        "and durable errors, which are always reported",
                                        all(List.of(
                                                quiet(MAP),
                                                quiet(MAP),
                                                t -> t.resource(MAP)
                                                        .expectError(IllegalArgumentException.class, "lasting")
                                                        .verify(run -> assertThat(run.outcome())
                                                                .isEqualTo(Result.durable(LASTING))),
                                                quiet(MAP)))),
                        part(FAILED, FAILED, FAILED)
                                .test(
                                        "and a day",
                                        all(List.of(
                                                quiet(MAP),
                                                quiet(MAP),
                                                t -> quiet(MAP)
                                                        .accept(t.now(TestCluster.NOW.plus(Duration.ofDays(1))))))),
                        part(SOON.plus(FAILED))
                                .test(
                                        "an appointment stays",
                                        t -> quiet(MAP).accept(t.expectResult(SOON.skipStatus()))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void itsPartIsDeclaredAndItsThresholdPositiveD27() {
        assertThat(declared(SuppressTransientErrors.of(owning(step("1", SOON))), Relation.OWNS))
                .isEqualTo(List.of(SECRETS));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SuppressTransientErrors.of(0, step("1", SOON)))
                .withMessageContaining("threshold");
    }
}
