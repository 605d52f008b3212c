package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
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

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.testing.SubReconcilerTests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ForEachTest {
    private static final Stash.Key<String> LETTER = Stash.Key.of("letter", String.class);
    private static final Stash.Key<Integer> DIGIT = Stash.Key.of("item", Integer.class);

    /** An interface, as the class of the cursor's key. */
    private static final Stash.Key<HasMetadata> OBJECT = Stash.Key.of("item", HasMetadata.class);

    private static SubReconciler<ConfigMap> spell(Stash.Key<?> key) {
        return (reconciliation, map) -> {
            ForEach.Position position = reconciliation.stash().require(ForEach.position(key));
            say(map, reconciliation.stash().require(key) + "" + position.index() + position.length() + " ");
            return SOON;
        };
    }

    @TestFactory
    Stream<DynamicTest> loops() {
        return all(
                runs("no item", () -> ForEach.of(LETTER, (r, map) -> List.of(), spell(LETTER)), "", Result.done()),
                runs(
                        "in order, with where they are",
                        () -> ForEach.of(LETTER, (r, map) -> List.of("a", "b"), spell(LETTER)),
                        "a02 b12 ",
                        SOON),
                runs(
                        "a loop in a loop (D18: items of any class have a key of their own)",
                        () -> ForEach.of(
                                LETTER,
                                (r, map) -> List.of("a", "b"),
                                ForEach.of(DIGIT, (r, map) -> List.of(1, 2), Sequence.of(spell(DIGIT), spell(LETTER)))),
                        "102 a02 212 a02 102 b12 212 b12 ",
                        SOON),
                runs(
                        "D18: items may be of an interface",
                        () -> ForEach.of(OBJECT, (r, map) -> List.of(MAP.object()), (r, map) -> {
                            say(map, r.stash().require(OBJECT).getMetadata().getName());
                            return Result.done();
                        }),
                        "a",
                        Result.done()),
                runs(
                        "until it stops; all that ran counts (D17)",
                        () -> ForEach.of(
                                LETTER,
                                (r, map) -> List.of("a", "b", "c"),
                                Sequence.of(spell(LETTER), (r, map) -> said(map).contains("b") ? FAILED : LATER)),
                        "a03 b13 ",
                        SOON.plus(FAILED)),
                runs(
                        "items that cannot be had are a failure",
                        () -> ForEach.of(
                                LETTER,
                                (r, map) -> {
                                    throw NO;
                                },
                                spell(LETTER)),
                        "",
                        FAILED),
                SubReconcilerTests.of(
                        ConfigMap.class, () -> ForEach.of(LETTER, (r, map) -> List.of("a"), step("1", Result.done())))
                        .test(
                                "D18: after the loop the item is removed",
                                t -> t.resource(MAP)
                                        .expectResource(MAP.at("data.said", "1"))
                                        .expectNotStashed(LETTER)
                                        .expectNotStashed(ForEach.position(LETTER)))
                        .test(
                                "and the former value is restored",
                                t -> t.resource(MAP)
                                        .stashed(LETTER, "z")
                                        .expectResource(MAP.at("data.said", "1"))
                                        .expectStashed(LETTER, "z"))
                        .stream());
    }

    @Test
    void itsPartIsDeclaredD27() {
        assertThat(declared(ForEach.of(LETTER, (r, map) -> List.of(), owning(step("1", SOON))), Relation.OWNS))
                .isEqualTo(List.of(SECRETS));
        assertThat(ForEach.of(LETTER, (r, map) -> List.of(), step("1", SOON))).hasToString("ForEach");
    }
}
