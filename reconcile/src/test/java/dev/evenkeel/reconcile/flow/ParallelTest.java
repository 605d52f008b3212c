package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.MAP;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.SubReconcilerTests;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ParallelTest {
    private static SubReconciler<ConfigMap> puts(String key, String value, Result outcome) {
        return (reconciliation, map) -> {
            map.setData(new HashMap<>(Map.of(key, value)));
            return outcome;
        };
    }

    private static SubReconciler<ConfigMap> empties(Result outcome) {
        return (reconciliation, map) -> {
            map.setData(new HashMap<>());
            return outcome;
        };
    }

    private static SubReconciler<ConfigMap> adds(String key, String value, Result outcome) {
        return (reconciliation, map) -> {
            Map<String, String> data = new HashMap<>(map.getData());
            data.put(key, value);
            map.setData(data);
            return outcome;
        };
    }

    private static SubReconcilerTests<ConfigMap> part(Supplier<Part<ConfigMap>> part) {
        return SubReconcilerTests.of(ConfigMap.class, part);
    }

    /** Two that each wait for the other: in sequence they would wait indefinitely. */
    private static Part<ConfigMap> together() {
        CyclicBarrier meeting = new CyclicBarrier(2);
        SubReconciler<ConfigMap> meets = (reconciliation, map) -> {
            try {
                int unused = meeting.await();
                say(map, ReconcilerPath.text());
                return SOON;
            } catch (BrokenBarrierException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        return Parallel.of(meets, Part.of((reconciliation, map) -> {
            ConfigMap other = ModelCodec.copy(map);
            return meets.reconcile(reconciliation, other);
        }));
    }

    @TestFactory
    Stream<DynamicTest> parts() {
        IllegalStateException other = new IllegalStateException("other");
        return Stream.of(
                        part(() -> Parallel.of()).test("none is done", t -> t.resource(MAP)),
                        part(ParallelTest::together)
                                .test(
                                        "they run side by side, on the trail",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.said", "Parallel/SubReconciler"))),
                        part(() -> Parallel.of(
                                        puts("a", "1", FAILED),
                                        puts("b", "2", SOON),
                                        puts("c", "3", Result.quiet(other))))
                                .test(
                                        "all is kept that they did, in their order",
                                        t -> t.resource(MAP.at("data.z", "0"))
                                                .expectError(IllegalStateException.class, "no")
                                                .expectError(IllegalStateException.class, "other")
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.a", "1")
                                                        .at("data.b", "2")
                                                        .at("data.c", "3"))
                                                .verify(run -> assertThat(run.outcome())
                                                        .isEqualTo(FAILED.plus(SOON)
                                                                .plus(Result.quiet(other))))),
                        part(() -> Parallel.of(puts("a", "1", SOON), puts("a", "1", LATER)))
                                .test(
                                        "they may do the same",
                                        t -> t.resource(MAP).expectResult(SOON).expectResource(MAP.at("data.a", "1"))),
                        part(() -> Parallel.of(
                                        puts("a", "1", SOON),
                                        Part.of(puts("a", "2", LATER)).name("second")))
                                .test(
                                        "but not the same differently",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectError(
                                                        Parallel.ConflictException.class,
                                                        "\"second\" has changed what a part before it has changed"
                                                                + " otherwise: data.a: \"2\" or \"1\"")
                                                .expectResource(MAP.at("data.a", "1"))),
                        part(() -> Parallel.of(empties(SOON), adds("b", "2", LATER)))
                                .test(
                                        "one part may remove the last one, and another part add one",
                                        t -> t.resource(MAP.at("data.a", "1"))
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.b", "2"))),
                        part(() -> Parallel.of(adds("b", "2", LATER), empties(SOON)))
                                .test(
                                        "or the other way round",
                                        t -> t.resource(MAP.at("data.a", "1"))
                                                .expectResult(SOON)
                                                .expectResource(MAP.at("data.b", "2"))),
                        part(() -> Parallel.of(new VirtualScheduler(1), step("1", SOON), puts("b", "2", LATER)))
                                .test(
                                        "a scheduler may run them one after the other",
                                        t -> t.resource(MAP)
                                                .expectResult(SOON)
                                                .expectResource(
                                                        MAP.at("data.said", "1").at("data.b", "2"))),
                        part(() -> Parallel.of(
                                        (reconciliation, map) -> {
                                            throw new AssertionError("from another thread");
                                        },
                                        step("1", SOON)))
                                .test(
                                        "errors are thrown in the waiting thread",
                                        t -> t.resource(MAP).expectError(AssertionError.class, "from another thread")))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void anInterruptIsPassedOnAndWaitsForTheParts() throws InterruptedException {
        CountDownLatch sleeping = new CountDownLatch(2);
        AtomicInteger woken = new AtomicInteger();
        SubReconciler<ConfigMap> sleeps = (reconciliation, map) -> {
            sleeping.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                var unused = woken.incrementAndGet();
            }
            return SOON;
        };
        Part<ConfigMap> part = Parallel.of(sleeps, sleeps);
        AtomicReference<String> seen = new AtomicReference<>("");
        Thread worker = Thread.ofPlatform().start(() -> {
            List<DynamicTest> unused = SubReconcilerTests.of(ConfigMap.class, () -> part)
                    .test(
                            "sleeps",
                            t -> t.resource(MAP)
                                    .expectResult(SOON)
                                    .verify(run -> seen.set(woken.get() + " " + Thread.interrupted())))
                    .stream()
                    .peek(test -> {
                        try {
                            test.getExecutable().execute();
                        } catch (Throwable e) {
                            seen.set(e.toString());
                        }
                    })
                    .toList();
        });
        assertThat(sleeping.await(1, TimeUnit.MINUTES)).isTrue();
        worker.interrupt();
        worker.join();
        assertThat(seen.get()).isEqualTo("2 true");
    }

    @Test
    void itsPartsAreDeclared() {
        Part<ConfigMap> part = Parallel.of(owning(step("1", SOON)), new Foreign());
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
    }
}
