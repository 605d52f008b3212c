package dev.evenkeel.examples.stream;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The overview of all brokers: it exists as long as there are any. */
class StreamOverviewCasesTest {
    private static final Path DEFINITIONS = Path.of("stream", "crd.yaml");

    private static final Given<Namespace> SYSTEM = Given.yaml(Namespace.class, "metadata: {name: stream-system}");
    private static final Given<Broker> MAIN = BrokerCasesTest.READY;
    private static final Given<Broker> ARCHIVE =
            BrokerCasesTest.NEW.name("archive").namespace("attic");
    private static final Given<Topic> ORDERS = Given.yaml(Topic.class, """
            metadata: {namespace: default, name: orders}
            spec: {broker: main}
            """);
    private static final Given<ConfigMap> ONE = Given.yaml(ConfigMap.class, """
            metadata: {namespace: stream-system, name: overview}
            data: {default.main: 'ready, topics: 0'}
            """);

    private static <S extends Expectations<S>> S looks(Expectations<S> t) {
        return t.expectTrack(Tracker.Target.selecting(Kind.of(Broker.class), "", LabelSelector.everything()))
                .expectTrack(Tracker.Target.selecting(Kind.of(Topic.class), "", LabelSelector.everything()));
    }

    private static void quiet(Expectations.Run run) {
        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
    }

    /** One reconciliation each. */
    @TestFactory
    Stream<DynamicTest> reconciliations() {
        return ReconcilerTests.of(StreamOverview::controller)
                .definitions(DEFINITIONS)
                .given(SYSTEM)
                .test("no brokers, no overview", t -> looks(t.request(ONE)))
                .test("it is created with the first broker", t -> {
                    looks(t.request(ONE).given(MAIN));
                    Told.created(t, ONE, ONE);
                })
                .test("it has all brokers of all namespaces, ready or not, and counts their topics", t -> {
                    looks(t.request(ONE)
                            .given(MAIN, ARCHIVE, ORDERS, ORDERS.name("returns"), ORDERS.namespace("attic")));
                    Told.created(
                            t,
                            ONE,
                            ONE.at(
                                    "data",
                                    Map.of(
                                            "default.main",
                                            "ready, topics: 2",
                                            "attic.archive",
                                            "not ready, topics: 0")));
                })
                .test(
                        "an overview that is up to date stays unchanged",
                        t -> looks(t.request(ONE).given(MAIN, ONE)))
                .test(
                        "fields of other managers stay",
                        t -> looks(t.request(ONE).given(MAIN, ONE.label("team", "shop"))))
                .test("a topic more is counted", t -> {
                    looks(t.request(ONE).given(MAIN, ONE, ORDERS));
                    Told.updated(t, ONE, ONE.at("data", Map.of("default.main", "ready, topics: 1")));
                })
                .test("fields written by a user are removed", t -> {
                    looks(t.request(ONE).given(MAIN, ONE.at("data.note", "mine")));
                    Told.updated(t, ONE, ONE);
                })
                .test("it is deleted with the last broker", t -> {
                    looks(t.request(ONE).given(ONE));
                    Told.deleted(t, ONE, ONE);
                })
                .test(
                        "other config maps are none of its business",
                        t -> t.request("stream-system", "other").given(ONE.name("other"), MAIN))
                .test(
                        "one that is being deleted is waited for",
                        t -> t.request(ONE)
                                .given(MAIN, ONE.finalizers("example.com/hold").deleted(TestCluster.NOW)))
                .test("it is refused: that is reported, and retried", t -> {
                    looks(t.request(ONE).given(MAIN))
                            .react(on(CREATE).kind(ConfigMap.class).fails(forbidden("quota")))
                            .expectCreate(ONE)
                            .expectError(ForbiddenException.class);
                    Told.notCreated(t, ONE, ONE, "configmaps \"overview\" is forbidden: quota");
                })
                .test(
                        "it changed meanwhile: it is retried, and not reported",
                        t -> looks(t.request(ONE).given(MAIN, ONE, ORDERS))
                                .react(on(UPDATE).kind(ConfigMap.class).fails(conflict()))
                                .expectUpdate(ONE.at("data", Map.of("default.main", "ready, topics: 1")))
                                .expectError(ConflictException.class)
                                .verify(StreamOverviewCasesTest::quiet))
                .stream();
    }

    /** Several reconciliations each. */
    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of(StreamOverview::controller)
                .definitions(DEFINITIONS)
                .given(SYSTEM)
                .test(
                        "it is created, deleted by hand, created again, and deleted with the last broker",
                        s -> s.given(MAIN)
                                .reconcile(ONE)
                                .settled(ONE)
                                .then(cluster -> cluster.client().delete(ConfigMap.class, ONE.key()))
                                .reconcile(ONE, r -> Told.created(looks(r), ONE, ONE))
                                .settled(ONE)
                                .then(cluster -> cluster.client().delete(Broker.class, MAIN.key()))
                                .reconcile(ONE, r -> Told.deleted(looks(r), ONE, ONE))
                                .settled(ONE))
                .stream();
    }
}
