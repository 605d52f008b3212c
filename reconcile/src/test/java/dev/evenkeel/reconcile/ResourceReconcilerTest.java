package dev.evenkeel.reconcile;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.notFound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ResourceReconcilerTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final IllegalStateException NO = new IllegalStateException("no");
    private static final Given<Thing> NOTED = Thing.KNOWN.statusAt("note", "changed");

    private static SubReconciler<Thing> gives(Result outcome) {
        return (reconciliation, thing) -> outcome;
    }

    private static SubReconciler<Thing> notes(Result outcome) {
        return (reconciliation, thing) -> {
            thing.note("changed");
            return outcome;
        };
    }

    private static SubReconciler<Thing> never() {
        return (reconciliation, thing) -> {
            throw new AssertionError("must not run");
        };
    }

    private static ResourceReconciler.Builder<Thing> root(SubReconciler<Thing> part) {
        return ResourceReconciler.of(Thing.class).reconciler(part).conditions(Thing.CONDITIONS);
    }

    private static Stream<DynamicTest> test(
            String name, ResourceReconciler.Builder<Thing> root, Consumer<ReconcilerTests.Case<Thing>> specification) {
        return ReconcilerTests.of(() -> root.build().controller())
                .definitions(Thing.DEFINITION)
                .test(name, specification)
                .stream();
    }

    private static void updated(ReconcilerTests.Case<Thing> t, Given<Thing> thing) {
        t.expectStatusUpdate(thing).expectEvent(thing, "Normal", "StatusUpdated", "WriteStatus", "Updated status");
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Stream<DynamicTest> all(Stream<DynamicTest>... tests) {
        return Stream.of(tests).flatMap(all -> all);
    }

    /** D13, D14: the decision table; an object that is known, whose status changes or does not. */
    @TestFactory
    Stream<DynamicTest> decisions() {
        record Row(String name, Result outcome, Result rootKeeps, Result rootTrusts) {}
        List<Row> rows = List.of(
                new Row("done", Result.done(), Result.done(), Result.done()),
                new Row("done, again after 5 s", Result.after(SOON), Result.after(SOON), Result.done()),
                new Row("done, retried", Result.retry(), Result.retry(), Result.done()),
                new Row("halt", Result.halted(), Result.halted(), Result.done()),
                new Row(
                        "halt, again after 5 s",
                        Result.halted().within(SOON),
                        Result.halted().within(SOON),
                        Result.done()),
                new Row("quiet", Result.quiet(NO), Result.quiet(NO), Result.done()),
                new Row(
                        "quiet, again after 5 s",
                        Result.quiet(NO).within(SOON),
                        Result.quiet(NO).within(SOON),
                        Result.done()),
                new Row("durable", Result.durable(NO), Result.durable(NO), Result.done()),
                new Row(
                        "durable, again after 5 s",
                        Result.durable(NO).within(SOON),
                        Result.durable(NO).within(SOON),
                        Result.done()),
                new Row(
                        "durable and failed",
                        Result.durable(NO).plus(Result.failed(NO)),
                        Result.durable(NO).plus(Result.failed(NO)),
                        Result.done()),
                new Row("failed", Result.failed(NO), Result.failed(NO), Result.done()),
                new Row(
                        "failed, again after 5 s",
                        Result.failed(NO).within(SOON),
                        Result.failed(NO).within(SOON),
                        Result.done()),
                new Row(
                        "done, priority 7",
                        Result.retry().priority(7),
                        Result.retry().priority(7),
                        Result.done()));
        return rows.stream()
                .flatMap(row -> all(
                        test(
                                row.name() + ", same status",
                                root(gives(row.outcome())),
                                t -> ends(t, Thing.KNOWN, row.outcome())),
                        test(
                                row.name() + ", same status, trusting",
                                trusting(gives(row.outcome())),
                                t -> ends(t, Thing.KNOWN, row.outcome())),
                        test(row.name() + ", other status", root(notes(row.outcome())), t -> {
                            ends(t, Thing.KNOWN, row.rootKeeps());
                            updated(t, NOTED);
                        }),
                        test(row.name() + ", other status, trusting", trusting(notes(row.outcome())), t -> {
                            ends(t, Thing.KNOWN, row.rootTrusts());
                            updated(t, NOTED);
                        })));
    }

    private static ResourceReconciler.Builder<Thing> trusting(SubReconciler<Thing> part) {
        return root(part).policy(ResourceReconciler.StatusPolicy.TRUST_THE_WATCH);
    }

    /** The whole outcome, errors included. */
    private static void ends(ReconcilerTests.Case<Thing> t, Given<Thing> thing, Result outcome) {
        t.given(thing).verify(run -> assertThat(run.outcome()).isEqualTo(outcome));
        if (outcome.succeeded()) {
            t.expectResult(outcome);
        } else {
            t.expectError(IllegalStateException.class, "no");
        }
    }

    @TestFactory
    Stream<DynamicTest> loading() {
        return all(
                test("what is gone needs nothing", root(never()), t -> t.request("default", "a")),
                test(
                        "what is terminating with a finalizer is reconciled, and its status stays",
                        root(notes(Result.after(SOON))),
                        t -> t.given(Thing.NEW.finalizers("test/a").deleted(TestCluster.NOW))
                                .expectResult(Result.after(SOON))),
                test(
                        "or is written, when that is wanted",
                        root(notes(Result.done())).statusDuringFinalization(true),
                        t -> {
                            Given<Thing> going =
                                    Thing.KNOWN.finalizers("test/a").deleted(TestCluster.NOW);
                            t.given(going);
                            updated(t, going.statusAt("note", "changed"));
                        }),
                test(
                        "a request is skipped",
                        root(never())
                                .skipRequest(key -> key.name().equals("a"))
                                .before(reconciliation -> Result.failed(NO)),
                        t -> t.given(Thing.NEW)),
                test(
                        "an object is skipped, defaulted",
                        root(never())
                                .defaults(thing -> thing.setSpec(new Thing.Spec(1, "red")))
                                .skipResource(
                                        thing -> "red".equals(thing.getSpec().color()))
                                .before(reconciliation -> Result.after(SOON))
                                .after((reconciliation, outcome) -> outcome.priority(3)),
                        t -> t.given(Thing.NEW).expectResult(Result.after(SOON).priority(3))),
                test(
                        "defaults are seen, and not written",
                        root((reconciliation, thing) -> {
                                    assertThat(thing.getSpec().color()).isEqualTo("default");
                                    return Result.done();
                                })
                                .defaults((reconciliation, thing) -> thing.setSpec(
                                        new Thing.Spec(1, reconciliation.key().namespace()))),
                        t -> t.given(Thing.KNOWN)),
                test(
                        "a default that fails, fails",
                        root(never()).defaults(thing -> {
                            throw NO;
                        }),
                        t -> t.given(Thing.KNOWN).expectError(IllegalStateException.class, "no")),
                test(
                        "only the spec changes, in hand",
                        root((reconciliation, thing) -> {
                            thing.setSpec(new Thing.Spec(100, "blue"));
                            return Result.done();
                        }),
                        t -> t.given(Thing.KNOWN)));
    }

    /** Terminating without finalizers: an object that is deleted, unknown to the cache. */
    @TestFactory
    Stream<DynamicTest> goneInAllButName() {
        Thing going = Thing.NEW.finalizers("test/a").deleted(TestCluster.NOW).object();
        going.getMetadata().setFinalizers(null);
        ResourceReconciler<Thing> root = root(never())
                .skipResource(thing -> {
                    throw new AssertionError("must not be asked");
                })
                .build();
        return ReconcilerTests.in(cluster -> Controller.of(Thing.class, reconciliation -> {
                    assertThat(root.reconcile(new Loaded<>(reconciliation, going)))
                            .isEqualTo(Result.done());
                    return Result.done();
                }))
                .definitions(Thing.DEFINITION)
                .test("terminating without finalizers", t -> t.request("default", "a"))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> statuses() {
        Condition later = new ConditionBuilder(
                        Thing.KNOWN.object().getStatus().getConditions().getFirst())
                .withLastTransitionTime("2027-01-01T00:00:00Z")
                .build();
        return all(
                test(
                        "conditions are made though nothing else is done",
                        root((reconciliation, thing) -> {
                            assertThat(thing.getStatus().getConditions())
                                    .extracting(Condition::getReason)
                                    .containsExactly("Initializing");
                            return Result.done();
                        }),
                        t -> {
                            t.given(Thing.NEW);
                            updated(t, Thing.KNOWN);
                        }),
                test(
                        "without conditions the generation is noted",
                        ResourceReconciler.of(Thing.class).reconciler(gives(Result.done())),
                        t -> {
                            t.given(Thing.NEW);
                            updated(t, Thing.SEEN);
                        }),
                test("a halt counts as done", root(gives(Result.halted())), t -> {
                    t.given(Thing.NEW).expectResult(Result.halted());
                    updated(t, Thing.KNOWN);
                }),
                test("after a failure the generation is not noted", root(notes(Result.failed(NO))), t -> {
                    t.given(Thing.KNOWN.generation(2)).expectError(IllegalStateException.class, "no");
                    updated(t, NOTED.generation(2));
                }),
                test(
                        "the status is not written when a part says so",
                        root(notes(Result.after(SOON).skipStatus())),
                        t -> t.given(Thing.KNOWN)
                                .expectResult(Result.after(SOON).skipStatus())),
                test(
                        "nor when the root has none",
                        root(notes(Result.done())).skipStatus(true),
                        t -> t.given(Thing.NEW)),
                test(
                        "a newer time is no change",
                        root((reconciliation, thing) -> {
                            thing.getStatus().setConditions(List.of(later));
                            return Result.done();
                        }),
                        t -> t.given(Thing.KNOWN)),
                test(
                        "a condition's time moves with its status only",
                        root((reconciliation, thing) -> {
                            thing.getStatus()
                                    .setConditions(List.of(new ConditionBuilder(later)
                                            .withReason("Other")
                                            .build()));
                            return Result.done();
                        }),
                        t -> {
                            t.given(Thing.KNOWN);
                            updated(t, Thing.KNOWN.statusAt("conditions[type=Ready].reason", "Other"));
                        }),
                test(
                        "a condition that was observed at another generation is written",
                        root((reconciliation, thing) -> {
                            thing.getStatus()
                                    .setConditions(List.of(new ConditionBuilder(later)
                                            .withObservedGeneration(9L)
                                            .build()));
                            return Result.done();
                        }),
                        t -> {
                            t.given(Thing.KNOWN);
                            updated(t, Thing.KNOWN.statusAt("conditions[type=Ready].observedGeneration", 9));
                        }),
                test(
                        "a condition without a time gets one",
                        root((reconciliation, thing) -> {
                            thing.getStatus()
                                    .setConditions(List.of(new ConditionBuilder(later)
                                            .withStatus("True")
                                            .withLastTransitionTime(null)
                                            .build()));
                            return Result.done();
                        }),
                        t -> {
                            t.given(Thing.KNOWN).now(TestCluster.NOW.plusSeconds(60));
                            t.expectStatusUpdate(Thing.KNOWN
                                            .statusAt("conditions[type=Ready].status", "True")
                                            .statusAt(
                                                    "conditions[type=Ready].lastTransitionTime",
                                                    "2026-01-01T00:01:00Z"))
                                    .expectEvent(
                                            Thing.KNOWN, "Normal", "StatusUpdated", "WriteStatus", "Updated status");
                        }),
                test(
                        "an empty map is none",
                        root((reconciliation, thing) -> {
                            thing.getStatus().setDetails(Map.of());
                            return Result.done();
                        }),
                        t -> t.given(Thing.KNOWN)));
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        return all(
                test(
                        "a status that is refused is told, and tried again",
                        root(notes(Result.after(SOON))),
                        t -> t.given(Thing.KNOWN)
                                .react(on(RecordedCall.Verb.UPDATE)
                                        .kind(Thing.class)
                                        .status()
                                        .fails(forbidden("quota")))
                                .expectStatusUpdate(NOTED)
                                .expectEvent(
                                        NOTED,
                                        "Warning",
                                        "StatusUpdateFailed",
                                        "WriteStatus",
                                        "Failed to update status: things.test.evenkeel.dev \"a\" is forbidden: quota")
                                .expectError(ForbiddenException.class)
                                .expectResult(Result.after(SOON))),
                test(
                        "a conflict is tried again, and nobody is told",
                        root(notes(Result.after(SOON))),
                        t -> t.given(Thing.KNOWN)
                                .react(on(RecordedCall.Verb.UPDATE)
                                        .kind(Thing.class)
                                        .status()
                                        .fails(conflict()))
                                .expectStatusUpdate(NOTED)
                                .expectError(ConflictException.class)
                                .verify(run ->
                                        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET))),
                test(
                        "a conflict is trusted to the watch",
                        trusting(notes(Result.failed(NO))),
                        t -> t.given(Thing.KNOWN)
                                .react(on(RecordedCall.Verb.UPDATE)
                                        .kind(Thing.class)
                                        .status()
                                        .fails(conflict()))
                                .expectStatusUpdate(NOTED)),
                test(
                        "what was written since it was read is a conflict",
                        root(notes(Result.done())),
                        t -> t.given(Thing.KNOWN)
                                .givenOnServer(Thing.KNOWN.label("a", "b"))
                                .expectStatusUpdate(NOTED)
                                .expectError(ConflictException.class)),
                test(
                        "what is gone by then needs no status",
                        root(notes(Result.failed(NO))),
                        t -> t.given(Thing.KNOWN)
                                .meanwhile(cluster -> cluster.client().delete(Thing.class, Thing.KNOWN.key()))
                                .expectStatusUpdate(NOTED)),
                test(
                        "a status that is not found is told, when the object is there",
                        root(notes(Result.done())),
                        t -> t.given(Thing.KNOWN)
                                .react(on(RecordedCall.Verb.UPDATE)
                                        .kind(Thing.class)
                                        .status()
                                        .fails(notFound()))
                                .expectStatusUpdate(NOTED)
                                .expectEvent(
                                        NOTED,
                                        "Warning",
                                        "StatusUpdateFailed",
                                        "WriteStatus",
                                        "Failed to update status: things.test.evenkeel.dev \"a\" not found")
                                .expectError(NotFoundException.class)),
                test(
                        "nothing of the outcome is lost when nobody can say whether the object is there",
                        root(notes(Result.after(SOON))),
                        t -> t.given(Thing.KNOWN)
                                .react(
                                        on(RecordedCall.Verb.UPDATE)
                                                .kind(Thing.class)
                                                .status()
                                                .fails(notFound()),
                                        on(RecordedCall.Verb.GET)
                                                .kind(Thing.class)
                                                .fails(internal()))
                                .expectStatusUpdate(NOTED)
                                .expectEvent(
                                        NOTED,
                                        "Warning",
                                        "StatusUpdateFailed",
                                        "WriteStatus",
                                        "Failed to update status: things.test.evenkeel.dev \"a\" not found")
                                .expectError(NotFoundException.class)
                                .expectResult(Result.after(SOON))),
                test(
                        "nor when what accesses the status throws",
                        ResourceReconciler.of(Thing.class)
                                .status(StatusAccess.<Thing, Thing.State>of(
                                                Thing::getStatus, Thing::setStatus, Thing.State::new)
                                        .observedGeneration((status, generation) -> {
                                            throw NO;
                                        }))
                                .reconciler(gives(Result.after(SOON))),
                        t -> t.given(Thing.KNOWN)
                                .expectError(IllegalStateException.class, "no")
                                .expectResult(Result.after(SOON))));
    }

    /** D15: one way out. */
    @TestFactory
    Stream<DynamicTest> beforeAndAfter() {
        return all(
                test(
                        "D15: what stops before is seen after",
                        root(never())
                                .before(reconciliation -> Result.quiet(NO))
                                .after((reconciliation, outcome) -> outcome.within(SOON)),
                        t -> t.given(Thing.NEW)
                                .expectError(IllegalStateException.class, "no")
                                .expectResult(Result.after(SOON))
                                .verify(run -> assertThat(run.outcome())
                                        .isEqualTo(Result.quiet(NO).within(SOON)))),
                test(
                        "D15: and so is what is thrown",
                        root(never())
                                .before(reconciliation -> {
                                    throw NO;
                                })
                                .after((reconciliation, outcome) ->
                                        outcome.severity() == Result.Severity.FAILED ? Result.done() : outcome),
                        t -> t.given(Thing.NEW)),
                test(
                        "an appointment of before holds",
                        root(notes(Result.done())).before(reconciliation -> Result.after(SOON)),
                        t -> {
                            t.given(Thing.KNOWN).expectResult(Result.after(SOON));
                            updated(t, NOTED);
                        }),
                test(
                        "before may make the object",
                        root(notes(Result.done())).before(reconciliation -> {
                            Thing unused = reconciliation.client().create(Thing.NEW.object());
                            return Result.done();
                        }),
                        t -> {
                            t.request("default", "a").expectCreate(Thing.NEW);
                            updated(t, NOTED);
                        }),
                test(
                        "after may swallow a failure",
                        root(gives(Result.failed(NO))).after((reconciliation, outcome) -> Result.done()),
                        t -> t.given(Thing.KNOWN)),
                test(
                        "after may fail",
                        root(gives(Result.done())).after((reconciliation, outcome) -> {
                            throw NO;
                        }),
                        t -> t.given(Thing.KNOWN).expectError(IllegalStateException.class, "no")));
    }

    /** Roots of classes that know a part only. */
    @TestFactory
    Stream<DynamicTest> ducks() {
        Kind<Thing.Duck> kind = Kind.of(Thing.class).in(Thing.Duck.class);
        SubReconciler<Thing.Duck> part = (reconciliation, duck) -> {
            duck.setStatus(new Thing.Duck.Look("changed"));
            return Result.after(SOON);
        };
        Given<Thing> thing = Thing.KNOWN;
        return Stream.of(ReconcilerTests.of(() -> ResourceReconciler.of(kind)
                                .reconciler(part)
                                .build()
                                .controller())
                        .definitions(Thing.DEFINITION)
                        .test(
                                "the status is patched, and the rest of it stays",
                                t -> t.request("default", "a")
                                        .given(thing)
                                        .expectResult(Result.after(SOON))
                                        .expectEvent(thing, "Normal", "StatusPatched", "WriteStatus", "Patched status")
                                        .prepare(cluster -> t.expectStatusPatch(thing, patch(cluster)))
                                        .verify(run -> assertThat(run.cluster()
                                                        .client()
                                                        .get(Thing.class, thing.key())
                                                        .getStatus()
                                                        .getConditions())
                                                .hasSize(1)))
                        .test(
                                "D22: a conflict is quiet here too",
                                t -> t.request("default", "a")
                                        .given(thing)
                                        .react(on(RecordedCall.Verb.PATCH)
                                                .status()
                                                .fails(conflict()))
                                        .prepare(cluster -> t.expectStatusPatch(thing, patch(cluster)))
                                        .expectError(ConflictException.class)
                                        .verify(run -> assertThat(run.outcome().severity())
                                                .isEqualTo(Result.Severity.QUIET)))
                        .test(
                                "reports a refusal",
                                t -> t.request("default", "a")
                                        .given(thing)
                                        .react(on(RecordedCall.Verb.PATCH)
                                                .status()
                                                .fails(forbidden("quota")))
                                        .prepare(cluster -> t.expectStatusPatch(thing, patch(cluster)))
                                        .expectEvent(
                                                thing,
                                                "Warning",
                                                "StatusPatchFailed",
                                                "WriteStatus",
                                                "Failed to patch status: things.test.evenkeel.dev \"a\" is forbidden: quota")
                                        .expectError(ForbiddenException.class)))
                .flatMap(ReconcilerTests::stream);
    }

    private static String version(TestCluster cluster) {
        return cluster.client()
                .get(Thing.class, Thing.KNOWN.key())
                .getMetadata()
                .getResourceVersion();
    }

    /** The note, and which version of the thing it is for. */
    private static Patch patch(TestCluster cluster) {
        return Patch.merge(
                "{\"metadata\":{\"resourceVersion\":\"" + version(cluster) + "\"},\"status\":{\"note\":\"changed\"}}");
    }

    /** A part writes the object, and the root its status after that, to what the part has left. */
    @TestFactory
    Stream<DynamicTest> writesOfParts() {
        return ReconcilerTests.of(() -> root((reconciliation, thing) -> {
                            Thing written = reconciliation
                                    .client()
                                    .patch(
                                            Kind.of(Thing.class),
                                            ObjectKey.of(thing),
                                            Patch.merge("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"),
                                            WriteOptions.DEFAULT);
                            thing.getMetadata()
                                    .setResourceVersion(written.getMetadata().getResourceVersion());
                            thing.note("changed");
                            return Result.done();
                        })
                        .build()
                        .controller())
                .definitions(Thing.DEFINITION)
                .test(
                        "writes the status to the version that a part has written",
                        t -> t.given(Thing.KNOWN)
                                .expectPatch(Thing.KNOWN, Patch.merge("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"))
                                .expectStatusUpdate(NOTED)
                                .expectEvent(NOTED, "Normal", "StatusUpdated", "WriteStatus", "Updated status"))
                .stream();
    }

    /** 3.2, 21: a finalizer and a status in one go are two writes, and the second does not conflict with the first. */
    @TestFactory
    Stream<DynamicTest> finalizersOfParts() {
        return test(
                "a finalizer is added, and then the status is written",
                root((reconciliation, thing) -> {
                    thing.note("changed");
                    return FinalizerUpdates.add(reconciliation, thing, "test/a");
                }),
                t -> t.given(Thing.KNOWN)
                        .expectFinalizers(Thing.KNOWN, "test/a")
                        .expectStatusUpdate(NOTED)
                        .expectEvent(
                                NOTED, "Normal", "FinalizerPatched", "AddFinalizer", "Patched finalizer \"test/a\"")
                        .expectEvent(NOTED, "Normal", "StatusUpdated", "WriteStatus", "Updated status"));
    }

    @Test
    void skippedWorkIsReported() {
        assertThat(root(never()).build().warnings()).isEmpty();
        assertThat(ResourceReconciler.of(Thing.class)
                        .reconciler(never())
                        .build()
                        .warnings())
                .containsExactly("resource status missing a ConditionSet, conditions will not be auto-initialized");
        ResourceReconciler.Builder<ConfigMap> maps =
                ResourceReconciler.of(ConfigMap.class).reconciler((reconciliation, map) -> Result.done());
        assertThat(maps.build().warnings())
                .containsExactly(
                        "resource status missing ObservedGeneration, generation will not be managed",
                        "resource status is missing Conditions, condition timestamps will not be managed");
        assertThat(maps.skipStatus(true).build().warnings()).isEmpty();
    }

    /** Whatever goes wrong on the way, the status ends as it should. */
    @Test
    void converges() {
        Convergence.of(() -> root((reconciliation, thing) -> {
                            Result outcome = thing.isMarkedForDeletion()
                                    ? FinalizerUpdates.clear(reconciliation, thing, "test/a")
                                    : FinalizerUpdates.add(reconciliation, thing, "test/a");
                            thing.note("of size " + thing.getSpec().size());
                            return outcome;
                        })
                        .build()
                        .controller())
                .definitions(Thing.DEFINITION)
                .given(Thing.NEW)
                .assertConverges();
    }

    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of(() -> root(gives(Result.done())).build().controller())
                .definitions(Thing.DEFINITION)
                .test(
                        "a reconciled object is settled",
                        s -> s.given(Thing.NEW)
                                .reconcile(Thing.NEW)
                                .settled(Thing.NEW)
                                .passes(Duration.ofHours(1))
                                .restarts()
                                .settled(Thing.NEW))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> otherKinds() {
        return Stream.of(ReconcilerTests.of(() -> ResourceReconciler.of(ConfigMap.class)
                                .reconciler((reconciliation, map) -> {
                                    map.setData(Map.of("a", "b"));
                                    return Result.done();
                                })
                                .build()
                                .controller())
                        .test(
                                "a kind without status",
                                t -> t.given(Given.of(new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withNamespace("default")
                                        .withName("a")
                                        .endMetadata()
                                        .build()))))
                .flatMap(ReconcilerTests::stream);
    }

    @Test
    void reportsMissingSettings() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> ResourceReconciler.of(Thing.class).name("Things").build())
                .withMessage(
                        "ResourceReconciler \"Things\" must define reconciler: the parts that work on things.test.evenkeel.dev");
        assertThatIllegalStateException()
                .isThrownBy(() -> ResourceReconciler.of(ConfigMap.class)
                        .conditions(ConditionSet.living())
                        .reconciler((reconciliation, map) -> Result.done())
                        .build())
                .withMessageStartingWith(
                        "ResourceReconciler \"ConfigMapResourceReconciler\" must define status: conditions are given");
        assertThatIllegalStateException()
                .isThrownBy(() -> root(never()).name(" ").build())
                .withMessageContaining("must define name");
    }

    @Test
    void theControllerHasWhatThePartsNeed() {
        Part.Requirement owns = new Part.Requirement.Owns<>(Kind.of(ConfigMap.class));
        Part<Thing> child =
                Part.<Thing>of(Part.Description.of("Child").name("map").needs(owns), never());
        List<String> setUp = new ArrayList<>();
        ResourceReconciler<Thing> root = ResourceReconciler.of(Thing.class)
                .name("Things")
                .reconciler(never(), child)
                .setup(controller -> {
                    setUp.add(controller.name());
                    return controller.workers(7);
                })
                .build();
        Controller<Thing> controller = root.controller();
        assertThat(controller.kinds(Relation.OWNS)).isEqualTo(List.of(Kind.of(ConfigMap.class)));
        assertThat(controller.workers()).isEqualTo(7);
        assertThat(setUp).containsExactly("things.test.evenkeel.dev");
        assertThat(root).hasToString("ResourceReconciler \"Things\"");
        assertThat(root.description().stream().map(Part.Description::toString))
                .containsExactly("ResourceReconciler \"Things\"", "Sequence", "SubReconciler", "Child \"map\"");
        assertThat(root.description().allNeeds())
                .containsExactly(
                        new Part.Requirement.May(Kind.of(Thing.class), "", Part.Requirement.READING),
                        new Part.Requirement.May(Kind.of(Thing.class), "status", Set.of("update")),
                        owns);
        assertThat(root(never()).patchStatus(true).build().description().needs())
                .contains(new Part.Requirement.May(Kind.of(Thing.class), "status", Set.of("patch")));
        assertThat(root(never()).skipStatus(true).build().description().needs()).hasSize(1);
    }

    @Test
    void invalidTreesAreRefusedBeforeTheyRun() {
        Part<Thing> child = Part.<Thing>of(
                Part.Description.of("Child")
                        .name("namespace")
                        .needs(new Part.Requirement.Owns<>(Kind.of(Namespace.class))),
                never());
        ResourceReconciler<Thing> root =
                root(Sequence.of(Sequence.of(child), child)).name("Things").build();
        assertThatIllegalStateException().isThrownBy(root::controller).withMessage("""
                ResourceReconciler "Things" cannot run:
                Things/Sequence/Sequence/namespace: owns namespaces, which are cluster-scoped, and things.test.evenkeel.dev live in namespaces: owners are cluster-scoped or of the same namespace; track them instead, and delete them with a finalizer
                Things/Sequence/namespace: owns namespaces, which are cluster-scoped, and things.test.evenkeel.dev live in namespaces: owners are cluster-scoped or of the same namespace; track them instead, and delete them with a finalizer""");
    }
}
