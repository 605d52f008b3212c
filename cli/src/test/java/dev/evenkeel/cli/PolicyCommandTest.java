package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.JavaProcess;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicySyncServer;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel policy explain}, and {@code evenkeel policy-agent} without programming. */
class PolicyCommandTest {
    private static final String NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}";
    private static final String POLICY = """
            apiVersion: networking.k8s.io/v1
            kind: NetworkPolicy
            metadata: {namespace: shop, name: db}
            spec:
              podSelector: {matchLabels: {app: db}}
              ingress: [{from: [{podSelector: {matchLabels: {app: front}}}], ports: [{port: 5432}]}]
            """;

    private final Commands commands = new Commands();

    @TempDir
    private Path directory;

    private static String pod(String name, String address) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  {namespace: shop, name: %s, labels: {app: %s}, annotations: {cni.projectcalico.org/podIPs: %s}}
                spec: {nodeName: n1, containers: [{name: c, image: i}]}
                """.formatted(name, name, address);
    }

    @BeforeEach
    void write() throws IOException {
        Files.writeString(directory.resolve("pods.yaml"), pod("db", "10.0.0.1") + "---\n" + pod("front", "10.0.0.2"));
        Files.writeString(directory.resolve("policy.yml"), POLICY);
        Files.writeString(directory.resolve("namespace.yaml"), NAMESPACE);
        Files.writeString(directory.resolve("notes.txt"), "not an object");
    }

    private int explain(String... more) {
        List<String> arguments = new ArrayList<>(List.of("policy", "explain"));
        arguments.addAll(List.of(more));
        return commands.run(arguments.toArray(String[]::new));
    }

    @Test
    void explainsFromFiles() {
        String files = directory.toString();
        assertThat(explain("-f", files, "--from", "shop/front", "--to", "shop/db", "--port", "5432"))
                .isZero();
        assertThat(commands.out()).isEqualToIgnoringNewLines("""
                egress of shop/front: no policy decides; allowed by profile kns.shop: the default
                ingress of shop/db: allowed by NetworkPolicy shop/db, spec.ingress[0].from[0], in tier default
                allowed
                """);
        commands.clear();
        assertThat(explain("-f", files, "--from", "10.0.0.9", "--to", "shop/db", "--port", "5432"))
                .isEqualTo(1);
        assertThat(commands.out()).isEqualToIgnoringNewLines("""
                ingress of shop/db: no rule matches in tier default of NetworkPolicy shop/db
                denied
                """);
        assertThat(commands.err()).isEmpty();
    }

    @Test
    void whatIsNotAnAnswerHasAnotherExitCode() throws IOException {
        assertThat(explain("-f", directory.toString(), "--from", "shop/front", "--to", "shop/absent", "--port", "1"))
                .isEqualTo(2);
        assertThat(commands.err()).startsWith("evenkeel: to: \"shop/absent\" must be an address");
        commands.clear();
        assertThat(explain("-f", directory.toString(), "--from", "shop/front", "--to", "shop/db"))
                .isEqualTo(2);
        assertThat(commands.err()).isEqualToIgnoringNewLines("evenkeel: port: must be from 1 to 65535: 0");
        commands.clear();
        Path broken = Files.writeString(directory.resolve("broken.yaml"), "kind: [");
        assertThat(explain("-f", broken.toString(), "--from", "a", "--to", "b", "--port", "1"))
                .isEqualTo(2);
        assertThat(commands.err()).startsWith("evenkeel: " + broken);
        commands.clear();
        assertThat(explain("--kubeconfig", directory.resolve("none").toString(), "--from", "a", "--to", "b"))
                .isEqualTo(2);
        assertThat(commands.err()).startsWith("evenkeel: ").contains("none");
        assertThat(explain("--to", "b")).isEqualTo(2);
    }

    @Test
    void readsAClusterAndPrintsTransactions() throws IOException {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).port(0).tls(false).start()) {
            engine.client().create(ModelCodec.convert(Manifests.parse(NAMESPACE).getFirst(), Namespace.class));
            for (String pod : List.of(pod("db", "10.0.0.1"), pod("front", "10.0.0.2"))) {
                engine.client().create(ModelCodec.convert(Manifests.parse(pod).getFirst(), Pod.class));
            }
            engine.client().create(ModelCodec.convert(Manifests.parse(POLICY).getFirst(), NetworkPolicy.class));
            String kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig())
                    .toString();
            assertThat(explain("--kubeconfig", kubeconfig, "--from", "10.0.0.9", "--to", "shop/db", "--port", "5432"))
                    .isEqualTo(1);
            assertThat(commands.out()).endsWith("denied\n");
            commands.clear();
            assertThat(commands.run("policy-agent", "--node", "n1", "--kubeconfig", kubeconfig, "--dry-run", "--once"))
                    .as(commands::err)
                    .isZero();
            assertThat(commands.out())
                    .startsWith("# transaction 1\ncreate table inet evenkeel-policy\n")
                    .contains("add element inet evenkeel-policy to/ipv4 { 10.0.0.1 : goto to/shop/db, 10.0.0.2 : goto"
                            + " to/shop/front }");
        }
    }

    @Test
    void receivesUpdatesOfACentralCalculation() throws IOException {
        PolicyCalculation calculation = PolicyCalculation.forAllHosts();
        calculation.transact(tx -> {
            Manifests.parse(NAMESPACE + "\n---\n" + pod("db", "10.0.0.1") + "---\n" + POLICY)
                    .forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        try (PolicySyncServer server = PolicySyncServer.builder(calculation).start()) {
            String ca = Files.writeString(directory.resolve("ca.pem"), server.caCertificate())
                    .toString();
            String token = Files.writeString(directory.resolve("token"), server.token() + "\n")
                    .toString();
            List<String> agent = List.of("policy-agent", "--node", "n1", "--dry-run", "--once", "--sync");
            List<String> arguments = new ArrayList<>(agent);
            arguments.addAll(List.of(server.target(), "--sync-ca", ca, "--sync-token", token));
            assertThat(commands.run(arguments.toArray(String[]::new)))
                    .as(commands::err)
                    .isZero();
            assertThat(commands.out())
                    .contains("add rule inet evenkeel-policy to/shop/db jump in/NetworkPolicy/shop/db\n");
            commands.clear();
            List<String> without = new ArrayList<>(agent);
            without.addAll(List.of(server.target(), "--sync-ca", ca, "--timeout", "1s"));
            assertThat(commands.run(without.toArray(String[]::new))).isEqualTo(1);
            assertThat(commands.err())
                    .startsWith("evenkeel: no complete state after 1 s: ")
                    .containsIgnoringCase("unauthenticated");
        }
    }

    @Test
    void servesACentralCalculation() throws Exception {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).port(0).start()) {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            Path tokens = Files.writeString(directory.resolve("tokens"), "secret,system:node:n1,1\n");
            try (JavaProcess serve = JavaProcess.start(
                    Evenkeel.class,
                    "policy",
                    "serve",
                    "--kubeconfig",
                    kubeconfig.toString(),
                    "--port",
                    "0",
                    "--credentials",
                    directory.resolve("credentials").toString(),
                    "--token-auth-file",
                    tokens.toString())) {
                engine.client()
                        .create(ModelCodec.convert(Manifests.parse(NAMESPACE).getFirst(), Namespace.class));
                engine.client()
                        .create(ModelCodec.convert(
                                Manifests.parse(pod("db", "10.0.0.1")).getFirst(), Pod.class));
                String line = serve.await(one -> one.startsWith("serving, for agents with --sync "));
                List<String> options =
                        List.of(line.substring(line.indexOf("--sync")).split(" "));
                assertThat(agent(options, "n1", "1m")).as(commands::err).isZero();
                assertThat(commands.out())
                        .contains("add element inet evenkeel-policy to/ipv4 { 10.0.0.1 : goto to/shop/db }\n");
                Path token = Files.writeString(directory.resolve("token"), "secret");
                List<String> ofNode = new ArrayList<>(options);
                ofNode.set(options.indexOf("--sync-token") + 1, token.toString());
                assertThat(agent(ofNode, "n1", "1m")).as(commands::err).isZero();
                for (String timeout :
                        List.of("1s", "5s", "60s")) { // it keeps trying, so a long one would be waited for
                    assertThat(agent(ofNode, "n2", timeout)).isEqualTo(1);
                    if (!commands.err().contains("not connected yet")) {
                        break;
                    }
                }
                assertThat(commands.err()).containsIgnoringCase("permission_denied");
            }
        }
    }

    private int agent(List<String> options, String node, String timeout) {
        commands.clear();
        List<String> arguments =
                new ArrayList<>(List.of("policy-agent", "--node", node, "--dry-run", "--once", "--timeout", timeout));
        arguments.addAll(options);
        return commands.run(arguments.toArray(String[]::new));
    }

    @Test
    void optionsOfTheServerAreChecked() {
        assertThat(commands.run("policy")).isEqualTo(2);
        assertThat(commands.err()).startsWith("a command is missing: explain or serve");
        commands.clear();
        assertThat(commands.run("policy", "serve", "--tls-cert-file", "a")).isEqualTo(2);
        assertThat(commands.err()).startsWith("--tls-cert-file and --tls-private-key-file need each other");
        commands.clear();
        Path kubeconfig = directory.resolve("kubeconfig");
        assertThat(commands.run("policy", "serve", "--kubeconfig", kubeconfig.toString()))
                .isEqualTo(1);
        assertThat(commands.err()).startsWith("evenkeel: ").contains("kubeconfig");
    }

    @Test
    void optionsOfTheAgentAreChecked() {
        assertThat(commands.run("policy-agent")).isEqualTo(2);
        assertThat(commands.err()).startsWith("--node is missing");
        commands.clear();
        assertThat(commands.run("policy-agent", "--cleanup", "--dry-run")).isEqualTo(2);
        assertThat(commands.err()).startsWith("--cleanup and --dry-run exclude each other");
        for (List<String> wrong : List.of(
                List.of("--mark", "bit", "--mark must be a number, such as 0x1000: bit"),
                List.of("--mark", "3", "--mark: must be one bit of 32, such as 0x1000: 3"),
                List.of("--table", "a b", "--table: must be letters, digits"))) {
            commands.clear();
            assertThat(commands.run("policy-agent", "--node", "n1", "--cleanup", wrong.get(0), wrong.get(1)))
                    .isEqualTo(2);
            assertThat(commands.err()).startsWith(wrong.get(2));
        }
    }
}
