package dev.evenkeel.josdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import org.junit.jupiter.api.Test;

class Fabric8ConnectionTest {
    private static ConfigBuilder config(String url) {
        return new ConfigBuilder(Config.empty()).withMasterUrl(url);
    }

    @Test
    void aKubeconfigThatFabric8HasReadLeadsToTheSameServer() {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).start();
                KubernetesClient client =
                        KubernetesClient.connect(Fabric8Connection.of(Config.fromKubeconfig(server.kubeconfig())))) {
            assertThat(client.list(Namespace.class, ListOptions.ALL).items())
                    .extracting(namespace -> namespace.getMetadata().getName())
                    .contains("default");
        }
    }

    @Test
    void namespacesAndTokensAreTakenOver() {
        Connection connection = Fabric8Connection.of(config("https://api.example.com:6443")
                .withNamespace("here")
                .withOauthToken("secret")
                .build());

        assertThat(connection.namespace()).isEqualTo("here");
        assertThat(connection).hasToString("Connection[https://api.example.com:6443/, token]");
    }

    @Test
    void passwordsAreRefused() {
        Config config =
                config("https://api.example.com:6443").withUsername("me").build();

        assertThatThrownBy(() -> Fabric8Connection.of(config))
                .hasMessage(
                        "the configuration has a user with a password, \"me\": use a token or a client certificate");
    }
}
