package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import dev.evenkeel.server.Kubectl;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that controllers have, unmodified, work through the proxy with its kubeconfig. */
@Timeout(300)
class ApiProxyClientsTest {
    @TempDir
    Path directory = Path.of("");

    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine).start();
    private final ApiProxy proxy = ApiProxy.start(Connection.to(server.url())
            .ca(server.caCertificate())
            .token(server.token())
            .build());

    @AfterEach
    void close() {
        proxy.close();
        server.close();
        engine.close();
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static final class Added implements ResourceEventHandler<ConfigMap> {
        final LinkedBlockingQueue<String> names = new LinkedBlockingQueue<>();

        @Override
        public void onAdd(ConfigMap map) {
            names.add(map.getMetadata().getName());
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap after) {}

        @Override
        public void onDelete(ConfigMap map, boolean unknown) {}
    }

    /** Its watches are WebSockets first, and plain ones when these are refused in the way that it expects. */
    @Test
    void fabric8InformersSurviveCuts() throws InterruptedException {
        Config config = Config.fromKubeconfig(proxy.kubeconfig());
        config.setWatchReconnectInterval(50);
        Added added = new Added();
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(config).build();
                var informer = client.configMaps().inNamespace("default").inform(added)) {
            for (int i = 0; i < 3; i++) {
                Await.until("the watch is open", () -> proxy.requests().openWatches() == 1);
                client.resource(map("m" + i)).create();
                assertThat(added.names.poll(120, TimeUnit.SECONDS)).isEqualTo("m" + i);
                proxy.cutWatches();
            }
            Await.until("the watch is open again", () -> proxy.requests().openWatches() == 1);
            assertThat(informer.isRunning()).isTrue();
            assertThat(proxy.requests().count("create", "configmaps")).isEqualTo(3);
            assertThat(proxy.requests().count("watch", "configmaps")).isGreaterThanOrEqualTo(4);
            assertThat(proxy.requests().count("upgrade", "configmaps")).isPositive();
        }
        Await.until("the watch is closed", () -> proxy.requests().openWatches() == 0);
    }

    @Test
    void kubectlGetsAppliesAndWatches() throws IOException, InterruptedException {
        List<Kubectl> found = Kubectl.found(directory);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on this machine");
        Files.writeString(directory.resolve("kubeconfig"), proxy.kubeconfig());
        for (Kubectl kubectl : found) {
            String manifest = kubectl.file("map.yaml", """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: from-kubectl-1-%d}
                    """.formatted(kubectl.minor()));
            Path output = directory.resolve("watch-" + kubectl.minor());
            Process watch = kubectl.start(output, "get", "configmaps", "-w");
            try {
                Await.until("kubectl watches", () -> proxy.requests().openWatches() == 1);
                Kubectl.Result applied = kubectl.run("apply", "--server-side", "-f", manifest);
                assertThat(applied.exit()).as(applied.toString()).isZero();
                Kubectl.Result got = kubectl.run("get", "configmaps", "-o", "name");
                assertThat(got.out()).contains("from-kubectl-1-" + kubectl.minor());
                Await.until("kubectl shows the event", () -> read(output).contains("from-kubectl-"));
            } finally {
                watch.destroy();
                watch.waitFor();
            }
            Await.until("the watch is closed", () -> proxy.requests().openWatches() == 0);
        }
        assertThat(proxy.requests().count("apply", "configmaps")).isEqualTo(found.size());
        assertThat(proxy.requests().by(Labels::agent).keySet()).allMatch(agent -> agent.startsWith("kubectl"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
