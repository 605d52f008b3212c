package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TlsTest {
    @Test
    void onlyTrustedServersAreAccepted() {
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).start()) {
            String ca = Certificates.selfSigned().certificatePem();
            try (KubernetesClient wrong = client(Connection.to(server.url()).ca(ca), server);
                    KubernetesClient jdk = client(Connection.to(server.url()), server);
                    KubernetesClient right = client(Connection.to(server.url()).ca(server.caCertificate()), server);
                    KubernetesClient careless =
                            client(Connection.to(server.url()).ca(ca).insecure(true), server)) {
                assertThatThrownBy(() -> wrong.list(Namespace.class, ListOptions.ALL))
                        .isInstanceOf(ConnectionException.class);
                assertThatThrownBy(() -> jdk.list(Namespace.class, ListOptions.ALL))
                        .isInstanceOf(ConnectionException.class);
                assertThat(right.list(Namespace.class, ListOptions.ALL).items()).isNotEmpty();
                assertThat(careless.list(Namespace.class, ListOptions.ALL).items())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void inAClusterTheAuthorityMayChange(@TempDir Path account) throws Exception {
        try (Engine engine = Engine.create()) {
            int port;
            Server before = Server.builder(engine).start();
            port = before.url().getPort();
            write(account, before);
            Connection connection = Connection.inCluster(
                    Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", "" + port), account);
            try (KubernetesClient client =
                    KubernetesClient.builder(connection).retry(RetryPolicy.NONE).build()) {
                assertThat(client.list(Namespace.class, ListOptions.ALL).items())
                        .isNotEmpty();
                before.close();
                ServerCertificate other = CertificateAuthority.create("other", Instant.now(), Duration.ofDays(1))
                        .issue("after", List.of("127.0.0.1"), Instant.now(), Duration.ofDays(1));
                try (Server after =
                        Server.builder(engine).port(port).certificate(other).start()) {
                    assertThat(after.caCertificate()).isNotEqualTo(before.caCertificate());
                    assertThatThrownBy(() -> client.list(Namespace.class, ListOptions.ALL))
                            .isInstanceOf(ConnectionException.class);
                    Files.writeString(account.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----\nhalf");
                    assertThatThrownBy(() -> client.list(Namespace.class, ListOptions.ALL))
                            .isInstanceOf(ConnectionException.class);
                    write(account, after);
                    assertThat(client.list(Namespace.class, ListOptions.ALL).items())
                            .isNotEmpty();
                }
            }
        }
    }

    private static void write(Path account, Server server) throws IOException {
        Files.writeString(account.resolve("ca.crt"), server.caCertificate());
        Files.writeString(account.resolve("token"), server.token());
    }

    private static KubernetesClient client(Connection.Builder connection, Server server) {
        return KubernetesClient.builder(connection.token(server.token()).build())
                .retry(RetryPolicy.NONE)
                .build();
    }

    @Test
    void aClientCertificateIsShown() throws Exception {
        Certificates made = Certificates.selfSigned();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(made.store(), Certificates.PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        java.security.KeyStore trusted = java.security.KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", made.store().getCertificate("a"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        AtomicReference<String> peer = new AtomicReference<>("nobody");
        try (SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setNeedClientAuth(true);
            Thread server = Thread.ofVirtual().start(() -> {
                try (SSLSocket socket = (SSLSocket) listener.accept()) {
                    while (socket.getInputStream().read() != '\n') {}
                    peer.set(socket.getSession().getPeerPrincipal().getName());
                    socket.getOutputStream()
                            .write(ScriptedServer.whole(
                                    "200 OK", "", ScriptedServer.bytes("{\"kind\":\"NamespaceList\",\"items\":[]}")));
                } catch (java.io.IOException e) {
                    peer.set(e.toString());
                }
            });
            Connection connection = Connection.to(URI.create("https://127.0.0.1:" + listener.getLocalPort()))
                    .ca(made.certificatePem())
                    .clientCertificate(
                            made.certificatePem(),
                            Certificates.pem("PRIVATE KEY", made.key().getEncoded()))
                    .build();
            try (KubernetesClient client =
                    KubernetesClient.builder(connection).retry(RetryPolicy.NONE).build()) {
                assertThat(client.list(Namespace.class, ListOptions.ALL).items())
                        .isEmpty();
            }
            server.join();
        }
        assertThat(peer.get()).isEqualTo("CN=test");
    }
}
