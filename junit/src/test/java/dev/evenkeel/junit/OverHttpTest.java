package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    /** Which only a server issues. */
    @Test
    void tokensOfServiceAccounts() {
        client().resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("shop")
                        .endMetadata()
                        .build())
                .create();
        String token = client().serviceAccounts()
                .inNamespace("default")
                .withName("shop")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        assertThat(token).isNotEmpty();
    }
}
