package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kubeconfigs for users of a server in a process of its own. */
@Timeout(300)
class KubeconfigCommandTest {
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    @TempDir
    private Path directory = Path.of("");

    private final Commands commands = new Commands();

    private static KubernetesClient client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    @Test
    void issuesAKubeconfigForAUser() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory)) {
            String file = server.kubeconfig().toString();
            assertThat(commands.run(
                            "kubeconfig",
                            "--kubeconfig",
                            file,
                            "--user",
                            "ann",
                            "--group",
                            "devs",
                            "--duration",
                            "10m"))
                    .as(commands.err())
                    .isZero();
            try (KubernetesClient ann = client(commands.out())) {
                assertThat(ann.raw(WHO, "POST", Map.of()))
                        .contains("\"username\":\"ann\"")
                        .contains("\"groups\":[\"devs\",\"system:authenticated\"]");
            }
            Path issued = Files.writeString(directory.resolve("ann"), commands.out());
            assertThat(commands.run(
                            "kubeconfig",
                            "--kubeconfig",
                            issued.toString(),
                            "--user",
                            "root",
                            "--group",
                            "system:masters"))
                    .isEqualTo(1);
            assertThat(commands.err()).contains("User \"ann\" cannot post path \"/evenkeel/tokens\"");
            assertThat(commands.run("kubeconfig", "--kubeconfig", file, "--user", "ann", "--duration", "1s"))
                    .isEqualTo(1);
            assertThat(commands.err()).contains("expirationSeconds");
        }
        assertThat(commands.run(
                        "kubeconfig", "--kubeconfig", directory.resolve("none").toString(), "--user", "ann"))
                .isEqualTo(1);
        assertThat(commands.err()).contains("cannot read the kubeconfig");
    }
}
