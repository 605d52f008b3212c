package dev.evenkeel.reconcile.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Result;
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

    private static SubReconciler<ConfigMap> gives(String data, Result outcome) {
        return (reconciliation, map) -> {
            map.setData(Map.of("last", data));
            return outcome;
        };
    }

    @Test
    void itsPartsAreNumbered() {
        assertThat(Sequence.of(gives("1", Result.done()), gives("2", Result.done()))
                        .description()
                        .slots())
                .extracting(slot -> slot.name() + " " + slot.part())
                .containsExactly("0 SubReconciler", "1 SubReconciler");
    }

    private static SubReconciler<ConfigMap> trail() {
        return (reconciliation, map) -> {
            String before = map.getData() == null ? "" : map.getData().getOrDefault("last", "");
            map.setData(Map.of("last", before + ReconcilerPath.text() + " "));
            return Result.done();
        };
    }

    private static Part<ConfigMap> named(String name) {
        return Part.of(trail()).name(name);
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
        Result soon = Result.after(Duration.ofSeconds(5));
        Result later = Result.after(Duration.ofMinutes(5));
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
                                                gives("2", Result.failed(failure)),
                                                gives("3", Result.done())))
                                .test(
                                        "a failure ends it, and appointments before it hold",
                                        t -> t.resource(MAP)
                                                .expectError(IllegalStateException.class, "no")
                                                .expectResult(soon)
                                                .expectResource(MAP.with(map -> map.setData(Map.of("last", "2"))))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> Sequence.of(gives("1", Result.halted()), gives("2", soon)))
                                .test(
                                        "a halt ends it",
                                        t -> t.resource(MAP)
                                                .expectResult(Result.halted())
                                                .expectResource(MAP.with(map -> map.setData(Map.of("last", "1"))))))
                .flatMap(SubReconcilerTests::stream);
    }
}
