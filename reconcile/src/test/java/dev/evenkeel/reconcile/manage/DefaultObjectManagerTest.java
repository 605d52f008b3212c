package dev.evenkeel.reconcile.manage;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.Suite;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.slf4j.LoggerFactory;

/** The table of {@link ObjectManager}, for each of the three, and what is particular to each. */
class DefaultObjectManagerTest {
    static {
        // its lines are expected
        ((Logger) LoggerFactory.getLogger(ObjectManager.class)).setLevel(Level.INFO);
    }

    private static final Kind<Deployment> DEPLOYMENTS = Kind.of(Deployment.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "web");
    private static final String FINALIZER = "example.com/web";

    /** Sets the desired replicas; none when absent. */
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: parent}
            data: {replicas: "2"}
            """);

    private static final Given<ConfigMap> NOTHING = PARENT.without("data.replicas");

    /** As it is desired. */
    private static final Given<Deployment> WANTED = Given.yaml(Deployment.class, """
            metadata: {namespace: default, name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers: [{name: web, image: nginx}]
            """);

    private static final Given<Deployment> DRIFTED = WANTED.at("spec.replicas", 5);
    private static final Given<Deployment> OTHERS = WANTED.label("of", "others");
    private static final Given<Deployment> DYING =
            WANTED.finalizers("example.com/slow").deleted(TestCluster.NOW);

    /** A manager, and how its writes are expected. */
    private record Way(
            String name,
            Supplier<ObjectManager<Deployment>> manager,
            Supplier<ObjectManager<Deployment>> finalizing,
            RecordedCall.Verb create,
            RecordedCall.Verb update) {
        <S extends Expectations<S>> S created(S t) {
            return create == RecordedCall.Verb.APPLY ? t.expectApply(WANTED) : t.expectCreate(WANTED);
        }

        <S extends Expectations<S>> S updated(S t) {
            return switch (update) {
                case APPLY -> t.expectApply(WANTED);
                case PATCH ->
                    t.expectPatch(
                            WANTED,
                            Patch.merge("{\"metadata\":{\"uid\":\"" + Given.uidOf("Deployment", KEY)
                                    + "\"},\"spec\":{\"replicas\":2}}"));
                default -> t.expectUpdate(WANTED);
            };
        }
    }

    private static ObjectManager.Standard<Deployment> updating() {
        return ObjectManager.updating(
                Deployment.class,
                (actual, desired) ->
                        actual.getSpec().setReplicas(desired.getSpec().getReplicas()));
    }

    private static ObjectManager.Standard<Deployment> patching() {
        return ObjectManager.patching(
                Deployment.class,
                (actual, desired) ->
                        actual.getSpec().setReplicas(desired.getSpec().getReplicas()));
    }

    private static ObjectManager.Standard<Deployment> applying() {
        return ObjectManager.applying(Deployment.class, "parents");
    }

    private static final List<Way> WAYS = List.of(
            new Way(
                    "updating",
                    () -> updating(),
                    () -> updating().finalizer(FINALIZER).trackDesired(true),
                    RecordedCall.Verb.CREATE,
                    RecordedCall.Verb.UPDATE),
            new Way(
                    "patching",
                    () -> patching(),
                    () -> patching().finalizer(FINALIZER).trackDesired(true),
                    RecordedCall.Verb.CREATE,
                    RecordedCall.Verb.PATCH),
            new Way(
                    "applying",
                    () -> applying(),
                    () -> applying().finalizer(FINALIZER).trackDesired(true),
                    RecordedCall.Verb.APPLY,
                    RecordedCall.Verb.APPLY));

    private static Map<String, String> labels(ConfigMap parent) {
        return Optional.ofNullable(parent.getData().get("tier"))
                .map(tier -> Map.of("tier", tier))
                .orElse(Map.of());
    }

    private static Optional<Deployment> wanted(ConfigMap parent) {
        return Optional.ofNullable(parent.getData().get("replicas"))
                .map(replicas -> WANTED.at("spec.replicas", Integer.valueOf(replicas))
                        .with(deployment -> deployment.getMetadata().setLabels(labels(parent)))
                        .object());
    }

    /** Manages a deployment of the cache, as users of a manager do. */
    private static Part<ConfigMap> part(ObjectManager<Deployment> manager) {
        return Part.of(
                Part.Description.of("Managing")
                        .needs(new Part.Requirement.Owns<>(DEPLOYMENTS))
                        .needs(manager.needs()),
                (reconciliation, parent) -> {
                    try {
                        Optional<Deployment> result = manager.manage(
                                reconciliation,
                                parent,
                                reconciliation.cache(DEPLOYMENTS).find(KEY),
                                wanted(parent));
                        assertThat(result.isPresent())
                                .isEqualTo(parent.getData().containsKey("replicas"));
                        return Result.done();
                    } catch (RuntimeException e) {
                        return ObjectManager.outcome(e);
                    }
                });
    }

    private static SubReconcilerTests<ConfigMap> tests(Supplier<ObjectManager<Deployment>> manager) {
        return SubReconcilerTests.of(ConfigMap.class, () -> part(manager.get()));
    }

    private static <S extends Suite.Case<S>> S normal(S t, String reason, String action, String message) {
        return t.expectEvent(PARENT, "Normal", reason, action, message);
    }

    private static <S extends Suite.Case<S>> S warning(S t, String reason, String action, String message) {
        return t.expectEvent(PARENT, "Warning", reason, action, message);
    }

    private static <S extends Suite.Case<S>> S created(Way way, S t) {
        return normal(way.created(t), "Created", "CreateChild", "Created Deployment \"web\"");
    }

    private static <S extends Suite.Case<S>> S updated(Way way, S t) {
        return normal(way.updated(t), "Updated", "UpdateChild", "Updated Deployment \"web\"");
    }

    @TestFactory
    Stream<DynamicContainer> table() {
        return WAYS.stream().map(way -> DynamicContainer.dynamicContainer(way.name(), table(way)));
    }

    private static Stream<DynamicTest> table(Way way) {
        return tests(way.manager())
                .test("absent, and not desired", t -> t.resource(NOTHING))
                .test(
                        "absent and desired, then in sync",
                        t -> created(way, t.resource(PARENT))
                                .expectLog("INFO", "creating resource")
                                .again(next -> {})
                                .again(next -> {}))
                .test(
                        "a refused create is reported, and is a failure",
                        t -> warning(
                                        way.created(t.resource(PARENT)
                                                .react(on(way.create())
                                                        .kind(Deployment.class)
                                                        .fails(forbidden("quota")))),
                                        "CreationFailed",
                                        "CreateChild",
                                        "Failed to create Deployment \"web\":"
                                                + " deployments.apps \"web\" is forbidden: quota")
                                .expectLog("ERROR", "unable to create resource")
                                .expectError(ForbiddenException.class))
                .test(
                        "there, and something else is desired",
                        t -> updated(way, t.resource(PARENT).given(DRIFTED))
                                .expectLog("INFO", "updating resource")
                                .expectLog("INFO", "\"replicas\":2")
                                .expectLog("INFO", "updated resource")
                                .again(next -> {}))
                .test(
                        "a refused update is reported, and is a failure",
                        t -> warning(
                                        way.updated(t.resource(PARENT)
                                                .given(DRIFTED)
                                                .react(on(way.update())
                                                        .kind(Deployment.class)
                                                        .fails(forbidden("quota")))),
                                        "UpdateFailed",
                                        "UpdateChild",
                                        "Failed to update Deployment \"web\":"
                                                + " deployments.apps \"web\" is forbidden: quota")
                                .expectLog("ERROR", "unable to update resource")
                                .expectError(ForbiddenException.class))
                .test(
                        "D21: a conflict is retried, and not reported",
                        t -> way.updated(t.resource(PARENT)
                                        .given(DRIFTED)
                                        .react(on(way.update())
                                                .kind(Deployment.class)
                                                .fails(conflict())))
                                .expectError(ConflictException.class)
                                .verify(DefaultObjectManagerTest::isQuiet))
                .test(
                        "a concurrently deleted object is a conflict",
                        t -> way.updated(t.resource(PARENT)
                                        .given(DRIFTED)
                                        .meanwhile(cluster -> cluster.client().delete(Deployment.class, KEY)))
                                .expectError(ConflictException.class)
                                .verify(DefaultObjectManagerTest::isQuiet))
                .test(
                        "one of the same name that is another one is not touched",
                        t -> way.updated(t.resource(PARENT).given(DRIFTED).meanwhile(cluster -> {
                                    cluster.client().delete(Deployment.class, KEY);
                                    cluster.client().create(DRIFTED.object());
                                }))
                                .expectError(ConflictException.class)
                                .verify(run -> {
                                    isQuiet(run);
                                    assertThat(run.cluster()
                                                    .client()
                                                    .get(Deployment.class, KEY)
                                                    .getSpec()
                                                    .getReplicas())
                                            .isEqualTo(5);
                                }))
                .test(
                        "there, and not desired: this very one is deleted",
                        t -> normal(
                                        t.resource(NOTHING)
                                                .given(WANTED)
                                                .expectDelete(
                                                        WANTED,
                                                        DeleteOptions.DEFAULT.uid(Given.uidOf("Deployment", KEY))),
                                        "Deleted",
                                        "DeleteChild",
                                        "Deleted Deployment \"web\"")
                                .expectLog("INFO", "deleting unwanted resource"))
                .test(
                        "D21: a delete that finds nothing is done",
                        t -> t.resource(NOTHING)
                                .given(WANTED)
                                .meanwhile(cluster -> cluster.client().delete(Deployment.class, KEY))
                                .expectDelete(WANTED))
                .test(
                        "a refused delete is reported, and is a failure",
                        t -> warning(
                                        t.resource(NOTHING)
                                                .given(WANTED)
                                                .react(on(RecordedCall.Verb.DELETE)
                                                        .fails(forbidden("no")))
                                                .expectDelete(WANTED),
                                        "DeleteFailed",
                                        "DeleteChild",
                                        "Failed to delete Deployment \"web\":"
                                                + " deployments.apps \"web\" is forbidden: no")
                                .expectLog("ERROR", "unable to delete unwanted resource")
                                .expectError(ForbiddenException.class))
                .test("being deleted, and not desired", t -> t.resource(NOTHING).given(DYING))
                .test(
                        "D21: being deleted, and desired: it is waited for",
                        t -> t.resource(PARENT).given(DYING.at("spec.replicas", 5)))
                .stream();
    }

    private static void isQuiet(Expectations.Run run) {
        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
    }

    @TestFactory
    Stream<DynamicContainer> finalizersAndTracks() {
        return WAYS.stream().map(way -> DynamicContainer.dynamicContainer(way.name(), finalizersAndTracks(way)));
    }

    private static Stream<DynamicTest> finalizersAndTracks(Way way) {
        Given<ConfigMap> held = PARENT.finalizers(FINALIZER);
        return tests(way.finalizing())
                .test(
                        "the finalizer is added first, and the name is tracked once it exists",
                        t -> created(way, finalized(t.resource(PARENT), true))
                                .expectTrack(WANTED)
                                .expectOrder(
                                        on(RecordedCall.Verb.PATCH).kind(ConfigMap.class),
                                        on(way.create()).kind(Deployment.class))
                                .expectResource(held)
                                .again(next -> next.expectTrack(WANTED)))
                .test(
                        "without the finalizer nothing is created",
                        t -> warning(
                                        finalizerPatched(
                                                t.resource(PARENT)
                                                        .react(on(RecordedCall.Verb.PATCH)
                                                                .kind(ConfigMap.class)
                                                                .fails(forbidden("no"))),
                                                true),
                                        "FinalizerPatchFailed",
                                        "AddFinalizer",
                                        "Failed to patch finalizer \"" + FINALIZER
                                                + "\": configmaps \"parent\" is forbidden: no")
                                .expectError(ForbiddenException.class))
                .test(
                        "D26: an object that cannot be deleted is tracked",
                        t -> warning(
                                        t.resource(NOTHING.finalizers(FINALIZER))
                                                .given(WANTED)
                                                .react(on(RecordedCall.Verb.DELETE)
                                                        .fails(forbidden("no")))
                                                .expectDelete(WANTED),
                                        "DeleteFailed",
                                        "DeleteChild",
                                        "Failed to delete Deployment \"web\":"
                                                + " deployments.apps \"web\" is forbidden: no")
                                .expectTrack(WANTED)
                                .expectError(ForbiddenException.class))
                .test(
                        "the finalizer stays until the object is deleted",
                        t -> t.resource(NOTHING.finalizers(FINALIZER))
                                .given(DYING)
                                .again(next -> finalized(
                                        next.prepare(cluster -> cluster.client()
                                                        .patch(
                                                                DEPLOYMENTS,
                                                                KEY,
                                                                Patch.merge("{\"metadata\":{\"finalizers\":null}}"),
                                                                WriteOptions.DEFAULT))
                                                .expectResource(NOTHING),
                                        false)))
                .stream();
    }

    private static <S extends Suite.Case<S>> S finalizerPatched(S t, boolean added) {
        return added ? t.expectFinalizers(PARENT, FINALIZER) : t.expectFinalizers(PARENT);
    }

    private static <S extends Suite.Case<S>> S finalized(S t, boolean added) {
        return normal(
                finalizerPatched(t, added),
                "FinalizerPatched",
                added ? "AddFinalizer" : "ClearFinalizer",
                "Patched finalizer \"" + FINALIZER + "\"");
    }

    /** A webhook that will not have more than three. */
    private static Deployment limited(Deployment deployment) {
        deployment.getSpec().setReplicas(Math.min(3, deployment.getSpec().getReplicas()));
        return deployment;
    }

    /** A webhook that adds a container. */
    private static Deployment withSidecar(Deployment deployment) {
        var containers = deployment.getSpec().getTemplate().getSpec().getContainers();
        if (containers.size() == 1) {
            containers.add(
                    new ContainerBuilder().withName("side").withImage("side").build());
        }
        return deployment;
    }

    @TestFactory
    Stream<DynamicTest> serversThatKnowBetter() {
        Supplier<ObjectManager<Deployment>> whole =
                () -> ObjectManager.updating(Deployment.class, (actual, desired) -> actual.setSpec(desired.getSpec()));
        Supplier<ObjectManager<Deployment>> wholePatched =
                () -> ObjectManager.patching(Deployment.class, (actual, desired) -> actual.setSpec(desired.getSpec()));
        Given<ConfigMap> many = PARENT.at("data.replicas", "9");
        return Stream.of(
                        tests(whole)
                                .test(
                                        "D11: changes by webhooks and defaults are sent once, for an object with a generation",
                                        t -> t.resource(many)
                                                .given(WANTED)
                                                .react(on(RecordedCall.Verb.UPDATE)
                                                        .changes(Deployment.class, DefaultObjectManagerTest::limited))
                                                .expectUpdate(WANTED.at("spec.replicas", 9))
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Updated",
                                                        "UpdateChild",
                                                        "Updated Deployment \"web\"")
                                                .again(next -> {})
                                                // nothing that counts changed
                                                .again(next -> next.prepare(cluster -> cluster.client()
                                                        .patch(
                                                                DEPLOYMENTS,
                                                                KEY,
                                                                Patch.merge(
                                                                        "{\"metadata\":{\"labels\":{\"of\":\"others\"}}}"),
                                                                WriteOptions.DEFAULT)))
                                                // something that counts did
                                                .again(next -> next.prepare(cluster -> cluster.client()
                                                                .patch(
                                                                        DEPLOYMENTS,
                                                                        KEY,
                                                                        Patch.merge("{\"spec\":{\"replicas\":1}}"),
                                                                        WriteOptions.DEFAULT))
                                                        .react(on(RecordedCall.Verb.UPDATE)
                                                                .changes(
                                                                        Deployment.class,
                                                                        DefaultObjectManagerTest::limited))
                                                        .expectUpdate(OTHERS.at("spec.replicas", 9))
                                                        .expectEvent(
                                                                PARENT,
                                                                "Normal",
                                                                "Updated",
                                                                "UpdateChild",
                                                                "Updated Deployment \"web\""))
                                                // something else is wanted
                                                .again(next -> next.resource(many.at("data.replicas", "8"))
                                                        .react(on(RecordedCall.Verb.UPDATE)
                                                                .changes(
                                                                        Deployment.class,
                                                                        DefaultObjectManagerTest::limited))
                                                        .expectUpdate(OTHERS.at("spec.replicas", 8)))),
                        tests(wholePatched)
                                .test(
                                        "D11: the same of patches",
                                        t -> t.resource(PARENT)
                                                .given(WANTED.at("spec.replicas", 1))
                                                .expectPatch(WANTED, Patch.merge("""
                                                        {"metadata": {"uid": "%s"}, "spec": {
                                                          "replicas": 2, "progressDeadlineSeconds": null,
                                                          "revisionHistoryLimit": null, "strategy": null,
                                                          "template": {"spec": {
                                                            "dnsPolicy": null, "restartPolicy": null,
                                                            "schedulerName": null, "securityContext": null,
                                                            "terminationGracePeriodSeconds": null,
                                                            "containers": [{"image": "nginx", "name": "web"}]}}}}
                                                        """.formatted(
                                                                Given.uidOf("Deployment", KEY))))
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Updated",
                                                        "UpdateChild",
                                                        "Updated Deployment \"web\"")
                                                .again(next -> {})))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> applies() {
        Supplier<ObjectManager<Deployment>> applying = () -> applying();
        return Stream.of(
                        tests(applying)
                                .test(
                                        "D8: after a start an object in sync is applied once, without an event",
                                        t -> t.resource(PARENT)
                                                .prepare(DefaultObjectManagerTest::appliedBefore)
                                                .expectApply(WANTED)
                                                .again(next -> {})
                                                // whatever else changes
                                                .again(next -> next.prepare(cluster -> merge(
                                                        cluster, "{\"metadata\":{\"labels\":{\"of\":\"others\"}}}")))
                                                .again(next -> next.prepare(cluster -> status(cluster, 2)))
                                                // the wish of another actor for what is wished for here
                                                .again(next -> next.prepare(cluster ->
                                                                merge(cluster, "{\"spec\":{\"replicas\":1}}"))
                                                        .expectApply(WANTED)
                                                        .expectEvent(
                                                                PARENT,
                                                                "Normal",
                                                                "Updated",
                                                                "UpdateChild",
                                                                "Updated Deployment \"web\""))
                                                .again(next -> {})
                                                .again(next -> next.now(TestCluster.NOW.plus(Duration.ofHours(20))))
                                                // it is renewed by use
                                                .again(next -> next.now(TestCluster.NOW.plus(Duration.ofHours(40))))),
                        tests(applying)
                                .test(
                                        "a server that keeps adding fields to the applied ones receives another apply after an hour",
                                        t -> t.resource(PARENT)
                                                .react(on(RecordedCall.Verb.APPLY)
                                                        .changes(
                                                                Deployment.class,
                                                                DefaultObjectManagerTest::withSidecar))
                                                .expectApply(WANTED)
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Deployment \"web\"")
                                                .again(next -> {})
                                                .again(next -> next.prepare(cluster -> status(cluster, 1)))
                                                .again(next -> next.now(TestCluster.NOW.plus(Duration.ofMinutes(59))))
                                                .again(next -> next.now(TestCluster.NOW.plus(Duration.ofMinutes(61)))
                                                        .react(on(RecordedCall.Verb.APPLY)
                                                                .changes(
                                                                        Deployment.class,
                                                                        DefaultObjectManagerTest::withSidecar))
                                                        .expectApply(WANTED))),
                        tests(applying)
                                .test(
                                        "a foreign object is not adopted",
                                        t -> warning(
                                                        t.resource(PARENT).givenOnServer(DRIFTED),
                                                        "CreationFailed",
                                                        "CreateChild",
                                                        "Failed to create Deployment \"web\":"
                                                                + " deployments.apps \"web\" already exists")
                                                .expectError(AlreadyExistsException.class)),
                        tests(() -> applying().force(false))
                                .test(
                                        "without force a field of another manager stays, and that is reported",
                                        t -> warning(
                                                        t.resource(PARENT)
                                                                .given(DRIFTED)
                                                                .expectApply(WANTED),
                                                        "UpdateFailed",
                                                        "UpdateChild",
                                                        "Failed to update Deployment \"web\": Apply failed with 1 conflict:"
                                                                + " conflict with \"evenkeel\" using apps/v1: .spec.replicas")
                                                .expectError(ConflictException.class)
                                                .verify(run -> assertThat(
                                                                run.outcome().severity())
                                                        .isEqualTo(Result.Severity.FAILED))),
                        tests(applying)
                                .test(
                                        "fields that are not desired any more are removed",
                                        t -> t.resource(PARENT.at("data.tier", "front"))
                                                .expectApply(WANTED.label("tier", "front"))
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Deployment \"web\"")
                                                .again(next -> updated(WAYS.get(2), next.resource(PARENT))
                                                        .verify(run -> assertThat(run.cluster()
                                                                        .client()
                                                                        .get(Deployment.class, KEY)
                                                                        .getMetadata()
                                                                        .getLabels())
                                                                .isEmpty()))))
                .flatMap(SubReconcilerTests::stream);
    }

    private static void appliedBefore(TestCluster cluster) {
        Deployment unused = cluster.client()
                .apply(
                        WANTED.object(),
                        WriteOptions.DEFAULT.fieldManager("parents").force(true));
    }

    private static void merge(TestCluster cluster, String patch) {
        Deployment unused = cluster.client().patch(DEPLOYMENTS, KEY, Patch.merge(patch), WriteOptions.DEFAULT);
    }

    private static void status(TestCluster cluster, int replicas) {
        Deployment unused = cluster.client()
                .patchStatus(
                        DEPLOYMENTS,
                        KEY,
                        Patch.merge("{\"status\":{\"replicas\":" + replicas + "}}"),
                        WriteOptions.DEFAULT);
    }

    @TestFactory
    Stream<DynamicTest> particulars() {
        return Stream.of(
                        tests(() -> ObjectManager.updating(
                                                Deployment.class,
                                                (actual, desired) -> actual.getSpec()
                                                        .setReplicas(desired.getSpec()
                                                                .getReplicas()))
                                        .harmonizeImmutableFields((actual, desired) -> desired.getSpec()
                                                .setReplicas(actual.getSpec().getReplicas())))
                                .test(
                                        "immutable fields make no difference",
                                        t -> t.resource(PARENT).given(DRIFTED)),
                        tests(() -> applying()
                                        .harmonizeImmutableFields((actual, desired) -> desired.getSpec()
                                                .setReplicas(actual.getSpec().getReplicas())))
                                .test(
                                        "immutable fields are applied unchanged, and not again",
                                        t -> t.resource(PARENT)
                                                .given(DRIFTED)
                                                .expectApply(DRIFTED)
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Updated",
                                                        "UpdateChild",
                                                        "Updated Deployment \"web\"")
                                                .again(next -> {})),
                        tests(() -> updating().sanitize(deployment -> {
                                    deployment.getSpec().setReplicas(0);
                                    return deployment;
                                }))
                                .test(
                                        "the log has no confidential fields",
                                        t -> updated(
                                                        WAYS.getFirst(),
                                                        t.resource(PARENT).given(DRIFTED))
                                                .expectLog("INFO", "diff={}")),
                        tests(() -> patching().locked(true))
                                .test(
                                        "a locked patch is for the state that was read",
                                        t -> t.resource(PARENT)
                                                .given(DRIFTED)
                                                .meanwhile(cluster -> status(cluster, 1))
                                                .expectPatch(
                                                        WANTED,
                                                        Patch.merge(
                                                                "{\"metadata\":{\"uid\":\""
                                                                        + Given.uidOf("Deployment", KEY)
                                                                        + "\",\"resourceVersion\":\"10\"},\"spec\":{\"replicas\":2}}"))
                                                .expectError(ConflictException.class)
                                                .verify(DefaultObjectManagerTest::isQuiet)),
                        tests(() -> patching())
                                .test(
                                        "a patch without lock keeps concurrent changes by other clients",
                                        t -> updated(
                                                WAYS.get(1),
                                                t.resource(PARENT)
                                                        .given(DRIFTED)
                                                        .meanwhile(cluster -> status(cluster, 1)))))
                .flatMap(SubReconcilerTests::stream);
    }

    /** Manages the same shared object for all callers, and checks that it is not changed. */
    private static Part<ConfigMap> sharing(ObjectManager<Deployment> manager) {
        Deployment desired = WANTED.object();
        return Part.of(
                Part.Description.of("Managing").needs(new Part.Requirement.Owns<>(DEPLOYMENTS)),
                (reconciliation, parent) -> {
                    Optional<Deployment> unused = manager.manage(
                            reconciliation,
                            parent,
                            reconciliation.cache(DEPLOYMENTS).find(KEY),
                            Optional.of(desired));
                    assertThat(desired).isEqualTo(WANTED.object());
                    return Result.done();
                });
    }

    @TestFactory
    Stream<DynamicTest> whatIsDesiredStaysTheCallers() {
        BiConsumer<Deployment, Deployment> keeping = (actual, desired) ->
                desired.getSpec().setReplicas(actual.getSpec().getReplicas());
        BiConsumer<Deployment, Deployment> taking = (actual, desired) -> {
            actual.getSpec().setReplicas(desired.getSpec().getReplicas());
            desired.getMetadata().setLabels(Map.of("taken", "yes"));
        };
        return Stream.of(
                        ObjectManager.updating(Deployment.class, taking).harmonizeImmutableFields(keeping),
                        ObjectManager.patching(Deployment.class, taking).harmonizeImmutableFields(keeping))
                .map(manager -> SubReconcilerTests.of(ConfigMap.class, () -> sharing(manager))
                        .test(
                                manager + " gives copies to who harmonizes and merges",
                                t -> t.resource(PARENT).given(DRIFTED)))
                .flatMap(SubReconcilerTests::stream);
    }

    @TestFactory
    Stream<DynamicTest> names() {
        Kind<Secret> secrets = Kind.of(Secret.class);
        ObjectKey key = ObjectKey.of("default", "s");
        BiFunction<ObjectManager<Secret>, Optional<Secret>, Part<ConfigMap>> part = (manager, desired) -> Part.of(
                Part.Description.of("Managing")
                        .needs(new Part.Requirement.Owns<>(secrets))
                        .needs(manager.needs()),
                (reconciliation, parent) -> {
                    Optional<Secret> unused = manager.manage(
                            reconciliation,
                            parent,
                            reconciliation.cache(secrets).find(key),
                            desired);
                    return Result.done();
                });
        ObjectManager<Secret> updating = ObjectManager.updating(
                        Secret.class, (actual, desired) -> actual.setData(desired.getData()))
                .trackDesired(true);
        Given<Secret> generated = Given.yaml(Secret.class, "metadata: {namespace: default, generateName: s-}");
        Given<Secret> named = Given.yaml(Secret.class, "{metadata: {namespace: default, name: s}, data: {a: Yg==}}");
        return Stream.of(
                        SubReconcilerTests.of(
                                        ConfigMap.class, () -> part.apply(updating, Optional.of(generated.object())))
                                .test(
                                        "tracks and reports a generated name",
                                        t -> t.resource(PARENT)
                                                .expectCreate(generated)
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Created",
                                                        "CreateChild",
                                                        "Created Secret \"s-nc7q7\"")
                                                .expectTrack(named.name("s-nc7q7"))),
                        SubReconcilerTests.of(
                                        ConfigMap.class,
                                        () -> part.apply(
                                                ObjectManager.applying(Secret.class, "x"),
                                                Optional.of(generated.object())))
                                .test(
                                        "an object without a name is not applied",
                                        t -> t.resource(PARENT)
                                                .expectEvent(
                                                        PARENT,
                                                        "Warning",
                                                        "CreationFailed",
                                                        "CreateChild",
                                                        "Failed to create Secret \"\": metadata.name: Secret without one"
                                                                + " can't be applied as x: give it a name, or use"
                                                                + " ObjectManager.updating for generated names")
                                                .expectError(TerminalException.class)),
                        SubReconcilerTests.of(ConfigMap.class, () -> part.apply(updating, Optional.of(named.object())))
                                .test(
                                        "nothing of a secret is logged",
                                        t -> t.resource(PARENT)
                                                .given(named.at("data.a", "Yw=="))
                                                .expectUpdate(named)
                                                .expectTrack(named)
                                                .expectLog("INFO", "diff=(not shown")
                                                .expectEvent(
                                                        PARENT,
                                                        "Normal",
                                                        "Updated",
                                                        "UpdateChild",
                                                        "Updated Secret \"s\"")))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void namesAndFieldManagers() {
        assertThat(updating()).hasToString("ObjectManager \"DeploymentObjectManager\"");
        assertThat(patching().name("web")).hasToString("ObjectManager \"web\"");
        assertThatIllegalArgumentException()
                .as("D29")
                .isThrownBy(() -> ObjectManager.applying(Deployment.class, " "))
                .withMessage("fieldManager: must not be blank, it owns the fields of deployments.apps");
    }

    @Test
    void requirements() {
        assertThat(updating().needs())
                .extracting(Part.Requirement::kind, Part.Requirement::verbs)
                .containsExactly(tuple(DEPLOYMENTS, Set.of("create", "update", "delete")));
        assertThat(applying().trackDesired(true).needs())
                .extracting(Part.Requirement::verbs)
                .containsExactly(Set.of("create", "patch", "delete"), Part.Requirement.READING);
    }

    @Test
    void refusalsAreFoundWhateverIsAroundThem() {
        ApiException conflict = ApiException.of(Status.of(409, "Conflict", "old"));
        RuntimeException wrapped = new IllegalStateException("x", new RuntimeException(conflict));
        assertThat(ObjectManager.refusal(wrapped)).contains(conflict);
        assertThat(ObjectManager.outcome(wrapped).severity()).isEqualTo(Result.Severity.QUIET);
        assertThat(ObjectManager.refusal(new IllegalStateException())).isEmpty();
        assertThat(ObjectManager.outcome(new TerminalException("x")).severity()).isEqualTo(Result.Severity.DURABLE);
    }
}
