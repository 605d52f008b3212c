package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import org.junit.jupiter.api.Test;

@EvenkeelTest(authorization = true)
class TransportTest {
    EngineCluster cluster;

    @Test
    void clientsOfFabric8KeepTheirSettings() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://10.0.0.1:6443")
                .withNamespace("kube-system")
                .withImpersonateUsername("alice")
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(cluster.transport(HttpClient.Factory.class))
                .build()) {
            assertThatThrownBy(() -> client.configMaps().list())
                    .hasMessageContaining("User \"alice\" cannot list resource \"configmaps\"")
                    .hasMessageContaining("\"kube-system\"");
        }
    }

    @Test
    void otherTypesAreRefused() {
        assertThatThrownBy(() -> cluster.transport(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("okhttp3.Interceptor");
    }
}
