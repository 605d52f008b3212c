package dev.evenkeel.reconcile.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PartTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, "metadata: {namespace: default, name: a}");

    private static Part<ConfigMap> part(String type, Part.Requirement... needs) {
        return Part.of(Part.Description.of(type).needs(needs), (reconciliation, resource) -> Result.done());
    }

    private static Part<ConfigMap> around(Part<ConfigMap> inner) {
        return Part.of(Part.Description.of("Around").slots("inner", inner), inner);
    }

    /** A reconciler with a name of its own. */
    private static final class Named implements SubReconciler<ConfigMap> {
        @Override
        public Result reconcile(Reconciliation<ConfigMap> reconciliation, ConfigMap resource) {
            return Result.halted();
        }

        @Override
        public Controller<ConfigMap> declare(Controller<ConfigMap> controller) {
            return controller.reads(Secret.class);
        }
    }

    @Test
    void isNamedAfterItsTypeOrAGivenName() {
        assertThat(part("Sync")).hasToString("Sync");
        assertThat(part("Sync").name("image")).hasToString("Sync \"image\"");
        assertThat(Part.<ConfigMap>of(new Named())).hasToString("Named");
        assertThat(Part.<ConfigMap>of((reconciliation, resource) -> Result.done()))
                .hasToString("SubReconciler");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part("Sync").name(" "))
                .withMessageContaining("Sync");
    }

    @Test
    void aPartIsTakenAsItIs() {
        Part<ConfigMap> part = part("Sync");
        assertThat(Part.of((SubReconciler<ConfigMap>) part)).isSameAs(part);
    }

    @Test
    void requirementsOfNestedPartsReachTheControllerOnce() {
        Part.Requirement owns = new Part.Requirement.Owns<>(SECRETS);
        Controller<ConfigMap> controller = around(around(part("A", owns, new Part.Requirement.Tracks<>(MAPS))))
                .declare(part("B", owns).declare(Controller.of(ConfigMap.class, r -> Result.done())));
        assertThat(controller.kinds(Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(controller.kinds(Relation.TRACKS)).isEqualTo(List.of(MAPS));
        Part.Description both = Part.Description.of("Both").slots(List.of(part("A", owns), part("B", owns)));
        assertThat(both.allNeeds()).hasSize(1);
        assertThat(both.slots()).extracting(Part.Description.Slot::name).containsExactly("0", "1");
    }

    @Test
    void aReconcilerOfAnotherMakeDeclaresForItself() {
        Controller<ConfigMap> controller =
                Part.<ConfigMap>of(new Named()).declare(Controller.of(ConfigMap.class, r -> Result.done()));
        assertThat(controller.kinds(Relation.READS)).isEqualTo(List.of(SECRETS));
    }

    @Test
    void aSetUpOfOnesOwnIsDone() {
        Part.Requirement setUp = new Part.Requirement.SetUp<>(MAPS, "name", controller -> controller.name("other"));
        assertThat(part("A", setUp)
                        .declare(Controller.of(ConfigMap.class, r -> Result.done()))
                        .name())
                .isEqualTo("other");
        assertThat(new Part.Requirement.May(SECRETS, "status", Set.of("update")).verbs())
                .containsExactly("update");
    }

    @TestFactory
    Stream<DynamicTest> outcomes() {
        IllegalStateException failure = new IllegalStateException("no");
        return Stream.of(
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> around(Part.of((reconciliation, resource) -> {
                                            throw failure;
                                        })))
                                .test(
                                        "an exception is its outcome",
                                        t -> t.resource(MAP).expectError(IllegalStateException.class, "no")),
                        SubReconcilerTests.of(ConfigMap.class, PartTest::writing)
                                .test(
                                        "the journal has the part that made a call",
                                        t -> t.resource(MAP)
                                                .expectCreate(MAP.with(
                                                        map -> map.getMetadata().setName("b")))
                                                .verify(run -> assertThat(run.journal()
                                                                .by("Around/writer")
                                                                .calls())
                                                        .hasSize(1))))
                .flatMap(SubReconcilerTests::stream);
    }

    private static Part<ConfigMap> writing() {
        return around(Part.<ConfigMap>of((reconciliation, resource) -> {
                    ConfigMap unused = reconciliation
                            .client()
                            .create(
                                    MAPS,
                                    new ConfigMapBuilder()
                                            .withNewMetadata()
                                            .withNamespace("default")
                                            .withName("b")
                                            .endMetadata()
                                            .build(),
                                    WriteOptions.DEFAULT);
                    return Result.done();
                })
                .name("writer"));
    }
}
