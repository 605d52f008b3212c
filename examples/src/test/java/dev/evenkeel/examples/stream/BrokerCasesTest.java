package dev.evenkeel.examples.stream;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static dev.evenkeel.testing.call.RecordedCall.Verb.APPLY;
import static dev.evenkeel.testing.call.RecordedCall.Verb.CREATE;
import static dev.evenkeel.testing.call.RecordedCall.Verb.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All that a reconciliation of a broker does, whatever it meets. */
class BrokerCasesTest {
    private static final Path DEFINITIONS = Path.of("stream", "crd.yaml");
    private static final String SELECTOR = "{stream.evenkeel.dev/broker: main}";

    static final Given<Broker> NEW = Given.yaml(Broker.class, """
            metadata: {namespace: default, name: main, generation: 1}
            spec:
              image: broker:4
              replicas: 3
              gigabytes: 10
              configFrom: broker-settings
              listeners:
              - {name: plain, port: 9092, external: false}
              - {name: public, port: 9094, external: true}
            """);

    static final Given<ConfigMap> SETTINGS = Given.yaml(ConfigMap.class, """
            metadata: {namespace: default, name: broker-settings}
            data: {retention: 7d}
            """);

    private static final String LISTENERS = "listener.plain=:9092\nlistener.public=:9094\n";

    private static final Given<ConfigMap> CONFIG = Given.yaml(
                    ConfigMap.class, "metadata: {namespace: default, name: main-config, labels: " + SELECTOR + "}")
            .at("data", Map.of("broker.properties", LISTENERS + "retention=7d\n"))
            .ownedBy(NEW);

    private static final Given<Service> PEERS =
            Given.yaml(Service.class, """
                    metadata: {namespace: default, name: main, labels: SELECTOR}
                    spec:
                      clusterIP: None
                      publishNotReadyAddresses: true
                      selector: SELECTOR
                      ports: [{name: peers, port: 7000, protocol: TCP, targetPort: 7000}]
                    """.replace("SELECTOR", SELECTOR)).ownedBy(NEW);

    /** As the server keeps them. */
    private static final Given<Service> KEPT = PEERS.at("spec.clusterIPs", List.of("None"));

    private static Given<Service> listener(String name, int port, String type) {
        return Given.yaml(Service.class, """
                        metadata: {namespace: default, name: main-NAME, labels: SELECTOR}
                        spec:
                          type: TYPE
                          selector: SELECTOR
                          ports: [{name: NAME, port: PORT, protocol: TCP, targetPort: PORT}]
                        """.replace("SELECTOR", SELECTOR)
                        .replace("NAME", name)
                        .replace("PORT", "" + port)
                        .replace("TYPE", type))
                .ownedBy(NEW);
    }

    private static final Given<Service> PLAIN = listener("plain", 9092, "ClusterIP");
    private static final Given<Service> PUBLIC = listener("public", 9094, "LoadBalancer");
    private static final Given<Service> FOUND =
            PUBLIC.statusAt("loadBalancer.ingress", List.of(Map.of("ip", "203.0.113.7")));

    private static final Given<StatefulSet> SERVERS = servers(LISTENERS + "retention=7d\n");

    private static Given<StatefulSet> servers(String properties) {
        return Given.yaml(StatefulSet.class, """
                        metadata: {namespace: default, name: main, labels: SELECTOR, generation: 1}
                        spec:
                          replicas: 3
                          serviceName: main
                          selector: {matchLabels: SELECTOR}
                          template:
                            metadata: {labels: SELECTOR}
                            spec:
                              containers:
                              - name: broker
                                image: broker:4
                                volumeMounts:
                                - {name: config, mountPath: /etc/broker}
                                - {name: data, mountPath: /var/lib/broker}
                              volumes:
                              - name: config
                                configMap: {name: main-config}
                          volumeClaimTemplates:
                          - metadata: {name: data}
                            spec:
                              accessModes: [ReadWriteOnce]
                              resources: {requests: {storage: 10Gi}}
                        """.replace("SELECTOR", SELECTOR))
                .at(
                        "spec.template.metadata.annotations",
                        Map.of("stream.evenkeel.dev/checksum", Checksum.of(properties)))
                .ownedBy(NEW);
    }

    private static Given<StatefulSet> ready(Given<StatefulSet> servers, int count) {
        return servers.statusAt("readyReplicas", count).statusAt("replicas", 3);
    }

