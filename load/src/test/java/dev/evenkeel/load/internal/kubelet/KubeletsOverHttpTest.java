package dev.evenkeel.load.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In real time, through a real server; kubectl sees what it sees of a cluster. */
class KubeletsOverHttpTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine)
            .token("admintoken", new User("admin", "admin-uid", List.of(User.MASTERS)))
            .start();
    private final SystemScheduler scheduler = new SystemScheduler();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        scheduler.close();
        server.close();
        engine.close();
    }

    private static void await(BooleanSupplier condition, Object state) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s", state).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private Path kubeconfig() throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i:1")
                .endContainer()
                .endSpec()
                .build();
    }

    private static Node node(String name) {
        return new NodeBuilder().withNewMetadata().withName(name).endMetadata().build();
    }

    @Test
    void podsLiveAndEnd() throws Exception {
        try (KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig()));
                Kubelets kubelets = Kubelets.of(client, scheduler).start()) {
            for (int i = 0; i < 3; i++) {
                Node unused = client.create(node("n" + i));
            }
            for (int i = 0; i < 60; i++) {
                Pod unused = client.create(pod("p" + i));
            }
            await(() -> pods(client).filter(KubeletsOverHttpTest::isReady).count() == 60, kubelets);
            assertThat(pods(client).map(pod -> pod.getStatus().getPodIP()).distinct())
                    .hasSize(60);
            var unusedDeletion = client.delete(Pod.class, ObjectKey.of("default", "p1"));
            await(() -> pods(client).count() == 59, kubelets);
            await(() -> kubelets.progress().pods() == 59 && kubelets.progress().ahead() == 0, kubelets);
            assertThat(kubelets.progress().written()).isEqualTo(181);
        }
    }

    private static Stream<Pod> pods(Client client) {
        return client.list(Pod.class, ListOptions.ALL).items().stream();
    }

    @Test
    void kubectlSeesAPodRunAndDeletesIt() throws Exception {
        Optional<Path> kubectl = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(place -> Path.of(place, "kubectl"))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(kubectl.isPresent(), "no kubectl on the PATH");
        String program = kubectl.orElseThrow().toString();
        try (KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(kubeconfig()));
                Kubelets kubelets = Kubelets.of(client, scheduler).start()) {
            Node unused = client.create(node("n1"));
            Pod unusedPod = client.create(pod("web"));
            assertThat(run(program, "wait", "--for=condition=Ready", "pod/web", "--timeout=60s"))
                    .contains("condition met");
            assertThat(run(program, "get", "pods", "-o", "wide"))
                    .containsPattern("web +1/1 +Running +0 +\\S+ +10\\.128\\.0\\.1 +n1");
            assertThat(run(program, "delete", "pod", "web", "--timeout=60s")).contains("deleted");
            assertThat(pods(client)).isEmpty();
            await(() -> kubelets.progress().pods() == 0, kubelets);
        }
    }

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig().toString());
        builder.environment().put("HOME", directory.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
