package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Types that a program serves itself, without a definition. */
class ProgramTypesTest {
    @Group("test.evenkeel.dev")
    @Version("v1")
    static final class Toy extends CustomResource<Map<String, String>, List<Condition>> implements Namespaced {}

    private static final TypeSource TOYS =
            Registration.of(Kind.of(Toy.class)).status(true).build();
    private static final Given<Toy> BEAR =
            Given.yaml(Toy.class, "{metadata: {namespace: default, name: bear}, spec: {colour: brown}}");

    private static Controller<Toy> controller() {
        return Controller.of(Toy.class, ProgramTypesTest::reconcile);
    }

    private static Result reconcile(Reconciliation<Toy> reconciliation) {
        reconciliation.resource().ifPresent(toy -> {
            Condition ready = Conditions.condition(
                    "Ready", true, 1L, "Seen", toy.getSpec().get("colour"));
            toy.setStatus(Conditions.with(
                    toy.getStatus() == null ? List.of() : toy.getStatus(),
                    ready,
                    reconciliation.clock().instant()));
            reconciliation.updateStatus(toy);
        });
        return Result.done();
    }

    @TestFactory
    Stream<DynamicTest> casesHaveThem() {
        return ScenarioTests.of(ProgramTypesTest::controller)
                .types(TOYS)
                .test(
                        "a status is written once",
                        s -> s.given(BEAR)
                                .reconcile(BEAR)
                                .then(cluster -> assertThat(cluster.client()
                                                .get(Toy.class, BEAR.key())
                                                .getStatus())
                                        .extracting(Condition::getMessage)
                                        .containsExactly("brown"))
                                .settled(BEAR))
                .stream();
    }

    @Test
    void checksHaveThem() {
        Convergence.of(ProgramTypesTest::controller).types(TOYS).given(BEAR).assertConverges();
    }
}
