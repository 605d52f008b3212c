package {{package}};

import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class {{Kind}}ReconcilerTest {
    private static final Given<{{Kind}}> HELLO =
            Given.yaml({{Kind}}.class, "{metadata: {namespace: default, name: hello}, spec: {text: Hello}}");

    private static final Given<{{Kind}}> READY = HELLO.condition("Ready")
            .isTrue("Ready", "")
            .condition("TextKept")
            .isTrue("Kept", "")
            .statusAt("conditions[type=Ready].observedGeneration", 1)
            .statusAt("conditions[type=TextKept].observedGeneration", 1)
            .statusAt("observedGeneration", 1);

    private static final Given<ConfigMap> TEXT = Given.yaml(
                    ConfigMap.class, "{metadata: {namespace: default, name: hello}, data: {text: Hello}}")
            .ownedBy(HELLO);

    /** Single reconciliations: the existing objects, and every effect. */
    @TestFactory
    Stream<DynamicTest> reconciles() {
        return ReconcilerTests.of({{Kind}}Reconciler::controller)
                .definitions(Main.file("crd.yaml"))
                .test("creates the text", t -> t.given(HELLO)
                        .expectCreate(TEXT)
                        .expectEvent(HELLO, "Normal", "Created", "CreateChild", "Created ConfigMap \"hello\"")
                        .expectEvent(HELLO, "Normal", "StatusUpdated", "WriteStatus", "Updated status")
                        .expectStatusUpdate(READY))
                .test("keeps a correct text", t -> t.given(READY, TEXT))
                .test("reverts the text", t -> t.given(READY, TEXT.at("data.text", "Go away"))
                        .expectUpdate(TEXT)
                        .expectEvent(HELLO, "Normal", "Updated", "UpdateChild", "Updated ConfigMap \"hello\""))
                .test("ignores a deleted object", t -> t.request("default", "hello"))
                .stream();
    }

    /** Sequences of reconciliations, and events between them. */
    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of({{Kind}}Reconciler::controller)
                .definitions(Main.file("crd.yaml"))
                .test("re-creates a deleted text", s -> s.given(HELLO)
                        .reconcile(HELLO)
                        .then(cluster -> cluster.client().delete(ConfigMap.class, HELLO.key()))
                        .reconcile(HELLO)
                        .settled(HELLO))
                .stream();
    }
}
