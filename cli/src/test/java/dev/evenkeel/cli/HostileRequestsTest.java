package dev.evenkeel.cli;

import static dev.evenkeel.cli.ForgedTokens.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.engine.User;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * The table of hostile requests in docs/security.md: each is sent, is refused as the page says, and changes nothing.
 *
 * <p>The attacker is {@code ann}, who may write ConfigMaps, and create and change roles and bindings of her own namespace.
 */
@Isolated("reads all log lines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {
    private static final String CORE = "/api/v1/namespaces/default/";
    private static final String MAPS = CORE + "configmaps";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String ROLES = RBAC + "namespaces/default/roles";
    private static final String BINDINGS = RBAC + "namespaces/default/rolebindings";
    private static final String GROUP = "\"apiGroup\":\"rbac.authorization.k8s.io\",";
    private static final String ACCOUNT = CORE + "serviceaccounts/default/token";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String ROOT = "root-token-of-the-test";
    private static final String ANN = "ann-token-of-the-test";
    private static final Path PAGE = Path.of("../docs/security.md");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final LogLines log = new LogLines();
    private final List<String> tokens = new ArrayList<>(List.of(ROOT, ANN));
    private Engine engine;
    private Server server;
    private String account = "";
    private String foreign = "";

    /**
     * A hostile request.
     *
     * @param code of the refusal; 0 when the connection is closed without an answer
     * @param message is part of the answer
     */
    private record Hostile(String name, Sent request, int code, String message) {}

    /** A request as it is sent. */
    private record Sent(String method, String path, String headers, byte[] body) {
        static Sent get(String path) {
            return new Sent("GET", path, "", new byte[0]);
        }

        static Sent of(String method, String path, String body) {
            return new Sent(method, path, "Content-Type: application/json\r\n", body.getBytes(StandardCharsets.UTF_8));
        }

        Sent as(String token) {
            return with("Authorization: Bearer " + token);
        }

        Sent with(String header) {
            return new Sent(method, path, headers + header + "\r\n", body);
        }

        Sent type(String type) {
            return new Sent(method, path, headers.replace("application/json", type), body);
        }
    }

    @BeforeAll
    void start() {
        engine = Engine.builder()
                .authorization(Authorization.RBAC)
                .clock(now::get)
                .webhooks(HttpAdmissionCaller.loopback())
                .build();
        InstantSource clock = now::get;
        server = Server.builder(engine)
                .tls(false)
                .clock(clock.withZone(ZoneOffset.UTC))
                .token(ROOT, User.ADMIN)
                .token(ANN, User.of("ann", "devs"))
                .start();
        root("POST", ROLES, """
                {"metadata":{"name":"ann"},"rules":[
                 {"apiGroups":[""],"resources":["configmaps"],"verbs":["get","list","watch","create","update","patch","delete"]},
                 {"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","rolebindings"],"verbs":["create","update","patch"]}]}""");
        root("POST", BINDINGS, binding("ann", "Role", "ann", "ann"));
        root("POST", RBAC + "clusterroles", """
                {"metadata":{"name":"ann"},"rules":[
                 {"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles","clusterrolebindings"],"verbs":["create","update","patch"]},
                 {"apiGroups":[""],"resources":["users"],"resourceNames":["bob"],"verbs":["impersonate"]}]}""");
        root("POST", RBAC + "clusterrolebindings", binding("ann", "ClusterRole", "ann", "ann"));
        root("POST", CORE + "secrets", "{\"metadata\":{\"name\":\"s\"}}");
        root("POST", MAPS, "{\"metadata\":{\"name\":\"m\"},\"data\":{\"k\":\"v\"}}");
        account = token("");
        engine.partition("other");
        foreign = token("/partitions/other");
    }

    @AfterAll
    void stop() {
        server.close();
        engine.close();
        log.close();
    }

    private static String binding(String name, String kind, String role, String user) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"roleRef\":{" + GROUP + "\"kind\":\"" + kind
                + "\",\"name\":\"" + role + "\"},\"subjects\":[{" + GROUP + "\"kind\":\"User\",\"name\":\"" + user
                + "\"}]}";
    }

    private String root(String method, String path, String body) {
        String answer = send(Sent.of(method, path, body).as(ROOT));
        assertThat(answer).as(path).startsWith("HTTP/1.1 20");
        return answer;
    }

    private String token(String partition) {
        return token(partition, "{\"spec\":{\"expirationSeconds\":86400}}");
    }

    private String token(String partition, String request) {
        return token(ACCOUNT, partition, request);
    }

    private String token(String path, String partition, String request) {
        Matcher issued = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(root("POST", partition + path, request));
        assertThat(issued.find()).isTrue();
        tokens.add(issued.group(1));
        return issued.group(1);
    }

    private String send(Sent request) {
        String host = request.headers.contains("Host:") ? "" : "Host: localhost\r\n";
        String length = request.headers.contains("Transfer-Encoding") || request.body.length == 0
                ? ""
                : "Content-Length: " + request.body.length + "\r\n";
        String head = request.method + " " + request.path + " HTTP/1.1\r\n" + host + "Connection: close\r\n" + length
                + request.headers + "\r\n";
        try (Socket socket = new Socket("127.0.0.1", server.url().getPort())) {
            socket.setSoTimeout(20_000);
            try {
                socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().write(request.body);
                socket.getOutputStream().flush();
            } catch (IOException e) {
                // refused before the end of the body: the answer may be there all the same
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    // The attacks

    private static Hostile refused(String name, Sent request, int code, String message) {
        return new Hostile(name, request, code, message);
    }

    private Hostile unauthorized(String name, String token) {
        tokens.add(token);
        return refused(name, Sent.get(MAPS).as(token), 401, "Unauthorized");
    }

    private static Hostile forbidden(String name, String method, String path, String body, String message) {
        return refused(name, Sent.of(method, path, body).as(ANN), 403, message);
    }

    private List<Hostile> tokenForgeries() throws JOSEException, ParseException {
        String expired = token("", "{\"spec\":{\"expirationSeconds\":600}}");
        root("POST", CORE + "serviceaccounts", "{\"metadata\":{\"name\":\"gone\"}}");
        String deleted = token(CORE + "serviceaccounts/gone/token", "", "{}");
        root("DELETE", CORE + "serviceaccounts/gone", "");
        LoggerFactory.getLogger("dev.evenkeel.hostile").debug("begin"); // shows that lines are collected
        now.updateAndGet(time -> time.plus(Duration.ofMinutes(11)));
        String audience = token("", "{\"spec\":{\"audiences\":[\"vault\"]}}");
        List<Hostile> all = new ArrayList<>(List.of(
                refused("no credentials", Sent.get(MAPS), 401, "Unauthorized"),
                unauthorized("an unknown token", "nonsense-token-of-the-test"),
                refused("an empty token", Sent.get(MAPS).with("Authorization: Bearer "), 401, "Unauthorized"),
                refused(
                        "a password instead of a token",
                        Sent.get(MAPS).with("Authorization: Basic " + encoded("admin:" + ROOT)),
                        401,
                        "Unauthorized"),
                refused(
                        "a token in the URL",
                        Sent.get(MAPS + "?token=" + ROOT + "&access_token=" + ROOT),
                        401,
                        "Unauthorized"),
                unauthorized("an expired token", expired),
                unauthorized("a token of a deleted account", deleted),
                unauthorized("a token for another audience", audience),
                unauthorized("a token of another partition", foreign),
                refused(
                        "a token of this partition in another",
                        Sent.get("/partitions/other" + MAPS).as(account),
                        401,
                        "Unauthorized")));
        ForgedTokens.of(account, root("GET", "/openid/v1/jwks", ""))
                .forEach((name, token) -> all.add(unauthorized(name, token)));
        all.add(refused("a token of 100 KB", Sent.get(MAPS).as("x".repeat(100_000)), 431, ""));
        return all;
    }

    private List<Hostile> escalations() {
        String secrets = "\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]}]";
        String held = "is attempting to grant RBAC permissions not currently held";
        return List.of(
                forbidden(
                        "a role with more than its author has",
                        "POST",
                        ROLES,
                        "{\"metadata\":{\"name\":\"r\"}," + secrets + "}",
                        held),
                forbidden(
                        "an update of a role to more than its author has",
                        "PUT",
                        ROLES + "/ann",
                        "{\"metadata\":{\"name\":\"ann\"}," + secrets + "}",
                        held),
                refused(
                        "a patch of a role to more than its author has",
                        Sent.of("PATCH", ROLES + "/ann", "{" + secrets + "}")
                                .type("application/merge-patch+json")
                                .as(ANN),
                        403,
                        held),
                refused(
                        "an apply of a role with more than its author has",
                        Sent.of(
                                        "PATCH",
                                        ROLES + "/r?fieldManager=ann",
                                        "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"Role\",\"metadata\":{\"name\":\"r\"},"
                                                + secrets + "}")
                                .type("application/apply-patch+yaml")
                                .as(ANN),
                        403,
                        held),
                forbidden(
                        "a role with the verb escalate",
                        "POST",
                        ROLES,
                        "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"rbac.authorization.k8s.io\"],\"resources\":[\"roles\"],\"verbs\":[\"escalate\",\"bind\"]}]}",
                        held),
                forbidden(
                        "a role with all verbs on a resource that its author may read",
                        "POST",
                        ROLES,
                        "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"],\"verbs\":[\"*\"]}]}",
                        held),
                forbidden(
                        "a cluster role with paths that its author may not read",
                        "POST",
                        RBAC + "clusterroles",
                        "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"nonResourceURLs\":[\"/metrics\"],\"verbs\":[\"get\"]}]}",
                        held),
                forbidden(
                        "a cluster role that collects the rules of others",
                        "POST",
                        RBAC + "clusterroles",
                        "{\"metadata\":{\"name\":\"r\"},\"aggregationRule\":{\"clusterRoleSelectors\":[{}]}}",
                        "must have cluster-admin privileges to use the aggregationRule"),
                forbidden(
                        "a cluster role that view would collect",
                        "POST",
                        RBAC + "clusterroles",
                        "{\"metadata\":{\"name\":\"r\",\"labels\":{\"rbac.authorization.k8s.io/aggregate-to-view\":\"true\"}},"
                                + secrets + "}",
                        held),
                forbidden(
                        "a binding of cluster-admin to its author",
                        "POST",
                        BINDINGS,
                        binding("b", "ClusterRole", "cluster-admin", "ann"),
                        held),
                forbidden(
                        "a cluster-wide binding of cluster-admin to its author",
                        "POST",
                        RBAC + "clusterrolebindings",
                        binding("b", "ClusterRole", "cluster-admin", "ann"),
                        held),
                refused(
                        "a binding of a role that does not exist yet",
                        Sent.of("POST", BINDINGS, binding("b", "Role", "later", "ann"))
                                .as(ANN),
                        404,
                        "not found"),
                refused(
                        "another role in an existing binding",
                        Sent.of("PUT", BINDINGS + "/ann", binding("ann", "ClusterRole", "cluster-admin", "ann"))
                                .as(ANN),
                        403,
                        held),
                refused(
                        "impersonation of an administrator",
                        Sent.get(MAPS).as(ANN).with("Impersonate-User: admin"),
                        403,
                        "cannot impersonate-on:user-info:list resource"),
                refused(
                        "impersonation of a permitted user with another group",
                        Sent.get(MAPS).as(ANN).with("Impersonate-User: bob").with("Impersonate-Group: system:masters"),
                        403,
                        "cannot impersonate-on:user-info:list resource"),
                refused(
                        "impersonation with a uid",
                        Sent.get(MAPS).as(ANN).with("Impersonate-User: bob").with("Impersonate-Uid: 1"),
                        403,
                        "cannot impersonate-on:user-info:list resource"),
                refused(
                        "impersonation with extra values",
                        Sent.get(MAPS).as(ANN).with("Impersonate-User: bob").with("Impersonate-Extra-scopes: all"),
                        403,
                        "cannot impersonate-on:user-info:list resource"),
                refused(
                        "impersonation of a service account",
                        Sent.get(MAPS).as(ANN).with("Impersonate-User: system:serviceaccount:kube-system:default"),
                        403,
                        "cannot impersonate-on:serviceaccount:list resource"),
                refused(
                        "impersonation of a group without a user",
                        Sent.get(MAPS).as(ANN).with("Impersonate-Group: system:masters"),
                        400,
                        "without impersonating a user name"),
                forbidden(
                        "a token of a service account",
                        "POST",
                        ACCOUNT,
                        "{\"spec\":{}}",
                        "cannot create resource \\\"serviceaccounts/token\\\""),
                forbidden(
                        "a kubeconfig of an administrator",
                        "POST",
                        "/evenkeel/tokens",
                        "{\"user\":\"root\",\"groups\":[\"system:masters\"],\"expirationSeconds\":600}",
                        "cannot post path"),
                forbidden(
                        "an object of another kind in the same namespace",
                        "GET",
                        CORE + "secrets/s",
                        "",
                        "cannot get resource \\\"secrets\\\""),
                forbidden(
                        "the same kind in another namespace",
                        "GET",
                        "/api/v1/namespaces/kube-system/configmaps",
                        "",
                        "in the namespace \\\"kube-system\\\""),
                forbidden("a list across namespaces", "GET", "/api/v1/configmaps", "", "at the cluster scope"),
                forbidden(
                        "a watch of another kind",
                        "GET",
                        CORE + "secrets?watch=1",
                        "",
                        "cannot watch resource \\\"secrets\\\""),
                forbidden(
                        "a deletion of a collection with the right to delete",
                        "DELETE",
                        MAPS,
                        "",
                        "cannot deletecollection resource \\\"configmaps\\\""),
                forbidden(
                        "a namespace",
                        "POST",
                        "/api/v1/namespaces",
                        "{\"metadata\":{\"name\":\"n\"}}",
                        "cannot create resource \\\"namespaces\\\""),
                forbidden(
                        "a definition of a resource",
                        "POST",
                        CRDS,
                        "{\"metadata\":{\"name\":\"x.y.z\"}}",
                        "cannot create resource \\\"customresourcedefinitions\\\""),
                forbidden(
                        "a webhook of one's own",
                        "POST",
                        WEBHOOKS,
                        "{\"metadata\":{\"name\":\"x\"}}",
                        "cannot create resource \\\"validatingwebhookconfigurations\\\""),
                forbidden(
                        "a review of another's token",
                        "POST",
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{\"spec\":{\"token\":\"x\"}}",
                        "cannot create resource \\\"tokenreviews\\\""),
                forbidden(
                        "a review of another's permissions",
                        "POST",
                        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                        "{\"spec\":{\"user\":\"root\"}}",
                        "cannot create resource \\\"subjectaccessreviews\\\""),
                forbidden("metrics", "GET", "/metrics", "", "cannot get path"),
                refused(
                        "a partition that does not exist",
                        Sent.get("/partitions/new/api/v1/namespaces").as(ANN),
                        404,
                        ""));
    }

    private static byte[] repeated(String begin, String part, int count, String end) {
        return (begin + part.repeat(count) + end).getBytes(StandardCharsets.UTF_8);
    }

    private static Sent body(String method, String path, String type, byte[] body) {
        return new Sent(method, path, "Content-Type: " + type + "\r\n", body).as(ROOT);
    }

    private List<Hostile> malformed() throws IOException {
        String json = "application/json";
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ",").repeat(9) + "*a" + (i - 1) + "]\n");
        }
        byte[] annotation = repeated("{\"metadata\":{\"name\":\"x\",\"annotations\":{\"a\":\"", "x", 300_000, "\"}}}");
        String map = "{\"metadata\":{\"name\":\"x\"}}";
        return List.of(
                refused("a body of 4 MB", body("POST", MAPS, json, new byte[4_000_000]), 413, ""),
                refused(
                        "a body of endless chunks",
                        body(
                                        "POST",
                                        MAPS,
                                        json,
                                        ("2000\r\n" + " ".repeat(0x2000) + "\r\n")
                                                .repeat(600)
                                                .getBytes(StandardCharsets.US_ASCII))
                                .with("Transfer-Encoding: chunked"),
                        413,
                        ""),
                refused(
                        "a body that is 20,000 levels deep",
                        body("POST", MAPS, json, repeated("", "{\"a\":", 20_000, "")),
                        400,
                        "BadRequest"),
                refused(
                        "a patch that is 20,000 levels deep",
                        body("PATCH", MAPS + "/m", "application/merge-patch+json", repeated("", "{\"a\":", 20_000, "")),
                        400,
                        "BadRequest"),
                refused(
                        "YAML whose aliases multiply",
                        body("POST", MAPS, "application/yaml", bomb.toString().getBytes(StandardCharsets.UTF_8)),
                        400,
                        ""),
                refused(
                        "a compressed body",
                        body("POST", MAPS, json, new byte[100]).with("Content-Encoding: gzip"),
                        400,
                        ""),
                refused(
                        "a body that is not UTF-8",
                        body("POST", MAPS, json, new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}),
                        400,
                        ""),
                refused(
                        "a number of 50,000 digits",
                        body(
                                "POST",
                                MAPS,
                                json,
                                repeated("{\"metadata\":{\"name\":\"x\",\"generation\":", "9", 50_000, "}}")),
                        400,
                        ""),
                refused(
                        "a JSON patch with 20,000 operations",
                        body(
                                "PATCH",
                                MAPS + "/m",
                                "application/json-patch+json",
                                repeated(
                                        "[",
                                        "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"},",
                                        20_000,
                                        "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"}]")),
                        413,
                        ""),
                refused(
                        "a JSON patch whose copies multiply",
                        body("PATCH", MAPS + "/m", "application/json-patch+json", copies()),
                        422,
                        "rejected our request"),
                refused(
                        "annotations of 300 KB",
                        body("POST", MAPS, json, annotation),
                        422,
                        "metadata.annotations: Too long"),
                refused(
                        "a name that is a path",
                        body(
                                "POST",
                                MAPS,
                                json,
                                "{\"metadata\":{\"name\":\"../../secrets/s\"}}".getBytes(StandardCharsets.UTF_8)),
                        422,
                        "metadata.name"),
                refused(
                        "an encoded path in a name",
                        Sent.get(MAPS + "/..%2f..%2fsecrets%2fs").as(ANN),
                        404,
                        "configmaps"),
                refused(
                        "a path with dots",
                        Sent.get(MAPS + "/../secrets/s").as(ANN),
                        403,
                        "cannot get resource \\\"configmaps/secrets\\\""),
                refused(
                        "a path with double slashes",
                        Sent.get("//api/v1/namespaces/default/secrets/s").as(ANN),
                        403,
                        ""),
                refused("a zero byte in a path", Sent.get(MAPS + "/%00").as(ROOT), 400, ""),
                refused(
                        "a URL of 100 KB",
                        Sent.get(MAPS + "?x=" + "x".repeat(100_000)).as(ROOT),
                        414,
                        ""),
                refused("headers of 100 KB", Sent.get(MAPS).as(ROOT).with("X: " + "x".repeat(100_000)), 431, ""),
                refused(
                        "two lengths of the body",
                        body("POST", MAPS, json, map.getBytes(StandardCharsets.UTF_8))
                                .with("Content-Length: 3"),
                        400,
                        ""),
                refused(
                        "a length and chunks",
                        body("POST", MAPS, json, "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                                .with("Content-Length: 5")
                                .with("Transfer-Encoding: chunked"),
                        400,
                        ""),
                refused("a line break in a header", Sent.get(MAPS).as(ROOT).with("X: a\n b"), 400, ""),
                refused(
                        "a request of a page of another origin",
                        body("POST", MAPS, json, map.getBytes(StandardCharsets.UTF_8))
                                .with("Origin: https://evil.example"),
                        403,
                        "origin"),
                refused(
                        "a request under another name of the host",
                        Sent.get(MAPS).as(ROOT).with("Host: evil.example"),
                        403,
                        "evil.example"),
                refused("the method TRACE", new Sent("TRACE", MAPS, "", new byte[0]).as(ROOT), 405, ""),
                refused(
                        "a forged continue token",
                        Sent.get(MAPS + "?limit=1&continue="
                                        + encoded("{\"v\":\"meta.k8s.io/v1\",\"rv\":1,\"start\":\"../secrets\"}"))
                                .as(ROOT),
                        400,
                        "continue"),
                refused(
                        "a malformed continue token",
                        Sent.get(MAPS + "?limit=1&continue=x").as(ROOT),
                        400,
                        "continue"),
                refused(
                        "a selector that is not one",
                        Sent.get(MAPS + "?labelSelector=" + "(".repeat(500)).as(ROOT),
                        400,
                        ""),
                refused(
                        "a field selector of another field",
                        Sent.get(CORE + "secrets?fieldSelector=data.password%3Dx")
                                .as(ROOT),
                        400,
                        "field label not supported"),
                refused(
                        "a schema that does not end",
                        body(
                                "POST",
                                CRDS,
                                json,
                                crd("{\"type\":\"object\",\"properties\":{\"spec\":{\"$ref\":\"#/definitions/x\"}}}")),
                        422,
                        "$ref"),
                refused(
                        "a rule that costs too much",
                        body(
                                "POST",
                                CRDS,
                                json,
                                crd(
                                        "{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"x-kubernetes-validations\":[{\"rule\":\"self.all(a, self.all(b, self.all(c, a+b != c)))\"}]}}}")),
                        422,
                        "cost"),
                refused(
                        "a webhook without TLS",
                        body("POST", WEBHOOKS, json, webhook("http://127.0.0.1:1/")),
                        422,
                        "https"),
                refused(
                        "a webhook with a password in its URL",
                        body("POST", WEBHOOKS, json, webhook("https://a:b@127.0.0.1:1/")),
                        422,
                        "user information is not permitted"));
    }

    /** Doubles the object with each operation: an array that contains copies of itself. */
    private static byte[] copies() {
        String copy = "{\"op\":\"copy\",\"from\":\"/spec\",\"path\":\"/spec/-\"}";
        return repeated("[{\"op\":\"add\",\"path\":\"/spec\",\"value\":[\"x\"]},", copy + ",", 60, copy + "]");
    }

    private static byte[] crd(String schema) {
        return ("{\"metadata\":{\"name\":\"xs.h.io\"},\"spec\":{\"group\":\"h.io\",\"scope\":\"Namespaced\",\"names\":{\"plural\":\"xs\",\"kind\":\"X\"},"
                        + "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":{\"openAPIV3Schema\":"
                        + schema + "}}]}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] webhook(String url) {
        return ("{\"metadata\":{\"name\":\"h\"},\"webhooks\":[{\"name\":\"h.h.io\",\"admissionReviewVersions\":[\"v1\"],\"sideEffects\":\"None\","
                        + "\"clientConfig\":{\"url\":\"" + url
                        + "\"},\"rules\":[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],\"resources\":[\"configmaps\"],\"operations\":[\"CREATE\"]}]}]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private List<Hostile> all() throws Exception {
        List<Hostile> all = new ArrayList<>(tokenForgeries());
        all.addAll(escalations());
        all.addAll(malformed());
        return all;
    }

    @TestFactory
    Stream<DynamicTest> isRefused() throws Exception {
        List<Hostile> all = all();
        long before = engine.store().revision();
        Stream<DynamicTest> refusals = all.stream()
                .map(hostile -> DynamicTest.dynamicTest(hostile.name(), () -> {
                    String answer = send(hostile.request());
                    assertThat(answer)
                            .startsWith("HTTP/1.1 " + hostile.code() + " ")
                            .contains(hostile.message());
                    assertThat(answer).doesNotContain("\tat ", "java.", "dev.evenkeel");
                    tokens.forEach(token -> assertThat(answer).doesNotContain(token));
                    assertThat(engine.store().revision()).isEqualTo(before);
                }));
        return Stream.concat(
                refusals,
                Stream.of(
                        DynamicTest.dynamicTest(
                                "no token is in a log line",
                                () -> assertThat(log.texts())
                                        .anyMatch(line -> line.contains("begin"))
                                        .noneMatch(line -> tokens.stream().anyMatch(line::contains))),
                        DynamicTest.dynamicTest(
                                "the page lists all",
                                () -> assertThat(Files.readString(PAGE))
                                        .contains(all.stream()
                                                .map(HostileRequestsTest::row)
                                                .toList()))));
    }

    private static String row(Hostile hostile) {
        String message = hostile.message().replace("\\\"", "\"");
        return "| " + hostile.name() + " | " + hostile.code() + (message.isEmpty() ? "" : " `" + message + "`")
                + " |\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://169.254.169.254/latest/meta-data",
                "https://10.0.0.1:6443/",
                "https://localhost.evil.example/",
                "https://[::ffff:10.0.0.1]/",
                "https://0.0.0.0:1/"
            })
    void aWebhookOfAnotherHostIsNotCalled(String url) {
        try (Engine other =
                Engine.builder().webhooks(HttpAdmissionCaller.loopback()).build()) {
            var webhook = Serialization.unmarshal(
                    new String(webhook(url), StandardCharsets.UTF_8), ValidatingWebhookConfiguration.class);
            other.client().create(Kind.of(ValidatingWebhookConfiguration.class), webhook, WriteOptions.DEFAULT);
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("m")
                    .endMetadata()
                    .build();
            assertThatThrownBy(() -> other.client().create(Kind.of(ConfigMap.class), map, WriteOptions.DEFAULT))
                    .hasMessageContaining("is not on this machine");
        }
    }

    @Test
    void aConnectionWithTooManyResetsIsClosed() throws Exception {
        try (Engine other = Engine.create();
                Server tls = Server.builder(other).start();
                SSLSocket socket = (SSLSocket) trusting(tls)
                        .getSocketFactory()
                        .createSocket("127.0.0.1", tls.url().getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(20_000);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            byte[] health = Http2Frames.headers(
                    ":method", "GET", ":scheme", "https", ":path", "/livez?x", ":authority", "localhost");
            Http2Frames.reset(out, health, 50_000);
            assertThat(Http2Frames.closed(new DataInputStream(socket.getInputStream())))
                    .isTrue();
            assertThat(other.client().find(Kind.of(ConfigMap.class), ObjectKey.of("default", "m")))
                    .isEmpty();
        }
    }

    private static SSLContext trusting(Server server) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        byte[] pem = server.caCertificate().getBytes(StandardCharsets.US_ASCII);
        trusted.setCertificateEntry(
                "ca", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
