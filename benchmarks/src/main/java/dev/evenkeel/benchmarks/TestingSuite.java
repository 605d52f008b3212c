package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.call.Reactor;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.dsl.DelayPathable;
import io.fabric8.mockwebserver.dsl.ReturnOrWebsocketable;
import io.fabric8.mockwebserver.dsl.TimesOnceableOrHttpHeaderable;
import io.javaoperatorsdk.operator.Operator;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * Twenty cases of the same operator, written for this kit and for JOSDK with fabric8's mock server: the time of a case,
 * and the fidelity of the API it runs on.
 */
final class TestingSuite {
    private static final String PEER = "JOSDK 5.2.3 and fabric8's mock server 7.8.0";
    private static final Given<ConfigMap> PARENT = Given.of(CopyOperators.parent("3"));
    private static final Given<ConfigMap> HELD = PARENT.finalizers(CopyOperators.FINALIZER);
    private static final Given<ConfigMap> FINISHED = HELD.annotation(CopyOperators.DONE, "yes");
    private static final Given<ConfigMap> ENDING = FINISHED.deleted(Instant.parse("2026-01-01T00:00:00Z"));
    private static final Patch DONE = Patch.merge(CopyOperators.PATCH);

    private TestingSuite() {}

    static void run(ReportSection section) throws Exception {
        List<Executable> ours = ours();
        List<Executable> theirs = theirs();
        check(ours.size() == 20 && theirs.size() == 20, "twenty cases of each");
        // ours first: threads left running by a peer's operator would be measured with it
        double cold = millis(ours, 1);
        // long enough for the compiler to finish
        double _ = millis(ours, section.quick() ? 500 : 4_000);
        double warm = millis(ours, section.quick() ? 100 : 500);
        double theirCold = millis(theirs, 1);
        double theirWarm = millis(theirs, section.quick() ? 2 : 10);
        section.both("testing: 20 cases, the first time", Unit.MILLISECONDS, cold, theirCold, PEER);
        section.both("testing: a case, warm", Unit.MICROSECONDS, warm * 1e3 / 20, theirWarm * 1e3 / 20, PEER);
        section.both("testing: 85 cases, warm", Unit.MILLISECONDS, warm * 85 / 20, theirWarm * 85 / 20, PEER);
        section.both("testing: cases on one thread", Unit.PER_SECOND, 20e3 / warm, 20e3 / theirWarm, PEER);
        section.elsewhere("Go: 635 cases/s with the fake client of controller-runtime");
        Map<Fidelity, Boolean> mine = Fidelity.of(TestingSuite::ourCluster);
        Map<Fidelity, Boolean> peers = Fidelity.of(TestingSuite::mockCluster);
        mine.forEach((question, passed) -> section.both(
                "fidelity: " + question.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                Unit.POINTS,
                passed ? 1 : 0,
                peers.getOrDefault(question, false) ? 1 : 0,
                PEER));
        section.both("fidelity: of 12", Unit.POINTS, sum(mine), sum(peers), PEER);
    }

    private static int sum(Map<Fidelity, Boolean> answers) {
        return (int) answers.values().stream().filter(passed -> passed).count();
    }

