package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The client that Java users have, unmodified, works with the server. */
@Timeout(300)
class Fabric8Test {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.fabric8.example.com}
            spec:
              group: fabric8.example.com
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {color: {type: string}, replicas: {type: integer}}
                      status:
                        type: object
                        properties: {phase: {type: string}, replicas: {type: integer}}
            """;
    private static final ResourceDefinitionContext WIDGETS = new ResourceDefinitionContext.Builder()
            .withGroup("fabric8.example.com")
            .withVersion("v1")
            .withKind("Widget")
            .withPlural("widgets")
            .withNamespaced(true)
            .build();

    private static @Nullable TestServer server;
    private static @Nullable KubernetesClient shared;

    private String namespace = "";

    @BeforeAll
    static void start() {
        TestServer started = TestServer.start();
        server = started;
        KubernetesClient client = client(config(started, started.base().toString()));
        shared = client;
        client.load(new ByteArrayInputStream(DEFINITION.getBytes(StandardCharsets.UTF_8)))
                .create();
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("widgets.fabric8.example.com")
                .waitUntilCondition(
                        crd -> crd != null
                                && crd.getStatus() != null
                                && crd.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        20,
                        TimeUnit.SECONDS);
    }

    @AfterAll
    static void stop() {
        if (shared != null) {
            shared.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void namespace(TestInfo test) {
        namespace = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        client().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void createsUpdatesAndDeletes() {
        ConfigMap created = client().resource(map("m", Map.of("a", "1"))).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        ConfigMap updated = client().resource(
                        new ConfigMapBuilder(created).addToData("b", "2").build())
                .update();
        assertThat(updated.getData()).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(updated.getMetadata().getUid())
                .isEqualTo(created.getMetadata().getUid());
        assertThatThrownBy(
                        () -> client().resource(created).lockResourceVersion().update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        assertThatThrownBy(() -> client().resource(map("m", Map.of())).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(409);
                    assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists");
                });
        assertThat(client().configMaps().inNamespace(namespace).withName("m").delete())
                .hasSize(1);
        assertThat(client().configMaps().inNamespace(namespace).withName("m").get())
                .isNull();
    }

    @Test
    void editsAndPatches() {
        client().resource(map("m", Map.of("a", "1"))).create();
        ConfigMap edited = client().configMaps()
                .inNamespace(namespace)
                .withName("m")
                .edit(map -> new ConfigMapBuilder(map).addToData("e", "1").build());
        assertThat(edited.getData()).containsEntry("e", "1");
        var resource = client().configMaps().inNamespace(namespace).withName("m");
        assertThat(resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"m\":\"1\"}}")
                        .getData())
                .containsEntry("m", "1");
        assertThat(resource.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"s\":\"1\"}}")
                        .getData())
                .containsEntry("s", "1");
        assertThat(resource.patch(
                                PatchContext.of(PatchType.JSON),
                                "[{\"op\":\"add\",\"path\":\"/data/j\",\"value\":\"1\"}]")
                        .getData())
                .containsEntry("j", "1");
    }

    @Test
    void writesStatusAndScale() {
        client().resource(widget("w", "red")).create();
        var resource = client().genericKubernetesResources(WIDGETS)
                .inNamespace(namespace)
                .withName("w");
        GenericKubernetesResource changed = resource.editStatus(widget -> {
            widget.setAdditionalProperty("status", Map.of("phase", "Ready", "replicas", 2));
            widget.setAdditionalProperty("spec", Map.of("color", "ignored"));
            return widget;
        });
        assertThat(changed.<String>get("status", "phase")).isEqualTo("Ready");
        assertThat(changed.<String>get("spec", "color")).isEqualTo("red");
        assertThat(resource.scale(4).<Integer>get("spec", "replicas")).isEqualTo(4);

        client().resource(deployment("d")).create();
        Deployment scaled = client().apps()
                .deployments()
                .inNamespace(namespace)
                .withName("d")
                .scale(5);
        assertThat(scaled.getSpec().getReplicas()).isEqualTo(5);
        assertThat(client().apps()
                        .deployments()
                        .inNamespace(namespace)
                        .withName("d")
                        .scale((io.fabric8.kubernetes.api.model.autoscaling.v1.Scale) null)
                        .getSpec()
                        .getReplicas())
                .isEqualTo(5);
    }

    @Test
    void deletesWithPropagation() {
        ConfigMap owner = client().resource(map("owner", Map.of())).create();
        ConfigMap dependent = new ConfigMapBuilder(map("dependent", Map.of()))
                .editMetadata()
                .addToOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .build();
        client().resource(dependent).create();
        client().configMaps()
                .inNamespace(namespace)
                .withName("owner")
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        client().configMaps()
                .inNamespace(namespace)
                .withName("owner")
                .waitUntilCondition(java.util.Objects::isNull, 120, TimeUnit.SECONDS);
        assertThat(client().configMaps()
                        .inNamespace(namespace)
                        .withName("dependent")
                        .get())
                .isNull();
        client().resource(map("x", Map.of())).create();
        client().configMaps().inNamespace(namespace).delete();
        assertThat(client().configMaps().inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    @Test
    void listsWithSelectorsAndLimits() {
        for (int i = 0; i < 5; i++) {
            client().resource(new ConfigMapBuilder(map("m" + i, Map.of()))
                            .editMetadata()
                            .addToLabels("parity", i % 2 == 0 ? "even" : "odd")
                            .endMetadata()
                            .build())
                    .create();
        }
        var maps = client().configMaps().inNamespace(namespace);
        assertThat(maps.withLabel("parity", "even").list().getItems()).hasSize(3);
        assertThat(maps.withLabelNotIn("parity", "even").list().getItems()).hasSize(2);
        assertThat(maps.withField("metadata.name", "m3").list().getItems()).hasSize(1);
        assertThat(maps.withoutField("metadata.name", "m3").list().getItems()).hasSize(4);
        ConfigMapList page = maps.list(new ListOptionsBuilder().withLimit(2L).build());
        assertThat(page.getItems()).hasSize(2);
        assertThat(page.getMetadata().getRemainingItemCount()).isEqualTo(3);
        ConfigMapList next = maps.list(new ListOptionsBuilder()
                .withLimit(3L)
                .withContinue(page.getMetadata().getContinue())
                .build());
        assertThat(next.getItems())
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("m2", "m3", "m4");
        assertThat(next.getMetadata().getContinue()).isNullOrEmpty();
    }

    @Test
    void watches() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        Watch watch = client().genericKubernetesResources(WIDGETS)
                .inNamespace(namespace)
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, GenericKubernetesResource widget) {
                        events.add(action + " " + widget.get("spec", "color"));
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        events.add("closed by " + cause);
                    }
                });
        client().resource(widget("w", "red")).create();
        assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("ADDED red");
        client().genericKubernetesResources(WIDGETS)
                .inNamespace(namespace)
                .withName("w")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"color\":\"blue\"}}");
        assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("MODIFIED blue");
        client().genericKubernetesResources(WIDGETS)
                .inNamespace(namespace)
                .withName("w")
                .delete();
        assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("DELETED blue");
        watch.close();
    }

    @Test
    void informsThroughARestartOfTheConnection() throws Exception {
        TestServer started = java.util.Objects.requireNonNull(server);
        try (TcpProxy proxy = new TcpProxy(started.base().getPort());
                KubernetesClient through =
                        client(config(started, started.base().getScheme() + "://127.0.0.1:" + proxy.port()))) {
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            SharedIndexInformer<ConfigMap> informer =
                    through.configMaps().inNamespace(namespace).inform(handler(events));
            client().resource(map("a", Map.of())).create();
            assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("added a");

            proxy.cut();
            client().resource(map("b", Map.of())).create();
            client().configMaps().inNamespace(namespace).withName("a").delete();
            proxy.mend();

            assertThat(List.of(
                            String.valueOf(events.poll(120, TimeUnit.SECONDS)),
                            String.valueOf(events.poll(120, TimeUnit.SECONDS))))
                    .containsExactlyInAnyOrder("added b", "deleted a");
            assertThat(informer.getStore().list())
                    .extracting(map -> map.getMetadata().getName())
                    .containsExactly("b");
            informer.close();
        }
    }

    @Test
    void informsThroughAnExpiredRevision() throws Exception {
        Engine shortMemory = Engine.builder()
                .window(new MemoryStore.Window(5, Duration.ofMinutes(5)))
                .build();
        try (TestServer forgetful = TestServer.start(shortMemory);
                TcpProxy proxy = new TcpProxy(forgetful.base().getPort());
                KubernetesClient direct =
                        client(config(forgetful, forgetful.base().toString()));
                KubernetesClient through =
                        client(config(forgetful, forgetful.base().getScheme() + "://127.0.0.1:" + proxy.port()))) {
            namespace = "default";
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            SharedIndexInformer<ConfigMap> informer =
                    through.configMaps().inNamespace(namespace).inform(handler(events));
            ConfigMap first = direct.resource(map("a", Map.of("k", "0"))).create();
            assertThat(events.poll(120, TimeUnit.SECONDS)).isEqualTo("added a");

            proxy.cut();
            for (int i = 1; i <= 20; i++) {
                direct.resource(map("a", Map.of("k", String.valueOf(i)))).update();
            }
            direct.resource(map("b", Map.of())).create();
            assertThat(direct.raw("/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion="
                            + first.getMetadata().getResourceVersion()))
                    .contains("\"code\":410");
            proxy.mend();

            assertThat(List.of(
                            String.valueOf(events.poll(120, TimeUnit.SECONDS)),
                            String.valueOf(events.poll(120, TimeUnit.SECONDS))))
                    .containsExactlyInAnyOrder("updated a", "added b");
            assertThat(informer.getStore().list())
                    .extracting(ConfigMap::getData)
                    .contains(Map.of("k", "20"));
            informer.close();
        }
    }

    @Test
    void appliesServerSide() {
        ConfigMap applied = client().resource(map("m", Map.of("a", "1")))
                .fieldManager("one")
                .serverSideApply();
        assertThat(applied.getMetadata().getManagedFields()).singleElement().satisfies(entry -> {
            assertThat(entry.getManager()).isEqualTo("one");
            assertThat(entry.getOperation()).isEqualTo("Apply");
        });
        assertThatThrownBy(() -> client().resource(map("m", Map.of("a", "2")))
                        .fieldManager("two")
                        .serverSideApply())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(409);
                    assertThat(e.getStatus().getDetails().getCauses())
                            .singleElement()
                            .satisfies(cause -> assertThat(cause.getField()).isEqualTo(".data.a"));
                });
        ConfigMap forced = client().resource(map("m", Map.of("a", "2")))
                .fieldManager("two")
                .forceConflicts()
                .serverSideApply();
        assertThat(forced.getData()).isEqualTo(Map.of("a", "2"));
    }

    @Test
    void electsALeader() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
        CompletableFuture<?> one = elect("one", leaders, first);
        assertThat(leaders.poll(120, TimeUnit.SECONDS)).isEqualTo("one");
        CompletableFuture<?> two = elect("two", leaders, second);
        assertThat(client().leases()
                        .inNamespace(namespace)
                        .withName("leader")
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .isEqualTo("one");
        one.cancel(true);
        assertThat(first.get(120, TimeUnit.SECONDS)).isEqualTo("stopped");
        assertThat(leaders.poll(120, TimeUnit.SECONDS)).isEqualTo("two");
        two.cancel(true);
        assertThat(second.get(120, TimeUnit.SECONDS)).isEqualTo("stopped");
    }

    private CompletableFuture<?> elect(String identity, BlockingQueue<String> leaders, CompletableFuture<String> end) {
        return client().leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName("test")
                        .withLeaseDuration(Duration.ofSeconds(5))
                        .withRenewDeadline(Duration.ofSeconds(3))
                        .withRetryPeriod(Duration.ofMillis(200))
                        .withReleaseOnCancel(true)
                        .withLock(new LeaseLock(namespace, "leader", identity))
                        .withLeaderCallbacks(new LeaderCallbacks(
                                () -> leaders.add(identity), () -> end.complete("stopped"), leader -> {}))
                        .build())
                .build()
                .start();
    }

    private static ResourceEventHandler<ConfigMap> handler(BlockingQueue<String> events) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                if (!map.getMetadata().getName().equals("kube-root-ca.crt")) {
                    events.add("added " + map.getMetadata().getName());
                }
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap after) {
                // a resync says nothing new
                if (!before.getMetadata()
                        .getResourceVersion()
                        .equals(after.getMetadata().getResourceVersion())) {
                    events.add("updated " + after.getMetadata().getName());
                }
            }

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {
                events.add("deleted " + map.getMetadata().getName());
            }
        };
    }

    private ConfigMap map(String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withData(data)
                .build();
    }

    private GenericKubernetesResource widget(String name, String color) {
        GenericKubernetesResource widget = new GenericKubernetesResource();
        widget.setApiVersion("fabric8.example.com/v1");
        widget.setKind("Widget");
        widget.setMetadata(map(name, Map.of()).getMetadata());
        widget.setAdditionalProperty("spec", Map.of("color", color, "replicas", 1));
        return widget;
    }

    private Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withReplicas(2)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("img:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static KubernetesClient client() {
        return java.util.Objects.requireNonNull(shared);
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Config config(TestServer server, String url) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(server.token())
                .withTrustCerts(true)
                .withDisableHostnameVerification(true)
                .withWatchReconnectInterval(100)
                .build();
    }
}
