package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;

/** Scenarios: that they pass what is right, and say well what is not, and where. */
class ScenarioTestsTest {
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: parent}
            data: {size: "3"}
            """);
    private static final Given<Secret> CHILD = Given.yaml(Secret.class, """
            metadata: {namespace: shop, name: child}
            data: {size: Mw==}
            """).ownedBy(PARENT);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Creates the child, or brings its size up to date; deletes nothing, the server does. */
    private static final Reconciler<ConfigMap> KEEPS = reconciliation -> {
        ConfigMap parent = reconciliation.resource().orElse(null);
        if (parent == null) {
            return Result.done();
        }
        Map<String, String> data = Map.of("size", encoded(parent.getData().get("size")));
        Secret child = reconciliation.cache(Secret.class).find(CHILD.key()).orElse(null);
        if (child == null) {
            Secret wanted = CHILD.without("metadata.ownerReferences").object();
            wanted.setData(data);
            OwnerReferences.control(parent, wanted);
            var unused = reconciliation.client().create(wanted);
        } else if (!data.equals(child.getData())) {
            child.setData(data);
            var unused = reconciliation.client().update(child);
        }
        return Result.done();
    };

    private static String encoded(String text) {
        return java.util.Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static ScenarioTests<ConfigMap> tests(Supplier<Reconciler<ConfigMap>> reconciler) {
        return ScenarioTests.of(
                        () -> Controller.of(ConfigMap.class, reconciler.get()).owns(Secret.class))
                .rendering(Rendering.plain());
    }

    private static void run(
            Reconciler<ConfigMap> reconciler, Consumer<ScenarioTests.Scenario<ConfigMap>> specification) {
        Tables.run(tests(() -> reconciler).test("case", specification).stream());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failing(
            Reconciler<ConfigMap> reconciler, Consumer<ScenarioTests.Scenario<ConfigMap>> specification) {
        return Tables.failing(tests(() -> reconciler).test("case", specification).stream());
    }

    private static void grow(TestCluster cluster) {
        ConfigMap parent = cluster.client().get(ConfigMap.class, PARENT.key());
        parent.getData().put("size", "4");
        var unused = cluster.client().update(parent);
    }

    @TestFactory
    Stream<DynamicTest> passing() {
        return tests(() -> KEEPS)
                .test(
                        "created, changed, and deleted with its owner",
                        s -> s.given(PARENT)
                                .reconcile(PARENT, r -> r.expectCreate(CHILD))
                                .settled(PARENT)
                                .then(ScenarioTestsTest::grow)
                                .reconcile(PARENT, r -> r.expectUpdate(CHILD.at("data.size", "NA==")))
                                .settled(PARENT)
                                .then(cluster -> cluster.client().delete(PARENT.object()))
                                .reconcile("shop", "parent", r -> {})
                                .then(cluster -> assertThat(cluster.client().find(Secret.class, CHILD.key()))
                                        .isEmpty()))
                .test(
                        "repairs a change by another client",
                        s -> s.given(PARENT, CHILD)
                                .settled(PARENT)
                                .then(cluster -> cluster.client().delete(CHILD.object()))
                                .reconcile(PARENT, r -> r.expectCreate(CHILD)))
                .test(
                        "does not see another client's change yet",
                        s -> s.given(PARENT)
                                .then(cluster -> cluster.put(CHILD))
                                .reconcile(
                                        PARENT,
                                        r -> r.stale().expectCreate(CHILD).expectError(AlreadyExistsException.class))
                                .reconcile(PARENT, r -> {}))
                .test(
                        "sees its own writes only",
                        s -> s.given(PARENT)
                                .reconcile(PARENT)
                                .then(ScenarioTestsTest::grow)
                                .reconcile(PARENT, ScenarioTests.Scenario.Reconcile::stale)
                                .reconcile(PARENT, r -> r.expectUpdate(CHILD.at("data.size", "NA=="))))
                .test(
                        "has the existing objects after a restart",
                        s -> s.given(PARENT)
                                .then(cluster -> cluster.put(CHILD))
                                .restarts()
                                .reconcile(PARENT, ScenarioTests.Scenario.Reconcile::stale))
                .test(
                        "is refused for a while",
                        s -> s.given(PARENT)
                                .reacting(on(RecordedCall.Verb.CREATE)
                                        .kind(Secret.class)
                                        .fails(forbidden("quota"))
                                        .times(2))
                                .reconcile(PARENT, r -> r.expectCreate(CHILD).expectError(ForbiddenException.class))
                                .reconcile(PARENT, r -> r.expectCreate(CHILD).expectError(ForbiddenException.class))
                                .reconcile(PARENT, r -> r.expectCreate(CHILD))
                                .settled(PARENT))
                .stream();
    }

    @Test
    @DisplayName("Time passes between steps, and a scenario may begin at another time")
    void time() {
        Reconciler<ConfigMap> expires = reconciliation -> {
            ConfigMap parent = reconciliation.resource().orElseThrow();
            Instant until =
                    Instant.parse(parent.getMetadata().getCreationTimestamp()).plus(HOUR);
            Duration left = Duration.between(reconciliation.clock().instant(), until);
            if (left.isPositive()) {
                return Result.after(left);
            }
            var unused = reconciliation.client().delete(parent);
            return Result.done();
        };
        run(
                expires,
                s -> s.now(Instant.parse("2030-05-05T00:00:00Z"))
                        .given(PARENT.created(Instant.parse("2030-05-05T00:00:00Z")))
                        .reconcile(PARENT, r -> r.expectResult(Result.after(HOUR)))
                        .passes(Duration.ofMinutes(59))
                        .reconcile(PARENT, r -> r.expectResult(Result.after(Duration.ofMinutes(1))))
                        .passes(Duration.ofMinutes(1))
                        .reconcile(PARENT, r -> r.expectDelete(PARENT)));
    }

    @Test
    @DisplayName("A problem in a step is reported with its number, and with the calls of that step")
    void steps() {
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .reconcile(PARENT, r -> r.expectCreate(CHILD))
                                .then(ScenarioTestsTest::grow)
                                .reconcile(PARENT, r -> {}))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll("In step 3 of 3: ", "Unexpected: update secrets shop/child")
                .message()
                .doesNotContain("create secrets");
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .reconcile(PARENT)
                                .then(cluster -> assertThat(cluster.journal().calls())
                                        .as("calls")
                                        .isEmpty())
                                .settled(PARENT))
                .hasMessageContainingAll("In step 2 of 3: ", "[calls]");
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .then(cluster -> cluster.client().get(Secret.class, CHILD.key()))
                                .settled(PARENT))
                .hasMessageContainingAll("In step 1 of 2: ", "NotFoundException", "child");
        failing(
                        reconciliation -> {
                            throw new IllegalStateException("broken");
                        },
                        s -> s.given(PARENT).reconcile(PARENT))
                .hasMessageContainingAll("In step 1 of 1: it should not fail", "broken");
    }

    @Test
    @DisplayName("A reconciler that changes something each time never settles, one that repeats its writes does")
    void settled() {
        AtomicInteger count = new AtomicInteger();
        failing(
                        reconciliation -> {
                            ConfigMap parent = reconciliation.resource().orElseThrow();
                            parent.getData().put("seen", Integer.toString(count.incrementAndGet()));
                            var unused = reconciliation.client().update(parent);
                            return Result.done();
                        },
                        s -> s.given(PARENT).reconcile(PARENT).settled(PARENT))
                .hasMessageContainingAll(
                        "In step 2 of 2: ",
                        "nothing should be left to do for shop/parent",
                        "it changed 1 times",
                        "update");
        run(
                reconciliation -> {
                    var unused = reconciliation
                            .client()
                            .apply(Kind.of(Secret.class), CHILD.object(), WriteOptions.DEFAULT.fieldManager("m"));
                    return Result.done();
                },
                s -> s.given(PARENT).reconcile(PARENT).settled(PARENT));
        failing(
                        reconciliation -> {
                            throw new IllegalStateException("broken");
                        },
                        s -> s.given(PARENT).settled(PARENT))
                .hasMessageContaining("broken");
    }

    @Test
    @DisplayName("A requested retry is not settled; a requeue after a delay is")
    void settledWithoutRetries() {
        failing(reconciliation -> Result.retry(), s -> s.given(PARENT).settled(PARENT))
                .hasMessageContainingAll(
                        "In step 1 of 1: ", "nothing should be left to do for shop/parent", "it requests another call");
        run(reconciliation -> Result.after(HOUR), s -> s.given(PARENT).settled(PARENT));
    }

    @Test
    @DisplayName("A restart forgets the state of the process")
    void restarts() {
        Supplier<Reconciler<ConfigMap>> once = () -> {
            AtomicInteger runs = new AtomicInteger();
            return reconciliation -> {
                int run = runs.incrementAndGet();
                return run == 1 ? KEEPS.reconcile(reconciliation) : Result.after(Duration.ofSeconds(run));
            };
        };
        Tables.run(tests(once)
                .test(
                        "twice",
                        s -> s.given(PARENT)
                                .reconcile(PARENT, r -> r.expectCreate(CHILD))
                                .reconcile(PARENT, r -> r.expectResult(Result.after(Duration.ofSeconds(2))))
                                .restarts()
                                .reconcile(PARENT, r -> {}))
                .stream());
    }

    @Test
    @DisplayName("A reactor that never fires fails the scenario, wherever it was put in")
    void unused() {
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .reconcile(PARENT)
                                .reacting(on(RecordedCall.Verb.DELETE).fails(forbidden("no")))
                                .settled(PARENT))
                .hasMessageContaining("delete");
    }

    @Test
    @DisplayName("Each step has the effects in other clusters, and the objects given there")
    void clusters() {
        ReconcilerTests.Factory<ConfigMap> copies = cluster -> Controller.of(ConfigMap.class, reconciliation -> {
            for (Secret secret : cluster.other("hub")
                    .reactive()
                    .list(Kind.of(Secret.class), dev.evenkeel.client.ListOptions.ALL)
                    .items()) {
                var unused = cluster.other("hub").reactive().delete(secret);
            }
            return Result.done();
        });
        // what is owned by nobody who is there, the server takes away
        Given<Secret> one = CHILD.without("metadata.ownerReferences");
        Given<Secret> other = one.name("other");
        Consumer<ScenarioTests.Scenario<ConfigMap>> specification = s -> s.given(PARENT)
                .cluster("hub", hub -> hub.given(one))
                .reconcile(PARENT, r -> r.cluster("hub", hub -> hub.expectDelete(one)))
                .reconcile(PARENT, r -> {})
                .reconcile(PARENT, r -> r.cluster("hub", hub -> hub.given(other).expectDelete(other)));
        Tables.run(ScenarioTests.in(copies).test("one after the other", specification).stream());
        Tables.failing(ScenarioTests.in(copies)
                        .test(
                                "settled",
                                s -> s.given(PARENT)
                                        .cluster("hub", hub -> hub.given(one))
                                        .settled(PARENT))
                        .stream())
                .hasMessageContaining("it changed 1 times");
    }

    @Test
    @DisplayName("Wrong specifications are refused, with what to do")
    void misuse() {
        failing(KEEPS, s -> s.given(PARENT)).hasMessageContaining("has no step");
        failing(KEEPS, s -> s.given(PARENT).expectCreate(CHILD).reconcile(PARENT))
                .hasMessageContaining("belongs to a step");
        failing(KEEPS, s -> s.given(PARENT).comparing(Normalization.exact()).reconcile(PARENT))
                .hasMessageContaining("belongs to a step");
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .comparingStatus(Normalization.exact())
                                .reconcile(PARENT))
                .hasMessageContaining("belongs to a step");
        failing(KEEPS, s -> s.given(PARENT).expectLog("INFO", "x").reconcile(PARENT))
                .hasMessageContaining("belongs to a step");
        failing(
                        KEEPS,
                        s -> s.given(PARENT)
                                .cluster("hub", hub -> hub.expectCreate(CHILD))
                                .reconcile(PARENT))
                .hasMessageContaining("belongs to a step");
        failing(KEEPS, s -> s.given(PARENT).reconcile(PARENT, r -> r.cluster("hub", hub -> hub.expectError())))
                .hasMessageContainingAll("In step 1", "expectations of calls only");
    }
}
