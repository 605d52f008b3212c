package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class Http2WatchesTest {
    @Test
    void eachWatchReceivesEachChange() throws Exception {
        try (ApiServerProcess server = new ApiServerProcess();
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            Connection connection = server.connection();
            try (Http2Watches watches = new Http2Watches(
                    connection, "/api/v1/namespaces/default/configmaps?watch=true&labelSelector=app", 30)) {
                create(client, "one");
                create(client, "two");
                watches.await(60);
            }
            assertThat(server.heap()).isPositive();
            assertThatThrownBy(() -> new Http2Watches(connection, "/api/v1/nothings?watch=true", 1))
                    .hasMessageContaining("404");
        }
    }

    private static void create(KubernetesClient client, String name) {
        ConfigMap _ = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToLabels("app", "bench")
                .endMetadata()
                .build());
    }
}
