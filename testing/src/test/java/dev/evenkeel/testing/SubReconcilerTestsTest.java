package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Tables of parts: that they pass what is right, and say well what is not. */
class SubReconcilerTestsTest {
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata: {namespace: shop, name: parent}
            data: {size: "3"}
            """);
    private static final Given<Secret> CHILD = Given.yaml(Secret.class, """
            metadata: {namespace: shop, name: child}
            """);
    private static final Stash.Key<Integer> SIZE = Stash.Key.of("size", Integer.class);
    private static final Stash.Key<ConfigMap> COPY = Stash.Key.of("copy", ConfigMap.class);

    private static final SubReconciler<ConfigMap> NOTHING = (reconciliation, object) -> Result.done();
    private static final SubReconciler<ConfigMap> GROWS = (reconciliation, object) -> {
        object.getData().put("size", "4");
        return Result.done();
    };
    private static final SubReconciler<ConfigMap> MEASURES = (reconciliation, object) -> {
        reconciliation.stash().put(SIZE, Integer.valueOf(object.getData().get("size")));
        reconciliation.stash().put(COPY, Given.of(object).object());
        return Result.done();
    };
    private static final SubReconciler<ConfigMap> CREATES = (reconciliation, object) -> {
        if (reconciliation.cache(Secret.class).get(CHILD.key()).isEmpty()) {
            var unused = reconciliation.client().create(CHILD.object());
        }
        return Result.done();
    };

    private static SubReconcilerTests<ConfigMap> tests(SubReconciler<ConfigMap> part) {
        return SubReconcilerTests.of(ConfigMap.class, () -> part)
                .declaring(controller -> controller.owns(Secret.class))
                .rendering(Rendering.plain());
    }

    private static void run(SubReconciler<ConfigMap> part, Consumer<SubReconcilerTests.Case<ConfigMap>> specification) {
        Tables.run(tests(part).test("case", specification).stream());
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failing(
            SubReconciler<ConfigMap> part, Consumer<SubReconcilerTests.Case<ConfigMap>> specification) {
        return Tables.failing(tests(part).test("case", specification).stream());
    }

    @Test
    @DisplayName("The object in memory is expected unchanged by default")
    void resource() {
        run(NOTHING, t -> t.resource(PARENT));
        run(GROWS, t -> t.resource(PARENT).expectResource(PARENT.at("data.size", "4")));
        failing(GROWS, t -> t.resource(PARENT))
                .hasMessageContainingAll("The object in memory differs", "-   size: \"3\"", "+   size: \"4\"");
        failing(NOTHING, t -> t.resource(PARENT).expectResource(PARENT.at("data.size", "4")))
                .hasMessageContaining("The object in memory differs");
        failing(GROWS, t -> t.resource(PARENT).expectResource(PARENT.at("data.size", "5")))
                .hasMessageContainingAll("\"5\"", "\"4\"");
    }

    @Test
    @DisplayName("The normalization of the object in memory can be set")
    void comparing() {
        run(
                GROWS,
                t -> t.resource(PARENT)
                        .comparingResource(Normalization.written().ignoring("data.size")));
        SubReconciler<ConfigMap> restamps = (reconciliation, object) -> {
            object.getMetadata().setResourceVersion("7");
            return Result.done();
        };
        run(restamps, t -> t.resource(PARENT));
        failing(restamps, t -> t.resource(PARENT).comparingResource(Normalization.exact()))
                .hasMessageContaining("resourceVersion");
    }

    @Test
    @DisplayName("The object is as a root reads it: from the cache, as stored by the server")
    void cluster() {
        run(
                (reconciliation, object) -> {
                    assertThat(object.getMetadata().getUid()).isNotEmpty();
                    assertThat(object.getMetadata().getResourceVersion()).isNotEmpty();
                    assertThat(reconciliation.resource()).contains(object);
                    assertThat(reconciliation
                                    .client()
                                    .get(ConfigMap.class, PARENT.key())
                                    .getMetadata()
                                    .getResourceVersion())
                            .isEqualTo(object.getMetadata().getResourceVersion());
                    assertThat(reconciliation.key()).isEqualTo(PARENT.key());
                    return Result.done();
                },
                t -> t.resource(PARENT));
    }

    @Test
    @DisplayName("Given tracks are those of earlier reconciliations, and no effects")
    void givenTracks() {
        SubReconcilerTests<ConfigMap> tracking = SubReconcilerTests.of(ConfigMap.class, () -> NOTHING)
                .declaring(controller -> controller.tracks(Secret.class));
        Tracker.Target pod = Tracker.Target.of(Kind.of(Pod.class), CHILD.key());

        Tables.run(tracking.test("given", t -> t.resource(PARENT).givenTracks(CHILD)).stream());
        Tables.failing(tracking.test("not tracked", t -> t.resource(PARENT).givenTracks(pod)).stream())
                .hasMessageContaining("does not track Pod");
    }

    @Test
    @DisplayName("A check sees the stash after the run, with what was given and what was put")
    void verifySeesTheStash() {
        run(
                MEASURES,
                t -> t.resource(PARENT)
                        .stashed(Stash.Key.of("unit", String.class), "m")
                        .verify(run -> {
                            assertThat(run.stash().require(SIZE)).isEqualTo(3);
                            assertThat(run.stash().require(Stash.Key.of("unit", String.class)))
                                    .isEqualTo("m");
                        }));
    }

    @Test
    @DisplayName("A skipped case is reported with its reason, and not run")
    void skip() {
        List<DynamicTest> cases = tests((reconciliation, object) -> {
                    throw new AssertionError("a skipped case does not run");
                })
                .skip("one", "issue 7", t -> t.resource(PARENT))
                .stream()
                .toList();

        assertThatThrownBy(() -> cases.getFirst().getExecutable().execute())
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("issue 7");
    }

    @Test
    @DisplayName("Stashed values are present; expected ones are compared by key, also as copies of objects")
    void stash() {
        run(
                (reconciliation, object) -> {
                    object.getData()
                            .put("size", reconciliation.stash().require(SIZE).toString());
                    return Result.done();
                },
                t -> t.resource(PARENT).stashed(SIZE, 9).expectResource(PARENT.at("data.size", "9")));
        run(MEASURES, t -> t.resource(PARENT).expectStashed(SIZE, 3));
        failing(MEASURES, t -> t.resource(PARENT).expectStashed(SIZE, 4))
                .hasMessageContainingAll("In the stash size (java.lang.Integer) should be: 4", "3");
        failing(NOTHING, t -> t.resource(PARENT).expectStashed(SIZE, 4)).hasMessageContaining("not there");
        failing(MEASURES, t -> t.resource(PARENT).expectNotStashed(SIZE))
                .hasMessageContainingAll("should be no size (java.lang.Integer)", "3");
        run(NOTHING, t -> t.resource(PARENT).expectNotStashed(SIZE));
        // one that was given and is taken out is absent in the end
        run(
                (reconciliation, object) -> {
                    assertThat(reconciliation.stash().remove(SIZE)).contains(1);
                    return Result.done();
                },
                t -> t.resource(PARENT).stashed(SIZE, 1).expectNotStashed(SIZE));
        ConfigMap given = PARENT.object();
        run(
                (reconciliation, object) -> {
                    reconciliation.stash().require(COPY).getData().put("size", "100");
                    return Result.done();
                },
                t -> t.resource(PARENT)
                        .stashed(COPY, given)
                        .expectStashed(COPY, PARENT.at("data.size", "100").object()));
        assertThat(given.getData()).containsEntry("size", "3");
    }

    @Test
    @DisplayName("A stateful part is run again in the resulting cluster, each run with its own expectations")
    void again() {
        class EverySecond implements SubReconciler<ConfigMap> {
            private int runs;

            @Override
            public Result reconcile(
                    dev.evenkeel.controller.Reconciliation<ConfigMap> reconciliation, ConfigMap resource) {
                runs++;
                resource.getData().put("runs", Integer.toString(runs));
                return runs % 2 == 0 ? CREATES.reconcile(reconciliation, resource) : Result.done();
            }
        }
        Consumer<SubReconcilerTests.Case<ConfigMap>> first =
                t -> t.resource(PARENT).expectResource(PARENT.at("data.runs", "1"));
        Tables.run(SubReconcilerTests.of(ConfigMap.class, EverySecond::new)
                .declaring(controller -> controller.owns(Secret.class))
                .test("creates at the second", t -> {
                    first.accept(t);
                    t.again(u -> u.expectCreate(CHILD).expectResource(PARENT.at("data.runs", "2")))
                            .again(u -> u.expectResource(PARENT.at("data.runs", "3")))
                            // it is there, and the cache knows
                            .again(u -> u.resource(PARENT).expectResource(PARENT.at("data.runs", "4")));
                })
                .stream());
        Tables.failing(SubReconcilerTests.of(ConfigMap.class, EverySecond::new)
                        .declaring(controller -> controller.owns(Secret.class))
                        .test("does not expect it", t -> {
                            first.accept(t);
                            t.again(u -> u.expectResource(PARENT.at("data.runs", "2")));
                        })
                        .stream())
                .hasMessageContainingAll("In run 2", "Unexpected: create secrets shop/child");
    }

    @Test
    @DisplayName("Each run has its own reactors, preparations, clean-ups and time")
    void againWithEverything() {
        List<String> seen = new ArrayList<>();
        AtomicInteger runs = new AtomicInteger();
        SubReconciler<ConfigMap> part = (reconciliation, object) -> {
            seen.add(runs.incrementAndGet() + " at " + reconciliation.clock().instant());
            var unused = reconciliation
                    .client()
                    .apply(Kind.of(Secret.class), CHILD.object(), WriteOptions.DEFAULT.fieldManager("m"));
            return Result.done();
        };
        run(
                part,
                t -> t.resource(PARENT)
                        .react(on(RecordedCall.Verb.APPLY).fails(forbidden("once")))
                        .expectApply(CHILD)
                        .expectError(ForbiddenException.class)
                        .cleanUp(cluster -> seen.add("end"))
                        .again(u -> u.now(TestCluster.NOW.plusSeconds(5))
                                .prepare(cluster -> seen.add("prepared"))
                                .cleanUp(cluster -> seen.add("cleaned"))
                                .expectApply(CHILD)));
        assertThat(seen)
                .containsExactly(
                        "1 at 2026-01-01T00:00:00Z", "prepared", "2 at 2026-01-01T00:00:05Z", "cleaned", "end");
        failing(
                        part,
                        t -> t.resource(PARENT)
                                .expectApply(CHILD)
                                .again(u -> u.expectApply(CHILD)
                                        .react(on(RecordedCall.Verb.CREATE).fails(forbidden("never")))))
                .hasMessageContainingAll("In run 2", "create");
        failing(part, t -> t.resource(PARENT).expectApply(CHILD).again(u -> u.now(TestCluster.NOW.minusSeconds(1))))
                .hasMessageContaining("the time is");
        failing(part, t -> t.resource(PARENT).expectApply(CHILD).again(u -> u.again(v -> {})))
                .hasMessageContaining("call it after the first one");
    }

    @Test
    @DisplayName("A cache that the controller does not declare is an error that says how to")
    void undeclared() {
        Tables.failing(
                        SubReconcilerTests.of(ConfigMap.class, () -> CREATES)
                                .test("case", t -> t.resource(PARENT).expectCreate(CHILD))
                                .stream())
                .hasMessageContainingAll("It should not fail, but did", "no cache of secrets", "or reads");
        Tables.failing(SubReconcilerTests.of(ConfigMap.class, () -> (reconciliation, object) -> {
                            var unused = reconciliation.tracker().list(Kind.of(Secret.class), ListOptions.in("shop"));
                            return Result.done();
                        })
                        .test("case", t -> t.resource(PARENT))
                        .stream())
                .hasMessageContaining("tracks(");
    }

    @Test
    @DisplayName("Writes of a part to its own object are observed")
    void ownWrites() {
        SubReconciler<ConfigMap> part = (reconciliation, object) -> {
            var unused = reconciliation
                    .client()
                    .patch(
                            Kind.of(ConfigMap.class),
                            PARENT.key(),
                            Patch.merge("{\"data\":{\"a\":\"b\"}}"),
                            WriteOptions.DEFAULT);
            return Result.done();
        };
        run(part, t -> t.resource(PARENT).expectPatch(PARENT, Patch.merge("{\"data\":{\"a\":\"b\"}}")));
        failing(part, t -> t.resource(PARENT)).hasMessageContaining("Unexpected: patch configmaps shop/parent");
    }

    @Test
    @DisplayName("Outcomes and errors are expected, and a thrown error counts like a returned one")
    void outcomes() {
        Result later = Result.after(Duration.ofSeconds(3));
        run((reconciliation, object) -> later, t -> t.resource(PARENT).expectResult(later));
        run((reconciliation, object) -> Result.halted(), t -> t.resource(PARENT).expectResult(Result.halted()));
        failing((reconciliation, object) -> Result.halted(), t -> t.resource(PARENT))
                .hasMessageContaining("It should end as: DONE");
        run(
                (reconciliation, object) -> Result.quiet(new IllegalStateException("soon")),
                t -> t.resource(PARENT).expectError(IllegalStateException.class, "soon"));
        run(
                (reconciliation, object) -> {
                    throw new IllegalStateException("now");
                },
                t -> t.resource(PARENT).expectError(IllegalStateException.class, "now"));
        failing(
                        (reconciliation, object) -> {
                            throw new AssertionError("claimed in the part");
                        },
                        t -> t.resource(PARENT))
                .hasMessageContaining("claimed in the part");
    }

    @Test
    @DisplayName("Without an object the case is refused")
    void misuse() {
        failing(NOTHING, t -> {}).hasMessageContaining("with resource(object)");
        assertThatThrownBy(() -> tests(NOTHING).stream()).hasMessageContaining("no case");
    }
}
