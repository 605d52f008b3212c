package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.Streams.BROKER;
import static dev.evenkeel.examples.stream.Streams.DEFINITIONS;
import static dev.evenkeel.examples.stream.Streams.EARLIER;
import static dev.evenkeel.examples.stream.Streams.MAIN;
import static dev.evenkeel.examples.stream.Streams.STARTING;
import static dev.evenkeel.examples.stream.Streams.expectFinalizer;
import static dev.evenkeel.examples.stream.Streams.expectStatus;
import static dev.evenkeel.examples.stream.Streams.says;
import static dev.evenkeel.examples.stream.TopicReconciler.FINALIZER;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.RecordedCall.Verb.PATCH;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.examples.stream.StreamService.TopicState;
import dev.evenkeel.examples.stream.StreamService.UnavailableException;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TopicCasesTest {
    private static final Given<Topic> NEW = Given.yaml(Topic.class, """
            metadata: {namespace: default, name: orders, generation: 1}
            spec: {broker: main, partitions: 6, replicas: 3, settings: {retention: 7d}}
            """);
    private static final Given<Topic> HELD = NEW.finalizers(FINALIZER);
    private static final Given<Topic> GOING = HELD.deleted(EARLIER);
    private static final TopicState WANTED = new TopicState(6, 3, Map.of("retention", "7d"));
    private static final Tracker.Target TRACKED = Streams.tracked(Broker.class, "main");
    private static final Result REGULARLY = Result.after(Duration.ofMinutes(10));

    /** As it is said when all is well. */
    private static final Given<Topic> READY = said(HELD, "True", "BrokerReady", "", "True", "Provisioned", "")
            .statusAt("partitions", 6)
            .statusAt("observedGeneration", 1);

    private static Given<Topic> said(
            Given<Topic> topic,
            String broker,
            String brokerReason,
            String brokerMessage,
            String provisioned,
            String provisionedReason,
            String provisionedMessage) {
        Given<Topic> said = says(
                says(topic.statusAt("partitions", 0), "BrokerReady", broker, brokerReason, brokerMessage),
                "Provisioned",
                provisioned,
                provisionedReason,
                provisionedMessage);
        if (broker.equals("True") && provisioned.equals("True")) {
            return says(said, "Ready", "True", "Ready", "");
        }
        boolean first = broker.equals("False") || !provisioned.equals("False") && broker.equals("Unknown");
        return first
                ? says(said, "Ready", broker, brokerReason, brokerMessage)
                : says(said, "Ready", provisioned, provisionedReason, provisionedMessage);
    }

    private static Given<Topic> waiting(Given<Topic> topic, String broker, String reason, String message) {
        return said(topic, broker, reason, message, "Unknown", "Initializing", "")
                .statusAt("observedGeneration", 1);
    }

    private static UnreliableStreamService service(TestCluster cluster) {
        return UnreliableStreamService.of(cluster);
    }

    /** The broker has it already. */
    private static void kept(TestCluster cluster) {
        service(cluster).within().ensureTopic(MAIN, "orders", WANTED);
    }

    private static void stopped(TestCluster cluster) {
        service(cluster).within().stop(MAIN);
    }

    /** The leader after this one has let it go. */
    private static void gone(TestCluster cluster) {
        cluster.client().delete(Topic.class, HELD.key());
        var _ = cluster.client()
                .patch(
                        Kind.of(Topic.class),
                        HELD.key(),
                        Patch.merge("{\"metadata\":{\"finalizers\":null}}"),
                        WriteOptions.DEFAULT);
    }

    /** This is written to the service, and nothing else. */
    private static <S extends Expectations<S>> S expectAsked(Expectations<S> t, String... calls) {
        return t.verify(run -> assertThat(service(run.cluster()).writes()).containsExactly(calls));
    }

    private static <S extends Expectations<S>> S expectProvisioned(Expectations<S> t) {
        return t.expectEvent(NEW, "Normal", "Provisioned", "Provision", "Provisioned at broker \"main\"")
                .expectResult(REGULARLY);
    }

    private static <S extends Expectations<S>> S expectHeld(Expectations<S> t) {
        return expectFinalizer(t, NEW, FINALIZER, true);
    }

    private static <S extends Expectations<S>> S expectReleased(Expectations<S> t) {
        return expectFinalizer(t, NEW, FINALIZER, false)
                .expectResult(Result.done().skipStatus());
    }

    private static ReconcilerTests<Topic> tests() {
        return ReconcilerTests.<Topic>in(cluster -> TopicReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS);
    }

    @TestFactory
    Stream<DynamicTest> wishes() {
        return tests()
                .test("a deleted topic needs nothing", t -> expectAsked(t.request("default", "orders")))
                .test(
                        "a new topic gets its finalizer first, then is created by the broker, and then is ready",
                        t -> expectStatus(
                                        expectProvisioned(
                                                expectHeld(t.given(NEW, BROKER).expectTrack(TRACKED))),
                                        READY)
                                .expectOrder(
                                        on(PATCH).kind(Topic.class), on(UPDATE).status())
                                .verify(run -> assertThat(service(run.cluster()).topic(MAIN, "orders"))
                                        .contains(WANTED)))
                .test(
                        "a topic that is as it should be: nothing is written",
                        t -> expectAsked(t.given(READY, BROKER)
                                .prepare(TopicCasesTest::kept)
                                .expectTrack(TRACKED)
                                .expectResult(REGULARLY)))
                .test(
                        "changes at the broker are reverted",
                        t -> expectAsked(
                                expectProvisioned(t.given(READY, BROKER)
                                        .prepare(cluster -> service(cluster)
                                                .within()
                                                .ensureTopic(MAIN, "orders", new TopicState(6, 1, Map.of())))
                                        .expectTrack(TRACKED)),
                                "ensureTopic default/main orders"))
                .test(
                        "a topic removed at the broker is created again",
                        t -> expectAsked(
                                expectProvisioned(t.given(READY, BROKER).expectTrack(TRACKED)),
                                "ensureTopic default/main orders"))
                .test(
                        "a topic with more partitions grows",
                        t -> expectStatus(
                                expectProvisioned(
                                        t.given(READY.at("spec.partitions", 9).generation(2), BROKER)
                                                .prepare(TopicCasesTest::kept)
                                                .expectTrack(TRACKED)),
                                said(HELD.generation(2), "True", "BrokerReady", "", "True", "Provisioned", "")
                                        .statusAt("partitions", 9)
                                        .statusAt("observedGeneration", 2)))
                .test(
                        "absent fields are as the webhook sets them",
                        t -> expectStatus(
                                        expectProvisioned(t.given(
                                                        HELD.without("spec.partitions")
                                                                .without("spec.replicas"),
                                                        BROKER)
                                                .expectTrack(TRACKED)),
                                        READY.statusAt("partitions", 3))
                                .verify(run -> assertThat(service(run.cluster()).topic(MAIN, "orders"))
                                        .contains(new TopicState(3, 3, Map.of("retention", "7d")))))
                .test(
                        "a topic has at most as many replicas as its broker has servers, by default",
                        t -> expectStatus(
                                        expectProvisioned(
                                                t.given(HELD.without("spec.replicas"), BROKER.at("spec.replicas", 1))
                                                        .expectTrack(TRACKED)),
                                        READY)
                                .verify(run -> assertThat(service(run.cluster())
                                                .topic(MAIN, "orders")
                                                .map(TopicState::replicas))
                                        .contains(1)))
                .test(
                        "finalizers of others stay",
                        t -> expectStatus(
                                expectProvisioned(t.given(NEW.finalizers("example.com/hold", FINALIZER), BROKER)
                                        .expectTrack(TRACKED)),
                                READY))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> brokers() {
        return tests()
                .test(
                        "without its broker a topic waits, and is not held",
                        t -> expectAsked(expectStatus(
                                t.given(NEW).expectTrack(TRACKED).expectResult(Result.halted()),
                                waiting(NEW, "False", "NoBroker", "there is no broker \"main\""))))
                .test(
                        "a broker of another name is not its broker",
                        t -> expectStatus(
                                t.given(NEW, BROKER.name("other"))
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted()),
                                waiting(NEW, "False", "NoBroker", "there is no broker \"main\"")))
                .test(
                        "a broker of another namespace is not its broker",
                        t -> expectStatus(
                                t.given(NEW, BROKER.namespace("other"))
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted()),
                                waiting(NEW, "False", "NoBroker", "there is no broker \"main\"")))
                .test(
                        "a broker that is not ready is waited for, with its reason",
                        t -> expectAsked(expectStatus(
                                t.given(NEW, STARTING).expectTrack(TRACKED).expectResult(Result.halted()),
                                waiting(NEW, "False", "BrokerNotReady", "broker \"main\": 1 of 3 servers is ready"))))
                .test(
                        "a broker that was never reconciled is waited for",
                        t -> expectAsked(expectStatus(
                                t.given(NEW, BROKER.without("status"))
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted()),
                                waiting(NEW, "Unknown", "BrokerUnknown", "broker \"main\": "))))
                .test(
                        "a broker that is not ready any more: its topics stay, and that is reported",
                        t -> expectAsked(expectStatus(
                                t.given(READY, STARTING)
                                        .prepare(TopicCasesTest::kept)
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted()),
                                said(
                                                HELD,
                                                "False",
                                                "BrokerNotReady",
                                                "broker \"main\": 1 of 3 servers is ready",
                                                "True",
                                                "Provisioned",
                                                "")
                                        .statusAt("partitions", 6)
                                        .statusAt("observedGeneration", 1))))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        return tests()
                .test(
                        "a topic does not shrink: that stays so until something changes",
                        t -> expectAsked(
                                expectStatus(
                                                t.given(HELD.at("spec.partitions", 4), BROKER)
                                                        .prepare(TopicCasesTest::kept)
                                                        .expectTrack(TRACKED)
                                                        .expectError(IllegalArgumentException.class, "do not shrink"),
                                                said(
                                                                HELD,
                                                                "True",
                                                                "BrokerReady",
                                                                "",
                                                                "False",
                                                                "Refused",
                                                                "topic orders has 6 partitions, and cannot have 4: they"
                                                                        + " do not shrink")
                                                        .statusAt("partitions", 6))
                                        .verify(run -> assertThat(run.outcome().severity())
                                                .isEqualTo(Result.Severity.DURABLE))
                                        .verify(run -> assertThat(run.outcome().settled())
                                                .isTrue()),
                                "ensureTopic default/main orders"))
                .test(
                        "a broker that does not answer is called again, with growing delays",
                        t -> expectStatus(
                                        t.given(HELD, BROKER)
                                                .prepare(TopicCasesTest::stopped)
                                                .expectTrack(TRACKED)
                                                .expectError(UnavailableException.class),
                                        said(
                                                HELD,
                                                "True",
                                                "BrokerReady",
                                                "",
                                                "Unknown",
                                                "Unavailable",
                                                "broker default/main does not answer: is it running?"))
                                .verify(run ->
                                        assertThat(run.outcome().retries()).isTrue()))
                .test(
                        "a lost answer: the call is repeated",
                        t -> expectStatus(
                                        t.given(HELD, BROKER)
                                                .prepare(cluster ->
                                                        service(cluster).losesAnswers())
                                                .expectTrack(TRACKED)
                                                .expectError(IllegalStateException.class, "no answer"),
                                        said(HELD, "True", "BrokerReady", "", "Unknown", "Initializing", ""))
                                .verify(run ->
                                        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.FAILED)))
                .test(
                        "a topic that must not get the finalizer is not created",
                        t -> expectAsked(expectStatus(
                                t.given(NEW, BROKER)
                                        .react(on(PATCH).kind(Topic.class).fails(forbidden("finalizers")))
                                        .expectTrack(TRACKED)
                                        .expectFinalizers(NEW, FINALIZER)
                                        .expectEvent(
                                                NEW,
                                                "Warning",
                                                "FinalizerPatchFailed",
                                                "AddFinalizer",
                                                "Failed to patch finalizer \"" + FINALIZER
                                                        + "\": topics.stream.evenkeel.dev \"orders\" is forbidden: finalizers")
                                        .expectError(ForbiddenException.class),
                                said(NEW, "True", "BrokerReady", "", "Unknown", "Initializing", ""))))
                .test(
                        "a topic that is up to date: no call of the broker, no events",
                        t -> expectAsked(t.given(READY, BROKER)
                                .prepare(TopicCasesTest::kept)
                                .givenOnServer(READY.at("spec.partitions", 9).generation(2))
                                .expectResult(Result.halted().skipStatus())))
                .test(
                        "another client changes it meanwhile: the status is written the next time, and it is not reported",
                        t -> expectProvisioned(t.given(HELD, BROKER)
                                        .react(on(UPDATE).status().fails(conflict()))
                                        .expectTrack(TRACKED)
                                        .expectStatusUpdate(READY)
                                        .expectError(ConflictException.class))
                                .verify(run -> assertThat(run.outcome().problems())
                                        .allMatch(problem -> problem.severity() == Result.Severity.QUIET)))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> deletions() {
        return tests()
                .test(
                        "a terminating topic is removed, and released",
                        t -> expectAsked(
                                expectReleased(t.given(GOING, BROKER)
                                                .prepare(TopicCasesTest::kept)
                                                .expectTrack(TRACKED))
                                        .verify(run -> assertThat(Streams.exists(run, NEW))
                                                .isFalse()),
                                "removeTopic default/main orders"))
                .test(
                        "a broker that is not ready removes it all the same",
                        t -> expectAsked(
                                expectReleased(t.given(GOING, STARTING)
                                        .prepare(TopicCasesTest::kept)
                                        .expectTrack(TRACKED)),
                                "removeTopic default/main orders"))
                .test(
                        "the broker is deleted: the topic is released",
                        t -> expectAsked(expectReleased(t.given(GOING).expectTrack(TRACKED))))
                .test(
                        "a broker that does not answer: the topic is not let go, and says why",
                        t -> expectStatus(
                                        t.given(READY.deleted(EARLIER), BROKER)
                                                .prepare(TopicCasesTest::stopped)
                                                .expectTrack(TRACKED)
                                                .expectError(UnavailableException.class),
                                        said(
                                                        GOING,
                                                        "True",
                                                        "BrokerReady",
                                                        "",
                                                        "Unknown",
                                                        "Unavailable",
                                                        "broker default/main does not answer: is it running?")
                                                .statusAt("partitions", 6)
                                                .statusAt("observedGeneration", 1))
                                .verify(run ->
                                        assertThat(Streams.exists(run, NEW)).isTrue()))
                .test(
                        "a lost answer to the removal: the topic is not let go",
                        t -> t.given(READY.deleted(EARLIER), BROKER)
                                .prepare(TopicCasesTest::kept)
                                .prepare(cluster -> service(cluster).losesAnswers())
                                .expectTrack(TRACKED)
                                .expectError(IllegalStateException.class, "no answer")
                                .verify(run ->
                                        assertThat(Streams.exists(run, NEW)).isTrue()))
                .test(
                        "a topic deleted while it is created by a paused process: the new topic is removed",
                        t -> expectAsked(
                                t.given(HELD, BROKER)
                                        .prepare(cluster -> service(cluster).meanwhile(() -> gone(cluster)))
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted().skipStatus()),
                                "ensureTopic default/main orders",
                                "removeTopic default/main orders"))
                .test(
                        "a topic that is deleted and created again while it is created: the new one keeps its data",
                        t -> expectAsked(
                                t.given(HELD, BROKER)
                                        .prepare(cluster -> service(cluster).meanwhile(() -> {
                                            gone(cluster);
                                            var _ = cluster.client().create(NEW.object());
                                        }))
                                        .expectTrack(TRACKED)
                                        .expectResult(Result.halted().skipStatus()),
                                "ensureTopic default/main orders"))
                .test(
                        "a topic that was deleted and created again, with a stale cache: the new one keeps its data",
                        t -> expectAsked(t.given(GOING, BROKER)
                                        .prepare(TopicCasesTest::kept)
                                        .givenOnServer(NEW.uid("6ba7b810-9dad-41d1-80b4-00c04fd430c8"))
                                        .expectResult(Result.halted().skipStatus()))
                                .verify(run -> assertThat(service(run.cluster()).topic(MAIN, "orders"))
                                        .isPresent()))
                .stream();
    }

    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.<Topic>in(cluster -> TopicReconciler.controller(service(cluster)))
                .definitions(DEFINITIONS)
                .test(
                        "from a broker that starts to a deleted topic",
                        s -> s.given(NEW, STARTING)
                                .reconcile(NEW)
                                .then(
                                        cluster -> Streams.patchStatus(
                                                cluster,
                                                BROKER,
                                                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":"
                                                        + "\"Ready\",\"message\":\"\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}"))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(service(cluster).topic(MAIN, "orders"))
                                        .contains(WANTED))
                                .settled(NEW)
                                .restarts()
                                .settled(NEW)
                                .then(cluster -> Streams.patch(cluster, NEW, "{\"spec\":{\"partitions\":7}}"))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(service(cluster)
                                                .topic(MAIN, "orders")
                                                .map(TopicState::partitions))
                                        .contains(7))
                                .then(cluster -> Streams.delete(cluster, NEW))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(service(cluster).topic(MAIN, "orders"))
                                        .isEqualTo(Optional.empty())))
                .test(
                        "a topic that is repaired at its next appointment",
                        s -> s.given(NEW, BROKER)
                                .reconcile(NEW)
                                .then(cluster -> service(cluster).within().removeTopic(MAIN, "orders"))
                                .passes(Duration.ofMinutes(10))
                                .reconcile(NEW)
                                .then(cluster -> assertThat(service(cluster).topic(MAIN, "orders"))
                                        .contains(WANTED)))
                .stream();
    }
}
