package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.MirrorReconciler.LABEL;
import static dev.evenkeel.examples.stream.Streams.DEFINITIONS;
import static dev.evenkeel.examples.stream.Streams.EARLIER;
import static dev.evenkeel.examples.stream.Streams.expectStatus;
import static dev.evenkeel.examples.stream.Streams.says;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.object.Given;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MirrorCasesTest {
    private static final Given<Mirror> NEW = Given.yaml(Mirror.class, """
            metadata: {namespace: default, name: archive, generation: 1}
            spec: {from: main, to: store, topics: {matchLabels: {archive: "yes"}}}
            """);
    private static final Tracker.Target TRACKED = Tracker.Target.selecting(
            Kind.of(Topic.class), "default", LabelSelector.parse("archive=yes,!stream.evenkeel.dev/mirror"));

    private static final Given<Topic> ORDERS =
            Streams.ready("orders", "main").label("archive", "yes").at("spec.settings.retention", "7d");
    private static final Given<Topic> BILLS = Streams.ready("bills", "main").label("archive", "yes");
    private static final Given<Topic> ORDERS_COPY = copy(ORDERS);
    private static final Given<Topic> BILLS_COPY = copy(BILLS);

    /** As it is made. */
    private static Given<Topic> copy(Given<Topic> topic) {
        return Given.of(topic.object())
                .without("status")
                .without("metadata.labels")
                .without("spec.replicas")
                .name("archive-" + topic.key().name())
                .at("spec.broker", "store")
                .label(LABEL, "archive")
                .ownedBy(NEW);
    }

    /** As the webhook and its reconciler leave it. */
    private static Given<Topic> ready(Given<Topic> copy) {
        return copy.at("spec.replicas", 1).condition("Ready").isTrue("Ready");
    }

    private static Given<Mirror> said(
            Given<Mirror> mirror, boolean all, String reason, String message, String... topics) {
        String status = all ? "True" : "False";
        return says(
                        says(mirror.statusAt("topics", List.of(topics)), "Mirrored", status, reason, message),
                        "Ready",
                        status,
                        all ? "Ready" : reason,
                        message)
                .statusAt("observedGeneration", 1);
    }

    private static Given<Mirror> mirrored(String... topics) {
        return said(NEW, true, "TopicsReady", "", topics);
    }

    private static Given<Mirror> failing(String reason, String message, String... topics) {
        return said(NEW, false, reason, message, topics);
    }

    private static <S extends Expectations<S>> S expectEvent(Expectations<S> t, String what, Given<Topic> copy) {
        String action = what.replaceFirst("d$", "") + "Child";
        return t.expectEvent(
                NEW, "Normal", what, action, what + " Topic \"" + copy.key().name() + "\"");
    }

    private static ReconcilerTests<Mirror> tests() {
        return ReconcilerTests.of(MirrorReconciler::controller).definitions(DEFINITIONS);
    }

    @TestFactory
    Stream<DynamicTest> wishes() {
        return tests()
                .test("a deleted mirror needs nothing", t -> t.request("default", "archive"))
                .test(
                        "a terminating mirror is left to the garbage collector",
                        t -> t.given(NEW.finalizers("example.com/hold").deleted(EARLIER)))
                .test(
                        "a new mirror copies the selected topics, and waits until they are ready",
                        t -> expectStatus(
                                expectEvent(
                                        expectEvent(
                                                t.given(NEW, ORDERS, BILLS)
                                                        .expectTrack(TRACKED)
                                                        .expectCreate(BILLS_COPY)
                                                        .expectCreate(ORDERS_COPY),
                                                "Created",
                                                BILLS_COPY),
                                        "Created",
                                        ORDERS_COPY),
                                failing(
                                        "TopicsNotReady",
                                        "not ready: archive-bills, archive-orders",
                                        "archive-bills",
                                        "archive-orders")))
                .test(
                        "when all copies are ready, so is the mirror",
                        t -> expectStatus(
                                t.given(NEW, ORDERS, BILLS, ready(ORDERS_COPY), ready(BILLS_COPY))
                                        .expectTrack(TRACKED),
                                mirrored("archive-bills", "archive-orders")))
                .test(
                        "a mirror that is as it should be: nothing is written",
                        t -> t.given(mirrored("archive-orders"), ORDERS, ready(ORDERS_COPY))
                                .expectTrack(TRACKED))
                .test(
                        "a mirror that selects nothing is ready",
                        t -> expectStatus(t.given(NEW).expectTrack(TRACKED), mirrored()))
                .test(
                        "a copy that is not ready any more is named",
                        t -> expectStatus(
                                t.given(
                                                mirrored("archive-bills", "archive-orders"),
                                                ORDERS,
                                                BILLS,
                                                ready(ORDERS_COPY),
                                                ready(BILLS_COPY)
                                                        .condition("Ready")
                                                        .isFalse("Refused", "no"))
                                        .expectTrack(TRACKED),
                                failing(
                                        "TopicsNotReady",
                                        "not ready: archive-bills",
                                        "archive-bills",
                                        "archive-orders")))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> selections() {
        return tests()
                .test(
                        "a topic without the label is not copied",
                        t -> expectStatus(
                                t.given(NEW, ORDERS.without("metadata.labels")).expectTrack(TRACKED), mirrored()))
                .test(
                        "a topic of another broker is not copied",
                        t -> expectStatus(
                                t.given(NEW, ORDERS.at("spec.broker", "other")).expectTrack(TRACKED), mirrored()))
                .test(
                        "a topic of another namespace is not copied",
                        t -> expectStatus(
                                t.given(NEW, ORDERS.namespace("other")).expectTrack(TRACKED), mirrored()))
                .test(
                        "a copy is not copied, by any mirror: two mirrors in opposite directions settle",
                        t -> expectStatus(
                                t.given(NEW, ORDERS.label(LABEL, "another")).expectTrack(TRACKED), mirrored()))
                .test(
                        "a terminating topic is not copied any more",
                        t -> expectStatus(
                                expectEvent(
                                        t.given(
                                                        mirrored("archive-orders"),
                                                        ORDERS.finalizers("example.com/hold")
                                                                .deleted(EARLIER),
                                                        ready(ORDERS_COPY))
                                                .expectTrack(TRACKED)
                                                .expectDelete(ORDERS_COPY),
                                        "Deleted",
                                        ORDERS_COPY),
                                mirrored()))
                .test(
                        "the copy of a topic that lost its label is deleted",
                        t -> expectStatus(
                                expectEvent(
                                        t.given(
                                                        mirrored("archive-bills", "archive-orders"),
                                                        ORDERS.without("metadata.labels"),
                                                        BILLS,
                                                        ready(ORDERS_COPY),
                                                        ready(BILLS_COPY))
                                                .expectTrack(TRACKED)
                                                .expectDelete(ORDERS_COPY),
                                        "Deleted",
                                        ORDERS_COPY),
                                mirrored("archive-bills")))
                .test(
                        "expressions select, too",
                        t -> expectStatus(
                                t.given(
                                                NEW.at(
                                                        "spec.topics",
                                                        Map.of(
                                                                "matchExpressions",
                                                                List.of(Map.of(
                                                                        "key",
                                                                        "archive",
                                                                        "operator",
                                                                        "DoesNotExist")))),
                                                ORDERS)
                                        .expectTrack(Tracker.Target.selecting(
                                                Kind.of(Topic.class),
                                                "default",
                                                LabelSelector.parse("!archive,!stream.evenkeel.dev/mirror"))),
                                mirrored()))
                .test(
                        "an invalid selector: the status has the reason until it is changed, and copies stay",
                        t -> expectStatus(
                                        t.given(
                                                        NEW.at(
                                                                "spec.topics",
                                                                Map.of(
                                                                        "matchExpressions",
                                                                        List.of(Map.of(
                                                                                "key", "archive", "operator", "Is")))),
                                                        ready(ORDERS_COPY))
                                                .expectError(BadRequestException.class),
                                        failing("InvalidSelector", "\"Is\" is not a valid label selector operator")
                                                .without("status.observedGeneration"))
                                .verify(run ->
                                        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.DURABLE)))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> copies() {
        return tests()
                .test(
                        "a copy grows with its topic, and keeps its replicas",
                        t -> expectEvent(
                                t.given(mirrored("archive-orders"), ORDERS.at("spec.partitions", 9), ready(ORDERS_COPY))
                                        .expectTrack(TRACKED)
                                        .expectUpdate(ready(ORDERS_COPY).at("spec.partitions", 9)),
                                "Updated",
                                ORDERS_COPY))
                .test(
                        "changes of a copy by a user are reverted; labels of other managers stay",
                        t -> expectEvent(
                                t.given(
                                                mirrored("archive-orders"),
                                                ORDERS,
                                                ready(ORDERS_COPY)
                                                        .label("team", "shop")
                                                        .at("spec.settings.retention", "1d"))
                                        .expectTrack(TRACKED)
                                        .expectUpdate(ready(ORDERS_COPY).label("team", "shop")),
                                "Updated",
                                ORDERS_COPY))
                .test(
                        "a copy that a user deleted is created again",
                        t -> expectStatus(
                                expectEvent(
                                        t.given(mirrored("archive-orders"), ORDERS)
                                                .expectTrack(TRACKED)
                                                .expectCreate(ORDERS_COPY),
                                        "Created",
                                        ORDERS_COPY),
                                failing("TopicsNotReady", "not ready: archive-orders", "archive-orders")))
                .test(
                        "a terminating copy is waited for",
                        t -> expectStatus(
                                t.given(
                                                mirrored("archive-orders"),
                                                ORDERS,
                                                ready(ORDERS_COPY)
                                                        .finalizers(TopicReconciler.FINALIZER)
                                                        .deleted(EARLIER))
                                        .expectTrack(TRACKED),
                                failing("TopicsNotReady", "not ready: archive-orders", "archive-orders")))
                .test(
                        "a foreign topic of that name is left alone; the other copies are created",
                        t -> expectStatus(
                                expectEvent(
                                                t.given(
                                                                NEW,
                                                                ORDERS,
                                                                BILLS,
                                                                ready(ORDERS_COPY)
                                                                        .without("metadata.ownerReferences"))
                                                        .expectTrack(TRACKED)
                                                        .expectTrack(Streams.tracked(Topic.class, "archive-orders"))
                                                        .expectCreate(BILLS_COPY)
                                                        .expectCreate(ORDERS_COPY),
                                                "Created",
                                                BILLS_COPY)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "CreationFailed",
                                                "CreateChild",
                                                "Failed to create Topic \"archive-orders\": topics.stream.evenkeel.dev"
                                                        + " \"archive-orders\" already exists"),
                                failing(
                                        "AlreadyExists",
                                        "topics.stream.evenkeel.dev \"archive-orders\" already exists",
                                        "archive-bills")))
                .test(
                        "a refusal by the webhook is reported, and not retried",
                        t -> expectStatus(
                                t.given(mirrored("archive-orders"), ORDERS.at("spec.partitions", 2), ready(ORDERS_COPY))
                                        .react(on(UPDATE)
                                                .kind(Topic.class)
                                                .fails(invalid("spec.partitions", "they do not shrink")))
                                        .expectTrack(TRACKED)
                                        .expectUpdate(ready(ORDERS_COPY).at("spec.partitions", 2))
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "UpdateFailed",
                                                "UpdateChild",
                                                "Failed to update Topic \"archive-orders\": " + SHRINKS),
                                failing("Invalid", SHRINKS, "archive-orders")))
                .test(
                        "a refused copy is reported",
                        t -> expectStatus(
                                t.given(NEW, ORDERS)
                                        .react(on(CREATE).kind(Topic.class).fails(forbidden("quota")))
                                        .expectTrack(TRACKED)
                                        .expectCreate(ORDERS_COPY)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "CreationFailed",
                                                "CreateChild",
                                                "Failed to create Topic \"archive-orders\": " + QUOTA),
                                failing("Forbidden", QUOTA)))
                .test(
                        "a failing server: it is reported, and retried",
                        t -> expectStatus(
                                t.given(NEW, ORDERS)
                                        .react(on(CREATE).kind(Topic.class).fails(internal()))
                                        .expectTrack(TRACKED)
                                        .expectCreate(ORDERS_COPY)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "CreationFailed",
                                                "CreateChild",
                                                "Failed to create Topic \"archive-orders\": " + BROKEN)
                                        .expectError(ApiException.class),
                                failing("InternalError", BROKEN).without("status.observedGeneration")))
                .stream();
    }

    private static final String BROKEN =
            "Internal error occurred: create topics.stream.evenkeel.dev default/archive-orders";
    private static final String QUOTA = "topics.stream.evenkeel.dev \"archive-orders\" is forbidden: quota";
    private static final String SHRINKS =
            "Topic.stream.evenkeel.dev \"archive-orders\" is invalid: spec.partitions: Invalid value: they do not shrink";

    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of(MirrorReconciler::controller)
                .definitions(DEFINITIONS)
                .test(
                        "topics are created and deleted",
                        s -> s.given(NEW, ORDERS)
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster -> cluster.put(BILLS))
                                .reconcile(NEW)
                                .restarts()
                                .settled(NEW)
                                .then(cluster -> Streams.delete(cluster, ORDERS))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(cluster.owned(Topic.class, NEW))
                                        .extracting(topic -> ObjectKey.of(topic).name())
                                        .containsExactly("archive-bills"))
                                .then(cluster -> Streams.delete(cluster, NEW))
                                .then(cluster -> assertThat(cluster.client().find(Topic.class, BILLS_COPY.key()))
                                        .isEmpty()))
                .stream();
    }
}
