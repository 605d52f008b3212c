package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream example is the same operator wherever its client leads: in process, over HTTP, by a kubeconfig. */
@Timeout(300)
class StreamExampleTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "stream");
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Map<String, String> ALL_WELL =
            Map.of("default.main", "ready, topics: 1", "default.archive", "ready, topics: 1");

    @TempDir
    Path directory;

    /** Installs the types, runs the operator, applies the samples, and waits until all is well. */
    private static void becomesReady(Client client) throws InterruptedException {
        for (GenericKubernetesResource type : ExampleFiles.read(EXAMPLE.resolve("crd.yaml"))) {
            client.apply(ModelCodec.convert(type, CustomResourceDefinition.class), WriteOptions.DEFAULT);
        }
        Manager manager = Manager.of(client);
        try (manager) {
            ExampleProgram stream = ExampleProgram.stream();
            stream.controllers().forEach(manager::add);
            SimulatedCluster.controllers().forEach(manager::add);
            manager.start();
            ExampleFiles.read(EXAMPLE.resolve("streams.yaml"))
                    .forEach(sample -> ExampleCommand.apply(client, stream, sample));
            awaitOverview(client);
        }
    }

    /**
     * Waits for the overview on one connection: the server must not cut off a client that begins with many requests.
     */
    private static void awaitOverview(Client client) throws InterruptedException {
        try (Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.in("stream-system"))) {
            Optional<Watch.Event<ConfigMap>> next = watch.next();
            while (next.isPresent() && !ALL_WELL.equals(next.get().object().getData())) {
                next = watch.next();
            }
            assertThat(next).isPresent();
        }
    }

    @Test
    void inProcess() throws Exception {
        try (Engine engine = Engine.create()) {
            becomesReady(engine.client());
        }
    }

    @Test
    void overHttp() throws Exception {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).port(0).start()) {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            try (KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig))) {
                becomesReady(client);
            }
        }
    }

    @Test
    void asACommandByAKubeconfigOfAnotherProcess() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory);
                KubernetesClient client = KubernetesClient.connect(server.connection());
                JavaProcess process = JavaProcess.start(
                        Evenkeel.class,
                        "example",
                        "stream",
                        "--examples",
                        EXAMPLE.getParent().toString(),
                        "--kubeconfig",
                        server.kubeconfig().toString(),
                        "--samples",
                        "--play")) {
            for (String object : new String[] {"Broker +default/main", "Connector +default/invoices"}) {
                Pattern ready = Pattern.compile(object + " +Ready=True");
                process.await(line -> ready.matcher(line).find());
            }
            awaitOverview(client);

            assertThat(client.get(MAPS, ObjectKey.of("stream-system", "overview"))
                            .getData())
                    .isEqualTo(ALL_WELL);
            assertThat(process.terminate()).isZero();
        }
    }
}
