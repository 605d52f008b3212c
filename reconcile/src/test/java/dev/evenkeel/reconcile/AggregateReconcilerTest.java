package dev.evenkeel.reconcile;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AggregateReconcilerTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final IllegalStateException NO = new IllegalStateException("no");
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Given<ConfigMap> OTHER =
            Given.yaml(ConfigMap.class, "{metadata: {namespace: default, name: other}}");
    private static final Given<ConfigMap> EMPTY =
            Given.yaml(ConfigMap.class, "{metadata: {namespace: default, name: summary}}");
    private static final Given<ConfigMap> OLD = EMPTY.at("data.count", "1");
    private static final Given<ConfigMap> NEW = EMPTY.at("data.count", "2");
    private static final Given<Secret> SECRET = Given.yaml(Secret.class, "{metadata: {namespace: default, name: s}}");

    private static ObjectManager.Standard<ConfigMap> manager() {
        return ObjectManager.updating(ConfigMap.class, (actual, desired) -> actual.setData(desired.getData()));
    }

    private static AggregateReconciler.Builder<ConfigMap> root() {
        return AggregateReconciler.of(ConfigMap.class)
                .request("default", "summary")
                .manager(manager());
    }

    private static SubReconciler<ConfigMap> counts(String count, Result outcome) {
        return (reconciliation, map) -> {
            map.setData(Map.of("count", count));
            return outcome;
        };
    }

    private static SubReconciler<ConfigMap> never() {
        return (reconciliation, map) -> {
            throw new AssertionError("must not run");
        };
    }

    private static Stream<DynamicTest> test(
            String name,
            AggregateReconciler.Builder<ConfigMap> root,
            Consumer<ReconcilerTests.Case<ConfigMap>> specification) {
        return ReconcilerTests.of(() -> root.build().controller())
                .test(name, t -> specification.accept(t.request("default", "summary")))
                .stream();
    }

    private static void told(ReconcilerTests.Case<ConfigMap> t, String reason, String action) {
        t.expectEvent(NEW, "Normal", reason, action, reason + " ConfigMap \"summary\"");
    }

    @TestFactory
    Stream<DynamicTest> whichObject() {
        return Stream.of(
                        test(
                                "other objects are ignored",
                                root().reconciler(never()).before(reconciliation -> Result.failed(NO)),
                                t -> t.given(OTHER).request(OTHER)),
                        test("one that is missing is made", root().reconciler(counts("2", Result.done())), t -> {
                            t.expectCreate(NEW);
                            told(t, "Created", "CreateChild");
                        }),
                        test(
                                "parts see an empty one with its key",
                                root().reconciler((reconciliation, map) -> {
                                    assertThat(map.getMetadata().getName()).isEqualTo("summary");
                                    assertThat(map.getKind()).isEqualTo("ConfigMap");
                                    assertThat(map.getMetadata().getUid()).isNull();
                                    return Result.halted();
                                }),
                                t -> {
                                    t.expectCreate(EMPTY).expectResult(Result.halted());
                                    told(t, "Created", "CreateChild");
                                }),
                        test("without parts and without a difference nothing is done", root(), t -> t.given(OLD)),
                        test(
                                "one that is terminating is left alone",
                                root().reconciler(never()),
                                t -> t.given(OLD.finalizers("test/a").deleted(TestCluster.NOW))),
                        test(
                                "without a desired one it is deleted",
                                root().desired((reconciliation, map) -> Optional.empty()),
                                t -> {
                                    t.given(OLD).expectDelete(OLD);
                                    told(t, "Deleted", "DeleteChild");
                                }),
                        test(
                                "and when there is none, that is it",
                                root().desired((reconciliation, map) -> Optional.empty()),
                                t -> {}))
                .flatMap(all -> all);
    }

    /** D16. */
    @TestFactory
    Stream<DynamicTest> changesOfParts() {
        return Stream.of(
                        test("D16: what parts change is written", root().reconciler(counts("2", Result.done())), t -> {
                            t.given(OLD).expectUpdate(NEW);
                            told(t, "Updated", "UpdateChild");
                        }),
                        test(
                                "D16: and so is what is made of it",
                                root().reconciler(counts("17", Result.done())).desired((reconciliation, map) -> {
                                    map.setData(Map.of(
                                            "count", map.getData().get("count").length() + ""));
                                    return Optional.of(map);
                                }),
                                t -> {
                                    t.given(OLD).expectUpdate(NEW);
                                    told(t, "Updated", "UpdateChild");
                                }),
                        test(
                                "D16: desired has a copy of its own",
                                root().desired((reconciliation, map) -> {
                                    map.setData(Map.of("never", "written"));
                                    return Optional.of(OLD.object());
                                }),
                                t -> t.given(OLD)),
                        test(
                                "D16: what the manager tracks is tracked",
                                root().manager(manager().trackDesired(true)),
                                t -> t.given(OLD).expectTrack(OLD)))
                .flatMap(all -> all);
    }

    @TestFactory
    Stream<DynamicTest> outcomes() {
        return Stream.of(
                        test(
                                "a halt is well",
                                root().reconciler(counts("2", Result.halted().within(SOON)), never()),
                                t -> {
                                    t.given(OLD)
                                            .expectUpdate(NEW)
                                            .expectResult(Result.halted().within(SOON));
                                    told(t, "Updated", "UpdateChild");
                                }),
                        test(
                                "after a failure nothing is written",
                                root().reconciler(counts("2", Result.failed(NO).within(SOON)))
                                        .desired((reconciliation, map) -> {
                                            throw new AssertionError("must not be asked");
                                        }),
                                t -> t.given(OLD)
                                        .expectError(IllegalStateException.class, "no")
                                        .expectResult(Result.after(SOON))),
                        test(
                                "what desired throws is a failure",
                                root().desired((reconciliation, map) -> {
                                    throw NO;
                                }),
                                t -> t.given(OLD).expectError(IllegalStateException.class, "no")),
                        test(
                                "a write that is refused is told",
                                root().reconciler(counts("2", Result.after(SOON))),
                                t -> t.given(OLD)
                                        .react(on(RecordedCall.Verb.UPDATE).fails(forbidden("quota")))
                                        .expectUpdate(NEW)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "UpdateFailed",
                                                "UpdateChild",
                                                "Failed to update ConfigMap \"summary\": configmaps \"summary\" is forbidden: quota")
                                        .expectError(ForbiddenException.class)
                                        .expectResult(Result.after(SOON))),
                        test(
                                "after may swallow that",
                                root().reconciler(counts("2", Result.done()))
                                        .after((reconciliation, outcome) -> Result.done()),
                                t -> t.given(OLD)
                                        .react(on(RecordedCall.Verb.UPDATE).fails(forbidden("quota")))
                                        .expectUpdate(NEW)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "UpdateFailed",
                                                "UpdateChild",
                                                "Failed to update ConfigMap \"summary\": configmaps \"summary\" is forbidden: quota")),
                        test(
                                "a conflict is quiet",
                                root().reconciler(counts("2", Result.done())),
                                t -> t.given(OLD)
                                        .react(on(RecordedCall.Verb.UPDATE).fails(conflict()))
                                        .expectUpdate(NEW)
                                        .expectError(ConflictException.class)
                                        .verify(run -> assertThat(run.outcome().severity())
                                                .isEqualTo(Result.Severity.QUIET))),
                        test(
                                "D15: before may stop it",
                                root().reconciler(never())
                                        .before(reconciliation -> Result.quiet(NO))
                                        .after((reconciliation, outcome) -> outcome.within(SOON)),
                                t -> t.given(OLD)
                                        .expectError(IllegalStateException.class, "no")
                                        .verify(run -> assertThat(run.outcome())
                                                .isEqualTo(Result.quiet(NO).within(SOON)))))
                .flatMap(all -> all);
    }

    @TestFactory
    Stream<DynamicTest> genericKinds() {
        Kind<GenericKubernetesResource> kind = Kind.generic("", "v1", "Namespace", "namespaces", false);
        ObjectManager<GenericKubernetesResource> creating = (reconciliation, resource, actual, desired) ->
                Optional.of(reconciliation.client().create(kind, desired.orElseThrow(), WriteOptions.DEFAULT));
        return ReconcilerTests.of(() -> AggregateReconciler.of(kind)
                        .request("", "shared")
                        .manager(creating)
                        .build()
                        .controller())
                .test(
                        "a kind without namespaces and without a class",
                        t -> t.request("", "shared")
                                .expectCreate(Given.yaml(Namespace.class, "metadata: {name: shared}")))
                .stream();
    }

    @Test
    void reportsMissingSettings() {
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        AggregateReconciler.of(ConfigMap.class).name("Sum").build())
                .withMessage(
                        "AggregateReconciler \"Sum\" must define request: the name of the one object of configmaps, and its namespace");
        assertThatIllegalStateException()
                .isThrownBy(() -> root().request("", "summary").build())
                .withMessageEndingWith("and its namespace, and not \"summary\"");
        assertThatIllegalStateException()
                .isThrownBy(() -> AggregateReconciler.of(Namespace.class)
                        .request("a", "b")
                        .build())
                .withMessageEndingWith("which live in no namespace, and not \"a/b\"");
        assertThatIllegalStateException()
                .isThrownBy(() -> AggregateReconciler.of(ConfigMap.class)
                        .request("default", "summary")
                        .build())
                .withMessage(
                        "AggregateReconciler \"ConfigMapAggregateReconciler\" must define manager: one that writes the object, such as ObjectManager.updating");
        assertThatIllegalStateException()
                .isThrownBy(() -> root().name("").build())
                .withMessageContaining("must define name");
    }

    @Test
    void theControllerHasWhatPartsAndManagerNeed() {
        AggregateReconciler<ConfigMap> root = root().name("Sum")
                .manager(manager().trackDesired(true))
                .reconciler(counting())
                .build();
        Controller<ConfigMap> controller = root.controller();
        assertThat(controller.always()).containsExactly(ObjectKey.of("default", "summary"));
        assertThat(controller.kinds(Relation.TRACKS).stream().map(Kind::id))
                .containsExactlyInAnyOrder("configmaps", "secrets");
        assertThat(root).hasToString("AggregateReconciler \"Sum\"");
        assertThat(root.description().allNeeds().stream()
                        .filter(Part.Requirement.May.class::isInstance)
                        .map(Part.Requirement::verbs))
                .contains(Part.Requirement.READING, Set.of("create", "update", "delete"));
    }

    @Test
    void watchesOfAPartAreSetUpOnce() {
        AtomicInteger times = new AtomicInteger();
        Part.Requirement setUp = new Part.Requirement.SetUp<>(Kind.of(ConfigMap.class), "counted", controller -> {
            times.incrementAndGet();
            return controller;
        });
        Controller<ConfigMap> unused = root().reconciler(
                        Part.<ConfigMap>of(Part.Description.of("Setting").needs(setUp), counts("1", Result.done())))
                .build()
                .controller();
        assertThat(times).hasValue(1);
    }

    /** Counts secrets. */
    private static Part<ConfigMap> counting() {
        return Part.of(
                Part.Description.of("Counting").needs(new Part.Requirement.Tracks<>(SECRETS)),
                (reconciliation, map) -> {
                    int count = reconciliation
                            .tracker()
                            .list(SECRETS, ListOptions.ALL)
                            .items()
                            .size();
                    map.setData(Map.of("count", Integer.toString(count)));
                    return Result.done();
                });
    }

    @Test
    void livesInAManager() {
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            VirtualScheduler scheduler = new VirtualScheduler(1);
            try (Manager manager =
                    Manager.builder(engine.client()).scheduler(scheduler).build()) {
                manager.add(root().reconciler(counting()).build().controller()).start();
                scheduler.settle();
                assertThat(count(engine)).isEqualTo("0");
                var unused = engine.client().create(SECRET.object());
                scheduler.settle();
                assertThat(count(engine)).isEqualTo("1");
                var unused2 = engine.client().delete(ConfigMap.class, NEW.key());
                scheduler.settle();
                assertThat(count(engine)).isEqualTo("1");
                var unused3 = engine.client()
                        .patch(
                                Kind.of(ConfigMap.class),
                                NEW.key(),
                                Patch.merge("{\"data\":{\"count\":\"9\"}}"),
                                WriteOptions.DEFAULT);
                scheduler.settle();
                assertThat(count(engine)).isEqualTo("1");
            }
        }
    }

    private static String count(Engine engine) {
        return engine.client().get(ConfigMap.class, NEW.key()).getData().get("count");
    }

    @TestFactory
    Stream<DynamicTest> tracking() {
        return test("what parts track is tracked without an object, too", root().reconciler(counting()), t -> {
            t.given(SECRET)
                    .expectTrack(Tracker.Target.selecting(SECRETS, "", LabelSelector.everything()))
                    .expectCreate(OLD);
            told(t, "Created", "CreateChild");
        });
    }
}
