package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import org.junit.jupiter.api.Test;

/** The certificate of the server for pods. */
class RootCertificateTest {
    @Test
    void everyNamespaceGetsTheCertificateOfTheServer() {
        try (Engine engine = Engine.builder()
                        .executor(Runnable::run)
                        .enableAdmission("ServiceAccount")
                        .build();
                Server server = Server.builder(engine).start()) {
            Client client = engine.client();
            var unused = client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("n")
                    .endMetadata()
                    .build());
            for (String namespace : new String[] {"default", "n"}) {
                ConfigMap map = client.get(ConfigMap.class, ObjectKey.of(namespace, "kube-root-ca.crt"));
                assertThat(map.getData()).containsEntry("ca.crt", server.caCertificate());
            }
            var unusedDeletion = client.delete(ConfigMap.class, ObjectKey.of("n", "kube-root-ca.crt"));
            assertThat(client.find(ConfigMap.class, ObjectKey.of("n", "kube-root-ca.crt")))
                    .isPresent();
        }
    }
}
