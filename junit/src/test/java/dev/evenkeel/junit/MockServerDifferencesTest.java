package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that pass with fabric8's mock server, and fail with an API server: each assumes what no cluster does.
 */
class MockServerDifferencesTest {
    private static final Logger LOGGER = Logger.getLogger(MockWebServer.class.getName());

    /** A test that is wrong, and a part of how it fails. */
    private record Difference(String name, Assumption assumption, String failure) {}

    private interface Assumption {
        void check(KubernetesClient client, Runnable quiet);
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("key", "1")
                .build();
    }

    private static ConfigMap stored(KubernetesClient client, String name) {
        return client.configMaps().inNamespace("default").withName(name).get();
    }

    private static Page page(KubernetesClient client) {
        return client.resources(Page.class).inNamespace("default").withName("a").get();
    }

    private static final List<Difference> DIFFERENCES = List.of(
            new Difference(
                    "config maps have no generation",
                    (client, quiet) -> {
                        client.resource(map("a")).create();
                        assertThat(stored(client, "a").getMetadata().getGeneration())
                                .isOne();
                    },
                    "null"),
            new Difference(
                    "the owners of fields are recorded",
                    (client, quiet) -> {
                        client.resource(map("a")).create();
                        assertThat(stored(client, "a").getMetadata().getManagedFields())
                                .isEmpty();
                    },
                    "Expecting empty"),
            new Difference(
                    "a change of the spec does not change the status",
                    (client, quiet) -> {
                        Page created = client.resource(Page.of("a", "x")).create();
                        created.setStatus(new Page.Status());
                        created.getStatus().observedGeneration = 1L;
                        client.resource(created).update();
                        assertThat(page(client).getStatus()).isNotNull();
                    },
                    "not to be null"),
            new Difference(
                    "objects are validated by the schema of their definition",
                    (client, quiet) ->
                            client.resource(Page.of("a", "x".repeat(100))).create(),
                    "Too long: may not be more than 20"),
            new Difference(
                    "built-in kinds are validated",
                    (client, quiet) -> client.resource(new PodBuilder()
                                    .withNewMetadata()
                                    .withNamespace("default")
                                    .withName("a")
                                    .endMetadata()
                                    .withNewSpec()
                                    .endSpec()
                                    .build())
                            .create(),
                    "spec.containers: Required value"),
            new Difference(
                    "names are validated",
                    (client, quiet) -> client.resource(map("Not_A_Name")).create(),
                    "a lowercase RFC 1123 subdomain"),
            new Difference(
                    "an object needs its namespace",
                    (client, quiet) -> {
                        ConfigMap map = map("a");
                        map.getMetadata().setNamespace("absent");
                        client.resource(map).create();
                    },
                    "namespaces \"absent\" not found"),
            new Difference(
                    "defaults are set",
                    (client, quiet) -> {
                        client.resource(new ServiceBuilder()
                                        .withNewMetadata()
                                        .withNamespace("default")
                                        .withName("a")
                                        .endMetadata()
                                        .withNewSpec()
                                        .addNewPort()
                                        .withPort(80)
                                        .endPort()
                                        .endSpec()
                                        .build())
                                .create();
                        assertThat(client.services()
                                        .inNamespace("default")
                                        .withName("a")
                                        .get()
                                        .getSpec()
                                        .getClusterIP())
                                .isNull();
                    },
                    "null"),
            new Difference(
                    "objects go with their owner",
                    (client, quiet) -> {
                        ConfigMap owner = client.resource(map("owner")).create();
                        ConfigMap child = map("child");
                        child.getMetadata()
                                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                                        .withApiVersion("v1")
                                        .withKind("ConfigMap")
                                        .withName("owner")
                                        .withUid(owner.getMetadata().getUid())
                                        .build()));
                        client.resource(child).create();
                        client.resource(owner).delete();
                        quiet.run();
                        assertThat(stored(client, "child")).isNotNull();
                    },
                    "not to be null"),
            new Difference(
                    "a deletion in the foreground waits for what is owned",
                    (client, quiet) -> {
                        ConfigMap owner = client.resource(map("owner")).create();
                        ConfigMap child = map("child");
                        child.getMetadata().setFinalizers(List.of("example.com/hold"));
                        child.getMetadata()
                                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                                        .withApiVersion("v1")
                                        .withKind("ConfigMap")
                                        .withName("owner")
                                        .withUid(owner.getMetadata().getUid())
                                        .withBlockOwnerDeletion(true)
                                        .build()));
                        client.resource(child).create();
                        client.resource(owner)
                                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                                .delete();
                        quiet.run();
                        assertThat(stored(client, "owner")).isNull();
                    },
                    "null"),
            new Difference(
                    "lists have pages",
                    (client, quiet) -> {
                        for (int i = 0; i < 5; i++) {
                            client.resource(map("m" + i)).create();
                        }
                        assertThat(client.configMaps()
                                        .inNamespace("default")
                                        .list(new ListOptionsBuilder()
                                                .withLimit(2L)
                                                .build())
                                        .getItems())
                                .hasSizeGreaterThanOrEqualTo(5);
                    },
                    "greater than or equal to 5"),
            new Difference(
                    "objects can be applied",
                    (client, quiet) -> assertThatThrownBy(
                                    () -> client.resource(map("a")).serverSideApply())
                            .isInstanceOf(KubernetesClientException.class),
                    "Expecting code to raise a throwable"),
            new Difference(
                    "an immutable object does not change",
                    (client, quiet) -> {
                        ConfigMap fixed = map("a");
                        fixed.setImmutable(true);
                        client.resource(fixed).create();
                        ConfigMap changed = stored(client, "a");
                        changed.setData(Map.of("key", "2"));
                        client.resource(changed).update();
                    },
                    "field is immutable when `immutable` is set"),
            new Difference(
                    "the fields of a running pod do not change",
                    (client, quiet) -> {
                        Pod pod = client.resource(new PodBuilder()
                                        .withNewMetadata()
                                        .withNamespace("default")
                                        .withName("a")
                                        .endMetadata()
                                        .withNewSpec()
                                        .addNewContainer()
                                        .withName("main")
                                        .withImage("nginx")
                                        .endContainer()
                                        .endSpec()
                                        .build())
                                .create();
                        pod.getSpec().setHostname("other");
                        client.resource(pod).update();
                    },
                    "pod updates may not change fields"),
            new Difference(
                    "text of a secret is stored as data",
                    (client, quiet) -> {
                        client.resource(new SecretBuilder()
                                        .withNewMetadata()
                                        .withNamespace("default")
                                        .withName("a")
                                        .endMetadata()
                                        .addToStringData("key", "text")
                                        .build())
                                .create();
                        Secret secret = client.secrets()
                                .inNamespace("default")
                                .withName("a")
                                .get();
                        assertThat(secret.getStringData()).containsEntry("key", "text");
                    },
                    "key"));

    @TestFactory
    Stream<DynamicTest> passesWithTheMockAndFailsWithAnApiServer() {
        return DIFFERENCES.stream()
                .map(difference -> DynamicTest.dynamicTest(difference.name, () -> {
                    Throwable withMock = catchThrowable(() -> onMock(difference.assumption));
                    assertThat(withMock).as("with the mock server").isNull();
                    Throwable withCluster = catchThrowable(() -> onCluster(difference.assumption));
                    assertThat(withCluster)
                            .as("with the API of an engine")
                            .isNotNull()
                            .hasMessageContaining(difference.failure);
                }));
    }

    private static void onCluster(Assumption assumption) {
        try (EngineCluster cluster =
                EngineCluster.builder().manifests("manifests/crds.yaml").start()) {
            assumption.check(cluster.kubernetesClient(), cluster::awaitQuiet);
        }
    }

    private static void onMock(Assumption assumption) {
        LOGGER.setLevel(Level.WARNING);
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init(InetAddress.getLoopbackAddress(), 0);
        try (KubernetesClient client = server.createClient()) {
            assumption.check(client, () -> {});
        } finally {
            server.destroy();
        }
    }
}
