package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static dev.evenkeel.server.Fixture.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.access.ListenerBuilder.InsecureBindException;
import dev.evenkeel.engine.internal.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServerTest {
    private Fixture fixture;

    @BeforeEach
    void start() {
        fixture = Fixture.insecure();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void objectsAreCreatedReadChangedAndDeleted() {
        HttpResponse<String> created = fixture.create("a");
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(tree(created).string("metadata", "uid")).isNotEmpty();
        assertThat(fixture.get(MAPS + "/a").body()).isEqualTo(created.body());
        HttpResponse<String> patched =
                fixture.send("PATCH", MAPS + "/a", "application/merge-patch+json", "{\"data\":{\"k\":\"w\"}}");
        assertThat(tree(patched).string("data", "k")).isEqualTo("w");
        HttpResponse<String> replaced =
                fixture.send("PUT", MAPS + "/a", "application/json", Fixture.configMap("a", "x"));
        assertThat(tree(replaced).string("data", "k")).isEqualTo("x");
        HttpResponse<String> deleted = fixture.send("DELETE", MAPS + "/a", "", "");
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(tree(deleted).string("status")).isEqualTo("Success");
        assertThat(fixture.get(MAPS + "/a").statusCode()).isEqualTo(404);
    }

    @Test
    void listsOmitKindOfItemsAndKeepOrderOfKeys() {
        fixture.create("b");
        fixture.create("a");
        String body = fixture.get(MAPS).body();
        assertThat(body)
                .startsWith("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":");
        List<?> items = tree(body).array("items");
        assertThat(items)
                .extracting(item -> Json.string(item, "metadata", "name"))
                .containsSubsequence("a", "b");
        assertThat(items).allSatisfy(item -> assertThat(Json.asObject(item)).doesNotContainKey("kind"));
    }

    @Test
    void endpointsAreDeprecated() {
        String path = "/api/v1/namespaces/default/endpoints";
        String warning = "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"";
        assertThat(fixture.get(path).headers().allValues("Warning")).containsExactly(warning);
        assertThat(fixture.post(path, "{\"metadata\":{\"name\":\"e\"}}")
                        .headers()
                        .allValues("Warning"))
                .containsExactly(warning);
        assertThat(fixture.get("/apis/discovery.k8s.io/v1/endpointslices")
                        .headers()
                        .allValues("Warning"))
                .isEmpty();
    }

    @Test
    void emptyListsThatWereSentAreOwned() {
        String roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
        String sent = "{\"metadata\":{\"name\":\"%s\"}%s}";
        assertThat(fixture.post(roles, sent.formatted("a", ",\"rules\":[]")).body())
                .contains("\"fieldsV1\":{\"f:rules\":{}}");
        assertThat(fixture.post(roles, sent.formatted("b", "")).body()).doesNotContain("f:rules");
    }

    @Test
    void everyAnswerHasAnAuditId() {
        assertThat(fixture.get("/nope").headers().firstValue("Audit-Id")).isPresent();
        assertThat(fixture.get(MAPS, "Audit-Id", "mine").headers().firstValue("Audit-Id"))
                .contains("mine");
    }

    @Test
    void unknownPathsAreDistinguished() {
        assertThat(fixture.get("/nope").body()).isEqualTo("404 page not found\n");
        assertThat(fixture.get("/apis/nope.io/v1/x").body()).isEqualTo("404 page not found\n");
        assertThat(tree(fixture.get("/api/v1/nopes")))
                .containsEntry("message", "the server could not find the requested resource");
        assertThat(fixture.send("POST", "/api/v1/configmaps", "application/json", "{}")
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void notFoundIsAStatusWithDetails() {
        HttpResponse<String> missing = fixture.get(MAPS + "/none");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body())
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"configmaps \\\"none\\\" not found\",\"reason\":\"NotFound\","
                        + "\"details\":{\"name\":\"none\",\"kind\":\"configmaps\"},\"code\":404}");
    }

    @Test
    void prettyPrintsForBrowsersAndCommandLineTools() {
        fixture.create("a");
        assertThat(fixture.get(MAPS + "/a").body()).doesNotContain("\n");
        assertThat(fixture.get(MAPS + "/a?pretty=true").body()).contains("\n  \"");
        assertThat(fixture.get(MAPS + "/a", "User-Agent", "curl/8").body()).contains("\n  \"");
        assertThat(fixture.get(MAPS + "/a?pretty=false", "User-Agent", "curl/8").body())
                .doesNotContain("\n");
    }

    @Test
    void partitionsAreSeparate() {
        fixture.engine.partition("other");
        assertThat(fixture.create("a").statusCode()).isEqualTo(201);
        assertThat(fixture.get("/partitions/other" + MAPS + "/a").statusCode()).isEqualTo(404);
        assertThat(fixture.post("/partitions/other" + MAPS, Fixture.configMap("a", "o"))
                        .statusCode())
                .isEqualTo(201);
        assertThat(fixture.get("/partitions/BAD%20NAME/api").statusCode()).isEqualTo(404);
    }

    @Test
    void healthVersionAndMetricsAnswer() {
        assertThat(fixture.get("/healthz").body()).isEqualTo("ok");
        assertThat(fixture.get("/readyz?verbose").body()).contains("[+]ping ok");
        assertThat(tree(fixture.get("/version"))).containsEntry("minor", "36");
        fixture.create("a");
        assertThat(fixture.get("/metrics").body())
                .contains("apiserver_request_total{code=\"201\"")
                .contains("apiserver_request_duration_seconds_bucket")
                .contains("apiserver_current_inflight_requests{request_kind=\"readOnly\"} 1.0");
    }

    @Test
    void namesThatClientsInventAreNotLabelsOfMetrics() {
        for (String name : List.of("invented", "proxy/invented", "status/invented", "scale")) {
            fixture.get(MAPS + "/a/" + name);
            fixture.get("/api/v1/namespaces/default/pods/a/" + name);
            fixture.get("/api/v1/invented/a/" + name);
        }
        assertThat(fixture.get("/metrics").body()).doesNotContain("invented");
    }

    @Test
    void metricsHaveUpstreamsNames() {
        fixture.create("a");
        fixture.get(MAPS + "/a");
        fixture.get("/api/v1/componentstatuses");
        String labels =
                "{component=\"apiserver\",group=\"\",resource=\"configmaps\",scope=\"resource\",subresource=\"\","
                        + "verb=\"GET\",version=\"v1\"";
        assertThat(fixture.get("/metrics").body())
                .contains("apiserver_request_total{code=\"200\",component=\"apiserver\",dry_run=\"\",group=\"\"")
                .contains("apiserver_request_sli_duration_seconds_bucket" + labels + ",le=\"0.005\"}")
                .contains("apiserver_response_sizes_bucket" + labels + ",le=\"1000.0\"} 1")
                .contains("apiserver_resource_objects{group=\"\",resource=\"configmaps\"}")
                .contains("apiserver_storage_objects{resource=\"configmaps\"}")
                .contains("apiserver_requested_deprecated_apis{group=\"\",removed_release=\"\","
                        + "resource=\"componentstatuses\",subresource=\"\",version=\"v1\"} 1.0")
                .contains("kubernetes_build_info{")
                .contains("process_start_time_seconds ")
                .contains("process_cpu_seconds_total ");
    }

    @Test
    void listeningBeyondLoopbackNeedsTlsAndAuthentication() {
        assertThatThrownBy(() -> Server.builder(fixture.engine)
                        .host("0.0.0.0")
                        .authentication(false)
                        .tls(false)
                        .start())
                .isInstanceOf(InsecureBindException.class)
                .hasMessageContaining("enable both");
        assertThatThrownBy(() -> Server.builder(fixture.engine)
                        .host("0.0.0.0")
                        .tls(false)
                        .start())
                .isInstanceOf(InsecureBindException.class);
    }

    @Test
    void longListsAreCompressedIfAccepted() throws Exception {
        for (int i = 0; i < 5; i++) {
            fixture.post(MAPS, Fixture.configMap("m" + i, "x".repeat(100_000)));
        }
        HttpResponse<byte[]> compressed = fixture.http.send(
                fixture.request(MAPS).header("Accept-Encoding", "gzip").build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(compressed.headers().allValues("Vary")).contains("Accept-Encoding");
        String plain = fixture.get(MAPS).body();
        assertThat(plain.length()).isGreaterThan(500_000);
        assertThat(new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(compressed.body()))
                        .readAllBytes())
                .asString()
                .isEqualTo(plain);
        assertThat(fixture.get(MAPS + "/m0", "Accept-Encoding", "gzip")
                        .headers()
                        .firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void requestsInFlightFinishWhenTheServerCloses() throws Exception {
        byte[] body = Fixture.configMap("late", "v").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        try (java.net.Socket socket =
                new java.net.Socket("127.0.0.1", fixture.server.url().getPort())) {
            socket.getOutputStream()
                    .write(("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length
                                    + "\r\n\r\n{")
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            while (!fixture.get("/metrics")
                    .body()
                    .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 1.0")) {
                Thread.onSpinWait();
            }
            Thread closing = Thread.ofVirtual().start(fixture.server::close);
            socket.getOutputStream().write(body, 1, body.length - 1);
            String answer = new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 201");
            closing.join();
        }
    }

    @Test
    void connectionsToPodsAreRefused() {
        String pods = "/api/v1/namespaces/default/pods";
        String pod = "{\"metadata\":{\"name\":\"p\"},\"spec\":{%s\"containers\":[{\"name\":\"c\",\"image\":\"i:1\"}]}}";
        fixture.post(pods, pod.formatted(""));
        fixture.post(pods, pod.formatted("\"nodeName\":\"n\",").replace("\"p\"", "\"q\""));
        assertThat(fixture.get(pods + "/p/log").statusCode()).isEqualTo(204);
        assertThat(tree(fixture.get(pods + "/p/log?container=x")).string("message"))
                .isEqualTo("container x is not valid for pod p");
        assertThat(tree(fixture.get(pods + "/p/log?tailLines=-1")).string("message"))
                .contains("tailLines: Invalid value: -1: must be greater than or equal to 0");
        assertThat(tree(fixture.post(pods + "/p/exec?command=a", "")).string("message"))
                .isEqualTo("pod p does not have a host assigned");
        assertThat(tree(fixture.get(pods + "/q/log")).string("message")).isEqualTo("nodes \"n\" not found");
        fixture.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n\"}}");
        HttpResponse<String> unknown = fixture.get(pods + "/q/log");
        assertThat(unknown.statusCode()).isEqualTo(500);
        assertThat(tree(unknown).string("message")).isEqualTo("no preferred addresses found; known addresses: []");
        fixture.send(
                "PATCH",
                "/api/v1/nodes/n/status",
                "application/merge-patch+json",
                "{\"status\":{\"addresses\":[{\"type\":\"Hostname\",\"address\":\"n\"}]}}");
        assertThat(fixture.get(pods + "/q/log").statusCode()).isEqualTo(501);
        assertThat(fixture.get(pods + "/none/log").statusCode()).isEqualTo(404);
    }

    @Test
    void requestsBeyondTheLimitGetRetryAfter() {
        try (Fixture busy =
                Fixture.insecure(Server.Limits.DEFAULT.maxInFlight(0).maxWatches(0))) {
            HttpResponse<String> refused = busy.get(MAPS);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            for (String open : List.of("/healthz", "/livez", "/readyz", "/version")) {
                assertThat(busy.get(open).statusCode()).as(open).isEqualTo(200);
            }
        }
        try (Fixture full =
                Fixture.insecure(Server.Limits.DEFAULT.maxInFlight(10).maxWatches(0))) {
            assertThat(full.get(MAPS + "?watch=1").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void optionsOfADeleteMayBeYaml() {
        fixture.create("a");
        HttpResponse<String> refused =
                fixture.send("DELETE", MAPS + "/a", "application/yaml", "propagationPolicy: Bar\n");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("DeleteOptions.meta.k8s.io");
        assertThat(fixture.send("DELETE", MAPS + "/a", "application/yaml", "dryRun: [All]\n")
                        .statusCode())
                .isEqualTo(200);
        assertThat(fixture.get(MAPS + "/a").statusCode()).isEqualTo(200);
    }

    @Test
    void jsonIndentedWithTabsIsApplied() {
        String body =
                "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\",\n\t\"data\": {\n\t\t\"k\": \"v\"\n\t}\n}\n";
        HttpResponse<String> applied =
                fixture.send("PATCH", MAPS + "/a?fieldManager=m", "application/apply-patch+yaml", body);
        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
        assertThat(tree(applied).string("data", "k")).isEqualTo("v");
    }

    @Test
    void aTakenPortIsReported() {
        assertThatThrownBy(() -> Server.builder(fixture.engine)
                        .authentication(false)
                        .tls(false)
                        .port(fixture.server.url().getPort())
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1");
    }
}
