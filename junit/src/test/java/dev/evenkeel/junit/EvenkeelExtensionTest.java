package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

class EvenkeelExtensionTest {
    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .build();
    }

    @EvenkeelTest(manifests = "manifests/")
    static class Injection {
        KubernetesClient client;
        EngineCluster cluster;

        @Kubeconfig
        Path kubeconfig;

        @Test
        void fieldsAndParametersAreOfOneCluster(Client own, Engine engine, TestClock clock, @Kubeconfig String yaml)
                throws Exception {
            assertThat(client.resource(map("a")).create()).isNotNull();
            assertThat(own.find(ConfigMap.class, ObjectKey.of("default", "a"))).isPresent();
            assertThat(engine).isSameAs(cluster.engine());
            assertThat(Files.readString(kubeconfig)).isEqualTo(yaml).contains("https://127.0.0.1:");
            Instant before = clock.instant();
            clock.advance(Duration.ofHours(1));
            Instant created = Instant.parse(
                    client.resource(map("later")).create().getMetadata().getCreationTimestamp());
            assertThat(created).isAfter(before.plus(Duration.ofMinutes(59)));
        }

        @RepeatedTest(3)
        @Execution(ExecutionMode.CONCURRENT)
        void eachTestBeginsWithTheManifests() {
            assertThat(client.configMaps()
                            .inNamespace("default")
                            .withName("own")
                            .get())
                    .isNull();
            client.resource(map("own")).create();
            Page page = client.resources(Page.class)
                    .inNamespace("shop")
                    .withName("first")
                    .get();
            assertThat(page.getSpec().text).isEqualTo("hello");
            assertThat(page.getStatus().observedGeneration).isEqualTo(7);
        }
    }

    @EvenkeelTest(manifests = "manifests/crds.yaml")
    static class Failing {
        @Test
        void fails(KubernetesClient client) {
            client.resource(map("there")).create();
            client.resource(Page.of("page", "text")).create();
            throw new AssertionError("on purpose");
        }
    }

    @EvenkeelTest
    static class FailingBefore {
        @BeforeEach
        void prepare(KubernetesClient client) {
            client.resource(map("there")).create();
            throw new AssertionError("on purpose");
        }

        @Test
        void isNotRun() {}
    }

    @EvenkeelTest
    static class FailingOverHttp {
        @Test
        void fails(@Kubeconfig String kubeconfig) {
            try (KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(kubeconfig))
                    .build()) {
                client.resource(map("there")).create();
                assertThatThrownBy(() -> client.resource(map("there")).create()).hasMessageContaining("already exists");
                client.configMaps().inNamespace("default").watch(new Unheard()).close();
            }
            throw new AssertionError("on purpose");
        }

        private static final class Unheard implements Watcher<ConfigMap> {
            @Override
            public void eventReceived(Action action, ConfigMap map) {}

            @Override
            public void onClose(WatcherException e) {}
        }
    }

    @EvenkeelTest(controllers = false)
    static class WithoutControllers {
        @Test
        void keepsWhatIsOwned(KubernetesClient client, EngineCluster cluster) {
            ConfigMap owner = client.resource(map("owner")).create();
            ConfigMap owned = map("owned");
            owned.addOwnerReference(owner);
            client.resource(owned).create();
            client.resource(owner).delete();
            cluster.awaitQuiet();
            assertThat(client.resource(owned).get()).isNotNull();
        }
    }

    @EvenkeelTest
    static class Shared {
        static KubernetesClient client;
        static final List<String> SEEN = new ArrayList<>();

        @RepeatedTest(2)
        @Execution(ExecutionMode.SAME_THREAD)
        void all() {
            client.resource(map("m"
                            + client.configMaps()
                                    .inNamespace("default")
                                    .list()
                                    .getItems()
                                    .size()))
                    .create();
            SEEN.add(
                    client.configMaps().inNamespace("default").list().getItems().toString());
        }
    }

    @EvenkeelTest(authorization = true)
    static class Users {
        @Test
        void needRoles(EngineCluster cluster) {
            assertThat(cluster.kubernetesClient()
                            .configMaps()
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .isNotNull();
            assertThatThrownBy(() -> cluster.kubernetesClient("alice")
                            .configMaps()
                            .inNamespace("default")
                            .list())
                    .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                        assertThat(e.getCode()).isEqualTo(403);
                        assertThat(e).hasMessageContaining("User \"alice\" cannot list resource \"configmaps\"");
                    });
        }
    }

    @EvenkeelTest(types = Page.class)
    static class Types {
        @Test
        void haveDefinitions(KubernetesClient client) {
            assertThat(client.resource(Page.of("a", "text"))
                            .create()
                            .getMetadata()
                            .getGeneration())
                    .isOne();
            assertThat(client.apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .withName("pages.example.com")
                            .get()
                            .getSpec()
                            .getVersions()
                            .getFirst()
                            .getSchema()
                            .getOpenAPIV3Schema()
                            .getProperties())
                    .containsKeys("spec", "status");
        }
    }

    @EvenkeelTest(manifests = "manifests/none.yaml")
    static class Missing {
        @Test
        void isNotRun(KubernetesClient client) {}
    }

    static class OneMethod {
        @Test
        @EvenkeelTest
        void has(KubernetesClient client) {
            assertThat(client.namespaces().withName("default").get()).isNotNull();
        }
    }

    private static org.junit.platform.testkit.engine.EngineExecutionResults run(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(type))
                .execute();
    }

    @Test
    void gives() {
        for (Class<?> type :
                List.of(Injection.class, Users.class, Types.class, OneMethod.class, WithoutControllers.class)) {
            var results = run(type);
            results.testEvents().failed().stream().forEach(event -> System.out.println(event));
            results.testEvents()
                    .assertStatistics(statistics -> statistics.failed(0).aborted(0));
        }
    }

    private static Throwable failure(Class<?> type) {
        return run(type).testEvents().failed().stream()
                .findFirst()
                .orElseThrow()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
    }

    @Test
    void aFailureTellsRequestsAndObjects() {
        Throwable failure = failure(Failing.class);
        assertThat(failure).hasMessage("on purpose");
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).hasMessage("""
                        the cluster of the test
                          requests:
                            POST /api/v1/namespaces/default/configmaps 201
                            POST /apis/example.com/v1/namespaces/default/pages 201
                          objects:
                            configmaps default/there
                            namespaces shop
                            pages.example.com default/page
                            pages.example.com shop/first""");
    }

    @Test
    void aFailureBeforeATestTellsThemToo() {
        Throwable failure = failure(FailingBefore.class);
        assertThat(failure).hasMessage("on purpose");
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).hasMessage("""
                        the cluster of the test
                          requests:
                            POST /api/v1/namespaces/default/configmaps 201
                          objects:
                            configmaps default/there""");
    }

    @Test
    void aFailureTellsRequestsOverConnections() {
        Throwable failure = failure(FailingOverHttp.class);
        assertThat(failure).hasMessage("on purpose");
        assertThat(failure.getSuppressed()[0].getMessage().lines())
                .containsSubsequence(
                        "  requests:",
                        "    POST /api/v1/namespaces/default/configmaps 201",
                        "    POST /api/v1/namespaces/default/configmaps 409")
                .anyMatch(line -> line.startsWith("    GET /api/v1/namespaces/default/configmaps?")
                        && line.contains("watch=true")
                        && line.endsWith(" 101"));
    }

    @Test
    void definitionsThatTheGeneratorLeftOnTheClassPathAreLoaded(@TempDir Path directory) throws Exception {
        Path generated = Files.createDirectories(directory.resolve("META-INF/fabric8"));
        Files.writeString(generated.resolve("shelves.example.com-v1.yml"), """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: shelves.example.com
                spec:
                  group: example.com
                  names: {kind: Shelf, plural: shelves}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema: {type: object}
                """);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            try (EngineCluster cluster = EngineCluster.start()) {
                assertThat(cluster.kubernetesClient()
                                .genericKubernetesResources("example.com/v1", "Shelf")
                                .inAnyNamespace()
                                .list()
                                .getItems())
                        .isEmpty();
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void testsShareTheClusterOfStaticFields() {
        run(Shared.class).testEvents().assertStatistics(statistics -> statistics.succeeded(2));
        assertThat(Shared.SEEN).hasSize(2);
        assertThat(Shared.SEEN.getLast()).contains("name=m0,").contains("name=m1,");
    }

    @Test
    void aMissingManifestIsNamed() {
        assertThat(failure(Missing.class))
                .hasMessageContaining(
                        "manifest \"manifests/none.yaml\" is neither a resource on the class path nor a file");
    }
}
