package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers in processes of their own, which are killed. */
@Timeout(300)
class DurabilityTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    @TempDir
    private Path directory;

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void whatWasAcknowledgedIsThereAfterAKillAndWatchesResume() throws Exception {
        String[] data = {"--data", directory.resolve("data").toString()};
        ConfigMap first;
        ConfigMap second;
        try (ServerProcess server = ServerProcess.start(directory, data);
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            first = client.create(MAPS, map("first"), WriteOptions.DEFAULT);
            second = client.patch(
                    MAPS,
                    ObjectKey.of("default", "first"),
                    Patch.merge("{\"data\":{\"a\":\"b\"}}"),
                    WriteOptions.DEFAULT);
            client.create(MAPS, map("second"), WriteOptions.DEFAULT);
            client.delete(MAPS, ObjectKey.of("default", "second"), DeleteOptions.DEFAULT);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.start(directory, data);
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            assertThat(client.get(MAPS, ObjectKey.of("default", "first"))).isEqualTo(second);
            assertThat(client.find(MAPS, ObjectKey.of("default", "second"))).isEmpty();
            List<String> events = new ArrayList<>();
            String after = first.getMetadata().getResourceVersion();
            try (Watch<ConfigMap> watch =
                    client.watch(MAPS, ListOptions.in("default").resourceVersion(after))) {
                while (events.size() < 3) {
                    Watch.Event<ConfigMap> event = watch.next().orElseThrow();
                    String name = event.object().getMetadata().getName();
                    if (!name.equals("kube-root-ca.crt")) { // which every namespace has
                        events.add(event.type() + " " + name);
                    }
                }
            }
            assertThat(events).containsExactly("MODIFIED first", "ADDED second", "DELETED second");
        }
    }

    @Test
    void aServedStoreIsCheckedCountedBackedUpAndExported() throws Exception {
        String data = directory.resolve("data").toString();
        Path export = directory.resolve("objects.jsonl");
        Path backup = directory.resolve("backup.db");
        try (ServerProcess server = ServerProcess.start(directory, "--data", data);
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            client.create(MAPS, map("first"), WriteOptions.DEFAULT);
            for (String[] arguments : new String[][] {
                {"store", "check", "--data", data},
                {"store", "stats", "--data", data},
                {"store", "backup", "--data", data, backup.toString()},
                {"export", "--data", data, export.toString()}
            }) {
                assertThat(Evenkeel.commandLine().execute(arguments))
                        .as(String.join(" ", arguments))
                        .isZero();
            }
            client.create(MAPS, map("second"), WriteOptions.DEFAULT);
        }
        assertThat(Files.readString(export)).contains("\"name\":\"first\"").doesNotContain("\"name\":\"second\"");
        Path copy = directory.resolve("copy");
        assertThat(Evenkeel.commandLine().execute("import", "--data", copy.toString(), export.toString()))
                .isZero();
        try (ServerProcess server = ServerProcess.start(directory, "--data", copy.toString());
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            assertThat(client.find(MAPS, ObjectKey.of("default", "first"))).isPresent();
        }
    }

    @Test
    void aServerSaysWhereItsObjectsAre() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory)) {
            server.await("objects are in memory, and lost when this ends: --data DIR or --etcd URL keeps them");
        }
    }

    @Test
    void aShortTortureLosesNothing() throws Exception {
        JavaProcess torture = JavaProcess.start(Evenkeel.class, "torture", "--kills", "3", "--writers", "8");
        try (torture) {
            assertThat(torture.exit(280)).as("%s", torture.lines()).isZero();
            torture.await(line -> line.matches("\\d+ kills, .* acknowledged writes, 0 lost, .*"));
        }
    }
}
