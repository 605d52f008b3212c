package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.expired;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * What a test cluster does as an API server does it: twelve points in which fakes of clients differ from servers, and tests that
 * pass against a fake from code that runs.
 */
class FidelityTest {
    private static final int POINTS = 12;
    private static final Set<String> PASSED = ConcurrentHashMap.newKeySet();

    @RegisterExtension
    static final TestWatcher SCORE = new TestWatcher() {
        @Override
        public void testSuccessful(ExtensionContext context) {
            PASSED.add(context.getDisplayName());
        }
    };

    @AfterAll
    static void scoreboard() {
        System.out.println("fidelity: " + PASSED.size() + " of " + POINTS);
    }

    private static final Kind<GenericKubernetesResource> GREETING =
            Kind.generic("example.com", "v1", "Greeting", "greetings", true);

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: greetings.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Greeting, plural: greetings, singular: greeting}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec:
                          type: object
                          required: [name]
                          x-kubernetes-validations:
                            - rule: self.times < 6 || self.name == 'Ada'
                              message: only Ada is greeted more than five times
                            - rule: self.name == oldSelf.name
                              message: the name stays
                          properties:
                            name: {type: string}
                            times: {type: integer, minimum: 1, default: 1}
                        status:
                          type: object
                          properties: {greeted: {type: boolean}}
            """;

    private static final Given<ConfigMap> MAP =
            Given.yaml(ConfigMap.class, "{metadata: {namespace: shop, name: map}, data: {size: '3'}}");

    private static final Given<Deployment> WEB = Given.yaml(Deployment.class, """
            metadata: {namespace: shop, name: web}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: app, image: 'web:1'}]}
            """);

    private static GenericKubernetesResource greeting(String spec) {
        return Given.yaml(
                        GenericKubernetesResource.class,
                        "{apiVersion: example.com/v1, kind: Greeting, metadata: {namespace: shop, name: hello}, spec: "
                                + spec + "}")
                .object();
    }

    private final TestCluster cluster = cluster();
    private final Client client = cluster.client();

    private static TestCluster cluster() {
        Fixture fixture = new Fixture();
        fixture.definitions.add(DEFINITION);
        return fixture.inProcess(TestCluster.NOW);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private <T extends HasMetadata> T live(Given<T> object) {
        return client.get(object.type(), object.key());
    }

    private static Long generation(HasMetadata object) {
        return object.getMetadata().getGeneration();
    }

    @Test
    void generationCountsTheSpecAndNotTheStatus() {
        Deployment made = cluster.put(WEB);
        Deployment wanted = Given.of(made).at("spec.replicas", 3).object();
        Deployment grown = client.update(wanted);
        assertThat(generation(grown)).isEqualTo(generation(made) + 1);
        Deployment labelled =
                client.update(Given.of(grown).label("tier", "front").object());
        assertThat(generation(labelled)).isEqualTo(generation(grown));
        Deployment reported =
                client.updateStatus(Given.of(labelled).statusAt("replicas", 3).object());
        assertThat(generation(reported)).isEqualTo(generation(grown));
        assertThat(client.update(reported).getMetadata().getResourceVersion())
                .as("a write that changes nothing is none")
                .isEqualTo(reported.getMetadata().getResourceVersion());
    }

    @Test
    void uidBelongsToOneLifeOfAName() {
        cluster.put(MAP);
        ConfigMap first = live(MAP);
        client.delete(first);
        ConfigMap second = client.create(MAP.object());
        assertThat(second.getMetadata().getUid())
                .isNotBlank()
                .isNotEqualTo(first.getMetadata().getUid());
        assertThatThrownBy(() -> client.delete(
                        Kind.of(ConfigMap.class),
                        MAP.key(),
                        DeleteOptions.DEFAULT.uid(first.getMetadata().getUid())))
                .isInstanceOf(ConflictException.class);
        second.getMetadata().setUid(first.getMetadata().getUid());
        assertThatThrownBy(() -> client.update(second)).isInstanceOf(ConflictException.class);
    }

    @Test
    void creationTimestampIsTheServersTimeAndStays() {
        cluster.put(MAP);
        cluster.pass(Duration.ofMinutes(5));
        ConfigMap made = client.create(MAP.name("later").object());
        String then = "2026-01-01T00:05:00Z";
        assertThat(made.getMetadata().getCreationTimestamp()).isEqualTo(then);
        cluster.pass(Duration.ofMinutes(5));
        made.getMetadata().setCreationTimestamp("2030-01-01T00:00:00Z");
        assertThat(client.update(made).getMetadata().getCreationTimestamp()).isEqualTo(then);
    }

    @Test
    void ownerGarbageCollection() {
        Given<Secret> child = Given.yaml(Secret.class, "{metadata: {namespace: shop, name: child}}")
                .ownedBy(MAP);
        Given<Secret> orphan = child.name("orphan");
        cluster.put(MAP);
        cluster.put(child);
        client.delete(live(MAP));
        assertThat(client.find(Secret.class, child.key())).isEmpty();
        cluster.put(MAP);
        cluster.put(orphan);
        client.delete(
                Kind.of(ConfigMap.class),
                MAP.key(),
                DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.ORPHAN));
        assertThat(live(orphan).getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void namespaceDeletionEmptiesItAndRefusesNewObjects() {
        Given<ConfigMap> held = MAP.name("held").finalizers("example.com/hold");
        cluster.put(MAP);
        cluster.put(held);
        client.delete(Namespace.class, ObjectKey.cluster("shop"));
        assertThat(client.find(ConfigMap.class, MAP.key())).isEmpty();
        assertThat(live(held).getMetadata().getDeletionTimestamp()).isNotNull();
        assertThatThrownBy(() -> client.create(MAP.name("late").object())).hasMessageContaining("being terminated");
        client.update(Given.of(live(held)).without("metadata.finalizers").object());
        assertThat(client.find(Namespace.class, ObjectKey.cluster("shop"))).isEmpty();
    }

    @Test
    void serverSideApplyHasFieldOwners() {
        cluster.put(MAP.name("other"));
        WriteOptions ours = WriteOptions.DEFAULT.fieldManager("ours");
        WriteOptions theirs = WriteOptions.DEFAULT.fieldManager("theirs");
        client.apply(MAP.object(), ours);
        client.apply(MAP.without("data.size").at("data.colour", "red").object(), theirs);
        assertThat(live(MAP).getData()).isEqualTo(Map.of("size", "3", "colour", "red"));
        assertThatThrownBy(() -> client.apply(MAP.at("data.size", "4").object(), theirs))
                .isInstanceOf(ConflictException.class)
                .hasMessageContainingAll("ours", ".data.size");
        client.apply(MAP.at("data.size", "4").object(), theirs.force(true));
        client.apply(MAP.without("data").object(), theirs);
        assertThat(live(MAP).getData()).as("what one gives up goes").isNullOrEmpty();
    }

    @Test
    void defaultingPruningAndSchemas() {
        cluster.put(MAP);
        GenericKubernetesResource made =
                client.create(GREETING, greeting("{name: Ada, tmies: 3}"), WriteOptions.DEFAULT);
        assertThat(made.<Object>get("spec")).isEqualTo(Map.of("name", "Ada", "times", 1));
        assertThatThrownBy(() -> client.create(
                        GREETING, Given.of(greeting("{times: 0}")).name("bad").object(), WriteOptions.DEFAULT))
                .isInstanceOf(InvalidException.class)
                .hasMessageContainingAll("spec.name", "spec.times");
        assertThat(client.create(WEB.object()).getSpec().getStrategy().getType())
                .isEqualTo("RollingUpdate");
    }

    @Test
    void rulesInCel() {
        cluster.put(MAP);
        assertThatThrownBy(() ->
                        client.create(GREETING, greeting("{name: Bob, times: 6}"), WriteOptions.DEFAULT.dryRun(true)))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("only Ada is greeted more than five times");
        GenericKubernetesResource made =
                client.create(GREETING, greeting("{name: Ada, times: 6}"), WriteOptions.DEFAULT);
        assertThatThrownBy(() -> client.patch(
                        GREETING,
                        ObjectKey.of(made),
                        Patch.merge("{\"spec\": {\"name\": \"Eve\"}}"),
                        WriteOptions.DEFAULT))
                .as("a rule about what was")
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("the name stays");
    }

    @Test
    void fieldSelectors() {
        Given<Pod> pod = Given.yaml(
                Pod.class,
                "{metadata: {namespace: shop, name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        cluster.put(pod);
        cluster.put(pod.name("b").at("spec.nodeName", "n2"));
        ListOptions onTwo = ListOptions.in("shop").fields(FieldSelector.equal("spec.nodeName", "n2"));
        assertThat(client.list(Pod.class, onTwo).items())
                .extracting(found -> found.getMetadata().getName())
                .containsExactly("b");
        assertThatThrownBy(() -> client.list(
                        Pod.class, ListOptions.in("shop").fields(FieldSelector.equal("spec.colour", "red"))))
                .hasMessageContaining("field label not supported");
    }

    @Test
    void dryRunDoesAllButStore() {
        cluster.put(MAP);
        WriteOptions dry = WriteOptions.DEFAULT.dryRun(true);
        Deployment would = client.create(Kind.of(Deployment.class), WEB.object(), dry);
        assertThat(would.getMetadata().getUid()).isNotBlank();
        assertThat(would.getSpec().getRevisionHistoryLimit()).isEqualTo(10);
        assertThat(client.find(Deployment.class, WEB.key())).isEmpty();
        assertThatThrownBy(() -> client.create(
                        Kind.of(Deployment.class), WEB.without("spec.selector").object(), dry))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("spec.selector");
        client.delete(Kind.of(ConfigMap.class), MAP.key(), DeleteOptions.DEFAULT.dryRun(true));
        assertThat(live(MAP).getData()).containsEntry("size", "3");
    }

    @Test
    void watchBookmarksEndTheInitialObjects() throws InterruptedException {
        cluster.put(MAP);
        ListOptions all = ListOptions.in("shop").sendInitialEvents(true);
        try (Watch<ConfigMap> watch = client.watch(ConfigMap.class, all)) {
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.ADDED);
            Watch.Event<ConfigMap> end = watch.next().orElseThrow();
            assertThat(end.type()).isEqualTo(Watch.Type.BOOKMARK);
            assertThat(end.initialEventsEnd()).isTrue();
            client.patch(
                    Kind.of(ConfigMap.class),
                    MAP.key(),
                    Patch.merge("{\"data\":{\"size\":\"4\"}}"),
                    WriteOptions.DEFAULT);
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.MODIFIED);
        }
    }

    @Test
    void anExpiredVersionIs410() {
        cluster.put(MAP);
        String old = live(MAP).getMetadata().getResourceVersion();
        client.delete(live(MAP));
        ListOptions since = ListOptions.in("shop").resourceVersion(old);
        cluster.engine().store().compact(cluster.engine().store().revision());
        assertThatThrownBy(() -> {
                    try (Watch<ConfigMap> watch = client.watch(ConfigMap.class, since)) {
                        watch.next();
                    }
                })
                .as("history that is gone")
                .isInstanceOf(ExpiredException.class);
        cluster.reactive()
                .react(on(RecordedCall.Verb.LIST).kind(ConfigMap.class).nth(1).fails(expired()));
        assertThatThrownBy(() -> cluster.reactive().list(ConfigMap.class, ListOptions.in("shop")))
                .as("on demand")
                .isInstanceOf(ExpiredException.class);
        assertThat(cluster.reactive()
                        .list(ConfigMap.class, ListOptions.in("shop"))
                        .items())
                .isEmpty();
    }
}
