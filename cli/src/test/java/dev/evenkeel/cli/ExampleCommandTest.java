package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples in a process of their own, run as by users. */
@Timeout(300)
class ExampleCommandTest {
    private static final String EXAMPLES = Path.of("../examples").toString();
    private static final Pattern READY = Pattern.compile("Website +default/blog +Ready=True");
    private static final Pattern DATABASE = Pattern.compile("Database +default/orders +Ready=True");
    private static final Pattern BROKER = Pattern.compile("Broker +default/main +Ready=True");

    @TempDir
    Path directory;

    @Test
    void allOfThemRunInProcessAndEndInOrderOnSigterm() throws Exception {
        try (JavaProcess process = JavaProcess.start(Evenkeel.class, "example", "--examples", EXAMPLES)) {
            process.await(line -> READY.matcher(line).find());
            process.await(line -> DATABASE.matcher(line).find());
            process.await(line -> BROKER.matcher(line).find());

            assertThat(process.terminate()).isZero();
            assertThat(process.lines()).noneMatch(line -> line.contains("WARN") || line.contains("ERROR"));
        }
    }

    @Test
    void runsAgainstAServerAnswersProbesAndReleasesItsLeasesOnSigterm() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory);
                KubernetesClient client = KubernetesClient.connect(server.connection());
                JavaProcess process = JavaProcess.start(
                        Evenkeel.class,
                        "example",
                        "website",
                        "--examples",
                        EXAMPLES,
                        "--kubeconfig",
                        server.kubeconfig().toString(),
                        "--samples",
                        "--leases",
                        "default",
                        "--identity",
                        "pod-1",
                        "--placement",
                        "sharded",
                        "--lease-duration",
                        "3s",
                        "--endpoint",
                        "0")) {
            process.await(line -> READY.matcher(line).find());
            String url = process.await(line -> line.startsWith("endpoint")).substring("endpoint".length());
            assertThat(client.list(Lease.class, ListOptions.in("default")).items())
                    .anyMatch(lease -> "pod-1".equals(lease.getSpec().getHolderIdentity()));
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpResponse<String> ready = http.send(
                        HttpRequest.newBuilder(URI.create(url.strip())).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
                HttpResponse<String> metrics = http.send(
                        HttpRequest.newBuilder(URI.create(url.strip()).resolve("/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(metrics.body()).contains("controller_runtime_reconcile_total");
            }

            assertThat(process.terminate()).isZero();
            assertThat(client.list(Lease.class, ListOptions.in("default")).items())
                    .noneMatch(lease -> "pod-1".equals(lease.getSpec().getHolderIdentity()));
        }
    }

    @Test
    void theCatalogContinuesWithTheObjectsOfADirectory() throws Exception {
        String data = directory.resolve("data").toString();
        for (String created : List.of("21 objects created", "[0-5] objects created")) {
            Pattern first = Pattern.compile("^converged +" + created);
            try (JavaProcess process = JavaProcess.start(
                    Evenkeel.class, "example", "catalog", "--data", data, "--changes", "5", "--once")) {
                process.await(line -> first.matcher(line).find());
                assertThat(process.exit()).isZero();
                assertThat(process.lines())
                        .filteredOn(line -> line.startsWith("converged"))
                        .hasSize(6);
            }
        }
    }

    @Test
    void theCatalogRunsOverGrpc() throws Exception {
        try (JavaProcess process =
                JavaProcess.start(Evenkeel.class, "example", "catalog", "--grpc", "--changes", "5", "--once")) {
            process.await(line -> line.startsWith("gRPC"));
            assertThat(process.exit()).isZero();
            assertThat(process.lines())
                    .filteredOn(line -> line.startsWith("converged"))
                    .hasSize(6);
            assertThat(process.lines()).noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
        }
    }

    @Test
    void reportsAnUnreachableServer() throws Exception {
        ServerProcess server = ServerProcess.start(directory);
        String kubeconfig = server.kubeconfig().toString();
        server.close();
        try (JavaProcess process =
                JavaProcess.start(Evenkeel.class, "example", "--examples", EXAMPLES, "--kubeconfig", kubeconfig)) {
            String said = process.await(line -> line.startsWith("evenkeel: "));

            assertThat(said).contains("127.0.0.1");
            assertThat(process.exit()).isEqualTo(1);
        }
    }
}
