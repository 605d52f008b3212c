package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class KubeconfigTest {
    private static final String TWO = """
            apiVersion: v1
            kind: Config
            current-context: dev
            clusters:
            - {name: one, cluster: {server: "https://one.example.com:6443"}}
            - {name: two, cluster: {server: "http://127.0.0.1:8001/partitions/team-a", proxy-url: "http://proxy:3128"}}
            contexts:
            - {name: dev, context: {cluster: one, user: token}}
            - {name: prod, context: {cluster: two, user: file, namespace: shop}}
            - {name: odd, context: {cluster: three, user: token}}
            - {name: nobody, context: {cluster: one}}
            - {name: stranger, context: {cluster: one, user: who}}
            - {name: other, context: {cluster: two, user: other}}
            users:
            - {name: token, user: {token: secret}}
            - {name: file, user: {token: ignored, tokenFile: sub/token}}
            - {name: other, user: {token: secret, as: jane, as-groups: [a, b]}}
            """;

    @TempDir
    private Path directory;

    private Path file(String text) {
        try {
            return Files.writeString(directory.resolve("config"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Connection read(String text, String context) {
        return Connection.fromKubeconfig(file(text), context);
    }

    private static String token(Connection connection) {
        return connection.tokens().map(TokenSource::token).orElse("");
    }

    @Test
    void theFileOfAServerLeadsToIt() throws IOException {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).start()) {
            Connection connection =
                    Connection.fromKubeconfig(Files.writeString(directory.resolve("f"), server.kubeconfig()));
            Connection team =
                    Connection.fromKubeconfig(Files.writeString(directory.resolve("t"), server.kubeconfig("team-a")));
            try (KubernetesClient client = KubernetesClient.connect(connection);
                    KubernetesClient other = KubernetesClient.connect(team)) {
                assertThat(client.list(Namespace.class, ListOptions.ALL).items())
                        .isNotEmpty();
                assertThat(other.list(Namespace.class, ListOptions.ALL).items()).isNotEmpty();
            }
            assertThat(connection.namespace()).isEqualTo("default");
            assertThat(connection.toString()).contains(server.url().toString()).doesNotContain(server.token());
        }
    }

    @Test
    void contextsPutClustersAndUsersTogether() throws IOException {
        Files.createDirectories(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/token"), "of the file\n");

        Connection dev = read(TWO, "");
        Connection prod = read(TWO, "prod");

        assertThat(dev.server()).isEqualTo(URI.create("https://one.example.com:6443"));
        assertThat(dev.namespace()).isEqualTo("default");
        assertThat(token(dev)).isEqualTo("secret");
        assertThat(dev.proxy()).isEmpty();
        assertThat(prod.server()).isEqualTo(URI.create("http://127.0.0.1:8001/partitions/team-a"));
        assertThat(prod.namespace()).isEqualTo("shop");
        assertThat(token(prod)).as("relative to the kubeconfig").isEqualTo("of the file");
        assertThat(prod.proxy()).contains(URI.create("http://proxy:3128"));
        assertThat(read(TWO, "nobody").tokens()).isEmpty();
        assertThat(read(TWO, "other").headers())
                .containsEntry("Impersonate-User", List.of("jane"))
                .containsEntry("Impersonate-Group", List.of("a", "b"));
    }

    @Test
    void missingEntriesAreReportedWithTheExistingOnes() {
        assertThatThrownBy(() -> read(TWO, "test"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown context \"test\"; known: dev, prod, odd, nobody, stranger, other");
        assertThatThrownBy(() -> read(TWO, "odd"))
                .hasMessageContaining("contexts[odd].context.cluster: unknown cluster \"three\"; known: one, two");
        assertThatThrownBy(() -> read(TWO, "stranger"))
                .hasMessageContaining(
                        "contexts[stranger].context.user: unknown user \"who\"; known: token, file, other");
        assertThatThrownBy(() -> read(TWO.replace("current-context: dev", ""), ""))
                .hasMessageContaining("current-context: is not set; name one of the contexts: dev, prod");
        assertThatThrownBy(() -> read("contexts: []", "a")).hasMessageContaining("known: none");
        assertThatThrownBy(() -> read("[", "")).hasMessageContaining("is not YAML");
        assertThatThrownBy(() -> read("hello", "")).hasMessageContaining("is not an object");
        assertThatThrownBy(() -> Connection.fromKubeconfig(directory.resolve("nothing")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("nothing");
    }

    private Connection one(String cluster, String user) {
        return read("""
                current-context: c
                clusters: [{name: k, cluster: {%s}}]
                contexts: [{name: c, context: {cluster: k, user: u}}]
                users: [{name: u, user: {%s}}]
                """.formatted(cluster, user), "");
    }

    private static String authority(Connection connection) throws CertificateEncodingException {
        return Certificates.pem(
                "CERTIFICATE",
                connection.trust().orElseThrow().getAcceptedIssuers()[0].getEncoded());
    }

    @Test
    void certificatesAreInlineOrInFilesNextToIt() throws IOException, CertificateEncodingException {
        String pem = Certificates.selfSigned().certificatePem();
        Files.writeString(directory.resolve("ca.crt"), pem);
        String data = Base64.getEncoder().encodeToString(pem.getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(authority(one("server: 'https://a', certificate-authority: ca.crt", "")))
                .isEqualTo(pem);
        assertThat(authority(one("server: 'https://a', certificate-authority-data: " + data, "")))
                .isEqualTo(pem);
        assertThat(one("server: 'https://a', insecure-skip-tls-verify: true", "")
                        .insecure())
                .isTrue();
    }

    @Test
    void unsupportedFieldsAreRefused() {
        assertThatThrownBy(() -> one("server: 'https://a', tls-server-name: b", ""))
                .hasMessageContaining("clusters[k].cluster.tls-server-name");
        assertThatThrownBy(() -> one("server: 'https://a', proxy-url: 'socks5://b'", ""))
                .hasMessageContaining("clusters[k].cluster.proxy-url");
        assertThatThrownBy(() -> one("server: 'a:b c'", "")).hasMessageContaining("clusters[k].cluster.server");
        assertThatThrownBy(() -> one("", "")).hasMessageContaining("clusters[k].cluster.server");
        assertThatThrownBy(() -> one("server: 'https://a', certificate-authority-data: '%'", ""))
                .hasMessageContaining("clusters[k].cluster.certificate-authority-data");
        assertThatThrownBy(() -> one("server: 'https://a'", "auth-provider: {name: oidc}"))
                .hasMessageContaining("users[u].user.auth-provider");
        assertThatThrownBy(() -> one("server: 'https://a'", "username: me, password: p"))
                .hasMessageContaining("users[u].user.username");
        assertThatThrownBy(() -> one("server: 'http://a.example.com'", "token: t"))
                .hasMessageContaining("unencrypted");
        assertThatThrownBy(() -> one("server: 'https://a'", "client-certificate-data: QQ=="))
                .hasMessageContaining("needs its key");
        assertThatThrownBy(() -> one("server: 'https://a'", "exec: {command: x}"))
                .hasMessageContaining("users[u].user.exec.apiVersion");
        assertThatThrownBy(() -> one(
                        "server: 'https://a'",
                        "exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always}"))
                .hasMessageContaining("users[u].user.exec.interactiveMode");
    }

    @Test
    void commandsPrintTokens() throws IOException {
        Path script = Files.writeString(directory.resolve("login"), """
                #!/bin/sh
                echo run >> runs
                test -n "$KUBERNETES_EXEC_INFO" || exit 1
                echo "{\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$1-$WHO-$(wc -l < runs | tr -d ' ')\\"}}"
                """);
        org.junit.jupiter.api.Assumptions.assumeTrue(
                script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")));
        TokenSource tokens = one(
                        "server: 'https://a'",
                        "exec: {command: ./login, args: [t], env: [{name: WHO, value: me}],"
                                + " apiVersion: client.authentication.k8s.io/v1}")
                .tokens()
                .orElseThrow();

        assertThat(tokens.token()).isEqualTo("t-me-1");
        assertThat(tokens.token()).as("kept").isEqualTo("t-me-1");
        assertThat(tokens.refresh("t-me-1")).isEqualTo("t-me-2");
        assertThat(tokens.refresh("t-me-1"))
                .as("another thread has a new one already")
                .isEqualTo("t-me-2");

        assertThatThrownBy(() -> one(
                                "server: 'https://a'",
                                "exec: {command: ./missing, installHint: get it,"
                                        + " apiVersion: client.authentication.k8s.io/v1}")
                        .tokens()
                        .orElseThrow()
                        .token())
                .hasMessageContaining("missing")
                .hasMessageContaining("get it");
        assertThatThrownBy(() -> one(
                                "server: 'https://a'",
                                "exec: {command: 'false', apiVersion: client.authentication.k8s.io/v1}")
                        .tokens()
                        .orElseThrow()
                        .token())
                .hasMessageContaining("failed with code 1");
        assertThatThrownBy(() -> one(
                                "server: 'https://a'",
                                "exec: {command: echo, args: [hello], apiVersion: client.authentication.k8s.io/v1}")
                        .tokens()
                        .orElseThrow()
                        .token())
                .hasMessageContaining("did not print an ExecCredential: hello");
    }
}
