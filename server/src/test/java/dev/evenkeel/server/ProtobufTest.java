package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Wire;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and answers in protobuf, as Go's clients send them. */
@Timeout(300)
class ProtobufTest {
    private static final String PROTOBUF = ProtobufFormat.MEDIA_TYPE;
    private static final String PREFERRED = PROTOBUF + ",application/json";
    private static final String MAPS = Fixture.MAPS;
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String WIDGETS = "/apis/pb.example.com/v1/namespaces/default/widgets";
    private static final String DEPLOYMENT = """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":2,
             "selector":{"matchLabels":{"app":"d"}},"template":{"metadata":{"labels":{"app":"d"}},
             "spec":{"containers":[{"name":"c","image":"i:1"}]}}}}""";
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"widgets.pb.example.com"},
             "spec":{"group":"pb.example.com","scope":"Namespaced",
              "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "subresources":{"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size"}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                "spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}}}]}}""";

    private final Fixture fixture = Fixture.insecure();

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static JsonObject tree(String json) {
        return Json.parseObject(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    private static JsonObject decoded(byte[] body) {
        return ProtobufFormat.decode(ProtobufFormat.open(body));
    }

    private HttpResponse<byte[]> send(String method, String path, String accept, String type, byte[] body) {
        HttpRequest.Builder request = fixture.request(path)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header("Accept", accept);
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        try {
            return fixture.http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<byte[]> get(String path, String accept) {
        return send("GET", path, accept, "", new byte[0]);
    }

    /** Sends an object in protobuf; the answer is expected in protobuf. */
    private JsonObject sent(int status, String method, String path, String json) {
        HttpResponse<byte[]> answer = send(method, path, PREFERRED, PROTOBUF, ProtobufFormat.encode(tree(json)));
        assertThat(answer.headers().firstValue("Content-Type")).contains(PROTOBUF);
        JsonObject tree = decoded(answer.body());
        assertThat(answer.statusCode()).as(Json.text(tree)).isEqualTo(status);
        return tree;
    }

    private JsonObject read(String path) {
        HttpResponse<byte[]> answer = get(path, PREFERRED);
        assertThat(answer.headers().firstValue("Content-Type")).contains(PROTOBUF);
        return decoded(answer.body());
    }

    private static String contentType(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void objectsAreTheSameInBothEncodings() {
        JsonObject created = sent(201, "POST", DEPLOYMENTS, DEPLOYMENT);
        assertThat(created.integer("spec", "revisionHistoryLimit")).isEqualTo(10);
        JsonObject json = Fixture.tree(fixture.get(DEPLOYMENTS + "/d"));
        assertThat(Json.sorted(created)).isEqualTo(Json.sorted(json));
        assertThat(Json.sorted(read(DEPLOYMENTS + "/d"))).isEqualTo(Json.sorted(json));
        json.object("spec").put("replicas", 5L);
        JsonObject updated = sent(200, "PUT", DEPLOYMENTS + "/d", Json.text(json));
        assertThat(updated.integer("metadata", "generation")).isEqualTo(2);
        JsonObject list = read(DEPLOYMENTS + "?limit=1");
        assertThat(list.string("kind")).isEqualTo("DeploymentList");
        assertThat(list.string("metadata", "resourceVersion")).isNotEmpty();
        updated.remove("kind");
        updated.remove("apiVersion");
        assertThat(list.objects("items")).containsExactly(updated);
        assertThat(read(DEPLOYMENTS + "?labelSelector=none").get("items")).isNull();
    }

    @Test
    void errorsHaveTheEncodingThatIsPreferred() {
        JsonObject status = read(MAPS + "/none");
        assertThat(status.string("kind")).isEqualTo("Status");
        assertThat(status.string("reason")).isEqualTo("NotFound");
        assertThat(status.at("details", "kind")).isEqualTo("configmaps");
        assertThat(contentType(get(MAPS + "/none", PROTOBUF + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io")))
                .isEqualTo("application/json");
        assertThat(contentType(get(MAPS + "/none", "application/cbor,application/json")))
                .isEqualTo("application/json");
    }

    @Test
    void subresourcesAndReviewsTakeTheirOwnKinds() {
        sent(201, "POST", DEPLOYMENTS, DEPLOYMENT);
        JsonObject scale = read(DEPLOYMENTS + "/d/scale");
        assertThat(scale.string("kind")).isEqualTo("Scale");
        scale.object("spec").put("replicas", 7L);
        assertThat(sent(200, "PUT", DEPLOYMENTS + "/d/scale", Json.text(scale)).at("spec", "replicas"))
                .isEqualTo(7L);
        JsonObject review = sent(
                201,
                "POST",
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                        + "\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}");
        assertThat(review.at("status", "allowed")).isEqualTo(true);
    }

    @Test
    void anAnswerOfAnotherKindThanItsResourceNamesItsOwn() {
        Map<String, String> protobuf = Map.of("Content-Type", PROTOBUF, "Accept", PREFERRED);
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        byte[] account = ProtobufFormat.encode(
                tree("{\"kind\":\"ServiceAccount\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"sa\"}}"));
        byte[] request = ProtobufFormat.encode(
                tree("{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\",\"spec\":{}}"));
        try (TestServer server = TestServer.start();
                Wire wire = new Wire(server.base(), server.token())) {
            wire.send("POST", accounts, protobuf, Optional.of(account));
            JsonObject token = decoded(wire.send("POST", accounts + "/sa/token", protobuf, Optional.of(request))
                    .body());
            assertThat(token.string("kind")).isEqualTo("TokenRequest");
            assertThat(token.string("status", "token")).isNotEmpty();
        }
    }

    @Test
    void deleteTakesOptionsOfAnyGroup() {
        sent(201, "POST", DEPLOYMENTS, DEPLOYMENT);
        JsonObject conflict = sent(
                409,
                "DELETE",
                DEPLOYMENTS + "/d",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"apps/v1\",\"preconditions\":{\"uid\":\"other\"}}");
        assertThat(conflict.string("reason")).isEqualTo("Conflict");
        JsonObject deleted = sent(
                200,
                "DELETE",
                DEPLOYMENTS + "/d",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"apps/v1\",\"propagationPolicy\":\"Background\"}");
        assertThat(deleted.string("status")).isEqualTo("Success");
        assertThat(deleted.at("details", "name")).isEqualTo("d");
    }

    @Test
    void aBodyThatNamesNoKindIsOfTheExpectedOne() {
        byte[] named = ProtobufFormat.encode(tree(Fixture.configMap("a", "v")));
        byte[] unnamed = ProtobufFormat.encode(tree(Fixture.configMap("a", "v")));
        // the type is a field of 15 bytes behind the four of the prefix: tag and length, apiVersion, kind
        int head = 4 + 2 + named[5];
        byte[] body = new byte[named.length - head + 4];
        System.arraycopy(unnamed, 0, body, 0, 4);
        System.arraycopy(unnamed, head, body, 4, unnamed.length - head);
        assertThat(send("POST", MAPS, "application/json", PROTOBUF, body).statusCode())
                .isEqualTo(201);
    }

    @Test
    void malformedBodiesAreRefused() {
        byte[] good = ProtobufFormat.encode(tree(Fixture.configMap("a", "v")));
        String[][] cases = {
            {"", "the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)"},
            {
                "k8s",
                "the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be"
                        + " a protobuf message, expected prefix [107 56 115 0] (6b3873)"
            },
        };
        for (String[] each : cases) {
            byte[] body = each[0].getBytes(StandardCharsets.UTF_8);
            HttpResponse<byte[]> answer = send("POST", MAPS, "application/json", PROTOBUF, body);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(tree(new String(answer.body(), StandardCharsets.UTF_8)).string("message"))
                    .isEqualTo(each[1]);
        }
        good[4 + 2 + good[5] + 2] = 12; // the first byte of the message: an end of a group
        HttpResponse<byte[]> answer = send("POST", MAPS, PROTOBUF, PROTOBUF, good);
        assertThat(decoded(answer.body()).string("message"))
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: proto: ConfigMap: wiretype"
                        + " end group for non-group");
        byte[] secret = ProtobufFormat.encode(tree("{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}"));
        assertThat(decoded(send("POST", MAPS, PROTOBUF, PROTOBUF, secret).body())
                        .string("message"))
                .isEqualTo("Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to"
                        + " (core.ConfigMap): unknown conversion");
    }

    @Test
    void patchesAreNotInProtobuf() {
        fixture.create("a");
        byte[] body = ProtobufFormat.encode(tree(Fixture.configMap("a", "v")));
        assertThat(send("PATCH", MAPS + "/a", PREFERRED, PROTOBUF, body).statusCode())
                .isEqualTo(415);
        HttpResponse<byte[]> patched = send(
                "PATCH",
                MAPS + "/a",
                PREFERRED,
                "application/merge-patch+json",
                "{\"data\":{\"k\":\"w\"}}".getBytes(StandardCharsets.UTF_8));
        assertThat(decoded(patched.body()).at("data", "k")).isEqualTo("w");
    }

    @Test
    void customResourcesAreJsonButTheirMetadataAndScaleMayBeProtobuf() {
        fixture.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
        String widget = "{\"apiVersion\":\"pb.example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},"
                + "\"spec\":{\"size\":3}}";
        assertThat(fixture.post(WIDGETS, widget).statusCode()).isEqualTo(201);
        assertThat(contentType(get(WIDGETS + "/w", PREFERRED))).isEqualTo("application/json");
        HttpResponse<byte[]> refused = get(WIDGETS + "/w", PROTOBUF);
        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(decoded(refused.body()).string("reason")).isEqualTo("NotAcceptable");
        HttpResponse<byte[]> body = send("POST", WIDGETS, "application/json", PROTOBUF, new byte[] {'k', '8', 's', 0});
        assertThat(body.statusCode()).isEqualTo(415);

        String metadata = PROTOBUF + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        JsonObject partial = decoded(get(WIDGETS + "/w", metadata).body());
        assertThat(partial.string("kind")).isEqualTo("PartialObjectMetadata");
        assertThat(partial.at("metadata", "name")).isEqualTo("w");
        JsonObject list = decoded(get(WIDGETS, PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
                .body());
        assertThat(list.string("kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.objects("items").getFirst().at("metadata", "name")).isEqualTo("w");

        JsonObject scale = read(WIDGETS + "/w/scale");
        scale.object("spec").put("replicas", 4L);
        assertThat(sent(200, "PUT", WIDGETS + "/w/scale", Json.text(scale)).at("spec", "replicas"))
                .isEqualTo(4L);
    }

    @Test
    void discoveryIsAlsoInProtobuf() {
        JsonObject resources = read("/apis/apps/v1");
        assertThat(resources.string("kind")).isEqualTo("APIResourceList");
        assertThat(resources.objects("resources").stream().map(each -> each.string("name")))
                .contains("deployments/scale");
        assertThat(read("/apis").string("kind")).isEqualTo("APIGroupList");
    }

    @Test
    void watchesHaveAFrameForEachEvent() throws Exception {
        String revision = read(MAPS).string("metadata", "resourceVersion");
        String path = MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + revision;
        HttpRequest request = fixture.request(path).header("Accept", PREFERRED).build();
        HttpResponse<InputStream> watch = fixture.http.send(request, BodyHandlers.ofInputStream());
        assertThat(contentType(watch)).isEqualTo(PROTOBUF + ";stream=watch");
        fixture.create("a");
        fixture.send("DELETE", MAPS + "/a", "", "");
        try (DataInputStream in = new DataInputStream(watch.body())) {
            JsonObject added = event(in.readNBytes(in.readInt()));
            assertThat(added.string("type")).isEqualTo("ADDED");
            assertThat(added.at("object", "kind")).isEqualTo("ConfigMap");
            assertThat(added.at("object", "data", "k")).isEqualTo("v");
            assertThat(event(in.readNBytes(in.readInt())).string("type")).isEqualTo("DELETED");
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void bookmarksAreFramesToo() throws Exception {
        HttpRequest request = fixture.request(MAPS + "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true"
                        + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=5")
                .header("Accept", PREFERRED)
                .build();
        HttpResponse<InputStream> watch = fixture.http.send(request, BodyHandlers.ofInputStream());
        try (DataInputStream in = new DataInputStream(watch.body())) {
            JsonObject bookmark = event(in.readNBytes(in.readInt()));
            assertThat(bookmark.string("type")).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("object", "kind")).isEqualTo("ConfigMap");
            assertThat(bookmark.at("object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
        }
    }

    private static JsonObject event(byte[] event) {
        return ProtobufFormat.decode(new ProtobufFormat.Envelope("v1", "WatchEvent", event));
    }

    @Test
    void socketsGetBinaryFramesWithoutTheirLength() throws Exception {
        CompletableFuture<JsonObject> first = new CompletableFuture<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            @Override
            public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
                byte[] bytes = new byte[data.remaining()];
                data.get(bytes);
                first.complete(event(bytes));
                return null;
            }
        };
        String url = fixture.server.url().toString().replace("http", "ws");
        WebSocket socket = fixture.http
                .newWebSocketBuilder()
                .header("Accept", PREFERRED)
                .buildAsync(URI.create(url + MAPS + "?watch=1&timeoutSeconds=5"), listener)
                .join();
        fixture.create("a");
        assertThat(first.get(120, TimeUnit.SECONDS).string("type")).isEqualTo("ADDED");
        socket.abort();
    }
}
