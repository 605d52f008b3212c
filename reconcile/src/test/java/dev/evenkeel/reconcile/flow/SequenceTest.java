package dev.evenkeel.reconcile.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SequenceTest {
    private static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, "metadata: {namespace: default, name: a}");

    private static SubReconciler<ConfigMap> gives(String data, Outcome outcome) {
        return (reconciliation, map) -> {
            map.setData(Map.of("last", data));
            return outcome;
        };
    }

    @Test
    void itsPartsAreNumbered() {
        assertThat(Sequence.of(gives("1", Outcome.done()), gives("2", Outcome.done()))
                        .description()
                        .slots())
                .extracting(slot -> slot.name() + " " + slot.part())
                .containsExactly("0 SubReconciler", "1 SubReconciler");
    }

    private static SubReconciler<ConfigMap> trail() {
        return (reconciliation, map) -> {
            String before = map.getData() == null ? "" : map.getData().getOrDefault("last", "");
            map.setData(Map.of("last", before + ReconcilerPath.text() + " "));
            return Outcome.done();
        };
    }

    private static Part<ConfigMap> named(String name) {
        return Part.of(trail()).named(name);
    }

    @TestFactory
    Stream<DynamicTest> trails() {
        return SubReconcilerTests.of(
                ConfigMap.class, () -> Sequence.of(named("0"), named("a"), Sequence.of(named("b")), named("c")))
                .test(
                        "D19: the trail of a part does not grow with the parts before it",
                        t -> t.resource(MAP)
                                .expectResource(MAP.with(map -> map.setData(
                                        Map.of("last", "Sequence/0 Sequence/a Sequence/Sequence/b Sequence/c ")))))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> sequences() {
        IllegalStateException failure = new IllegalStateException("no");
        Outcome soon = Outcome.after(Duration.ofSeconds(5));
        Outcome later = Outcome.after(Duration.ofMinutes(5));
        return Stream.of(
                        SubReconcilerTests.of(ConfigMap.class, () -> Sequence.<ConfigMap>of())
                                .test("none is done", t -> t.resource(MAP)),
                        SubReconcilerTests.of(ConfigMap.class, () -> Sequence.of(gives("1", later), gives("2", soon)))
                                .test(
                                        "all run, and the earliest appointment counts",
                                        t -> t.resource(MAP)
                                                .expectResult(soon)
                                                .expectResource(MAP.with(map -> map.setData(Map.of("last", "2"))))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> Sequence.of(
                                                gives("1", soon),
                                                gives("2", Outcome.failed(failure)),
                                                gives("3", Outcome.done())))
                                .test(
                                        "a failure ends it, and appointments before it hold",
                                        t -> t.resource(MAP)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResult(soon)
                                                .expectResource(MAP.with(map -> map.setData(Map.of("last", "2"))))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> Sequence.of(gives("1", Outcome.halted()), gives("2", soon)))
                                .test(
                                        "a halt ends it",
                                        t -> t.resource(MAP)
                                                .expectResult(Outcome.halted())
                                                .expectResource(MAP.with(map -> map.setData(Map.of("last", "1"))))))
                .flatMap(SubReconcilerTests::stream);
    }
}
