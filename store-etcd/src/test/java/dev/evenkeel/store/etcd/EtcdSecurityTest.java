package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.evenkeel.client.internal.tls.Pem;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.StoreException;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.Permission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users, passwords and certificates of etcd. */
@Timeout(300)
class EtcdSecurityTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Key X = new Key("default/configmaps", "a", "x");

    @TempDir
    private Path directory;

    @BeforeEach
    void need() {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
    }

    private static Store open(EtcdOptions options) {
        return options.open(
                new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }

    private static long commit(Store store, long expected) {
        return ((Committed) store.commit(List.of(new Change(X, expected, () -> new byte[] {1})))).revision();
    }

    @Test
    void aUserWithARoleForThePrefix() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1)) {
            EtcdOptions options = EtcdOptions.at(etcd.endpoints()).prefix("/mine/");
            enableUsers(options);
            assertThatThrownBy(() -> open(options))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("etcd refuses this user")
                    .hasMessageContaining("check user, password");
            assertThatThrownBy(() -> open(options.credentials("keel", "wrong")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("authentication failed")
                    .hasMessageNotContaining("wrong");
            assertThatThrownBy(() -> open(options.credentials("keel", "secret").prefix("/other/")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("permission denied");
            try (Store store = open(options.credentials("keel", "secret"))) {
                long revision = commit(store, 0);
                forgetTokens(options);
                revision = commit(store, revision);
                assertThat(store.latest().get(X).revision()).isEqualTo(revision);
            }
        }
    }

    /** Ends the validity of the user's tokens, as time does. */
    private static void forgetTokens(EtcdOptions options) {
        try (Connection connection = new Connection(options.credentials("root", "root"))) {
            connection
                    .stub(0, AuthGrpc::newBlockingStub)
                    .userChangePassword(AuthUserChangePasswordRequest.newBuilder()
                            .setName("keel")
                            .setPassword("secret")
                            .build());
        }
    }

    private static void enableUsers(EtcdOptions options) {
        try (Connection connection = new Connection(options)) {
            AuthGrpc.AuthBlockingStub users = connection.stub(0, AuthGrpc::newBlockingStub);
            users.userAdd(AuthUserAddRequest.newBuilder()
                    .setName("root")
                    .setPassword("root")
                    .build());
            users.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                    .setUser("root")
                    .setRole("root")
                    .build());
            users.userAdd(AuthUserAddRequest.newBuilder()
                    .setName("keel")
                    .setPassword("secret")
                    .build());
            users.roleAdd(AuthRoleAddRequest.newBuilder().setName("mine").build());
            users.roleGrantPermission(AuthRoleGrantPermissionRequest.newBuilder()
                    .setName("mine")
                    .setPerm(Permission.newBuilder()
                            .setPermType(Permission.Type.READWRITE)
                            .setKey(ByteString.copyFromUtf8("/mine/"))
                            .setRangeEnd(ByteString.copyFromUtf8("/mine0")))
                    .build());
            users.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                    .setUser("keel")
                    .setRole("mine")
                    .build());
            users.authEnable(AuthEnableRequest.getDefaultInstance());
        }
    }

    @Test
    void certificatesOfBothSides() throws Exception {
        KeyStore store = selfSigned();
        Path certificate = file("certificate.pem", Pem.text((X509Certificate) store.getCertificate("a")));
        Path key = file("key.pem", Pem.text((PrivateKey) store.getKey("a", PASSWORD)));
        EtcdTls tls = EtcdTls.trusting(certificate).client(certificate, key);
        try (LocalEtcd etcd = LocalEtcd.start(
                directory,
                1,
                Optional.of(tls),
                "--cert-file",
                certificate.toString(),
                "--key-file",
                key.toString(),
                "--trusted-ca-file",
                certificate.toString(),
                "--client-cert-auth")) {
            EtcdOptions options = EtcdOptions.at(etcd.endpoints()).timeout(Duration.ofSeconds(2));
            assertThat(options.endpoints().getFirst()).startsWith("https://");
            try (Store opened = open(options.tls(tls))) {
                assertThat(opened.latest().get(X)).isNull();
                commit(opened, 0);
            }
            assertThatThrownBy(() -> open(options))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("does not answer");
            assertThatThrownBy(() -> open(options.tls(EtcdTls.trusting(certificate))))
                    .isInstanceOf(StoreException.class);
        }
        assertThatThrownBy(() -> open(EtcdOptions.at("https://127.0.0.1:1").tls(EtcdTls.trusting(key))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot read the certificates for etcd");
    }

    /** Returns a certificate that may be used by both sides. */
    private KeyStore selfSigned() throws Exception {
        Path file = directory.resolve("store.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = new ArrayList<>(List.of(keytool, "-genkeypair", "-keyalg", "EC", "-alias", "a"));
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of("-dname", "CN=test", "-ext", "san=ip:127.0.0.1"));
        command.addAll(List.of("-keystore", file.toString(), "-storepass", new String(PASSWORD)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return KeyStore.getInstance(file.toFile(), PASSWORD);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
