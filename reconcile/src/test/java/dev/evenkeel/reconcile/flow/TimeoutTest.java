package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.SubReconcilerTests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TimeoutTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A part that takes its time, in the time of the scheduler. */
    private static SubReconciler<ConfigMap> takes(VirtualScheduler time, Duration duration, Result outcome) {
        return (reconciliation, map) -> {
            time.advance(duration);
            say(map, "1");
            if (Thread.interrupted()) {
                throw NO;
            }
            return outcome;
        };
    }

    private static Stream<DynamicTest> slow(
            Duration duration, boolean heeds, Consumer<SubReconcilerTests.Case<ConfigMap>> test) {
        return SubReconcilerTests.of(ConfigMap.class, () -> {
                    VirtualScheduler time = new VirtualScheduler(1);
                    return Timeout.of(
                            time,
                            MINUTE,
                            heeds
                                    ? takes(time, duration, SOON)
                                    : (r, map) -> {
                                        time.advance(duration);
                                        say(map, "1");
                                        return SOON;
                                    });
                })
                .test("after " + duration + (heeds ? ", heeding interrupts" : ""), test)
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> times() {
        return Stream.of(
                        slow(
                                Duration.ofSeconds(59),
                                true,
                                t -> t.resource(MAP).expectResult(SOON).expectResource(MAP.at("data.said", "1"))),
                        slow(
                                Duration.ofSeconds(60),
                                true,
                                t -> t.resource(MAP)
                                        .expectError(
                                                RuntimeException.class,
                                                "SubReconciler at Timeout was interrupted: it took longer than PT1M")
                                        .expectError(IllegalStateException.class, "no")
                                        .expectResource(MAP.at("data.said", "1"))
                                        .verify(run -> {
                                            assertThat(run.outcome()
                                                            .problems()
                                                            .getFirst()
                                                            .error())
                                                    .isInstanceOf(Timeout.ExceededException.class);
                                            assertThat(run.outcome()
                                                            .problems()
                                                            .getLast()
                                                            .error())
                                                    .isSameAs(NO);
                                            assertThat(Thread.currentThread().isInterrupted())
                                                    .isFalse();
                                        })),
                        slow(
                                Duration.ofSeconds(61),
                                false,
                                t -> t.resource(MAP)
                                        .expectResult(SOON)
                                        .expectResource(MAP.at("data.said", "1"))
                                        .verify(run -> assertThat(
                                                        Thread.currentThread().isInterrupted())
                                                .isFalse())))
                .flatMap(one -> one);
    }

    @Test
    void isPositiveAndWhatItNeedsDeclared() {
        VirtualScheduler time = new VirtualScheduler(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timeout.of(time, Duration.ZERO, step("1", SOON)))
                .withMessageContaining("atMost");
        assertThat(declared(Timeout.of(time, MINUTE, new Foreign()), Relation.TRACKS))
                .isEqualTo(List.of(SECRETS));
    }
}
