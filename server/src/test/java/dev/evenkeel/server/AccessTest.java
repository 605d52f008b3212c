package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials and permissions over HTTP, as users meet them. */
class AccessTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts/default/token";
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String MAPS = Fixture.MAPS;

    @TempDir
    private Path directory = Path.of("");

    private final List<AutoCloseable> open = new ArrayList<>();
    // what services of the engine do is done when a write returns
    private final Engine engine = keep(Engine.builder()
            .authorization(Authorization.RBAC)
            .executor(Runnable::run)
            .build());
    private final HttpClient http = keep(HttpClient.newHttpClient());

    private <T extends AutoCloseable> T keep(T resource) {
        open.addFirst(resource);
        return resource;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    private Server start(UnaryOperator<Server.Builder> settings) {
        return keep(settings.apply(Server.builder(engine).tls(false).token("root-token", User.ADMIN))
                .start());
    }

    private HttpResponse<String> send(Server server, String method, String path, String token, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return send(http, request.build());
    }

    private static HttpResponse<String> send(HttpClient http, HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonObject who(Server server, String token) {
        HttpResponse<String> answer = send(server, "POST", WHO, token, "{}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Fixture.tree(answer).object("status", "userInfo");
    }

    private String accountToken(Server server, String partition, String spec) {
        HttpResponse<String> answer = send(server, "POST", partition + ACCOUNTS, "root-token", spec);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Fixture.tree(answer).string("status", "token");
    }

    @Test
    void headIsAuthorizedAsGetAndThenNotServed() {
        Server server = start(builder -> builder.token("jane-token", new User("jane", "", List.of())));
        assertThat(send(server, "HEAD", MAPS, "jane-token", "").statusCode()).isEqualTo(403);
        String binding = "{\"metadata\":{\"name\":\"view\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                + "\"kind\":\"ClusterRole\",\"name\":\"view\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"jane\"}]}";
        String bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
        assertThat(send(server, "POST", bindings, "root-token", binding).statusCode())
                .isEqualTo(201);
        assertThat(send(server, "HEAD", MAPS, "jane-token", "").statusCode()).isEqualTo(405);
        assertThat(send(server, "HEAD", MAPS + "/none", "jane-token", "").statusCode())
                .isEqualTo(405);
    }

    @Test
    void withoutCredentialsARequestIsRefusedUnlessAnonymousIsOn() {
        Server closed = start(builder -> builder);
        assertThat(send(closed, "GET", MAPS, "", "").body())
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}");
        assertThat(send(closed, "GET", "/healthz", "", "").statusCode()).isEqualTo(200);
        Server anonymous = start(builder -> builder.anonymous(true));
        HttpResponse<String> answer = send(anonymous, "GET", MAPS, "", "");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("User \\\"system:anonymous\\\" cannot list resource");
        assertThat(send(anonymous, "GET", MAPS, "wrong", "").statusCode()).isEqualTo(401);
    }

    @Test
    void metricsCountAttemptsByTheirResultAndNameNoUsers() {
        Server server = start(builder -> builder.token("jane-token", new User("jane", "", List.of()))
                .token("mail-token", new User("jane@example.com", "", List.of())));
        for (String token : List.of("jane-token", "mail-token", "wrong")) {
            send(server, "GET", MAPS, token, "");
        }
        assertThat(send(server, "GET", "/metrics", "root-token", "").body())
                .contains("authentication_attempts{result=\"failure\"} 1.0")
                .contains("authentication_attempts{result=\"success\"} 3.0")
                .contains("authentication_duration_seconds_bucket{result=\"failure\",le=\"16.384\"} 1")
                .contains("authenticated_user_requests{username=\"admin\"} 1.0")
                .contains("authenticated_user_requests{username=\"email_id\"} 1.0")
                .contains("authenticated_user_requests{username=\"other\"} 1.0")
                .contains("authorization_attempts_total{result=\"denied\"} 2.0")
                .contains("authorization_duration_seconds_count{result=\"denied\"} 2")
                .doesNotContain("jane");
    }

    @Test
    void usersOfATokenFileHaveTheirGroups() throws Exception {
        Path file = Files.writeString(directory.resolve("tokens.csv"), "secret-1,ann,uid-1,\"devs,ops\"\n");
        Server server = start(builder -> builder.tokenFile(file));
        assertThat(who(server, "secret-1"))
                .isEqualTo(JsonObject.of(
                        "username", "ann", "uid", "uid-1", "groups", List.of("devs", "ops", "system:authenticated")));
        assertThat(send(server, "GET", MAPS, "secret-1", "").statusCode()).isEqualTo(403);
        assertThat(send(server, "GET", "/apis", "secret-1", "").statusCode()).isEqualTo(200);
        assertThat(server.token()).isEqualTo("root-token");
    }

    @Test
    void anAccountOfOnePartitionIsUnknownInAnother() {
        Server server = start(builder -> builder);
        engine.partition("other");
        String token = accountToken(server, "", "{}");
        String other = accountToken(server, "/partitions/other", "{}");
        assertThat(who(server, token).string("username")).isEqualTo("system:serviceaccount:default:default");
        assertThat(send(server, "POST", "/partitions/other" + WHO, other, "{}").statusCode())
                .isEqualTo(201);
        assertThat(send(server, "POST", "/partitions/other" + WHO, token, "{}").statusCode())
                .isEqualTo(401);
        assertThat(send(server, "POST", WHO, other, "{}").statusCode()).isEqualTo(401);
    }

    @Test
    void onlyAdministratorsCreatePartitions() throws Exception {
        Path file = Files.writeString(directory.resolve("tokens.csv"), "secret-1,ann,1\n");
        Server server = start(builder -> builder.tokenFile(file).anonymous(true));
        for (String token : List.of("", "secret-1", accountToken(server, "", "{}"))) {
            assertThat(send(server, "GET", "/partitions/new/api", token, "").statusCode())
                    .isIn(401, 404);
            assertThat(send(server, "PUT", "/partitions/new", token, "").statusCode())
                    .isIn(401, 403);
            assertThat(send(server, "GET", "/partitions", token, "").statusCode())
                    .isIn(401, 403);
        }
        for (String path : List.of("/api", "/healthz", "", MAPS, "/openapi/v3", "/.well-known/openid-configuration")) {
            assertThat(send(server, "GET", "/partitions/new" + path, "root-token", "")
                            .statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(send(server, "POST", "/partitions/new" + MAPS, "root-token", "{}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(engine.findPartition("new")).isEmpty();
        assertThat(send(server, "PUT", "/partitions/new", "root-token", "").statusCode())
                .isEqualTo(201);
        assertThat(send(server, "PUT", "/partitions/new", "root-token", "").statusCode())
                .isEqualTo(200);
        assertThat(send(server, "PUT", "/partitions/No", "root-token", "").statusCode())
                .isEqualTo(400);
        assertThat(send(server, "GET", "/partitions/new/api", "root-token", "").statusCode())
                .isEqualTo(200);
        assertThat(Fixture.tree(send(server, "GET", "/partitions", "root-token", ""))
                        .strings("partitions"))
                .containsExactly("default", "new");
    }

    @Test
    void onlyAdministratorsDeletePartitions() throws Exception {
        Path file = Files.writeString(directory.resolve("tokens.csv"), "secret-1,ann,1\n");
        Server server = start(builder -> builder.tokenFile(file));
        engine.partition("old");
        String account = accountToken(server, "/partitions/old", "{}");
        for (String token : List.of("", "secret-1", account)) {
            assertThat(send(server, "DELETE", "/partitions/old", token, "").statusCode())
                    .isIn(401, 403);
        }
        for (String name : List.of("default", "system")) {
            HttpResponse<String> refused = send(server, "DELETE", "/partitions/" + name, "root-token", "");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("the partition " + name + " cannot be deleted");
        }
        assertThat(send(server, "DELETE", "/partitions/absent", "root-token", "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(server, "DELETE", "/partitions/old", "root-token", "").body())
                .isEqualTo("{\"name\":\"old\"}");
        assertThat(send(server, "GET", "/partitions/old/api/v1/namespaces", "root-token", "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(server, "POST", "/partitions/old" + MAPS, account, "{}").statusCode())
                .isIn(401, 404);
        assertThat(engine.findPartition("old")).isEmpty();
    }

    @Test
    void theDiscoveryDocumentLeadsToTheKeys() {
        Server server = start(builder -> builder.issuer("https://issuer.example"));
        String path = "/.well-known/openid-configuration";
        JsonObject document = Fixture.tree(send(server, "GET", path, "root-token", ""));
        assertThat(document.string("issuer")).isEqualTo("https://issuer.example");
        assertThat(document.string("jwks_uri")).endsWith("/openid/v1/jwks");
        HttpResponse<String> keys = send(server, "GET", "/openid/v1/jwks", "root-token", "");
        assertThat(keys.headers().firstValue("Content-Type")).contains("application/jwk-set+json");
        assertThat(Fixture.tree(keys).objects("keys"))
                .singleElement()
                .satisfies(key -> assertThat(key).containsKeys("kid", "x", "y").doesNotContainKey("d"));
        String account = accountToken(server, "", "{}");
        assertThat(send(server, "GET", "/openid/v1/jwks", account, "").statusCode())
                .isEqualTo(200);
        engine.partition("p");
        JsonObject other = Fixture.tree(send(server, "GET", "/partitions/p" + path, "root-token", ""));
        assertThat(other.string("issuer")).isEqualTo("https://issuer.example/partitions/p");
        assertThat(other.string("jwks_uri")).endsWith("/partitions/p/openid/v1/jwks");
    }

    @Test
    void tokensForUsersAreIssuedByThoseWhoMayImpersonateThem() {
        Server server = start(builder -> builder);
        String body = "{\"user\":\"ann\",\"groups\":[\"devs\"],\"expirationSeconds\":600}";
        JsonObject issued = Fixture.tree(send(server, "POST", "/evenkeel/tokens", "root-token", body));
        assertThat(who(server, issued.string("token")).get("groups"))
                .isEqualTo(List.of("devs", "system:authenticated"));
        assertThat(send(server, "POST", "/evenkeel/tokens", issued.string("token"), body)
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(server, "GET", "/evenkeel/tokens", "root-token", "").statusCode())
                .isEqualTo(405);
    }

    @Test
    void reviewsAreAnsweredAndNothingIsStored() {
        Server server = start(builder -> builder);
        long before = engine.store().revision();
        String spec = "{\"spec\":{\"user\":\"jane\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";
        HttpResponse<String> review =
                send(server, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "root-token", spec);
        assertThat(Fixture.tree(review).object("status")).isEqualTo(JsonObject.of("allowed", false));
        assertThat(engine.store().revision()).isEqualTo(before);
    }

    @Test
    void aWatchOfOneObjectIsPermittedByItsName() {
        Server server = start(builder -> builder);
        String role = "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"],"
                + "\"resourceNames\":[\"one\"],\"verbs\":[\"watch\"]}]}";
        String binding = "{\"metadata\":{\"name\":\"r\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                + "\"kind\":\"Role\",\"name\":\"r\"},\"subjects\":[{\"kind\":\"ServiceAccount\",\"name\":\"default\","
                + "\"namespace\":\"default\"}]}";
        String base = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
        send(server, "POST", base + "roles", "root-token", role);
        send(server, "POST", base + "rolebindings", "root-token", binding);
        String token = accountToken(server, "", "{}");
        String watch = MAPS + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D";
        assertThat(send(server, "GET", watch + "one", token, "").statusCode()).isEqualTo(200);
        assertThat(send(server, "GET", watch + "two", token, "").statusCode()).isEqualTo(403);
        assertThat(send(server, "GET", MAPS + "?watch=1", token, "").statusCode())
                .isEqualTo(403);
    }

    /** Runs the JDK's keytool, which writes certificates that clients have. */
    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", directory.resolve("keys").toString(), "-storepass", "secret"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(directory.resolve("log")))
                .isZero();
    }

    private void certificate(String alias, String name, String signer, String extension) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("-genkeypair", "-alias", alias, "-dname", name, "-keyalg", "EC", "-ext", extension));
        if (!signer.isEmpty()) {
            arguments.addAll(List.of("-signer", signer));
        }
        keytool(arguments.toArray(String[]::new));
    }

    private HttpClient client(Server server, KeyStore all, String alias) throws Exception {
        KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        char[] password = "secret".toCharArray();
        one.setKeyEntry(alias, all.getKey(alias, password), password, all.getCertificateChain(alias));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(one, password);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(server.caCertificate().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return keep(HttpClient.newBuilder().sslContext(context).build());
    }

    @Test
    void clientCertificatesNameUsersAndGroups() throws Exception {
        certificate("ca", "CN=ca", "", "bc:c");
        certificate("ann", "CN=ann,O=devs,O=ops", "ca", "eku=clientAuth");
        certificate("service", "CN=service", "ca", "eku=serverAuth");
        certificate("stranger", "CN=root,O=system:masters", "", "eku=clientAuth");
        KeyStore all = KeyStore.getInstance(directory.resolve("keys").toFile(), "secret".toCharArray());
        byte[] ca = Objects.requireNonNull(all.getCertificate("ca")).getEncoded();
        String pem = "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(ca)
                + "\n-----END CERTIFICATE-----\n";
        Server server = start(builder -> builder.tls(true).clientCa(pem));
        HttpRequest who = HttpRequest.newBuilder(URI.create(server.url() + WHO))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        HttpResponse<String> answer = send(client(server, all, "ann"), who);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        JsonObject user = Fixture.tree(answer).object("status", "userInfo");
        assertThat(user.string("username")).isEqualTo("ann");
        assertThat(user.strings("groups")).containsExactlyInAnyOrder("devs", "ops", "system:authenticated");
        assertThat(user.object("extra").strings("authentication.kubernetes.io/credential-id"))
                .singleElement()
                .asString()
                .startsWith("X509SHA256=");
        assertThat(send(client(server, all, "service"), who).statusCode()).isEqualTo(401);
        assertThat(send(client(server, all, "stranger"), who).statusCode()).isEqualTo(401);
        assertThatThrownBy(() -> start(builder -> builder.clientCa(pem)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need TLS");
    }
}
