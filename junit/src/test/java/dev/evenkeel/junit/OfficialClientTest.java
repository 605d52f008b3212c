package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The official Java client over loopback: requests, and a controller by its informers, for which a test waits. */
@Isolated("waits in real time")
@EvenkeelTest
class OfficialClientTest {
    private static final Duration SILENCE = Duration.ofSeconds(1);

    EngineCluster cluster;

    private static ApiClient client(EngineCluster cluster) {
        Config config = Config.fromKubeconfig(cluster.kubeConfigYaml());
        return new ApiClient()
                .setBasePath(config.getMasterUrl().replaceAll("/$", ""))
                .setSslCaCert(new ByteArrayInputStream(Base64.getDecoder().decode(config.getCaCertData())))
                .addDefaultHeader("Authorization", "Bearer " + config.getAutoOAuthToken());
    }

    private static V1ConfigMap map(String text) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace("default").name("greeting"))
                .data(Map.of("text", text));
    }

    @Test
    void itsRequestsHaveAnswers() throws ApiException {
        CoreV1Api api = new CoreV1Api(client(cluster));
        V1ConfigMap created =
                api.createNamespacedConfigMap("default", map("hello")).execute();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(cluster.kubernetesClient()
                        .configMaps()
                        .inNamespace("default")
                        .withName("greeting")
                        .get()
                        .getData())
                .containsEntry("text", "hello");
        assertThat(api.listNamespacedConfigMap("default").execute().getItems())
                .extracting(map -> map.getMetadata().getName())
                .contains("greeting");
    }

    /** Copies the text of each map into a secret. */
    private record Copying(CoreV1Api api) implements ResourceEventHandler<V1ConfigMap> {
        @Override
        public void onAdd(V1ConfigMap map) {
            if (map.getData() == null || !map.getData().containsKey("text")) {
                return;
            }
            try {
                api.createNamespacedSecret(
                                "default",
                                new V1Secret()
                                        .metadata(new V1ObjectMeta()
                                                .name(map.getMetadata().getName()))
                                        .stringData(map.getData()))
                        .execute();
            } catch (ApiException e) {
                throw new IllegalStateException(e.getResponseBody(), e);
            }
        }

        @Override
        public void onUpdate(V1ConfigMap old, V1ConfigMap map) {}

        @Override
        public void onDelete(V1ConfigMap map, boolean unknown) {}
    }

    @Test
    void aTestWaitsForItsControllers() throws ApiException {
        ApiClient client = client(cluster).setReadTimeout(0);
        CoreV1Api api = new CoreV1Api(client);
        SharedInformerFactory informers = new SharedInformerFactory(client);
        SharedIndexInformer<V1ConfigMap> maps = informers.sharedIndexInformerFor(
                new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client),
                V1ConfigMap.class,
                0);
        maps.addEventHandler(new Copying(api));
        informers.startAllRegisteredInformers();
        try {
            cluster.awaitQuiet(SILENCE);
            V1ConfigMap unused =
                    api.createNamespacedConfigMap("default", map("hello")).execute();
            cluster.awaitQuiet(SILENCE);
            assertThat(cluster.kubernetesClient()
                            .secrets()
                            .inNamespace("default")
                            .withName("greeting")
                            .get())
                    .isNotNull();
        } finally {
            informers.stopAllRegisteredInformers();
        }
    }
}
