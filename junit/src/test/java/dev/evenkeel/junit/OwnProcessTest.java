package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A test in a process of its own, whose settings are those of a cluster, and whose classes are recorded. */
class OwnProcessTest {
    @TempDir
    Path directory;

    /** A test of an operator whose definitions have no rules. */
    @EvenkeelTest(types = Page.class)
    static class Pages {
        KubernetesClient client;

        @Test
        void areKept() {
            client.resource(Page.of("a", "hello")).create();
            assertThat(client.resources(Page.class)
                            .inNamespace("default")
                            .withName("a")
                            .get()
                            .getSpec()
                            .text)
                    .isEqualTo("hello");
        }

        @Test
        void settingsOfClustersAreIgnored() {
            Config config = client.getConfiguration();
            assertThat(config.getMasterUrl()).doesNotContain("192.0.2.1");
            assertThat(config.getNamespace()).isEqualTo("default");
            assertThat(config.isTrustCerts()).isFalse();
            assertThat(config.getOauthToken()).isNull();
            assertThat(config.getUsername()).isNull();
            assertThat(config.getImpersonateUsername()).isNullOrEmpty();
            assertThat(config.getCaCertFile()).isNull();
            assertThat(config.getHttpsProxy()).isNull();
            assertThat(client.namespaces().list().getItems()).hasSize(4);
        }
    }

    /** A process that runs the test. */
    static final class Run {
        private Run() {}

        public static void main(String[] arguments) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(Pages.class))
                    .execute()
                    .testEvents()
                    .debug(System.err)
                    .assertStatistics(statistics -> statistics.succeeded(2).failed(0));
        }
    }

    @Test
    void neitherSettingsNorUnusedClassesMatter() throws Exception {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: other
                contexts: [{name: other, context: {cluster: other, user: other, namespace: other}}]
                clusters: [{name: other, cluster: {server: "https://192.0.2.1:6443"}}]
                users: [{name: other, user: {token: other}}]
                """);
        Path loaded = directory.resolve("loaded");
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + loaded,
                        "-Dkubernetes.master=https://192.0.2.1:6443",
                        "-Dkubernetes.namespace=other",
                        "-Dkubernetes.trust.certificates=true",
                        "-Dkubernetes.auth.token=other",
                        "-Dkubernetes.auth.basic.username=other",
                        "-Dkubernetes.impersonate.username=other",
                        "-Dkubernetes.certs.ca.file=" + directory.resolve("absent"),
                        "-Dkubernetes.truststore.file=" + directory.resolve("absent"),
                        "-Dkubernetes.request.timeout=1",
                        "-Dkubeconfig=" + kubeconfig,
                        "-Dhttps.proxy=http://192.0.2.1:3128",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Run.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "KUBECONFIG", kubeconfig.toString(),
                        "KUBERNETES_MASTER", "https://192.0.2.1:6443",
                        "KUBERNETES_SERVICE_HOST", "192.0.2.1",
                        "KUBERNETES_SERVICE_PORT", "6443"));

        assertThat(builder.start().waitFor()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(loaded))
                .contains("dev.evenkeel.engine.Engine ")
                .doesNotContain(
                        "dev.cel.", "org.eclipse.jetty.", "io.micrometer.", "com.nimbusds.", "sun.security.ssl.");
    }
}