    private static final Given<StatefulSet> RUNNING = ready(SERVERS, 3);

    private static final Said CONFIGURED = Said.yes("Configured", "Configured");
    private static final Said REACHABLE = Said.yes("Reachable", "Reachable");
    private static final Said SERVING = Said.yes("Serving", "ServersReady");
    private static final Said PENDING = Said.unknown("Reachable", "AddressPending", "no address yet: public");
    private static final Said STARTING = starting(0, 3);

    private static Said starting(int ready, int wanted) {
        return Said.no("Serving", "ServersNotReady", ready + " of " + wanted + " servers are ready");
    }

    private static final String PLAIN_ADDRESS = "main-plain.default.svc:9092";
    private static final String PUBLIC_ADDRESS = "203.0.113.7:9094";

    private static Given<Broker> said(
            Given<Broker> broker, int replicas, List<String> addresses, Said configured, Said serving, Said reachable) {
        Said ready = Stream.of("False", "Unknown")
                .flatMap(status -> Stream.of(configured, serving, reachable)
                        .filter(one -> one.status().equals(status)))
                .findFirst()
                .map(Said::asReady)
                .orElse(Said.yes("Ready", "Ready"));
        return Said.on(broker, configured, serving, reachable, ready)
                .statusAt("replicas", replicas)
                .statusAt("addresses", addresses);
    }

