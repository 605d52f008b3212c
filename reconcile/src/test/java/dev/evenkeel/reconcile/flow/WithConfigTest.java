package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
import static dev.evenkeel.reconcile.flow.Steps.said;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WithConfigTest {
    private static ConfigMap named(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static SubReconciler<ConfigMap> creating(String name) {
        return (reconciliation, map) -> {
            ConfigMap made = reconciliation.client().create(named(name));
            reconciliation.events().record(made, EventRecorder.Type.NORMAL, "Made", "Make", "made " + name);
            return Result.done();
        };
    }

    @TestFactory
    Stream<DynamicTest> configurations() {
        Given<ConfigMap> made = Given.of(named("b"));
        return Stream.of(
                        SubReconcilerTests.in(
                                        ConfigMap.class,
                                        cluster -> WithConfig.elsewhere(
                                                (r, config) -> config.elsewhere(
                                                        cluster.other("other").reactive()),
                                                creating("b")))
                                .test(
                                        "D26: another client, and the same recorder",
                                        t -> t.resource(MAP)
                                                .expectEvent(made, "Normal", "Made", "Make", "made b")
                                                .cluster("other", other -> other.expectCreate(made))),
                        SubReconcilerTests.in(
                                        ConfigMap.class,
                                        cluster -> Sequence.of(
                                                WithConfig.of(
                                                        (r, config) -> config.events(
                                                                (object, type, reason, action, message) -> {}),
                                                        creating("b")),
                                                (r, map) -> {
                                                    assertThat(ReconciliationView.cached(r))
                                                            .isTrue();
                                                    return Result.done();
                                                }))
                                .test(
                                        "D26: another recorder, and the same client",
                                        t -> t.resource(MAP).expectCreate(made)),
                        SubReconcilerTests.in(
                                        ConfigMap.class,
                                        cluster -> WithConfig.of(
                                                (r, config) -> config.elsewhere(
                                                        cluster.other("other").reactive()),
                                                step("1", SOON)))
                                .test(
                                        "another cluster must be declared beforehand",
                                        t -> t.resource(MAP)
                                                .expectError(IllegalStateException.class, "WithConfig.elsewhere")
                                                .cluster("other", other -> {})),
                        SubReconcilerTests.in(
                                        ConfigMap.class,
                                        cluster -> WithConfig.elsewhere(
                                                (r, config) -> config.client(
                                                        cluster.other("other").reactive()),
                                                WithConfig.of(
                                                        (r, config) -> config.events(
                                                                (object, type, reason, action, message) -> {}),
                                                        (r, map) -> {
                                                            assertThat(Part.Config.of(r)
                                                                            .elsewhere())
                                                                    .isTrue();
                                                            assertThat(ReconciliationView.cached(r))
                                                                    .isFalse();
                                                            return SOON;
                                                        })))
                                .test(
                                        "a nested part stays in the other cluster",
                                        t -> t.resource(MAP).expectResult(SOON).cluster("other", other -> {})))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> times() {
        return runs(
                "it is asked for each time, and may depend on the object",
                () -> While.of(
                        (r, map) -> said(map).length() < 3,
                        WithConfig.of(
                                (r, config) -> {
                                    assertThat(r.resource()).isPresent();
                                    return config;
                                },
                                step(".", SOON))),
                "...",
                SOON);
    }

    @Test
    void whatItNeedsHereIsDeclaredAndElsewhereAllowedOnlyD27() {
        Part<ConfigMap> owning = owning(step("1", SOON));
        assertThat(declared(WithConfig.of((r, config) -> config, owning), Relation.OWNS))
                .isEqualTo(List.of(SECRETS));
        Part<ConfigMap> elsewhere = WithConfig.elsewhere((r, config) -> config, Sequence.of(owning, new Foreign()));
        assertThat(declared(elsewhere, Relation.OWNS)).isEqualTo(List.of());
        assertThat(declared(elsewhere, Relation.TRACKS)).isEqualTo(List.of());
        assertThat(elsewhere.description().allNeeds())
                .contains(new Part.Requirement.May(SECRETS, "", Set.of("create")));
        assertThat(elsewhere).hasToString("WithConfig");
    }
}
