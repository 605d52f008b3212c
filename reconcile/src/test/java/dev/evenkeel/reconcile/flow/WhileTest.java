package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
import static dev.evenkeel.reconcile.flow.Steps.said;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.SubReconcilerTests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WhileTest {
    private static SubReconciler<ConfigMap> number() {
        return (reconciliation, map) -> {
            say(map, reconciliation.stash().require(While.ITERATION).toString());
            return Result.done();
        };
    }

    private static String overrun(Expectations.Run run) {
        return run.outcome().failure().orElseThrow().getMessage();
    }

    @TestFactory
    Stream<DynamicTest> loops() {
        return all(
                runs("never", () -> While.of((r, map) -> false, step("1", SOON)), "", Result.done()),
                runs(
                        "until it does not hold, with the number of the iteration",
                        () -> While.of((r, map) -> said(map).length() < 4, number()),
                        "0123",
                        Result.done()),
                runs(
                        "until it stops, and what came before counts (D17)",
                        () -> While.of(
                                (r, map) -> true,
                                Sequence.of(number(), (r, map) -> said(map).equals("01") ? FAILED : SOON)),
                        "01",
                        SOON.plus(FAILED)),
                runs(
                        "what came before counts also when the condition throws",
                        () -> While.of(
                                (r, map) -> {
                                    if (said(map).equals("01")) {
                                        throw NO;
                                    }
                                    return true;
                                },
                                Sequence.of(number(), step("", SOON))),
                        "01",
                        SOON.plus(FAILED)),
                runs(
                        "a loop in a loop has its own number, and the outer one its own again",
                        () -> While.of(
                                (r, map) -> said(map).length() < 6,
                                Sequence.of(
                                        number(),
                                        While.of((r, map) -> said(map).length() % 3 != 2, number()),
                                        number())),
                        "000101",
                        Result.done()),
                SubReconcilerTests.of(ConfigMap.class, () -> While.of((r, map) -> true, step(".", SOON)))
                        .test(
                                "a hundred times, and no more",
                                t -> t.resource(MAP)
                                        .expectResource(MAP.at("data.said", ".".repeat(100)))
                                        .expectResult(SOON)
                                        .expectError(While.LimitException.class, "exceeded max iterations: 100")
                                        .verify(run -> assertThat(((While.LimitException) run.outcome()
                                                                .failure()
                                                                .orElseThrow())
                                                        .iterations())
                                                .isEqualTo(100)))
                        .stream(),
                SubReconcilerTests.of(
                        ConfigMap.class, () -> While.atMost(3, (r, map) -> true, step(".", Result.done())))
                        .test(
                                "or as often as it may",
                                t -> t.resource(MAP)
                                        .expectResource(MAP.at("data.said", "..."))
                                        .expectError(While.LimitException.class)
                                        .expectNotStashed(While.ITERATION)
                                        .verify(run -> assertThat(overrun(run)).endsWith(": 3")))
                        .stream(),
                runs(
                        "or without a limit",
                        () -> While.unlimited((r, map) -> said(map).length() < 500, step(".", Result.done())),
                        ".".repeat(500),
                        Result.done()));
    }

    @Test
    void aLimitIsPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> While.atMost(0, (r, map) -> true, step(".", SOON)))
                .withMessageContaining("unlimited");
    }

    @Test
    void itsPartIsDeclared() {
        assertThat(declared(While.of((r, map) -> true, owning(step("1", SOON))), Relation.OWNS))
                .isEqualTo(List.of(SECRETS));
        assertThat(declared(While.of((r, map) -> true, new Foreign()), Relation.TRACKS))
                .isEqualTo(List.of(SECRETS));
    }
}