    /** Returns the milliseconds for one pass over all cases. */
    private static double millis(List<Executable> cases, int passes) throws Exception {
        long from = System.nanoTime();
        for (int i = 0; i < passes; i++) {
            for (Executable one : cases) {
                try {
                    one.execute();
                } catch (Exception | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return (System.nanoTime() - from) / 1e6 / passes;
    }

    private static Given<Secret> copy(String size) {
        return Given.of(CopyOperators.copy(
                PARENT.at("data.size", size).uid(Given.uidOf(PARENT.object())).object()));
    }

    /** Returns the stored Secret, with data as the server keeps them. */
    private static Given<Secret> stored(String size) {
        return copy(size)
                .without("stringData")
                .at("data", CopyOperators.data(PARENT.at("data.size", size).object()));
    }

    private static Given<Secret> stranger(String size) {
        return stored(size).without("metadata.ownerReferences");
    }

    // ---- ours

    private static void makesCopy(ReconcilerTests.Case<ConfigMap> test) {
        test.given(PARENT).expectUpdate(HELD).expectCreate(copy("3")).expectPatch(PARENT, DONE);
    }

    /** Returns a case in which a copy is made, with one more check. */
    private static Consumer<ReconcilerTests.Case<ConfigMap>> makesCopy(String what, Predicate<Client> right) {
        return test -> {
            makesCopy(test);
            test.verify(run -> check(right.test(run.cluster().client()), what));
        };
    }

    private static List<Executable> ours() {
        ReconcilerTests<ConfigMap> tests = ReconcilerTests.of(CopyOperators::controller);
        Map<String, String> data = CopyOperators.data(PARENT.object());
        return tests
                .test("makes a copy", TestingSuite::makesCopy)
                .test(
                        "the copy has the data",
                        makesCopy("data", client -> secret(client).getData().equals(data)))
                .test("the copy belongs to it", makesCopy("owner", client -> CopyOperators.isOwned(secret(client))))
                .test("is held by a finalizer", makesCopy("held", client -> CopyOperators.isHeld(map(client))))
                .test("is annotated in the end", makesCopy("done", client -> CopyOperators.isDone(map(client))))
                .test(
                        "other data",
                        t -> t.given(PARENT.at("data.size", "4"))
                                .expectUpdate(HELD.at("data.size", "4"))
                                .expectCreate(copy("4"))
                                .expectPatch(PARENT, DONE))
                .test("held already", t -> t.given(HELD).expectCreate(copy("3")).expectPatch(PARENT, DONE))
                .test(
                        "only the annotation is missing",
                        t -> t.given(HELD, stored("3")).expectPatch(PARENT, DONE))
                .test("nothing to do", t -> t.given(FINISHED, stored("3")))
                .test("the copy is lost", t -> t.given(FINISHED).expectCreate(copy("3")))
                .test(
                        "the data changed",
                        t -> t.given(FINISHED.at("data.size", "4"), stored("3")).expectUpdate(stored("4")))
                .test(
                        "the copy was changed by hand",
                        t -> t.given(FINISHED, stored("9")).expectUpdate(stored("3")))
                .test("a copy without owner is taken as it is", t -> t.given(FINISHED, stranger("3")))
                .test("it is gone", t -> t.request("default", "parent"))
                .test(
                        "it is going, with its copy",
                        t -> t.given(ENDING, stored("3"))
                                .expectDelete(stored("3"))
                                .expectUpdate(ENDING.without("metadata.finalizers")))
                .test(
                        "it is going, without copy",
                        t -> t.given(ENDING).expectUpdate(ENDING.without("metadata.finalizers")))
                .test(
                        "other objects are left alone",
                        t -> t.given(FINISHED, stored("3"), stored("9").name("other")))
                .test(
                        "the create is refused",
                        t -> t.given(HELD)
                                .react(on(CREATE).kind(Secret.class).fails(Reactor.Failure.forbidden("quota")))
                                .expectCreate(copy("3"))
                                .expectError(ForbiddenException.class))
                .test(
                        "the create is refused once",
                        t -> t.given(HELD)
                                .react(on(CREATE)
                                        .kind(Secret.class)
                                        .fails(Reactor.Failure.unavailable())
                                        .once())
                                .expectCreate(copy("3"))
                                .expectError())
                .test(
                        "the update is refused",
                        t -> t.given(FINISHED, stored("9"))
                                .react(on(UPDATE).kind(Secret.class).fails(Reactor.Failure.forbidden("no")))
                                .expectUpdate(stored("3"))
                                .expectError(ForbiddenException.class))
                .stream()
                .map(DynamicTest::getExecutable)
                .toList();
    }

    private static Secret secret(Client client) {
        return client.get(Secret.class, copy("3").key());
    }

    private static ConfigMap map(Client client) {
        return client.get(ConfigMap.class, PARENT.key());
    }

    // ---- the peer's

    private static final class Mock implements AutoCloseable {
        private final KubernetesMockServer server;
        private final io.fabric8.kubernetes.client.KubernetesClient client;

        Mock() {
            Map<ServerRequest, Queue<ServerResponse>> responses = new HashMap<>();
            server = MockServer.start(responses, new KubernetesMixedDispatcher(responses));
            client = Peers.fabric8(URI.create("http://localhost:" + server.getPort()));
        }

        Secret secret() {
            return client.secrets()
                    .inNamespace("default")
                    .withName("parent-copy")
                    .get();
        }

        Resource<ConfigMap> map() {
            return client.configMaps().inNamespace("default").withName("parent");
        }

        boolean done() {
            ConfigMap map = map().get();
            return map != null && CopyOperators.isHeld(map) && CopyOperators.isDone(map);
        }

        boolean copied(String size) {
            Secret secret = secret();
            return secret != null
                    && CopyOperators.data(PARENT.at("data.size", size).object()).equals(secret.getData());
        }

        private static TimesOnceableOrHttpHeaderable<Void> refuse(
                DelayPathable<ReturnOrWebsocketable<TimesOnceableOrHttpHeaderable<Void>>> request,
                String path,
                int code) {
            StatusBuilder refusal = new StatusBuilder().withCode(code).withReason("Forbidden");
            return request.withPath("/api/v1/namespaces/default/secrets" + path)
                    .andReturn(code, refusal.withMessage("refused").build());
        }

        @Override
        public void close() {
            client.close();
            try {
                server.destroy();
            } catch (RuntimeException e) {
                // occasionally its threads deadlock: they are left alone, and the case counts nevertheless
                System.err.println("testing: a mock server of the peer did not stop: " + e.getMessage());
            }
        }
    }

    /** A peer's case: an action before the operator starts, another one when it runs, and the expected result. */
    private record Peer(Consumer<Mock> before, Consumer<Mock> then, Predicate<Mock> wanted) implements Executable {
        static Peer given(Given<?>... objects) {
            return new Peer(
                    mock -> {
                        for (Given<?> given : objects) {
                            HasMetadata _ = mock.client
                                    .resource((HasMetadata) given.object())
                                    .create();
                        }
                    },
                    mock -> {},
                    mock -> true);
        }

        Peer deleted() {
            return new Peer(
                    before,
                    mock -> {
                        var _ = mock.map().delete();
                    },
                    wanted);
        }

        Peer refusing(Consumer<Mock> refusal) {
            return new Peer(before.andThen(refusal), then, wanted);
        }

        Peer until(Predicate<Mock> result) {
            return new Peer(before, then, result);
        }

        @Override
        public void execute() throws InterruptedException {
            try (Mock mock = new Mock()) {
                before.accept(mock);
                Operator operator = Peers.josdk(
                        mock.client,
                        new CopyOperators.Josdk(),
                        options -> options.withUseSSAToPatchPrimaryResource(
                                        false) // which the mock server does not support
                                .withCloseClientOnStop(false));
                try {
                    then.accept(mock);
                    long end = System.nanoTime() + 10_000_000_000L;
                    while (!wanted.test(mock)) {
                        check(System.nanoTime() < end, "the peer's case ends within ten seconds");
                        Thread.sleep(1);
                    }
                } finally {
                    operator.stop();
                }
            }
        }
    }

    private static List<Executable> theirs() {
        Given<ConfigMap> four = PARENT.at("data.size", "4");
        Predicate<Mock> copied = mock -> mock.copied("3");
        Predicate<Mock> made = copied.and(Mock::done);
        // ours differ in the checked property; here each case checks all of them
        Peer all = Peer.given(PARENT).until(made.and(mock -> CopyOperators.isOwned(mock.secret())));
        return List.of(
                all,
                all,
                all,
                all,
                all,
                Peer.given(four).until(mock -> mock.done() && mock.copied("4")),
                Peer.given(HELD).until(made),
                Peer.given(HELD, stored("3")).until(Mock::done),
                Peer.given(FINISHED, stored("3")).until(Mock::done),
                Peer.given(FINISHED).until(copied),
                Peer.given(FINISHED.at("data.size", "4"), stored("3")).until(mock -> mock.copied("4")),
                Peer.given(FINISHED, stored("9")).until(copied),
                Peer.given(FINISHED, stranger("3")).until(copied),
                Peer.given().until(mock -> mock.secret() == null),
                Peer.given(FINISHED, stored("3"))
                        .deleted()
                        .until(mock -> mock.map().get() == null && mock.secret() == null),
                Peer.given(FINISHED).deleted().until(mock -> mock.map().get() == null),
                Peer.given(FINISHED, stored("3"), stored("9").name("other")).until(copied),
                Peer.given(HELD)
                        .refusing(mock -> Mock.refuse(mock.server.expect().post(), "", 403)
                                .always())
                        .until(mock -> mock.secret() == null),
                Peer.given(HELD)
                        .refusing(mock -> Mock.refuse(mock.server.expect().post(), "", 503)
                                .once())
                        .until(copied),
                Peer.given(FINISHED, stored("9"))
                        .refusing(mock -> Mock.refuse(mock.server.expect().put(), "/parent-copy", 403)
                                .always())
                        .until(copied.negate()));
    }

    // ---- APIs of the fidelity questions

    private static Fidelity.Cluster ourCluster() {
        Engine engine = Engine.builder().executor(Runnable::run).build();
        Runnable forget = () -> engine.store().compact(engine.store().revision());
        return new Fidelity.Cluster(engine.client(), forget, engine::close);
    }

    private static Fidelity.Cluster mockCluster() {
        ServerUnderTest server = new MockServer();
        URI url = URI.create("http://localhost:" + server.port());
        KubernetesClient client = KubernetesClient.connect(Connection.to(url).build());
        return new Fidelity.Cluster(client, () -> {}, () -> {
            client.close();
            server.close();
        });
    }
}
