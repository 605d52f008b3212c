package dev.evenkeel.junit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

@EvenkeelTest(manifests = "manifests/crds.yaml")
class OverHttpTest extends Fabric8Contract {
    private KubernetesClient http;

    @Kubeconfig
    private String kubeconfig;

    @BeforeEach
    void connect() {
        http = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    @AfterEach
    void disconnect() {
        http.close();
    }

    @Override
    KubernetesClient client() {
        return http;
    }
}
