package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DebounceTransientErrorsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static SubReconcilerTests<ConfigMap> part(Result... outcomes) {
        return SubReconcilerTests.of(ConfigMap.class, () -> {
            AtomicInteger run = new AtomicInteger();
            return DebounceTransientErrors.of(MINUTE, (r, map) -> outcomes[run.getAndIncrement()]);
        });
    }

    /** Expects a quiet outcome after the first number of seconds, with a requeue after the second. */
    private static Consumer<SubReconcilerTests.Case<ConfigMap>> quiet(int seconds, int again) {
        return t -> t.resource(MAP)
                .now(TestCluster.NOW.plusSeconds(seconds))
                .expectError(IllegalStateException.class, "no")
                .verify(run -> assertThat(run.outcome())
                        .isEqualTo(Result.quiet(NO).skipStatus().within(Duration.ofSeconds(again))));
    }

    private static Consumer<SubReconcilerTests.Case<ConfigMap>> told(int seconds) {
        return t -> t.resource(MAP)
                .now(TestCluster.NOW.plusSeconds(seconds))
                .expectError(IllegalStateException.class, "no")
                .verify(run -> assertThat(run.outcome()).isEqualTo(FAILED));
    }

    @TestFactory
    Stream<DynamicTest> rows() {
        return Stream.of(
                        part(FAILED, FAILED, FAILED, FAILED).test("reports a lasting error", t -> {
                            quiet(0, 60).accept(t);
                            var unused = t.again(quiet(10, 50)).again(told(60)).again(told(61));
                        }),
                        part(FAILED, SOON, FAILED).test("does not report a transient error", t -> {
                            quiet(0, 60).accept(t);
                            var unused = t.again(ok -> ok.resource(MAP)
                                            .now(TestCluster.NOW.plusSeconds(59))
                                            .expectResult(SOON))
                                    .again(quiet(61, 60));
                        }),
                        part(FAILED.plus(Result.durable(NO)))
                                .test(
                                        "reports a durable error at once",
                                        t -> t.resource(MAP)
                                                .expectError()
                                                .verify(run -> assertThat(run.outcome())
                                                        .isEqualTo(FAILED.plus(Result.durable(NO))))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void theTimeIsPositiveAndWhatItNeedsDeclared() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DebounceTransientErrors.of(Duration.ZERO, step("1", SOON)))
                .withMessageContaining("lasting");
        assertThat(declared(DebounceTransientErrors.of(MINUTE, new Foreign()), Relation.TRACKS))
                .isEqualTo(List.of(SECRETS));
    }
}
