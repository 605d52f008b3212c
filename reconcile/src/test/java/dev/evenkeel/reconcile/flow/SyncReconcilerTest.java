package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SyncReconcilerTest {
    private static final Given<ConfigMap> DELETED =
            MAP.finalizers("example.com/a").deleted(TestCluster.NOW);

    private static Part<ConfigMap> both(Result sync, Result finalization) {
        return SyncReconciler.of(ConfigMap.class)
                .sync(step("sync ", sync))
                .syncDuringFinalization(true)
                .finalizing(step("finalize", finalization))
                .build();
    }

    private static SubReconcilerTests<ConfigMap> part(Part<ConfigMap> part) {
        return SubReconcilerTests.of(ConfigMap.class, () -> part);
    }

    @TestFactory
    Stream<DynamicTest> phases() {
        return Stream.of(
                        part(SyncReconciler.of(step("sync ", SOON)))
                                .test(
                                        "a live object is synced",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.said", "sync ")))
                                .test("a terminating object is not synced", t -> t.resource(DELETED)),
                        part(SyncReconciler.of(ConfigMap.class)
                                        .sync(step("sync ", SOON))
                                        .finalizing(step("finalize", LATER))
                                        .build())
                                .test(
                                        "a live object is not finalized",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.said", "sync ")))
                                .test(
                                        "a terminating object is finalized",
                                        t -> t.resource(DELETED)
                                                .expectResult(LATER)
                                                .expectResource(DELETED.at("data.said", "finalize"))),
                        part(both(LATER, SOON))
                                .test(
                                        "both, and the earlier appointment counts",
                                        t -> t.resource(DELETED)
                                                .expectResult(SOON)
                                                .expectResource(DELETED.at("data.said", "sync finalize"))),
                        part(both(SOON, LATER.plus(Result.halted())))
                                .test(
                                        "in either order; a halt does not stop the other",
                                        t -> t.resource(DELETED)
                                                .expectResult(SOON.plus(Result.halted()))
                                                .expectResource(DELETED.at("data.said", "sync finalize"))),
                        part(both(FAILED, SOON))
                                .test(
                                        "an object whose sync failed is not finalized",
                                        t -> t.resource(DELETED)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectLog("ERROR", "unable to sync")
                                                .expectResource(DELETED.at("data.said", "sync "))),
                        part(both(SOON, FAILED))
                                .test(
                                        "a failure of finalize is reported",
                                        t -> t.resource(DELETED)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResult(SOON)
                                                .expectLog("ERROR", "unable to finalize")
                                                .expectResource(DELETED.at("data.said", "sync finalize"))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void mustDefineSync() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> SyncReconciler.of(ConfigMap.class).name("image").build())
                .withMessageContaining("SyncReconciler \"image\" must define sync");
    }

    @Test
    void isNamedAndDeclaredAsSoonAsItIsBuiltD27() {
        Part<ConfigMap> part = SyncReconciler.of(ConfigMap.class)
                .name("image")
                .sync(new Foreign())
                .finalizing(owning(step("1", SOON)))
                .needs(new Part.Requirement.Reads<>(Kind.of(Pod.class), List.of()))
                .build();
        assertThat(part).hasToString("SyncReconciler \"image\"");
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.READS)).contains(Kind.of(Pod.class));
        assertThat(SyncReconciler.of(step("1", SOON))).hasToString("SyncReconciler");
    }
}
