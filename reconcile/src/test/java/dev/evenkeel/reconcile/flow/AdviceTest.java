package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.bad;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AdviceTest {
    @TestFactory
    Stream<DynamicTest> advice() {
        return all(
                runs("the part alone", () -> Advice.of(step("1", SOON)).build(), "1", SOON),
                runs(
                        "before, around, after",
                        () -> Advice.of(step("part ", SOON))
                                .before(step("before ", LATER))
                                .around((part, r, map) -> {
                                    say(map, "( ");
                                    Result outcome = part.reconcile(r, map);
                                    say(map, ") ");
                                    return outcome;
                                })
                                .after((r, map, outcome) -> {
                                    say(map, "after");
                                    return outcome.priority(7);
                                })
                                .build(),
                        "before ( part ) after",
                        SOON.priority(7)),
                runs(
                        "who stops before, stops all",
                        () -> Advice.of(step("part", SOON))
                                .before(step("before", SOON.plus(Result.halted())))
                                .after((r, map, outcome) -> FAILED)
                                .build(),
                        "before",
                        SOON.plus(Result.halted())),
                runs(
                        "around may leave it out",
                        () -> Advice.of(step("part", SOON))
                                .around((part, r, map) -> LATER)
                                .build(),
                        "",
                        LATER),
                runs(
                        "or call it twice",
                        () -> Advice.of(step("part", SOON))
                                .around((part, r, map) -> part.reconcile(r, map).plus(part.reconcile(r, map)))
                                .build(),
                        "partpart",
                        SOON),
                runs(
                        "after sees failures, and may forgive",
                        () -> Advice.of(bad()).after((r, map, outcome) -> SOON).build(),
                        "",
                        SOON),
                runs(
                        "what throws is added to what came before",
                        () -> Advice.of(step("1", SOON))
                                .around((part, r, map) -> {
                                    throw NO;
                                })
                                .before(step("0", LATER))
                                .build(),
                        "0",
                        LATER.plus(FAILED)),
                runs(
                        "after, too",
                        () -> Advice.of(step("1", SOON))
                                .after((r, map, outcome) -> {
                                    throw NO;
                                })
                                .build(),
                        "1",
                        SOON.plus(FAILED)));
    }

    @TestFactory
    @SuppressWarnings("NullAway") // as users may
    Stream<DynamicTest> nullIsNoOutcomeOfAround() {
        return SubReconcilerTests.of(
                ConfigMap.class,
                () -> Advice.of(step("1", SOON))
                        .before(step("0", LATER))
                        .around((part, r, map) -> null)
                        .build())
                .test(
                        "and the earlier outcome counts",
                        t -> t.resource(MAP)
                                .expectResource(MAP.at("data.said", "0"))
                                .expectResult(LATER)
                                .expectError(IllegalStateException.class, "around at Advice/around returned null"))
                .stream();
    }

    @Test
    void itsPartIsDeclaredWithoutASetUpOfItsOwnD10() {
        Part<ConfigMap> part =
                Advice.of(owning(step("1", SOON))).before(new Foreign()).build();
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(Advice.of(new Foreign()).build(), Relation.TRACKS)).isEqualTo(List.of(SECRETS));
    }
}
