package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WithFinalizerTest {
    private static final String NAME = "example.com/a";
    private static final Given<ConfigMap> HELD = MAP.finalizers(NAME);
    private static final Given<ConfigMap> DELETED = HELD.deleted(TestCluster.NOW);

    private static SubReconcilerTests<ConfigMap> part(SubReconciler<ConfigMap> part) {
        return SubReconcilerTests.of(ConfigMap.class, () -> WithFinalizer.of(ConfigMap.class, NAME, part));
    }

    /** Returns a step that records whether the finalizer is present. */
    private static SubReconciler<ConfigMap> looking(Result outcome) {
        return (reconciliation, map) -> {
            say(map, Boolean.toString(Finalizers.has(map, NAME)));
            return outcome;
        };
    }

    private static Given<ConfigMap> cleared() {
        return DELETED.without("metadata.finalizers").at("data.said", "true");
    }

    private static SubReconcilerTests.Case<ConfigMap> told(SubReconcilerTests.Case<ConfigMap> t, String action) {
        return t.expectEvent(MAP, "Normal", "FinalizerPatched", action, "Patched finalizer \"example.com/a\"");
    }

    @TestFactory
    Stream<DynamicTest> finalizers() {
        return Stream.of(
                        part(looking(SOON))
                                .test(
                                        "is added before the part",
                                        t -> told(t, "AddFinalizer")
                                                .resource(MAP)
                                                .expectFinalizers(MAP, NAME)
                                                .expectResult(SOON)
                                                .expectResource(HELD.at("data.said", "true")))
                                .test(
                                        "has the finalizer",
                                        t -> t.resource(HELD)
                                                .expectResult(SOON)
                                                .expectResource(HELD.at("data.said", "true")))
                                .test(
                                        "when it cannot be added, the part does not run",
                                        t -> t.resource(MAP)
                                                .react(on(PATCH).fails(forbidden("no")))
                                                .expectFinalizers(MAP, NAME)
                                                .expectEvent(
                                                        MAP,
                                                        "Warning",
                                                        "FinalizerPatchFailed",
                                                        "AddFinalizer",
                                                        "Failed to patch finalizer \"example.com/a\":"
                                                                + " configmaps \"a\" is forbidden: no")
                                                .expectError(ForbiddenException.class))
                                .test(
                                        "is cleared after the part",
                                        t -> told(t, "ClearFinalizer")
                                                .resource(DELETED)
                                                .expectFinalizers(MAP)
                                                .expectResult(SOON)
                                                .expectResource(cleared()))
                                .test(
                                        "is not added to one that is being deleted",
                                        t -> t.resource(MAP.finalizers("example.com/b")
                                                        .deleted(TestCluster.NOW))
                                                .expectResult(SOON)
                                                .expectResource(MAP.finalizers("example.com/b")
                                                        .deleted(TestCluster.NOW)
                                                        .at("data.said", "false"))),
                        part(looking(FAILED))
                                .test(
                                        "stays when the part fails",
                                        t -> t.resource(DELETED)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResource(DELETED.at("data.said", "true"))),
                        part(looking(Result.halted()))
                                .test(
                                        "or ends early",
                                        t -> t.resource(DELETED)
                                                .expectResult(Result.halted())
                                                .expectResource(DELETED.at("data.said", "true"))),
                        ready((r, map) -> false)
                                .test(
                                        "or is not ready",
                                        t -> t.resource(DELETED)
                                                .expectResult(SOON)
                                                .expectResource(DELETED.at("data.said", "true"))),
                        ready((r, map) -> {
                                    throw NO;
                                })
                                .test(
                                        "or does not know; a live object is not checked",
                                        t -> t.resource(DELETED)
                                                .expectResult(SOON)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResource(DELETED.at("data.said", "true")))
                                .test(
                                        "a live object is not checked",
                                        t -> t.resource(HELD)
                                                .expectResult(SOON)
                                                .expectResource(HELD.at("data.said", "true"))))
                .flatMap(SubReconcilerTests::stream);
    }

    private static SubReconcilerTests<ConfigMap> ready(BiPredicate<Reconciliation<ConfigMap>, ConfigMap> ready) {
        return SubReconcilerTests.of(
                ConfigMap.class, () -> WithFinalizer.of(Kind.of(ConfigMap.class), NAME, ready, looking(SOON)));
    }

    @Test
    void needsANameAndTheRightToPatch() {
        assertThatIllegalStateException()
                .isThrownBy(() -> WithFinalizer.of(ConfigMap.class, " ", step("1", SOON)))
                .withMessageContaining("WithFinalizer must define finalizer");
        Part<ConfigMap> part = WithFinalizer.of(ConfigMap.class, NAME, owning(step("1", SOON)));
        assertThat(part.description().allNeeds())
                .contains(new Part.Requirement.May(Kind.of(ConfigMap.class), "", Set.of("patch")));
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(part).hasToString("WithFinalizer \"example.com/a\"");
    }
}
