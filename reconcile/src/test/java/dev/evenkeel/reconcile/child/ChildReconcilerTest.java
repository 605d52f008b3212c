package dev.evenkeel.reconcile.child;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.alreadyExists;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.Suite;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ChildReconcilerTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final String FINALIZER = "example.com/child";

    /** Sets the content of its child; no child when absent. */
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: parent}
            data: {want: MQ==}
            """);

    private static final Given<ConfigMap> NOTHING = PARENT.at("data", Map.of("some", "thing"));
    private static final Given<ConfigMap> DYING =
            PARENT.finalizers("example.com/other").deleted(TestCluster.NOW);

    /** As desired says it. */
    private static final Given<Secret> PLAIN = Given.yaml(Secret.class, """
            metadata: {namespace: default, name: child}
            data: {a: MQ==}
            """);

    private static final Given<Secret> CHILD = PLAIN.ownedBy(PARENT);
    private static final Given<Secret> DRIFTED = CHILD.at("data.a", "Mg==");

    /** Another owner's parent. */
    private static final Given<ConfigMap> OTHER = PARENT.name("other");

    private static final Given<Secret> FOREIGN = PLAIN.ownedBy(OTHER);

    private static final Given<Namespace> ELSEWHERE = Given.yaml(Namespace.class, "metadata: {name: elsewhere}");
    private static final Given<Secret> LABELLED = PLAIN.namespace("elsewhere").label("parent", "parent");

    private static Optional<Secret> wanted(Given<Secret> child, ConfigMap parent) {
        return Optional.ofNullable(parent.getData().get("want"))
                .map(want -> child.at("data.a", want).object());
    }

    /** Reflects the result in memory. */
    private static void reflect(
            Reconciliation<ConfigMap> reconciliation, ConfigMap parent, ChildReconciler.ChildResult<Secret> result) {
        parent.getData()
                .put(
                        "child",
                        result.child()
                                .map(child -> child.getMetadata().getName())
                                .orElse("none"));
        result.error().ifPresent(error -> parent.getData().put("error", result.reason()));
    }

    private static Given<ConfigMap> told(Given<ConfigMap> parent, String child) {
        return parent.at("data.child", child);
    }

    private static Given<ConfigMap> told(Given<ConfigMap> parent, String child, String error) {
        return told(parent, child).at("data.error", error);
    }

    private static ChildReconciler.Builder<ConfigMap, Secret> builder(Given<Secret> child) {
        return ChildReconciler.of(ConfigMap.class, Secret.class)
                .desired((reconciliation, parent) -> wanted(child, parent))
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect(ChildReconcilerTest::reflect);
    }

    private static ChildReconciler.Builder<ConfigMap, Secret> builder() {
        return builder(PLAIN);
    }

    /** Without owner references, in another namespace. */
    private static ChildReconciler.Builder<ConfigMap, Secret> selecting(Given<Secret> child) {
        return builder(child)
                .selection((reconciliation, parent) -> ListOptions.in("elsewhere")
                        .labels(LabelSelector.parse(
                                "parent=" + parent.getMetadata().getName())))
                .ours((parent, secret) -> !secret.getMetadata().getName().startsWith("not"))
                .finalizer(FINALIZER);
    }

    private static final Tracker.Target SELECTED =
            Tracker.Target.selecting(SECRETS, "elsewhere", LabelSelector.parse("parent=parent"));

    private static SubReconcilerTests<ConfigMap> tests(ChildReconciler.Builder<ConfigMap, Secret> builder) {
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

    private static <S extends Suite.Case<S>> S updated(S t, Given<?> child) {
        return event(
                t.expectUpdate(child),
                "Normal",
                "Updated",
                "UpdateChild",
                "Updated Secret \"" + child.key().name() + "\"");
    }

    private static <S extends Suite.Case<S>> S deleted(S t, Given<?> child) {
        return event(
                t.expectDelete(child),
                "Normal",
                "Deleted",
                "DeleteChild",
                "Deleted Secret \"" + child.key().name() + "\"");
    }

    private static <S extends Suite.Case<S>> S notCreated(S t, String why) {
        return event(t, "Warning", "CreationFailed", "CreateChild", "Failed to create Secret \"child\": " + why);
    }

    private static <S extends Suite.Case<S>> S severity(S t, Result.Severity severity) {
        return t.verify(run -> assertThat(run.outcome().severity()).isEqualTo(severity));
    }

    @TestFactory
    Stream<DynamicTest> children() {
        return tests(builder())
                .test("not desired, and none there", t -> t.resource(NOTHING).expectResource(told(NOTHING, "none")))
                .test(
                        "desired, and none there; then in sync",
                        t -> created(t.resource(PARENT), CHILD)
                                .expectResource(told(PARENT, "child"))
                                .again(next -> next.expectResource(told(PARENT, "child"))))
                .test("in sync", t -> t.resource(PARENT).given(CHILD).expectResource(told(PARENT, "child")))
                .test(
                        "drifted",
                        t -> updated(t.resource(PARENT).given(DRIFTED), CHILD).expectResource(told(PARENT, "child")))
                .test(
                        "identity is ownership, and not the name",
                        t -> updated(t.resource(PARENT).given(DRIFTED.name("old")), CHILD.name("old"))
                                .expectResource(told(PARENT, "old")))
                .test(
                        "not desired any more",
                        t -> deleted(t.resource(NOTHING).given(CHILD), CHILD).expectResource(told(NOTHING, "none")))
                .test(
                        "two children: both are deleted, in their order, and one is created",
                        t -> created(
                                        deleted(
                                                deleted(
                                                        t.resource(PARENT).given(CHILD.name("y"), CHILD.name("x")),
                                                        CHILD.name("x")),
                                                CHILD.name("y")),
                                        CHILD)
                                .expectOrder(
                                        on(RecordedCall.Verb.DELETE),
                                        on(RecordedCall.Verb.DELETE),
                                        on(RecordedCall.Verb.CREATE))
                                .expectResource(told(PARENT, "child")))
                .test(
                        "two of them, and the first cannot be deleted: nothing else is tried",
                        t -> event(
                                        t.resource(PARENT)
                                                .given(CHILD.name("y"), CHILD.name("x"))
                                                .react(on(RecordedCall.Verb.DELETE)
                                                        .fails(internal()))
                                                .expectDelete(CHILD.name("x")),
                                        "Warning",
                                        "DeleteFailed",
                                        "DeleteChild",
                                        "Failed to delete Secret \"x\": Internal error occurred: delete secrets default/x")
                                .expectError(ApiException.class))
                .test(
                        "one that is being deleted is not one too many",
                        t -> t.resource(PARENT)
                                .given(
                                        CHILD,
                                        CHILD.name("x")
                                                .finalizers("example.com/slow")
                                                .deleted(TestCluster.NOW))
                                .expectResource(told(PARENT, "child")))
                .test(
                        "D21: when there is only one that is being deleted, it is waited for",
                        t -> t.resource(PARENT)
                                .given(DRIFTED.finalizers("example.com/slow").deleted(TestCluster.NOW))
                                .expectResource(told(PARENT, "child")))
                .test(
                        "a child that another client deleted meanwhile is created again by the next run",
                        t -> severity(
                                        t.resource(PARENT)
                                                .given(DRIFTED)
                                                .meanwhile(cluster ->
                                                        cluster.client().delete(Secret.class, CHILD.key()))
                                                .expectUpdate(CHILD)
                                                .expectError(ConflictException.class),
                                        Result.Severity.QUIET)
                                .again(next -> created(next, CHILD).expectResource(told(PARENT, "child"))))
                .test(
                        "a terminating parent: the child is deleted, without calling desired or reflect",
                        t -> deleted(t.resource(DYING).given(CHILD), CHILD).again(next -> {}))
                .test(
                        "the end of the parent, and a delete that is refused: never reflected",
                        t -> event(
                                        t.resource(DYING)
                                                .given(CHILD)
                                                .react(on(RecordedCall.Verb.DELETE)
                                                        .fails(forbidden("no")))
                                                .expectDelete(CHILD),
                                        "Warning",
                                        "DeleteFailed",
                                        "DeleteChild",
                                        "Failed to delete Secret \"child\": secrets \"child\" is forbidden: no")
                                .expectError(ForbiddenException.class))
                .test(
                        "the end of the parent, where dependents are to stay",
                        t -> t.resource(PARENT.finalizers("orphan").deleted(TestCluster.NOW))
                                .given(CHILD))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        return Stream.of(
                        tests(builder())
                                .test(
                                        "forbidden is reflected",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .react(on(RecordedCall.Verb.CREATE)
                                                                        .fails(forbidden("quota")))
                                                                .expectCreate(CHILD),
                                                        "secrets \"child\" is forbidden: quota")
                                                .expectResource(told(PARENT, "none", "Forbidden")))
                                .test(
                                        "invalid is reflected",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .react(on(RecordedCall.Verb.CREATE)
                                                                        .fails(invalid("data", "no")))
                                                                .expectCreate(CHILD),
                                                        "Secret \"child\" is invalid: data: Invalid value: no")
                                                .expectResource(told(PARENT, "none", "Invalid")))
                                .test(
                                        "a refused update is reflected with the child as it is",
                                        t -> event(
                                                        t.resource(PARENT)
                                                                .given(DRIFTED)
                                                                .react(on(RecordedCall.Verb.UPDATE)
                                                                        .fails(forbidden("no")))
                                                                .expectUpdate(CHILD),
                                                        "Warning",
                                                        "UpdateFailed",
                                                        "UpdateChild",
                                                        "Failed to update Secret \"child\": secrets \"child\" is forbidden: no")
                                                .expectResource(told(PARENT, "child", "Forbidden")))
                                .test(
                                        "a conflict is not, and is quiet",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .given(DRIFTED)
                                                        .react(on(RecordedCall.Verb.UPDATE)
                                                                .fails(conflict()))
                                                        .expectUpdate(CHILD)
                                                        .expectError(ConflictException.class),
                                                Result.Severity.QUIET))
                                .test(
                                        "a broken server is not, and is a failure",
                                        t -> severity(
                                                notCreated(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.CREATE)
                                                                                .fails(internal()))
                                                                        .expectCreate(CHILD),
                                                                "Internal error occurred: create secrets default/child")
                                                        .expectError(ApiException.class),
                                                Result.Severity.FAILED)),
                        tests(builder().reflectedErrors())
                                .test(
                                        "none is reflected, when none is to be",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .react(on(RecordedCall.Verb.CREATE)
                                                                        .fails(invalid("data", "no")))
                                                                .expectCreate(CHILD),
                                                        "Secret \"child\" is invalid: data: Invalid value: no")
                                                .expectError(InvalidException.class)),
                        tests(builder().reflect((parent, child) -> {
                                    parent.getData().put("child", child.isPresent() ? "yes" : "no");
                                }))
                                .test(
                                        "without reflection of errors only the outcome has the error",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .react(on(RecordedCall.Verb.CREATE)
                                                                        .fails(forbidden("quota")))
                                                                .expectCreate(CHILD),
                                                        "secrets \"child\" is forbidden: quota")
                                                .expectError(ForbiddenException.class))
                                .test(
                                        "without reflection of errors the child is reflected",
                                        t -> t.resource(PARENT).given(CHILD).expectResource(told(PARENT, "yes"))))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> collisions() {
        String exists = "secrets \"child\" already exists";
        return Stream.of(
                        tests(builder())
                                .test(
                                        "an unowned object has the name: reflected, and tracked",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .given(OTHER, FOREIGN)
                                                                .expectCreate(CHILD),
                                                        exists)
                                                .expectTrack(FOREIGN)
                                                .expectResource(told(PARENT, "none", "AlreadyExists")))
                                .test(
                                        "a stale cache: retried, and not reported",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .givenOnServer(CHILD)
                                                        .expectCreate(CHILD)
                                                        .expectError(AlreadyExistsException.class),
                                                Result.Severity.QUIET))
                                .test(
                                        "a deleted parent that is still in the cache: nothing is created",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .prepare(cluster ->
                                                                cluster.client().delete(ConfigMap.class, PARENT.key()))
                                                        .expectError(ConflictException.class),
                                                Result.Severity.QUIET))
                                .test(
                                        "the object in the way is deleted already: retried",
                                        t -> severity(
                                                notCreated(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.CREATE)
                                                                                .fails(alreadyExists()))
                                                                        .expectCreate(CHILD),
                                                                exists)
                                                        .expectError(AlreadyExistsException.class),
                                                Result.Severity.QUIET))
                                .test(
                                        "the object in the way cannot be read: reflected all the same",
                                        t -> notCreated(
                                                        t.resource(PARENT)
                                                                .given(OTHER, FOREIGN)
                                                                .react(on(RecordedCall.Verb.GET)
                                                                        .kind(Secret.class)
                                                                        .fails(internal()))
                                                                .expectCreate(CHILD),
                                                        exists)
                                                .expectResource(told(PARENT, "none", "AlreadyExists"))),
                        tests(builder().reflectedErrors(ForbiddenException.class))
                                .test(
                                        "when it is not reflected, it stays until something changes",
                                        t -> severity(
                                                notCreated(
                                                                t.resource(PARENT)
                                                                        .given(OTHER, FOREIGN)
                                                                        .expectCreate(CHILD),
                                                                exists)
                                                        .expectTrack(FOREIGN)
                                                        .expectError(AlreadyExistsException.class),
                                                Result.Severity.DURABLE)),
                        tests(selecting(LABELLED))
                                .test(
                                        "without owner references",
                                        t -> notCreated(
                                                        t.resource(PARENT.finalizers(FINALIZER))
                                                                .given(LABELLED.without("metadata.labels")
                                                                        .name("child"))
                                                                .expectCreate(LABELLED),
                                                        exists)
                                                .expectTrack(SELECTED)
                                                .expectError(AlreadyExistsException.class)),
                        tests(builder().manager(wrapping()))
                                .test(
                                        "D9: however it is wrapped, and without details, by the key of the desired child",
                                        t -> t.resource(PARENT)
                                                .given(OTHER, FOREIGN)
                                                .expectTrack(FOREIGN)
                                                .expectResource(told(PARENT, "none", "AlreadyExists"))))
                .flatMap(SubReconcilerTests::stream);
    }

    /** A manager that wraps refusals. */
    private static ObjectManager<Secret> wrapping() {
        return (reconciliation, resource, actual, desired) -> {
            throw new IllegalStateException(
                    "in vain", ApiException.of(Status.of(409, "AlreadyExists", "it is there already")));
        };
    }

    private static UnaryOperator<Secret> owned(String name, boolean blocks) {
        return secret -> {
            secret.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                            .withApiVersion("v1")
                            .withKind("ConfigMap")
                            .withName(name)
                            .withUid(Given.uidOf("ConfigMap", PARENT.name(name).key()))
                            .withController(true)
                            .withBlockOwnerDeletion(blocks)
                            .build()));
            return secret;
        };
    }

    @TestFactory
    Stream<DynamicTest> ownership() {
        Given<Secret> unblocking = PLAIN.with(secret -> owned("parent", false).apply(secret));
        return Stream.of(
                        tests(builder(unblocking))
                                .test(
                                        "a reference to the parent is respected as it is",
                                        t -> created(t.resource(PARENT), unblocking)
                                                .expectResource(told(PARENT, "child"))),
                        tests(builder(PLAIN.with(
                                        secret -> owned("stranger", true).apply(secret))))
                                .test(
                                        "D24: a child of another controller is refused before the write",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .expectError(
                                                                TerminalException.class,
                                                                "the desired Secret default/child names ConfigMap \"stranger\""
                                                                        + " as its controller, so it would never be recognised"
                                                                        + " as a child of ConfigMap default/parent"),
                                                Result.Severity.DURABLE)),
                        tests(builder(PLAIN.namespace("elsewhere")))
                                .test(
                                        "owners are not of another namespace",
                                        t -> t.resource(PARENT)
                                                .expectError(
                                                        TerminalException.class,
                                                        "cross-namespace owner references are disallowed, owner's"
                                                                + " namespace default, obj's namespace elsewhere")),
                        tests(builder(PLAIN.without("metadata.namespace")))
                                .test(
                                        "without a namespace",
                                        t -> t.resource(PARENT)
                                                .expectError(
                                                        TerminalException.class,
                                                        "metadata.namespace: the desired Secret child has none: give it"
                                                                + " that of its owner, default")),
                        tests(ChildReconciler.of(ConfigMap.class, Namespace.class)
                                        .desired((reconciliation, parent) ->
                                                Optional.of(Given.yaml(Namespace.class, "metadata: {name: child}")
                                                        .object()))
                                        .fieldManager("tests")
                                        .build())
                                .test(
                                        "owners of a cluster-scoped child are cluster-scoped",
                                        t -> t.resource(PARENT)
                                                .expectError(
                                                        TerminalException.class,
                                                        "cluster-scoped resource must not have a namespace-scoped owner,"
                                                                + " owner's namespace default")),
                        tests(builder()
                                        .ours((parent, child) ->
                                                child.getMetadata().getName().startsWith("c")))
                                .test(
                                        "a foreign object is left alone",
                                        t -> created(t.resource(PARENT).given(CHILD.name("x"), CHILD.name("y")), CHILD)
                                                .expectResource(told(PARENT, "child"))),
                        tests(builder(PLAIN.name("x"))
                                        .ours((parent, child) ->
                                                child.getMetadata().getName().startsWith("c")))
                                .test(
                                        "D24: a child that would be foreign is refused before the write",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .expectError(
                                                                TerminalException.class,
                                                                "the desired Secret default/x does not match ours, so it"
                                                                        + " would be orphaned"),
                                                Result.Severity.DURABLE)))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> withoutOwnerReferences() {
        Given<ConfigMap> held = PARENT.finalizers(FINALIZER);
        Given<ConfigMap> dying = held.deleted(TestCluster.NOW);
        return Stream.of(
                        tests(selecting(LABELLED))
                                .test(
                                        "the finalizer is added before the child, which is in another namespace",
                                        t -> created(
                                                        finalized(
                                                                t.resource(PARENT)
                                                                        .given(ELSEWHERE),
                                                                true),
                                                        LABELLED)
                                                .expectOrder(on(RecordedCall.Verb.PATCH), on(RecordedCall.Verb.CREATE))
                                                .expectTrack(SELECTED)
                                                .expectResource(told(held, "child"))
                                                .again(next -> next.expectTrack(SELECTED)
                                                        .expectResource(told(held, "child"))))
                                .test(
                                        "a selected foreign object is left alone",
                                        t -> t.resource(NOTHING)
                                                .given(LABELLED.name("not-ours"))
                                                .expectTrack(SELECTED)
                                                .expectResource(told(NOTHING, "none")))
                                .test(
                                        "without the finalizer nothing is created",
                                        t -> event(
                                                        finalizerPatch(
                                                                t.resource(PARENT)
                                                                        .react(on(RecordedCall.Verb.PATCH)
                                                                                .fails(forbidden("no"))),
                                                                true),
                                                        "Warning",
                                                        "FinalizerPatchFailed",
                                                        "AddFinalizer",
                                                        "Failed to patch finalizer \"" + FINALIZER
                                                                + "\": configmaps \"parent\" is forbidden: no")
                                                .expectTrack(SELECTED)
                                                .expectError(ForbiddenException.class))
                                .test(
                                        "not desired any more: the finalizer is removed after the child",
                                        t -> deleted(
                                                        t.resource(NOTHING.finalizers(FINALIZER))
                                                                .given(LABELLED),
                                                        LABELLED)
                                                .expectTrack(SELECTED)
                                                .expectResource(told(NOTHING.finalizers(FINALIZER), "none"))
                                                .again(next -> finalized(next, false)
                                                        .expectTrack(SELECTED)
                                                        .expectResource(told(NOTHING, "none"))))
                                .test(
                                        "the end of the parent waits for the end of the child",
                                        t -> deleted(
                                                        t.resource(dying)
                                                                .given(LABELLED.finalizers("example.com/slow")),
                                                        LABELLED)
                                                .expectTrack(SELECTED)
                                                .again(next -> next.expectTrack(SELECTED))
                                                .again(next -> finalized(
                                                        next.prepare(cluster -> {
                                                                    Secret unused = cluster.client()
                                                                            .patch(
                                                                                    SECRETS,
                                                                                    LABELLED.key(),
                                                                                    Patch.merge("{\"metadata\":"
                                                                                            + "{\"finalizers\":null}}"),
                                                                                    WriteOptions.DEFAULT);
                                                                })
                                                                .expectResource(PARENT)
                                                                .expectTrack(SELECTED),
                                                        false))),
                        tests(selecting(LABELLED))
                                .test(
                                        "a terminating parent whose child is not in the cache yet keeps the finalizer",
                                        t -> t.resource(dying)
                                                .given(ELSEWHERE)
                                                .givenOnServer(LABELLED)
                                                .expectTrack(SELECTED)
                                                .expectResult(Result.retry()))
                                .test(
                                        "a deleted parent that is still in the cache: nothing is created",
                                        t -> severity(
                                                t.resource(held)
                                                        .given(ELSEWHERE)
                                                        .prepare(cluster -> {
                                                            ConfigMap unused = cluster.client()
                                                                    .update(PARENT.uid(Given.uidOf(PARENT.object()))
                                                                            .object());
                                                            var unused2 = cluster.client()
                                                                    .delete(PARENT.object());
                                                        })
                                                        .expectTrack(SELECTED)
                                                        .expectError(ConflictException.class),
                                                Result.Severity.QUIET)),
                        tests(selecting(LABELLED.label("parent", "other")))
                                .test(
                                        "D24: a child that would not be selected is refused before the write",
                                        t -> severity(
                                                t.resource(held)
                                                        .expectTrack(SELECTED)
                                                        .expectError(
                                                                TerminalException.class,
                                                                "metadata.labels: the desired Secret elsewhere/child is not"
                                                                        + " selected by \"parent=parent\""),
                                                Result.Severity.DURABLE)),
                        tests(selecting(LABELLED.namespace("default")))
                                .test(
                                        "D24: a child in another place is refused before the write",
                                        t -> t.resource(held)
                                                .expectTrack(SELECTED)
                                                .expectError(
                                                        TerminalException.class,
                                                        "metadata.namespace: the desired Secret default/child is not in"
                                                                + " namespace elsewhere")))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> finalizersOfManagers() {
        Given<ConfigMap> dying = PARENT.finalizers(FINALIZER).deleted(TestCluster.NOW);
        Given<Secret> slow = CHILD.finalizers("example.com/slow");
        return tests(builder()
                        .manager(ObjectManager.updating(
                                        Secret.class, (actual, desired) -> actual.setData(desired.getData()))
                                .finalizer(FINALIZER)))
                .test(
                        "of several children the last counts",
                        t -> deleted(
                                        deleted(
                                                t.resource(dying).given(slow.name("x"), slow.name("y")),
                                                slow.name("x")),
                                        slow.name("y"))
                                .again(next -> {}))
                .stream();
    }

    private static <S extends Suite.Case<S>> S finalizerPatch(S t, boolean added) {
        return added ? t.expectFinalizers(PARENT, FINALIZER) : t.expectFinalizers(PARENT);
    }

    private static <S extends Suite.Case<S>> S finalized(S t, boolean added) {
        return event(
                finalizerPatch(t, added),
                "Normal",
                "FinalizerPatched",
                added ? "AddFinalizer" : "ClearFinalizer",
                "Patched finalizer \"" + FINALIZER + "\"");
    }

    @TestFactory
    Stream<DynamicTest> paused() {
        AtomicInteger asked = new AtomicInteger();
        return tests(builder()
                        .desired((reconciliation, parent) -> {
                            asked.incrementAndGet();
                            return Optional.empty();
                        })
                        .paused((reconciliation, parent) -> true))
                .test(
                        "the child is left alone, and reflected",
                        t -> t.resource(PARENT)
                                .given(DRIFTED)
                                .expectResource(told(PARENT, "child"))
                                .verify(run -> assertThat(asked).hasValue(0)))
                .test("D23: null is not a child", t -> t.resource(PARENT).expectResource(told(PARENT, "none")))
                .test(
                        "the end of the parent is not paused",
                        t -> deleted(t.resource(DYING).given(CHILD), CHILD))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> failures() {
        return Stream.of(
                        tests(builder().desired((reconciliation, parent) -> {
                                    throw new IllegalStateException("no image yet");
                                }))
                                .test(
                                        "the desired child is unknown: no call, no event",
                                        t -> t.resource(PARENT)
                                                .given(CHILD)
                                                .expectError(IllegalStateException.class, "no image yet")),
                        tests(builder().reflect((reconciliation, parent, result) -> {
                                    throw new IllegalStateException("no status");
                                }))
                                .test(
                                        "a reflection that fails is a failure",
                                        t -> t.resource(PARENT)
                                                .given(CHILD)
                                                .expectError(IllegalStateException.class, "no status")),
                        elsewhere(builder().build(), false)
                                .test(
                                        "with another identity children are listed",
                                        t -> t.resource(PARENT)
                                                .given(CHILD)
                                                .expectResource(told(PARENT, "child"))
                                                .verify(run -> assertThat(run.journal()
                                                                .calls()
                                                                .getFirst()
                                                                .verb())
                                                        .isEqualTo(RecordedCall.Verb.LIST)))
                                .test(
                                        "with another identity a list that is refused is a failure",
                                        t -> t.resource(PARENT)
                                                .given(CHILD)
                                                .react(on(RecordedCall.Verb.LIST)
                                                        .kind(Secret.class)
                                                        .fails(internal()))
                                                .expectError(ApiException.class)),
                        elsewhere(builder().build(), true)
                                .test(
                                        "an owner is not of another cluster",
                                        t -> severity(
                                                t.resource(PARENT)
                                                        .expectError(TerminalException.class, "in another cluster"),
                                                Result.Severity.DURABLE)),
                        elsewhere(selecting(LABELLED).build(), true)
                                .test(
                                        "a deletion in another cluster triggers nothing, so it is retried",
                                        t -> deleted(
                                                        t.resource(NOTHING.finalizers(FINALIZER))
                                                                .given(LABELLED),
                                                        LABELLED)
                                                .expectResource(told(NOTHING.finalizers(FINALIZER), "none"))
                                                .expectResult(Result.retry())))
                .flatMap(SubReconcilerTests::stream);
    }

    /** The part with a client that is not the controller's. */
    private static SubReconcilerTests<ConfigMap> elsewhere(Part<ConfigMap> part, boolean whole) {
        return SubReconcilerTests.in(
                ConfigMap.class,
                cluster -> Part.of(part.description(), (reconciliation, resource) -> {
                    Part.Config config = Part.Config.of(reconciliation);
                    return part.reconcile(
                            ReconciliationView.with(
                                    reconciliation,
                                    whole ? config.elsewhere(cluster.reactive()) : config.client(cluster.reactive())),
                            resource);
                }));
    }

    @TestFactory
    Stream<DynamicTest> kinds() {
        Kind<GenericKubernetesResource> secrets = Kind.generic("", "v1", "Secret", "secrets", true);
        Given<Secret> generated = PLAIN.without("metadata.name").at("metadata.generateName", "child-");
        Part<ConfigMap> generic = ChildReconciler.of(MAPS, secrets)
                .desired((reconciliation, parent) ->
                        Optional.of(generated.text().decode(GenericKubernetesResource.class)))
                .merge((actual, desired) -> actual.setAdditionalProperty(
                        "data", desired.getAdditionalProperties().get("data")))
                .reflect((parent, child) -> {
                    parent.getData()
                            .put("child", child.orElseThrow().getMetadata().getName());
                })
                .build();
        return Stream.of(
                        tests(generic)
                                .test(
                                        "generic objects with generated names: created once, then found by the owner",
                                        t -> t.resource(PARENT)
                                                .expectCreate(generated.ownedBy(PARENT))
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Secret \"child-nc7q7\"")
                                                .expectResource(told(PARENT, "child-nc7q7"))
                                                .again(next -> next.expectResource(told(PARENT, "child-nc7q7")))),
                        tests(ChildReconciler.of(ConfigMap.class, Secret.class)
                                        .desired((reconciliation, parent) -> wanted(PLAIN, parent))
                                        .fieldManager("tests")
                                        .build())
                                .test(
                                        "applied, without reflection",
                                        t -> event(
                                                        t.resource(PARENT).expectApply(CHILD),
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Secret \"child\"")
                                                .again(next -> {})
                                                .again(next -> event(
                                                        next.prepare(cluster -> {
                                                                    Secret unused = cluster.client()
                                                                            .patch(
                                                                                    SECRETS,
                                                                                    CHILD.key(),
                                                                                    Patch.merge(
                                                                                            "{\"data\":{\"a\":\"Mg==\"}}"),
                                                                                    WriteOptions.DEFAULT);
                                                                })
                                                                .expectApply(CHILD),
                                                        "Normal",
                                                        "Updated",
                                                        "UpdateChild",
                                                        "Updated Secret \"child\""))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void aManagerIsAnyFunction() {
        List<String> calls = new ArrayList<>();
        ObjectManager<Secret> stub = (reconciliation, resource, actual, desired) -> {
            calls.add(resource.getMetadata().getName() + " " + actual.isPresent() + " " + desired.isPresent());
            return desired;
        };
        SubReconcilerTests<ConfigMap> cases = tests(builder().manager(stub))
                .test("managed", t -> t.resource(PARENT).given(CHILD).expectResource(told(PARENT, "child")));
        cases.stream().forEach(test -> {
            try {
                test.getExecutable().execute();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
        assertThat(calls).containsExactly("parent true true");
    }

    @Test
    void requirements() {
        assertThat(builder().build().description().needs())
                .extracting(Part.Requirement::toString)
                .hasSize(4)
                .anySatisfy(need -> assertThat(need).startsWith("Owns"))
                .anySatisfy(need -> assertThat(need).startsWith("Tracks"));
        assertThat(builder().build().description().needs())
                .filteredOn(need -> need.subresource().equals("finalizers"))
                .singleElement()
                .satisfies(need -> assertThat(need.kind()).isEqualTo(MAPS));
        assertThat(selecting(LABELLED).build().description().needs())
                .hasAtLeastOneElementOfType(Part.Requirement.Reads.class)
                .doesNotHaveAnyElementsOfTypes(Part.Requirement.Owns.class)
                .anySatisfy(need -> {
                    assertThat(need.kind()).isEqualTo(MAPS);
                    assertThat(need.verbs()).containsExactly("patch");
                });
        Part.Requirement more = new Part.Requirement.Tracks<>(Kind.of(Pod.class));
        assertThat(builder().needs(more).build().description().needs())
                .hasSize(5)
                .contains(more);
        assertThat(builder().build()).hasToString("ChildReconciler \"SecretChildReconciler\"");
        assertThat(builder().name("token").build()).hasToString("ChildReconciler \"token\"");
    }

    @Test
    void missingSettingsAreReported() {
        missing(ChildReconciler.of(ConfigMap.class, Secret.class), "desired: the child");
        missing(
                ChildReconciler.of(ConfigMap.class, Secret.class).desired((reconciliation, parent) -> Optional.empty()),
                "manager: how the child is written");
        missing(builder().finalizer("x"), "selection: where children are, since owner references are not used");
        missing(
                builder().selection((reconciliation, parent) -> ListOptions.ALL),
                "ours: which of the selected are children, since owner references are not used");
        missing(
                builder().reflect((parent, child) -> {}).reflectedErrors(ForbiddenException.class),
                "reflect with a result, since errors are reflected");
    }

    private static void missing(ChildReconciler.Builder<ConfigMap, Secret> builder, String what) {
        assertThatIllegalStateException()
                .isThrownBy(builder.name("x")::build)
                .withMessageStartingWith("ChildReconciler \"x\" must define " + what);
    }
}
