package dev.evenkeel.examples.stream;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.unavailable;
import static dev.evenkeel.testing.call.RecordedCall.Verb.APPLY;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.Suite;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All that a reconciliation of a connector does, whatever it meets. */
class ConnectorCasesTest {
    private static final Path DEFINITIONS = Path.of("stream", "crd.yaml");
    private static final String SELECTOR = "{stream.evenkeel.dev/connector: invoices}";

    static final Given<Connector> NEW = Given.yaml(Connector.class, """
            metadata: {namespace: default, name: invoices, generation: 1}
            spec: {account: shop, image: 'invoices:1', replicas: 2}
            """);
    static final Given<Account> ACCOUNT = Given.yaml(Account.class, """
            metadata: {namespace: default, name: shop, generation: 1}
            spec: {broker: main}
            """).statusAt("secret", "shop-password");
    static final Given<Secret> SECRET = Given.yaml(Secret.class, """
            metadata: {namespace: default, name: shop-password}
            data: {password: c2VjcmV0}
            """);
    private static final Given<ConfigMap> SETTINGS = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: settings}
            data: {rate: "10"}
            """);

    private static final Given<Connector> WITH_SETTINGS = NEW.at("spec.configFrom", "settings");

    private static final Given<Deployment> PROGRAM = program("{password=c2VjcmV0} {}");
    private static final Given<Deployment> RUNNING = PROGRAM.statusAt("readyReplicas", 2);

    private static Given<Deployment> program(String inputs) {
        return Given.yaml(Deployment.class, """
                        metadata: {namespace: default, name: invoices, labels: SELECTOR}
                        spec:
                          replicas: 2
                          selector: {matchLabels: SELECTOR}
                          template:
                            metadata: {labels: SELECTOR}
                            spec:
                              containers:
                              - name: connector
                                image: invoices:1
                                envFrom: [{secretRef: {name: shop-password, optional: false}}]
                        """.replace("SELECTOR", SELECTOR))
                .at("spec.template.metadata.annotations", Map.of("stream.evenkeel.dev/checksum", Checksum.of(inputs)))
                .ownedBy(NEW);
    }

    private static final Said READ = Said.yes("InputsReady", "InputsReady");

    private static Said starting(int ready, int wanted) {
        return Said.no("Running", "Starting", ready + " of " + wanted + " are ready");
    }

    private static Given<Connector> said(Given<Connector> connector, int replicas, Said inputs, Said running) {
        Said ready = inputs.status().equals("True") ? running : inputs;
        return Said.on(
                        connector,
                        inputs,
                        running,
                        ready.status().equals("True") ? Said.yes("Ready", "Ready") : ready.asReady())
                .statusAt("replicas", replicas);
    }

    private static final Given<Connector> MADE = said(NEW, 0, READ, starting(0, 2));
    private static final Given<Connector> READY = said(NEW, 2, READ, Said.yes("Running", "Running"));

    private static <S extends Suite.Case<S>> S inputs(S t, Given<Connector> connector) {
        return t.given(connector, ACCOUNT, SECRET).expectTrack(ACCOUNT).expectTrack(SECRET);
    }

    private static <S extends Suite.Case<S>> S running(S t) {
        return inputs(t, READY).given(RUNNING).prepare(ConnectorCasesTest::appliedBefore);
    }

    private static void appliedBefore(TestCluster cluster) {
        var _ = cluster.client()
                .apply(
                        PROGRAM.object(),
                        WriteOptions.DEFAULT
                                .fieldManager("connector-controller")
                                .force(true));
    }

    private static void byHand(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client().patch(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    private static void quiet(Expectations.Run run) {
        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
    }

    /** One reconciliation each. */
    @TestFactory
    Stream<DynamicTest> reconciliations() {
        ReconcilerTests<Connector> tests =
                ReconcilerTests.of(ConnectorReconciler::controller).definitions(DEFINITIONS);
        inputs(tests);
        program(tests);
        return tests.stream();
    }

    private static Said missing(String reason, String message) {
        return Said.no("InputsReady", reason, message);
    }

    private static void inputs(ReconcilerTests<Connector> tests) {
        Said unsaid = Said.nothing("Running");
        tests.test("a deleted connector needs nothing", t -> t.request("default", "invoices"))
                .test("without its account nothing runs", t -> {
                    t.given(NEW).expectTrack(ACCOUNT).expectResult(Result.halted());
                    Told.status(t, said(NEW, 0, missing("AccountMissing", "there is no Account \"shop\""), unsaid));
                })
                .test("an account that has no password yet is waited for", t -> {
                    t.given(NEW, ACCOUNT.statusAt("secret", ""))
                            .expectTrack(ACCOUNT)
                            .expectResult(Result.halted());
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    missing("CredentialsMissing", "Account \"shop\" has no password yet"),
                                    unsaid));
                })
                .test("a missing password is waited for", t -> {
                    t.given(NEW, ACCOUNT)
                            .expectTrack(ACCOUNT)
                            .expectTrack(SECRET)
                            .expectResult(Result.halted());
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    missing("CredentialsMissing", "there is no Secret \"shop-password\""),
                                    unsaid));
                })
                .test("missing settings are waited for", t -> {
                    inputs(t, WITH_SETTINGS).expectTrack(SETTINGS).expectResult(Result.halted());
                    Told.status(
                            t,
                            said(
                                    WITH_SETTINGS,
                                    0,
                                    missing("SettingsMissing", "there is no ConfigMap \"settings\""),
                                    unsaid));
                })
                .test("a deleted account: a running program continues", t -> {
                    t.given(READY, SECRET, RUNNING).expectTrack(ACCOUNT).expectResult(Result.halted());
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    2,
                                    missing("AccountMissing", "there is no Account \"shop\""),
                                    Said.yes("Running", "Running")));
                })
                .test("another password restarts the program", t -> {
                    running(t).prepare(cluster -> byHand(cluster, SECRET, "{\"data\":{\"password\":\"b3RoZXI=\"}}"));
                    Told.reapplied(t, NEW, program("{password=b3RoZXI=} {}"));
                })
                .test("another Secret restarts the program", t -> {
                    Given<Secret> next = SECRET.name("next-password");
                    t.given(READY, ACCOUNT.statusAt("secret", "next-password"), next, RUNNING)
                            .prepare(ConnectorCasesTest::appliedBefore)
                            .expectTrack(ACCOUNT)
                            .expectTrack(next);
                    Told.reapplied(
                            t,
                            NEW,
                            PROGRAM.at(
                                    "spec.template.spec.containers[name=connector].envFrom",
                                    List.of(Map.of("secretRef", Map.of("name", "next-password", "optional", false)))));
                });
    }

    private static void program(ReconcilerTests<Connector> tests) {
        tests.test("a new connector gets its program", t -> {
                    inputs(t, NEW);
                    Told.applied(t, NEW, PROGRAM);
                    Told.status(t, MADE);
                })
                .test("a program reads its settings, too", t -> {
                    inputs(t, WITH_SETTINGS).given(SETTINGS).expectTrack(SETTINGS);
                    Told.applied(
                            t,
                            NEW,
                            program("{password=c2VjcmV0} {rate=10}")
                                    .at(
                                            "spec.template.spec.containers[name=connector].envFrom",
                                            List.of(
                                                    Map.of(
                                                            "secretRef",
                                                            Map.of("name", "shop-password", "optional", false)),
                                                    Map.of(
                                                            "configMapRef",
                                                            Map.of("name", "settings", "optional", false)))));
                    Told.status(t, said(WITH_SETTINGS, 0, READ, starting(0, 2)));
                })
                .test(
                        "a running connector: no changes, no events",
                        t -> running(t).expectApply(PROGRAM))
                .test("a connector that is not wanted to run is ready", t -> {
                    Given<Connector> none = NEW.at("spec.replicas", 0);
                    inputs(t, none);
                    Told.applied(t, NEW, PROGRAM.at("spec.replicas", 0));
                    Told.status(t, said(none, 0, READ, Said.yes("Running", "Running")));
                })
                .test("a program that is not ready as often as wanted", t -> {
                    inputs(t, READY)
                            .given(PROGRAM.statusAt("readyReplicas", 1))
                            .prepare(ConnectorCasesTest::appliedBefore)
                            .expectApply(PROGRAM);
                    Told.status(t, said(NEW, 1, READ, starting(1, 2)));
                })
                .test("a program scaled by hand is scaled back", t -> {
                    running(t).prepare(cluster -> byHand(cluster, PROGRAM, "{\"spec\":{\"replicas\":7}}"));
                    Told.reapplied(t, NEW, PROGRAM);
                })
                .test("a refused program is reported", t -> {
                    String why = "deployments.apps \"invoices\" is forbidden: quota";
                    inputs(t, NEW)
                            .react(on(APPLY).kind(Deployment.class).fails(forbidden("quota")))
                            .expectApply(PROGRAM);
                    Told.notCreated(t, NEW, PROGRAM, why);
                    Told.status(t, said(NEW, 0, READ, Said.no("Running", "Forbidden", why)));
                })
                .test("a program with a foreign name is left alone, and waited for", t -> {
                    String why = "deployments.apps \"invoices\" already exists";
                    inputs(t, NEW)
                            .given(PROGRAM.without("metadata.ownerReferences"))
                            .expectTrack(PROGRAM);
                    Told.notCreated(t, NEW, PROGRAM, why);
                    Told.status(t, said(NEW, 0, READ, Said.no("Running", "AlreadyExists", why)));
                })
                .test("a program that cannot be created now is retried", t -> {
                    inputs(t, NEW)
                            .react(on(APPLY).kind(Deployment.class).fails(unavailable()))
                            .expectApply(PROGRAM)
                            .expectError(ApiException.class);
                    Told.notCreated(t, NEW, PROGRAM, "the server is currently unable to handle the request");
                    Told.status(t, Said.unobserved(NEW, READ, Said.nothing("Running"), Said.nothing("Ready")));
                })
                .test(
                        "a program that changed meanwhile: it is retried, and not reported",
                        t -> running(t)
                                .react(on(APPLY).kind(Deployment.class).fails(conflict()))
                                .expectApply(PROGRAM)
                                .expectError(ConflictException.class)
                                .verify(ConnectorCasesTest::quiet))
                .test(
                        "a late status is written the next time",
                        t -> inputs(t, READY)
                                .given(PROGRAM.statusAt("readyReplicas", 1))
                                .prepare(ConnectorCasesTest::appliedBefore)
                                .react(on(UPDATE).kind(Connector.class).status().fails(conflict()))
                                .expectApply(PROGRAM)
                                .expectStatusUpdate(said(NEW, 1, READ, starting(1, 2)))
                                .expectError(ConflictException.class)
                                .verify(ConnectorCasesTest::quiet))
                .test("a terminating connector, held by another finalizer: its program is deleted first", t -> {
                    Given<Connector> going =
                            READY.finalizers("example.com/hold").deleted(TestCluster.NOW);
                    t.given(going, ACCOUNT, SECRET, RUNNING);
                    Told.deleted(t, going, PROGRAM);
                });
    }

    /** Several reconciliations each. */
    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of(ConnectorReconciler::controller)
                .definitions(DEFINITIONS)
                .test(
                        "it waits for each input in turn, then runs; with all created there is nothing to write",
                        s -> s.given(NEW)
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster -> cluster.client().create(ACCOUNT.object()))
                                .then(cluster -> cluster.client()
                                        .patchStatus(
                                                Kind.of(Account.class),
                                                ACCOUNT.key(),
                                                Patch.merge("{\"status\":{\"secret\":\"shop-password\"}}"),
                                                WriteOptions.DEFAULT))
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster -> cluster.client().create(SECRET.object()))
                                .reconcile(NEW, r -> {
                                    r.expectTrack(ACCOUNT).expectTrack(SECRET);
                                    Told.applied(r, NEW, PROGRAM);
                                    Told.status(r, MADE);
                                })
                                .reconcile(NEW, r -> r.expectTrack(ACCOUNT).expectTrack(SECRET))
                                .settled(NEW))
                .test(
                        "its password changes twice, and a restart changes nothing",
                        s -> s.given(NEW, ACCOUNT, SECRET)
                                .reconcile(NEW)
                                .then(cluster -> byHand(cluster, SECRET, "{\"data\":{\"password\":\"b3RoZXI=\"}}"))
                                .reconcile(NEW, r -> {
                                    r.expectTrack(ACCOUNT).expectTrack(SECRET);
                                    Told.reapplied(r, NEW, program("{password=b3RoZXI=} {}"));
                                })
                                .then(cluster -> byHand(cluster, SECRET, "{\"data\":{\"password\":\"c2VjcmV0\"}}"))
                                .restarts()
                                .reconcile(NEW, r -> {
                                    r.expectTrack(ACCOUNT).expectTrack(SECRET);
                                    Told.reapplied(r, NEW, PROGRAM);
                                })
                                .settled(NEW)
                                .restarts()
                                .settled(NEW))
                .stream();
    }
}
