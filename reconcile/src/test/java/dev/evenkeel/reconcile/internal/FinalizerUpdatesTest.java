package dev.evenkeel.reconcile.internal;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.notFound;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class FinalizerUpdatesTest {
    /** The version of the first object in a cluster: it has as many before it as a new cluster has. */
    private static final String FIRST = "9";

    private static final String A = "example.com/a";
    private static final String B = "example.com/b";
    private static final Given<ConfigMap> PLAIN =
            Given.yaml(ConfigMap.class, "metadata: {namespace: default, name: a}");
    private static final Given<ConfigMap> HELD = PLAIN.finalizers(A, B);

    /** The fields of every object, of any kind. */
    public static final class Anything implements HasMetadata {
        private ObjectMeta metadata = new ObjectMeta();

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        @Override
        public String getApiVersion() {
            return "example.com/v1";
        }

        @Override
        public void setApiVersion(String value) {}
    }

    private static SubReconcilerTests<ConfigMap> adding(String name) {
        return part((reconciliation, map) -> FinalizerUpdates.add(reconciliation, map, name));
    }

    private static SubReconcilerTests<ConfigMap> clearing(String name) {
        return part((reconciliation, map) -> FinalizerUpdates.clear(reconciliation, map, name));
    }

    private static SubReconcilerTests<ConfigMap> part(SubReconciler<ConfigMap> part) {
        return SubReconcilerTests.of(ConfigMap.class, () -> Part.of(part));
    }

    private static Patch patch(String finalizers) {
        return Patch.merge("{\"metadata\":{\"finalizers\":" + finalizers + ",\"resourceVersion\":\"" + FIRST + "\"}}");
    }

    private static void forget(TestCluster cluster) {
        var unused = cluster.client().delete(ConfigMap.class, PLAIN.key());
    }

    private static void touch(TestCluster cluster) {
        var unused = cluster.client()
                .patch(
                        Kind.of(ConfigMap.class),
                        PLAIN.key(),
                        Patch.merge("{\"data\":{\"x\":\"y\"}}"),
                        WriteOptions.DEFAULT);
    }

    private static void quiet(Expectations.Run run) {
        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
    }

    /** As a part does that sees the object in another class, and changed what is not to be written. */
    private static Result seenOtherwise(Reconciliation<ConfigMap> reconciliation, ConfigMap map) {
        map.setData(Map.of("local", "only"));
        Anything view = ModelCodec.convert(map, Anything.class);
        view.getMetadata().setLabels(Map.of("local", "only"));
        Result outcome = FinalizerUpdates.add(ReconciliationView.as(reconciliation, Anything.class), view, A);
        assertThat(view.getMetadata().getFinalizers()).containsExactly(A);
        assertThat(view.getMetadata().getResourceVersion()).isNotEqualTo(FIRST);
        assertThat(view.getMetadata().getLabels()).isEqualTo(Map.of("local", "only"));
        return outcome;
    }

    /** As a part does that works elsewhere. */
    private static Result addingElsewhere(
            TestCluster cluster, Reconciliation<ConfigMap> reconciliation, ConfigMap map) {
        Part.Config config = Part.Config.of(reconciliation)
                .elsewhere(cluster.other("other").client())
                .events((object, type, reason, action, message) -> {
                    throw new AssertionError("told elsewhere: " + message);
                });
        return FinalizerUpdates.add(ReconciliationView.with(reconciliation, config), map, A);
    }

    @TestFactory
    Stream<DynamicTest> finalizers() {
        return Stream.of(
                        adding(A)
                                .test(
                                        "is added",
                                        t -> t.resource(PLAIN)
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "AddFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.finalizers(A)))
                                .test("is present already", t -> t.resource(HELD))
                                .test(
                                        "adds to existing ones",
                                        t -> t.resource(PLAIN.finalizers(B))
                                                .expectPatch(PLAIN, patch("[\"example.com/b\",\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "AddFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.finalizers(B, A)))
                                .test(
                                        "a refused patch is reported, and retried",
                                        t -> t.resource(PLAIN)
                                                .react(on(PATCH).fails(forbidden("no")))
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Warning",
                                                        "FinalizerPatchFailed",
                                                        "AddFinalizer",
                                                        "Failed to patch finalizer \"example.com/a\":"
                                                                + " configmaps \"a\" is forbidden: no")
                                                .expectLog("ERROR", "unable to patch finalizers")
                                                .expectError(ForbiddenException.class, "no"))
                                .test(
                                        "a conflict is quiet, and the object unchanged",
                                        t -> t.resource(PLAIN)
                                                .meanwhile(FinalizerUpdatesTest::touch)
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectError(ConflictException.class)
                                                .verify(FinalizerUpdatesTest::quiet))
                                .test(
                                        "adding to a deleted object fails",
                                        t -> t.resource(PLAIN)
                                                .meanwhile(FinalizerUpdatesTest::forget)
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Warning",
                                                        "FinalizerPatchFailed",
                                                        "AddFinalizer",
                                                        "Failed to patch finalizer \"example.com/a\":"
                                                                + " configmaps \"a\" not found")
                                                .expectError(NotFoundException.class)),
                        adding("").test("nothing is added without a name", t -> t.resource(PLAIN)),
                        clearing("").test("nothing is removed without a name", t -> t.resource(HELD)),
                        clearing(A)
                                .test(
                                        "is removed",
                                        t -> t.resource(HELD)
                                                .expectPatch(HELD, patch("[\"example.com/b\"]"))
                                                .expectEvent(
                                                        HELD,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "ClearFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.finalizers(B)))
                                .test("is absent", t -> t.resource(PLAIN.finalizers(B)))
                                .test(
                                        "the last one",
                                        t -> t.resource(PLAIN.finalizers(A).deleted(TestCluster.NOW))
                                                .expectPatch(PLAIN, patch("null"))
                                                .expectEvent(
                                                        HELD,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "ClearFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.finalizers(A)
                                                        .deleted(TestCluster.NOW)
                                                        .without("metadata.finalizers")))
                                .test(
                                        "a deleted object has none",
                                        t -> t.resource(PLAIN.finalizers(A))
                                                .react(on(PATCH).fails(notFound()))
                                                .expectPatch(PLAIN, patch("null"))
                                                .expectResource(PLAIN)),
                        part(FinalizerUpdatesTest::seenOtherwise)
                                .test(
                                        "of an object in another class, and nothing else of it",
                                        t -> t.resource(PLAIN)
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "AddFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.at("data.local", "only"))),
                        SubReconcilerTests.in(
                                        ConfigMap.class,
                                        cluster -> Part.<ConfigMap>of(
                                                (reconciliation, map) -> addingElsewhere(cluster, reconciliation, map)))
                                .test(
                                        "with the options that the object was loaded with",
                                        t -> t.resource(PLAIN)
                                                .expectPatch(PLAIN, patch("[\"example.com/a\"]"))
                                                .expectEvent(
                                                        PLAIN,
                                                        "Normal",
                                                        "FinalizerPatched",
                                                        "AddFinalizer",
                                                        "Patched finalizer \"example.com/a\"")
                                                .expectResource(PLAIN.finalizers(A))))
                .flatMap(SubReconcilerTests::stream);
    }

    @Test
    void mayPatch() {
        assertThat(FinalizerUpdates.need(Kind.of(ConfigMap.class)))
                .isEqualTo(new Part.Requirement.May(Kind.of(ConfigMap.class), "", Set.of("patch")));
    }
}
