package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Kubeconfigs for users of a server in a process of its own. */
@Timeout(120)
class KubeconfigCommandTest {
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Evenkeel.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    private static KubernetesClient client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    @Test
    void issuesAKubeconfigForAUser() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory)) {
            String file = server.kubeconfig().toString();
            assertThat(run("kubeconfig", "--kubeconfig", file, "--user", "ann", "--group", "devs", "--duration", "10m"))
                    .as(err.toString())
                    .isZero();
            try (KubernetesClient ann = client(out.toString())) {
                assertThat(ann.raw(WHO, "POST", Map.of()))
                        .contains("\"username\":\"ann\"")
                        .contains("\"groups\":[\"devs\",\"system:authenticated\"]");
            }
            Path issued = Files.writeString(directory.resolve("ann"), out.toString());
            assertThat(run(
                            "kubeconfig",
                            "--kubeconfig",
                            issued.toString(),
                            "--user",
                            "root",
                            "--group",
                            "system:masters"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("User \"ann\" cannot post path \"/evenkeel/tokens\"");
            assertThat(run("kubeconfig", "--kubeconfig", file, "--user", "ann", "--duration", "1s"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("expirationSeconds");
        }
        assertThat(run("kubeconfig", "--kubeconfig", directory.resolve("none").toString(), "--user", "ann"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("cannot read the kubeconfig");
    }
}
