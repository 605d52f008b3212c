package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.store.etcd.LocalEtcd;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers in processes of their own on one etcd, some of which are killed. */
@Timeout(300)
class SeveralServersTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Namespace> NAMESPACES = Kind.of(Namespace.class);
    private static final Kind<CustomResourceDefinition> DEFINITIONS = Kind.of(CustomResourceDefinition.class);

    private static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.shop.example}
            spec:
              group: shop.example
              scope: Namespaced
              names: {plural: widgets, kind: Widget}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object}}
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void need() {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
    }

    private ServerProcess server(LocalEtcd etcd, String name) throws Exception {
        return ServerProcess.start(
                Files.createDirectories(directory.resolve(name)), "--etcd", String.join(",", etcd.endpoints()));
    }

    private static KubernetesClient client(ServerProcess server) {
        return KubernetesClient.builder(server.connection())
                .retry(RetryPolicy.NONE)
                .build();
    }

    /** Returns false for the map with the certificate that every namespace has. */
    private static boolean isOurs(ConfigMap map) {
        return !map.getMetadata().getName().equals("kube-root-ca.crt");
    }

    private static ObjectMeta named(String namespace, String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private static ConfigMap map(String namespace, String name) {
        return new ConfigMapBuilder().withMetadata(named(namespace, name)).build();
    }

    @Test
    void eachServesWhatTheOthersWereGiven() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                ServerProcess first = server(etcd, "first");
                ServerProcess second = server(etcd, "second");
                KubernetesClient one = client(first);
                KubernetesClient other = client(second)) {
            List<String> wanted = new ArrayList<>();
            try (Watch<ConfigMap> watch = other.watch(MAPS, ListOptions.in("shop"))) {
                Namespace shop =
                        new NamespaceBuilder().withMetadata(named(null, "shop")).build();
                other.create(NAMESPACES, shop, WriteOptions.DEFAULT);
                for (int i = 0; i < 20; i++) {
                    KubernetesClient writer = i % 2 == 0 ? one : other;
                    KubernetesClient reader = i % 2 == 0 ? other : one;
                    ConfigMap made = writer.create(MAPS, map("shop", "m" + i), WriteOptions.DEFAULT);
                    assertThat(reader.get(MAPS, ObjectKey.of("shop", "m" + i))).isEqualTo(made);
                    wanted.add("m" + i + " " + made.getMetadata().getResourceVersion());
                }
                List<String> seen = new ArrayList<>();
                while (seen.size() < 20) {
                    Watch.Event<ConfigMap> event = watch.next().orElseThrow();
                    if (event.type() == Watch.Type.ADDED && isOurs(event.object())) {
                        seen.add(event.object().getMetadata().getName() + " " + event.resourceVersion());
                    }
                }
                assertThat(seen).isEqualTo(wanted);
            }
            // a type that one server learns
            one.create(
                    DEFINITIONS,
                    Serialization.unmarshal(WIDGETS, CustomResourceDefinition.class),
                    WriteOptions.DEFAULT);
            assertThat(second.get("/apis/shop.example/v1/namespaces/shop/widgets"))
                    .isEqualTo(401);
            other.get(DEFINITIONS, ObjectKey.cluster("widgets.shop.example"));
            assertThat(second.get("/readyz")).isEqualTo(200);
        }
    }

    @Test
    void servicesMoveToAnotherServerWhenTheirsIsKilled() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                ServerProcess second = server(etcd, "second");
                KubernetesClient other = client(second)) {
            try (ServerProcess first = server(etcd, "first");
                    KubernetesClient one = client(first)) {
                Namespace shop =
                        new NamespaceBuilder().withMetadata(named(null, "shop")).build();
                one.create(NAMESPACES, shop, WriteOptions.DEFAULT);
                one.create(MAPS, map("shop", "m"), WriteOptions.DEFAULT);
                first.kill();
            }
            try (Watch<Namespace> watch = other.watch(NAMESPACES, ListOptions.ALL)) {
                other.delete(NAMESPACES, ObjectKey.cluster("shop"), DeleteOptions.DEFAULT);
                while (watch.next().orElseThrow().type() != Watch.Type.DELETED) {
                    // it is emptied before
                }
            }
            assertThat(other.find(NAMESPACES, ObjectKey.cluster("shop"))).isEmpty();
            assertThat(other.find(MAPS, ObjectKey.of("shop", "m"))).isEmpty();
        }
    }

    @Test
    void anEtcdThatIsGoneIsNoticedAndWaitedFor() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                ServerProcess server = server(etcd, "server");
                KubernetesClient client = KubernetesClient.builder(server.connection())
                        .retry(RetryPolicy.NONE)
                        .requestTimeout(Duration.ofSeconds(30))
                        .build()) {
            client.create(MAPS, map("default", "before"), WriteOptions.DEFAULT);
            etcd.kill(0);
            server.awaitReady(500);
            assertThat(server.get("/livez")).isEqualTo(200);
            assertThatThrownBy(() -> client.create(MAPS, map("default", "lost"), WriteOptions.DEFAULT))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.code()).isEqualTo(503))
                    .hasMessageContaining("does not answer");
            assertThatThrownBy(() -> client.get(MAPS, ObjectKey.of("default", "before")))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.code()).isEqualTo(504));
            assertThat(client.list(MAPS, ListOptions.in("default").resourceVersion("0"))
                            .items())
                    .filteredOn(SeveralServersTest::isOurs)
                    .extracting(object -> object.getMetadata().getName())
                    .containsExactly("before");
            etcd.restart(0);
            server.awaitReady(200);
            client.create(MAPS, map("default", "after"), WriteOptions.DEFAULT);
            assertThat(client.list(MAPS, ListOptions.in("default")).items())
                    .filteredOn(SeveralServersTest::isOurs)
                    .hasSize(2);
        }
    }

    @Test
    void aShortTortureLosesNothing() throws Exception {
        String[] arguments = {"torture", "--store", "etcd", "--kills", "2", "--writers", "8"};
        try (JavaProcess torture = JavaProcess.start(Evenkeel.class, arguments)) {
            assertThat(torture.exit(280)).as("%s", torture.lines()).isZero();
            torture.await(line -> line.matches("\\d+ kills, .* acknowledged writes, 0 lost, .*"));
        }
    }

    @Test
    void optionsThatDoNotFitAreRefused() throws Exception {
        for (String[] wrong : new String[][] {
            {"--data", "x", "--etcd", "http://127.0.0.1:1", "--data and --etcd: objects are in one of them"},
            {"--etcd-user", "keel", "options of etcd need --etcd"},
            {"--etcd", "ftp://x", "must be http://HOST:PORT or https://HOST:PORT"},
            {"--etcd", "http://127.0.0.1:1", "--etcd-user", "keel", "--etcd-password-file: both are needed"},
            {"--etcd", "http://127.0.0.1:1", "etcd at http://127.0.0.1:1 does not answer"}
        }) {
            List<String> arguments = new ArrayList<>(List.of("server", "--port", "0"));
            arguments.addAll(List.of(wrong).subList(0, wrong.length - 1));
            arguments.addAll(
                    List.of("--kubeconfig", directory.resolve("kubeconfig").toString()));
            try (JavaProcess process = JavaProcess.start(Evenkeel.class, arguments.toArray(String[]::new))) {
                assertThat(process.exit(120)).isIn(1, 2);
                assertThat(String.join("\n", process.lines())).contains(wrong[wrong.length - 1]);
            }
        }
    }
}