    private static final Given<Broker> MADE = said(NEW, 0, List.of(PLAIN_ADDRESS, ""), CONFIGURED, STARTING, PENDING);
    static final Given<Broker> READY =
            said(NEW, 3, List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS), CONFIGURED, SERVING, REACHABLE);

    /** Before anything is known. */
    private static Given<Broker> beginning() {
        return Said.unobserved(
                NEW,
                Said.nothing("Configured"),
                Said.nothing("Serving"),
                Said.nothing("Reachable"),
                Said.nothing("Ready"));
    }

    /** Sets up all objects, and expects one more apply of each, as after a start of the process. */
    private static ReconcilerTests.Case<Broker> there(ReconcilerTests.Case<Broker> t, Given<Broker> broker) {
        return t.given(broker, SETTINGS, KEPT, RUNNING)
                .given(CONFIG, PLAIN, FOUND)
                .prepare(BrokerCasesTest::appliedBefore)
                .expectTrack(SETTINGS);
    }

    private static void appliedBefore(TestCluster cluster) {
        for (Given<?> object : List.of(CONFIG, PLAIN, PUBLIC, SERVERS)) {
            if (!exists(cluster, object)) {
                continue;
            }
            var _ = cluster.client()
                    .apply(
                            object.object(),
                            WriteOptions.DEFAULT
                                    .fieldManager("broker-controller")
                                    .force(true));
        }
    }

    private static void byHand(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client().patch(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    private static ReconcilerTests.Case<Broker> same(ReconcilerTests.Case<Broker> t, Given<?>... objects) {
        ReconcilerTests.Case<Broker> all = t;
        for (Given<?> object : objects) {
            all = all.expectApply(object);
        }
        return all;
    }

    private static <T extends HasMetadata> T present(TestCluster cluster, Given<T> object) {
        return cluster.client().get(object.type(), object.key());
    }

    private static boolean exists(TestCluster cluster, Given<?> object) {
        return cluster.client().find(object.type(), object.key()).isPresent();
    }

    private static void quiet(Expectations.Run run) {
        assertThat(run.outcome().severity()).isEqualTo(Result.Severity.QUIET);
    }

    /** One reconciliation each. */
    @TestFactory
    Stream<DynamicTest> reconciliations() {
        ReconcilerTests<Broker> tests =
                ReconcilerTests.of(BrokerReconciler::controller).definitions(DEFINITIONS);
        made(tests);
        settings(tests);
        config(tests);
        peers(tests);
        listeners(tests);
        servers(tests);
        statuses(tests);
        return tests.stream();
    }

    private static void made(ReconcilerTests<Broker> tests) {
        tests.test("a new broker gets all it needs", t -> {
                    t.given(NEW, SETTINGS).expectTrack(SETTINGS);
                    Told.applied(t, NEW, CONFIG);
                    Told.created(t, NEW, PEERS);
                    Told.applied(t, NEW, PLAIN);
                    Told.applied(t, NEW, PUBLIC);
                    Told.applied(t, NEW, SERVERS);
                    Told.status(t, MADE)
                            .expectOrder(
                                    on(APPLY).kind(ConfigMap.class),
                                    on(CREATE).kind(Service.class),
                                    on(APPLY).kind(Service.class),
                                    on(APPLY).kind(StatefulSet.class),
                                    on(UPDATE).status());
                })
                .test("a deleted broker needs nothing", t -> t.request("default", "main"))
                .test("a broker without listeners and settings is reachable by its peers alone", t -> {
                    Given<Broker> plain = NEW.without("spec.listeners").without("spec.configFrom");
                    Given<ConfigMap> config = CONFIG.at("data", Map.of("broker.properties", ""));
                    t.given(plain);
                    Told.applied(t, plain, config);
                    Told.created(t, plain, PEERS);
                    Told.applied(t, plain, servers(""));
                    Told.status(t, said(plain, 0, List.of(), CONFIGURED, STARTING, REACHABLE));
                })
                .test(
                        "a broker that is up to date: no changes, no events",
                        t -> same(there(t, READY), CONFIG, PLAIN, PUBLIC, SERVERS))
                .test("a terminating broker, held by another finalizer: its objects are deleted first", t -> {
                    Given<Broker> going = READY.finalizers("example.com/hold").deleted(TestCluster.NOW);
                    t.given(going, CONFIG, KEPT, PLAIN, FOUND, RUNNING);
                    for (Given<?> child : List.of(CONFIG, PEERS, PLAIN, PUBLIC, SERVERS)) {
                        Told.deleted(t, going, child);
                    }
                })
                .test(
                        "a terminating broker without finalizers is left to the garbage collector",
                        t -> t.given(READY.finalizers("orphan").deleted(TestCluster.NOW), CONFIG, KEPT, RUNNING));
    }

    private static void settings(ReconcilerTests<Broker> tests) {
        Said missing = Said.no("Configured", "SettingsMissing", "there is no ConfigMap \"broker-settings\"");
        tests.test("without its settings nothing is created", t -> {
                    t.given(NEW).expectTrack(SETTINGS).expectResult(Result.halted());
                    Told.status(
                            t, said(NEW, 0, List.of(), missing, Said.nothing("Serving"), Said.nothing("Reachable")));
                })
                .test("deleted settings: running servers continue unchanged", t -> {
                    t.given(READY, CONFIG, KEPT, PLAIN, FOUND, RUNNING)
                            .expectTrack(SETTINGS)
                            .expectResult(Result.halted());
                    Told.status(t, said(NEW, 3, List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS), missing, SERVING, REACHABLE));
                })
                .test("other settings are written, and roll the servers", t -> {
                    String properties = LISTENERS + "retention=1d\n";
                    there(t, READY).prepare(cluster -> byHand(cluster, SETTINGS, "{\"data\":{\"retention\":\"1d\"}}"));
                    Told.reapplied(t, NEW, CONFIG.at("data", Map.of("broker.properties", properties)));
                    same(t, PLAIN, PUBLIC);
                    Told.reapplied(t, NEW, servers(properties));
                })
                .test("settings without data are none", t -> {
                    Given<Broker> plain = NEW.without("spec.listeners");
                    t.given(plain, SETTINGS.without("data")).expectTrack(SETTINGS);
                    Told.applied(t, plain, CONFIG.at("data", Map.of("broker.properties", "")));
                    Told.created(t, plain, PEERS);
                    Told.applied(t, plain, servers(""));
                    Told.status(t, said(plain, 0, List.of(), CONFIGURED, STARTING, REACHABLE));
                });
    }

    private static void config(ReconcilerTests<Broker> tests) {
        tests.test("a refused configuration is reported, and nothing runs without it", t -> {
                    String why = "configmaps \"main-config\" is forbidden: quota";
                    t.given(NEW, SETTINGS)
                            .react(on(APPLY).kind(ConfigMap.class).fails(forbidden("quota")))
                            .expectApply(CONFIG)
                            .expectTrack(SETTINGS);
                    Told.notCreated(t, NEW, CONFIG, why);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of(),
                                    Said.no("Configured", "Forbidden", why),
                                    Said.nothing("Serving"),
                                    Said.nothing("Reachable")));
                })
                .test("a refused change of the configuration does not roll the servers", t -> {
                    String why = "configmaps \"main-config\" is forbidden: quota";
                    Given<ConfigMap> others = SETTINGS.name("others").at("data.retention", "1d");
                    Given<Broker> changed =
                            READY.at("spec.configFrom", "others").generation(2);
                    t.given(changed, others, CONFIG, KEPT, PLAIN, FOUND, RUNNING)
                            .react(on(APPLY).kind(ConfigMap.class).fails(forbidden("quota")))
                            .expectTrack(others)
                            .expectApply(CONFIG.at("data", Map.of("broker.properties", LISTENERS + "retention=1d\n")))
                            .expectEvent(
                                    NEW,
                                    "Warning",
                                    "UpdateFailed",
                                    "UpdateChild",
                                    "Failed to update ConfigMap \"main-config\": " + why);
                    Told.status(
                            t,
                            said(
                                            changed,
                                            3,
                                            List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                            Said.no("Configured", "Forbidden", why),
                                            SERVING,
                                            REACHABLE)
                                    .statusAt("conditions[type=Reachable].observedGeneration", 1)
                                    .statusAt("conditions[type=Serving].observedGeneration", 1));
                })
                .test("a foreign configuration is left alone, and waited for", t -> {
                    String why = "configmaps \"main-config\" already exists";
                    t.given(NEW, SETTINGS, CONFIG.without("metadata.ownerReferences"))
                            .expectTrack(SETTINGS)
                            .expectTrack(CONFIG);
                    Told.notCreated(t, NEW, CONFIG, why);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of(),
                                    Said.no("Configured", "AlreadyExists", why),
                                    Said.nothing("Serving"),
                                    Said.nothing("Reachable")));
                })
                .test("a configuration changed by hand is changed back", t -> {
                    there(t, READY)
                            .prepare(cluster -> byHand(cluster, CONFIG, "{\"data\":{\"broker.properties\":\"\"}}"));
                    Told.reapplied(t, NEW, CONFIG);
                    same(t, PLAIN, PUBLIC, SERVERS);
                });
    }

    private static void peers(ReconcilerTests<Broker> tests) {
        tests.test("peers that are refused are an error, and nothing runs without them", t -> {
                    t.given(NEW, SETTINGS)
                            .react(on(CREATE).kind(Service.class).fails(forbidden("quota")))
                            .expectCreate(PEERS)
                            .expectTrack(SETTINGS)
                            .expectError(ForbiddenException.class);
                    Told.applied(t, NEW, CONFIG);
                    Told.notCreated(t, NEW, PEERS, "services \"main\" is forbidden: quota");
                    Told.status(
                            t,
                            Said.unobserved(
                                    NEW,
                                    CONFIGURED,
                                    Said.nothing("Serving"),
                                    Said.nothing("Reachable"),
                                    Said.nothing("Ready")));
                })
                .test("peers changed by hand are changed back", t -> {
                    there(t, READY).given(KEPT.at("spec.selector", Map.of("app", "mine")));
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                    Told.updated(t, NEW, KEPT);
                })
                .test(
                        "fields of other managers in the peers stay",
                        t -> same(
                                there(t, READY).given(KEPT.annotation("example.com/team", "shop")),
                                CONFIG,
                                PLAIN,
                                PUBLIC,
                                SERVERS));
    }

    private static void listeners(ReconcilerTests<Broker> tests) {
        String refused = "services \"main-plain\" is forbidden: quota";
        tests.test("a listener that is refused keeps neither the others nor the servers", t -> {
                    t.given(NEW, SETTINGS)
                            .react(on(APPLY).named("default", "main-plain").fails(forbidden("quota")))
                            .expectTrack(SETTINGS);
                    Told.applied(t, NEW, CONFIG);
                    Told.created(t, NEW, PEERS);
                    t.expectApply(PLAIN);
                    Told.notCreated(t, NEW, PLAIN, refused);
                    Told.applied(t, NEW, PUBLIC);
                    Told.applied(t, NEW, SERVERS);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of("", ""),
                                    CONFIGURED,
                                    STARTING,
                                    Said.no("Reachable", "ListenerFailed", refused)));
                })
                .test("several refusals are all reported", t -> {
                    t.given(NEW, SETTINGS)
                            .react(on(APPLY).kind(Service.class).fails(forbidden("quota")))
                            .expectTrack(SETTINGS);
                    Told.applied(t, NEW, CONFIG);
                    Told.created(t, NEW, PEERS);
                    t.expectApply(PLAIN).expectApply(PUBLIC);
                    Told.notCreated(t, NEW, PLAIN, refused);
                    Told.notCreated(t, NEW, PUBLIC, "services \"main-public\" is forbidden: quota");
                    Told.applied(t, NEW, SERVERS);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of("", ""),
                                    CONFIGURED,
                                    STARTING,
                                    Said.no(
                                            "Reachable",
                                            "ListenerFailed",
                                            refused + "; services \"main-public\" is forbidden: quota")));
                })
                .test("a listener that fails is an error; the others are created, the servers wait", t -> {
                    String why = "Internal error occurred: apply services default/main-plain";
                    t.given(NEW, SETTINGS)
                            .react(on(APPLY).named("default", "main-plain").fails(internal()))
                            .expectTrack(SETTINGS)
                            .expectError(ApiException.class);
                    Told.applied(t, NEW, CONFIG);
                    Told.created(t, NEW, PEERS);
                    t.expectApply(PLAIN);
                    Told.notCreated(t, NEW, PLAIN, why);
                    Told.applied(t, NEW, PUBLIC);
                    Said failed = Said.no("Reachable", "ListenerFailed", why);
                    Told.status(
                            t,
                            Said.unobserved(NEW, CONFIGURED, Said.nothing("Serving"), failed, failed.asReady())
                                    .statusAt("addresses", List.of("", "")));
                })
                .test("a listener with a foreign name is waited for", t -> {
                    String why = "services \"main-plain\" already exists";
                    t.given(NEW, SETTINGS, PLAIN.without("metadata.ownerReferences"))
                            .expectTrack(SETTINGS)
                            .expectTrack(PLAIN);
                    Told.applied(t, NEW, CONFIG);
                    Told.created(t, NEW, PEERS);
                    Told.notCreated(t, NEW, PLAIN, why);
                    Told.applied(t, NEW, PUBLIC);
                    Told.applied(t, NEW, SERVERS);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of("", ""),
                                    CONFIGURED,
                                    STARTING,
                                    Said.no("Reachable", "ListenerFailed", why)));
                })
                .test("a listener that is not desired any more is deleted", t -> {
                    Given<Broker> fewer =
                            READY.without("spec.listeners[name=public]").generation(2);
                    String properties = "listener.plain=:9092\nretention=7d\n";
                    there(t, fewer);
                    Told.reapplied(t, NEW, CONFIG.at("data", Map.of("broker.properties", properties)));
                    same(t, PLAIN);
                    Told.deleted(t, NEW, PUBLIC);
                    Told.reapplied(t, NEW, servers(properties));
                    Told.status(t, said(fewer, 3, List.of(PLAIN_ADDRESS), CONFIGURED, SERVING, REACHABLE));
                })
                .test("a listener that clients outside need no more is reached inside", t -> {
                    Given<Broker> inside = READY.at("spec.listeners[name=public].external", false)
                            .generation(2);
                    there(t, inside);
                    same(t, CONFIG, PLAIN);
                    Told.reapplied(t, NEW, listener("public", 9094, "ClusterIP"));
                    same(t, SERVERS);
                    Told.status(
                            t,
                            said(
                                    inside,
                                    3,
                                    List.of(PLAIN_ADDRESS, "main-public.default.svc:9094"),
                                    CONFIGURED,
                                    SERVING,
                                    REACHABLE));
                })
                .test("addresses are in the order of the listeners, and not of their names", t -> {
                    Given<Broker> turned = NEW.at(
                            "spec.listeners",
                            List.of(
                                    Map.of("name", "z", "port", 1, "external", false),
                                    Map.of("name", "a", "port", 2, "external", false)));
                    String properties = "listener.a=:2\nlistener.z=:1\nretention=7d\n";
                    t.given(turned, SETTINGS).expectTrack(SETTINGS);
                    Told.applied(t, NEW, CONFIG.at("data", Map.of("broker.properties", properties)));
                    Told.created(t, NEW, PEERS);
                    Told.applied(t, NEW, listener("a", 2, "ClusterIP"));
                    Told.applied(t, NEW, listener("z", 1, "ClusterIP"));
                    Told.applied(t, NEW, servers(properties));
                    Told.status(
                            t,
                            said(
                                    turned,
                                    0,
                                    List.of("main-z.default.svc:1", "main-a.default.svc:2"),
                                    CONFIGURED,
                                    STARTING,
                                    REACHABLE));
                })
                .test("an address with a name is reported by name", t -> {
                    there(t, READY)
                            .given(PUBLIC.statusAt(
                                    "loadBalancer.ingress",
                                    List.of(Map.of("hostname", "main.example.com", "ip", "203.0.113.7"))));
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    3,
                                    List.of(PLAIN_ADDRESS, "main.example.com:9094"),
                                    CONFIGURED,
                                    SERVING,
                                    REACHABLE));
                });
    }

    private static void servers(ReconcilerTests<Broker> tests) {
        tests.test("refused servers are reported", t -> {
                    String why = "StatefulSet.apps \"main\" is invalid: spec.template: Invalid value: no";
                    t.given(NEW, SETTINGS, CONFIG, KEPT, PLAIN, FOUND)
                            .prepare(BrokerCasesTest::appliedBefore)
                            .react(on(APPLY).kind(StatefulSet.class).fails(invalid("spec.template", "no")))
                            .expectTrack(SETTINGS);
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                    Told.notCreated(t, NEW, SERVERS, why);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    0,
                                    List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                    CONFIGURED,
                                    Said.no("Serving", "Invalid", why),
                                    REACHABLE));
                })
                .test("servers that are not all ready are counted", t -> {
                    there(t, READY).given(ready(SERVERS, 2));
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                    Told.status(
                            t,
                            said(
                                    NEW,
                                    2,
                                    List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                    CONFIGURED,
                                    starting(2, 3),
                                    REACHABLE));
                })
                .test("servers scaled by hand are scaled back", t -> {
                    there(t, READY).prepare(cluster -> byHand(cluster, SERVERS, "{\"spec\":{\"replicas\":77}}"));
                    same(t, CONFIG, PLAIN, PUBLIC);
                    Told.reapplied(t, NEW, SERVERS);
                })
                .test("more servers are wanted", t -> {
                    Given<Broker> more = READY.at("spec.replicas", 5).generation(2);
                    there(t, more);
                    same(t, CONFIG, PLAIN, PUBLIC);
                    Told.reapplied(t, NEW, SERVERS.at("spec.replicas", 5));
                    Told.status(
                            t,
                            said(
                                    more,
                                    3,
                                    List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                    CONFIGURED,
                                    starting(3, 5),
                                    REACHABLE));
                })
                .test("another image rolls them", t -> {
                    Given<Broker> other = READY.at("spec.image", "broker:5").generation(2);
                    there(t, other);
                    same(t, CONFIG, PLAIN, PUBLIC);
                    Told.reapplied(t, NEW, SERVERS.at("spec.template.spec.containers[name=broker].image", "broker:5"));
                    Told.status(
                            t, said(other, 3, List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS), CONFIGURED, SERVING, REACHABLE));
                })
                .test("the volumes of existing servers are left unchanged", t -> {
                    Given<Broker> larger = READY.at("spec.gigabytes", 20).generation(2);
                    there(t, larger);
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                    Told.status(
                            t, said(larger, 3, List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS), CONFIGURED, SERVING, REACHABLE));
                })
                .test("servers that changed meanwhile: it is retried, and not reported", t -> {
                    there(t, READY)
                            .prepare(cluster -> byHand(cluster, SERVERS, "{\"spec\":{\"replicas\":77}}"))
                            .react(on(APPLY).kind(StatefulSet.class).fails(conflict()))
                            .expectError(ConflictException.class)
                            .verify(BrokerCasesTest::quiet);
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                })
                .test("servers that are not in the cache yet are not created twice, and not reported", t -> {
                    t.given(READY, SETTINGS, CONFIG, KEPT, PLAIN, FOUND)
                            .prepare(BrokerCasesTest::appliedBefore)
                            .givenOnServer(RUNNING)
                            .expectTrack(SETTINGS)
                            .expectError(AlreadyExistsException.class)
                            .verify(BrokerCasesTest::quiet);
                    same(t, CONFIG, PLAIN, PUBLIC);
                })
                .test("servers that are being deleted are waited for", t -> {
                    there(t, READY).given(RUNNING.finalizers("example.com/hold").deleted(TestCluster.NOW));
                    same(t, CONFIG, PLAIN, PUBLIC);
                });
    }

    private static void statuses(ReconcilerTests<Broker> tests) {
        tests.test("a status that is refused is an error, and all else is done", t -> {
                    there(t, READY)
                            .given(ready(SERVERS, 2))
                            .react(on(UPDATE).kind(Broker.class).status().fails(forbidden("status")))
                            .expectStatusUpdate(said(
                                    NEW,
                                    2,
                                    List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                    CONFIGURED,
                                    starting(2, 3),
                                    REACHABLE))
                            .expectEvent(
                                    NEW,
                                    "Warning",
                                    "StatusUpdateFailed",
                                    "WriteStatus",
                                    "Failed to update status: brokers.stream.evenkeel.dev \"main\" is forbidden: status")
                            .expectError(ForbiddenException.class);
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                })
                .test("a broker that changed meanwhile: its status is written the next time", t -> {
                    there(t, READY)
                            .given(ready(SERVERS, 2))
                            .givenOnServer(READY.label("team", "shop"))
                            .expectStatusUpdate(said(
                                    NEW,
                                    2,
                                    List.of(PLAIN_ADDRESS, PUBLIC_ADDRESS),
                                    CONFIGURED,
                                    starting(2, 3),
                                    REACHABLE))
                            .expectError(ConflictException.class)
                            .verify(BrokerCasesTest::quiet);
                    same(t, CONFIG, PLAIN, PUBLIC, SERVERS);
                });
    }

    /** Several reconciliations each. */
    @TestFactory
    Stream<DynamicTest> lives() {
        return ScenarioTests.of(BrokerReconciler::controller)
                .definitions(DEFINITIONS)
                .test(
                        "when all is created there is nothing to write",
                        s -> s.given(NEW, SETTINGS)
                                .reconcile(NEW)
                                .reconcile(NEW, r -> r.expectTrack(SETTINGS))
                                .settled(NEW))
                .test(
                        "it waits for its settings, and starts when they are created",
                        s -> s.given(NEW)
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster ->
                                        assertThat(exists(cluster, SERVERS)).isFalse())
                                .then(cluster -> cluster.client().create(SETTINGS.object()))
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster ->
                                        assertThat(exists(cluster, SERVERS)).isTrue()))
                .test(
                        "with its servers and its address it becomes ready, and stays so when the process starts again",
                        s -> s.given(NEW, SETTINGS)
                                .reconcile(NEW)
                                .then(cluster -> {
                                    var _ = cluster.client()
                                            .updateStatus(ready(SERVERS, 3).object());
                                    var _ = cluster.client().updateStatus(FOUND.object());
                                })
                                .reconcile(NEW, r -> Told.status(r.expectTrack(SETTINGS), READY))
                                .settled(NEW)
                                .restarts()
                                .settled(NEW))
                .test(
                        "servers that a user deletes are created again",
                        s -> s.given(NEW, SETTINGS)
                                .reconcile(NEW)
                                .then(cluster -> cluster.client().delete(StatefulSet.class, SERVERS.key()))
                                .reconcile(NEW, r -> Told.applied(r.expectTrack(SETTINGS), NEW, SERVERS))
                                .settled(NEW))
                .test(
                        "a listener with a foreign name is created when the foreign one is deleted",
                        s -> s.given(NEW, SETTINGS, PLAIN.without("metadata.ownerReferences"))
                                .reconcile(NEW)
                                .settled(NEW)
                                .then(cluster -> cluster.client().delete(Service.class, PLAIN.key()))
                                .reconcile(NEW, r -> {
                                    Told.applied(r.expectTrack(SETTINGS), NEW, PLAIN);
                                    Told.status(r, MADE);
                                })
                                .settled(NEW))
                .test(
                        "children are deleted with the broker",
                        s -> s.given(NEW, SETTINGS)
                                .reconcile(NEW)
                                .then(cluster -> cluster.client().delete(Broker.class, NEW.key()))
                                .reconcile(NEW, r -> {})
                                .then(cluster -> {
                                    for (Given<?> child : List.of(CONFIG, PEERS, PLAIN, PUBLIC, SERVERS)) {
                                        assertThat(exists(cluster, child)).isFalse();
                                    }
                                    assertThat(present(cluster, SETTINGS)).isNotNull();
                                }))
                .stream();
    }
}
