package dev.evenkeel.reconcile.child;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.StandaloneController;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.Suite;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ChildSetReconcilerTest {
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final String FINALIZER = "example.com/children";

    /** Each entry of its data is a child: its id, and what it has. */
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: parent}
            data: {green: MQ==, blue: MQ==}
            """);

    private static final Given<ConfigMap> EMPTY = PARENT.without("data");
    private static final Given<ConfigMap> DYING =
            PARENT.finalizers("example.com/other").deleted(TestCluster.NOW);

    private static Given<Secret> plain(String id) {
        return Given.yaml(Secret.class, """
                        metadata: {namespace: default, name: %s, labels: {id: %s, of: parent}}
                        data: {a: MQ==}
                        """.formatted(id, id));
    }

    private static Given<Secret> child(String id) {
        return plain(id).ownedBy(PARENT);
    }

    private static final Given<Secret> BLUE = child("blue");
    private static final Given<Secret> GREEN = child("green");

    private static List<Secret> wanted(ConfigMap parent) {
        List<Secret> children = new ArrayList<>();
        new TreeMap<>(Objects.requireNonNullElse(parent.getData(), Map.of()))
                .descendingMap()
                .forEach((id, value) ->
                        children.add(plain(id).at("data.a", value).object()));
        return children;
    }

    private static String id(Secret child) {
        return child.getMetadata().getLabels().getOrDefault("id", "");
    }

    private static void reflect(
            Reconciliation<ConfigMap> reconciliation,
            ConfigMap parent,
            ChildSetReconciler.ChildSetResult<Secret> result) {
        parent.getMetadata()
                .setAnnotations(Map.of(
                        "told",
                        result.entries().stream()
                                .map(entry -> entry.id() + "="
                                        + entry.result()
                                                .child()
                                                .map(child ->
                                                        child.getMetadata().getName())
                                                .orElse("none")
                                        + entry.result()
                                                .error()
                                                .map(error ->
                                                        "!" + entry.result().reason())
                                                .orElse(""))
                                .collect(Collectors.joining(" "))));
    }

    private static Given<ConfigMap> told(Given<ConfigMap> parent, String what) {
        return parent.annotation("told", what);
    }

    private static ChildSetReconciler.Builder<ConfigMap, Secret> builder() {
        return ChildSetReconciler.of(ConfigMap.class, Secret.class)
                .desired((reconciliation, parent) -> wanted(parent))
                .identify(ChildSetReconcilerTest::id)
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect(ChildSetReconcilerTest::reflect);
    }

    private static SubReconcilerTests<ConfigMap> tests(ChildSetReconciler.Builder<ConfigMap, Secret> builder) {
        return tests(builder.build());
    }

    private static SubReconcilerTests<ConfigMap> tests(SubReconciler<ConfigMap> part) {
        return SubReconcilerTests.of(ConfigMap.class, () -> part);
    }

    private static <S extends Suite.Case<S>> S event(S t, String type, String reason, String action, String message) {
        return t.expectEvent(PARENT, type, reason, action, message);
    }

    private static <S extends Suite.Case<S>> S created(S t, Given<?> child) {
        return event(
                t.expectCreate(child),
                "Normal",
                "Created",
                "CreateChild",
                "Created Secret \"" + child.key().name() + "\"");
    }

    private static <S extends Suite.Case<S>> S deleted(S t, Given<?> child) {
        return event(
                t.expectDelete(child),
                "Normal",
                "Deleted",
                "DeleteChild",
                "Deleted Secret \"" + child.key().name() + "\"");
    }

    private static <S extends Suite.Case<S>> S updated(S t, Given<?> child) {
        return event(
                t.expectUpdate(child),
                "Normal",
                "Updated",
                "UpdateChild",
                "Updated Secret \"" + child.key().name() + "\"");
    }

    private static <S extends Suite.Case<S>> S notCreated(S t, String name, String why) {
        return event(t, "Warning", "CreationFailed", "CreateChild", "Failed to create Secret \"" + name + "\": " + why);
    }

    @TestFactory
    Stream<DynamicTest> sets() {
        Given<Secret> again = GREEN.name("green-again");
        Given<Secret> unnamed = GREEN.name("unnamed").without("metadata.labels.id");
        return tests(builder())
                .test("none desired, and none there", t -> t.resource(EMPTY).expectResource(told(EMPTY, "")))
                .test(
                        "created in the order of their ids, whatever the order of the desired ones; then in sync",
                        t -> created(created(t.resource(PARENT), BLUE), GREEN)
                                .expectResource(told(PARENT, "blue=blue green=green"))
                                .verify(run -> assertThat(run.journal()
                                                .by("SecretChildSetReconciler/blue")
                                                .writes())
                                        .hasSize(1))
                                .verify(run -> run.journal().assertCount(1, on(RecordedCall.Verb.GET)))
                                .again(next -> next.expectResource(told(PARENT, "blue=blue green=green"))))
                .test(
                        "only differences are written; undesired children are deleted, and reported",
                        t -> deleted(
                                        updated(
                                                t.resource(PARENT)
                                                        .given(BLUE, GREEN.at("data.a", "Mg=="), child("red")),
                                                GREEN),
                                        child("red"))
                                .expectResource(told(PARENT, "blue=blue green=green red=none")))
                .test(
                        "two with one id: both are deleted, and one is created",
                        t -> created(
                                        deleted(
                                                deleted(
                                                        t.resource(PARENT).given(BLUE, GREEN.name("old"), again),
                                                        again),
                                                GREEN.name("old")),
                                        GREEN)
                                .expectResource(told(PARENT, "blue=blue green=green")))
                .test(
                        "one without an id is deleted, and the others are kept",
                        t -> deleted(t.resource(PARENT).given(BLUE, GREEN, unnamed), unnamed)
                                .expectResource(told(PARENT, "=none blue=blue green=green")))
                .test(
                        "the objects of others are left alone",
                        t -> deleted(
                                        t.resource(EMPTY)
                                                .given(
                                                        PARENT.name("other"),
                                                        plain("x"),
                                                        plain("y").ownedBy(PARENT.name("other")),
                                                        BLUE),
                                        BLUE)
                                .expectResource(told(EMPTY, "blue=none")))
                .test(
                        "a terminating parent: all are deleted, without calling desired or reflect",
                        t -> deleted(deleted(t.resource(DYING).given(GREEN, BLUE), BLUE), GREEN)
                                .again(next -> {}))
                .test(
                        "the end of the parent, where dependents are to stay",
                        t -> t.resource(PARENT.finalizers("orphan").deleted(TestCluster.NOW))
                                .given(GREEN, BLUE))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> failures() {
        return Stream.of(
                        tests(builder())
                                .test(
                                        "a failing child does not prevent creation and reflection of the others",
                                        t -> created(
                                                        notCreated(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.CREATE)
                                                                                .name("blue")
                                                                                .fails(internal()))
                                                                        .expectCreate(BLUE),
                                                                "blue",
                                                                "Internal error occurred: create secrets default/blue"),
                                                        GREEN)
                                                .expectResource(told(PARENT, "blue=none!InternalError green=green"))
                                                .expectError(ApiException.class))
                                .test(
                                        "a reflected error is handled",
                                        t -> created(
                                                        notCreated(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.CREATE)
                                                                                .name("blue")
                                                                                .fails(forbidden("quota")))
                                                                        .expectCreate(BLUE),
                                                                "blue",
                                                                "secrets \"blue\" is forbidden: quota"),
                                                        GREEN)
                                                .expectResource(told(PARENT, "blue=none!Forbidden green=green")))
                                .test(
                                        "a conflict is not reported: the child is unchanged",
                                        t -> updated(
                                                        t.resource(PARENT)
                                                                .given(
                                                                        BLUE.at("data.a", "Mg=="),
                                                                        GREEN.at("data.a", "Mg=="))
                                                                .react(on(RecordedCall.Verb.UPDATE)
                                                                        .name("blue")
                                                                        .fails(conflict()))
                                                                .expectUpdate(BLUE),
                                                        GREEN)
                                                .expectResource(told(PARENT, "blue=blue green=green"))
                                                .expectError(ConflictException.class)
                                                .verify(run -> assertThat(
                                                                run.outcome().severity())
                                                        .isEqualTo(Result.Severity.QUIET))),
                        tests(builder().reflect((reconciliation, parent, result) -> {
                                    throw new IllegalStateException("no status");
                                }))
                                .test(
                                        "a failure, and a failure to reflect it, are both reported",
                                        t -> created(
                                                        notCreated(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.CREATE)
                                                                                .name("blue")
                                                                                .fails(internal()))
                                                                        .expectCreate(BLUE),
                                                                "blue",
                                                                "Internal error occurred: create secrets default/blue"),
                                                        GREEN)
                                                .expectError()
                                                .verify(run -> assertThat(
                                                                run.outcome().problems())
                                                        .extracting(problem ->
                                                                problem.error().getMessage())
                                                        .containsExactly(
                                                                "Internal error occurred: create secrets default/blue",
                                                                "no status"))),
                        refusing("an id that is empty", "desired child id may not be empty", "", "b"),
                        refusing("an id that is there twice", "duplicate child id found: b", "a", "b", "b"),
                        tests(builder()
                                        .desired((reconciliation, parent) -> List.of(
                                                plain("a").name("x").object(),
                                                plain("b").name("x").object())))
                                .test(
                                        "a duplicate name",
                                        t -> t.resource(PARENT)
                                                .given(child("c"))
                                                .expectError(
                                                        IllegalStateException.class,
                                                        "duplicate child name found: children a and b are both desired"
                                                                + " as Secret default/x")),
                        tests(builder().desired((reconciliation, parent) -> {
                                    throw new IllegalStateException("no idea");
                                }))
                                .test(
                                        "the desired children are unknown: no call, no event",
                                        t -> t.resource(PARENT)
                                                .given(BLUE)
                                                .expectError(IllegalStateException.class, "no idea")))
                .flatMap(SubReconcilerTests::stream);
    }

    private static SubReconcilerTests<ConfigMap> refusing(String name, String message, String... ids) {
        return tests(builder().desired((reconciliation, parent) -> {
                    List<Secret> children = new ArrayList<>();
                    for (int i = 0; i < ids.length; i++) {
                        Secret child = plain("x").name("x" + i).object();
                        child.getMetadata().setLabels(Map.of("id", ids[i]));
                        children.add(child);
                    }
                    return children;
                }))
                .test(
                        name,
                        t -> t.resource(PARENT).given(child("c")).expectError(IllegalStateException.class, message));
    }

    @TestFactory
    Stream<DynamicTest> knownChildren() {
        return Stream.of(
                        tests(builder().desired((reconciliation, parent) -> {
                                    List<Secret> known =
                                            ChildSetReconciler.KnownChildren.in(reconciliation, Secret.class);
                                    // copies, whatever is done to them
                                    known.forEach(child -> child.setData(Map.of()));
                                    known = new ArrayList<>(
                                            ChildSetReconciler.KnownChildren.in(reconciliation, Secret.class));
                                    known.removeIf(child -> id(child).equals("b"));
                                    return known;
                                }))
                                .test(
                                        "given back they are kept, left out they go",
                                        t -> deleted(
                                                        t.resource(PARENT).given(child("a"), child("b"), child("c")),
                                                        child("b"))
                                                .expectResource(told(PARENT, "a=a b=none c=c"))),
                        tests(builder().paused((reconciliation, parent) -> true))
                                .test(
                                        "paused, all are left alone, and reflected",
                                        t -> t.resource(PARENT)
                                                .given(child("x"), GREEN.at("data.a", "Mg=="))
                                                .expectResource(told(PARENT, "green=green x=x")))
                                .test(
                                        "paused, and none there",
                                        t -> t.resource(PARENT).expectResource(told(PARENT, ""))),
                        tests(builder().reflect((parent, children) -> {
                                    parent.getMetadata().setAnnotations(Map.of("told", "" + children.size()));
                                }))
                                .test(
                                        "the children alone may be reflected",
                                        t -> t.resource(PARENT)
                                                .given(GREEN, BLUE)
                                                .expectResource(told(PARENT, "2"))))
                .flatMap(SubReconcilerTests::stream);
    }

    private static ChildSetReconciler.Builder<ConfigMap, Secret> finalizing() {
        return builder()
                .selection(
                        (reconciliation, parent) -> ListOptions.in("default").labels(LabelSelector.parse("of=parent")))
                .ours((parent, child) -> true)
                .finalizer(FINALIZER);
    }

    @TestFactory
    Stream<DynamicTest> finalizers() {
        Tracker.Target selected = Tracker.Target.selecting(SECRETS, "default", LabelSelector.parse("of=parent"));
        Given<ConfigMap> held = PARENT.finalizers(FINALIZER);
        Given<Secret> generated = plain("blue").without("metadata.name").at("metadata.generateName", "blue-");
        return Stream.of(
                        tests(finalizing())
                                .test(
                                        "one patch first, then the children",
                                        t -> created(
                                                        created(finalized(t.resource(PARENT)), plain("blue")),
                                                        plain("green"))
                                                .expectOrder(
                                                        on(RecordedCall.Verb.PATCH),
                                                        on(RecordedCall.Verb.CREATE),
                                                        on(RecordedCall.Verb.CREATE))
                                                .expectTrack(selected)
                                                .expectResource(told(held, "blue=blue green=green")))
                                .test(
                                        "nothing desired needs no finalizer",
                                        t -> t.resource(EMPTY)
                                                .expectTrack(selected)
                                                .expectResource(told(EMPTY, ""))),
                        tests(finalizing().desired((reconciliation, parent) -> List.of(generated.object())))
                                .test(
                                        "D1: children with a finalizer and without owner references are found again, and all go",
                                        t -> event(
                                                        finalized(t.resource(PARENT))
                                                                .expectCreate(generated),
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Secret \"blue-nc7q7\"")
                                                .expectTrack(selected)
                                                .expectResource(told(held, "blue=blue-nc7q7"))
                                                .again(next -> next.expectTrack(selected)
                                                        .expectResource(told(held, "blue=blue-nc7q7")))
                                                .again(next -> deleted(
                                                                next.resource(held.deleted(TestCluster.NOW)),
                                                                plain("blue-nc7q7"))
                                                        .expectTrack(selected))
                                                .again(next -> next.resource(held.deleted(TestCluster.NOW))
                                                        .expectTrack(selected)
                                                        .expectResource(PARENT)
                                                        .expectFinalizers(PARENT)
                                                        .expectEvent(
                                                                PARENT,
                                                                "Normal",
                                                                "FinalizerPatched",
                                                                "ClearFinalizer",
                                                                "Patched finalizer \"" + FINALIZER + "\""))))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> finalizersOfManagers() {
        Given<ConfigMap> dying = PARENT.finalizers(FINALIZER).deleted(TestCluster.NOW);
        return tests(builder()
                        .manager(ObjectManager.updating(
                                        Secret.class, (actual, desired) -> actual.setData(desired.getData()))
                                .finalizer(FINALIZER)))
                .test(
                        "the finalizer of a manager is removed when all children are deleted",
                        t -> deleted(deleted(t.resource(dying).given(BLUE, GREEN), BLUE), GREEN)
                                .again(next -> next.resource(dying)
                                        .expectResource(PARENT)
                                        .expectFinalizers(PARENT)
                                        .expectEvent(
                                                PARENT,
                                                "Normal",
                                                "FinalizerPatched",
                                                "ClearFinalizer",
                                                "Patched finalizer \"" + FINALIZER + "\"")))
                .stream();
    }

    private static <S extends Suite.Case<S>> S finalized(S t) {
        return event(
                t.expectFinalizers(PARENT, FINALIZER),
                "Normal",
                "FinalizerPatched",
                "AddFinalizer",
                "Patched finalizer \"" + FINALIZER + "\"");
    }

    @TestFactory
    Stream<DynamicTest> lists() {
        Part<ConfigMap> part = builder().build();
        return SubReconcilerTests.in(
                ConfigMap.class,
                cluster -> Part.<ConfigMap>of(
                        part.description(),
                        (reconciliation, parent) -> part.reconcile(
                                ReconciliationView.with(
                                        reconciliation,
                                        Part.Config.of(reconciliation).client(cluster.reactive())),
                                parent)))
                .test(
                        "with another identity they are listed once",
                        t -> created(t.resource(PARENT).given(BLUE), GREEN)
                                .expectResource(told(PARENT, "blue=blue green=green"))
                                .verify(run -> assertThat(run.journal().calls())
                                        .extracting(call -> call.verb().toString())
                                        .containsExactly("list", "get", "create")))
                .stream();
    }

    /** Many children: each is written once, and then none. */
    @Test
    void tenThousandChildren() {
        Secret first = plain("x").object();
        List<Secret> all = IntStream.range(0, 10_000)
                .mapToObj(i -> first.edit()
                        .editMetadata()
                        .withName("c" + i)
                        .addToLabels("id", "c" + i)
                        .endMetadata()
                        .build())
                .toList();
        Part<ConfigMap> part = builder()
                .desired((reconciliation, parent) -> all)
                .reflect((parent, children) -> assertThat(children).hasSize(all.size()))
                .build();
        Controller<ConfigMap> controller = part.declare(Controller.of(
                ConfigMap.class,
                reconciliation ->
                        part.reconcile(reconciliation, reconciliation.resource().orElseThrow())));
        VirtualScheduler scheduler = new VirtualScheduler(1, TestCluster.NOW);
        try (Engine engine = Engine.builder()
                .clock(scheduler.clock())
                .executor(Runnable::run)
                .build()) {
            Client client = engine.partition(Engine.DEFAULT_PARTITION).client("tests");
            ConfigMap parent = client.create(PARENT.object());
            try (StandaloneController<ConfigMap> rehearsal = new StandaloneController<>(
                    controller, client, client, scheduler, (object, type, reason, action, message) -> {})) {
                long before = engine.store().revision();
                assertThat(rehearsal.reconcile(ObjectKey.of(parent))).isEqualTo(Result.done());
                assertThat(engine.store().revision()).isEqualTo(before + all.size());
                assertThat(rehearsal.reconcile(ObjectKey.of(parent))).isEqualTo(Result.done());
                assertThat(engine.store().revision()).isEqualTo(before + all.size());
            }
        }
    }

    @Test
    void theResultOfAll() {
        Secret secret = plain("a").object();
        RuntimeException error = new IllegalStateException("x");
        ChildSetReconciler.ChildSetResult<Secret> result = new ChildSetReconciler.ChildSetResult<>(List.of(
                new ChildSetReconciler.ChildSetResult.Entry<>(
                        "a", new ChildReconciler.ChildResult<>(Optional.of(secret), Optional.empty())),
                new ChildSetReconciler.ChildSetResult.Entry<>(
                        "b", new ChildReconciler.ChildResult<>(Optional.empty(), Optional.of(error))),
                new ChildSetReconciler.ChildSetResult.Entry<>(
                        "c", new ChildReconciler.ChildResult<>(Optional.empty(), Optional.empty()))));
        assertThat(result.children()).containsExactly(secret);
        assertThat(result.of("b").orElseThrow().error()).contains(error);
        assertThat(result.of("x")).isEmpty();
        assertThat(result.error()).contains(error);
        assertThat(new ChildSetReconciler.ChildSetResult<Secret>(List.of()).error())
                .isEmpty();
    }

    @Test
    void requirements() {
        assertThat(builder().build().description().needs()).as("D28").doesNotHaveDuplicates();
        assertThat(builder().build().description().allNeeds())
                .filteredOn(need ->
                        need instanceof Part.Requirement.May && need.kind().equals(SECRETS))
                .singleElement()
                .extracting(Part.Requirement::verbs)
                .isEqualTo(Set.of("create", "update", "delete"));
        Part.Requirement more = new Part.Requirement.Tracks<>(SECRETS);
        assertThat(builder().needs(more).build().description().needs())
                .as("each once")
                .isEqualTo(builder().build().description().needs());
        assertThat(builder().build()).hasToString("ChildSetReconciler \"SecretChildSetReconciler\"");
    }

    @Test
    void missingSettingsAreReported() {
        missing(ChildSetReconciler.of(ConfigMap.class, Secret.class), "desired: the children as they should be");
        missing(
                ChildSetReconciler.of(ConfigMap.class, Secret.class).desired((reconciliation, parent) -> List.of()),
                "identify: what tells children apart");
        missing(
                ChildSetReconciler.of(ConfigMap.class, Secret.class)
                        .desired((reconciliation, parent) -> List.of())
                        .identify(ChildSetReconcilerTest::id),
                "manager: how the child is written; or merge(...), or fieldManager(...)");
        missing(builder().finalizer("x"), "selection: where children are, since owner references are not used");
    }

    private static void missing(ChildSetReconciler.Builder<ConfigMap, Secret> builder, String what) {
        assertThatIllegalStateException()
                .isThrownBy(builder.name("x")::build)
                .withMessage("ChildSetReconciler \"x\" must define " + what);
    }
}
