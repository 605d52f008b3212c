package dev.evenkeel.server.internal.openapi;

import static dev.evenkeel.server.Fixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.server.Fixture;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"widgets.demo.example.com"},
             "spec":{"group":"demo.example.com","scope":"Namespaced",
              "names":{"plural":"widgets","kind":"Widget"},
              "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},
                 "scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                 "spec":{"type":"object","properties":{"n":{"type":"integer","description":"how many"}}},
                 "status":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}}""";
    private static final String V3 = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
    private static final String V2 = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    private final Fixture fixture = Fixture.insecure();

    @AfterEach
    void stop() {
        fixture.close();
    }

    private String url(String path) {
        return tree(fixture.get("/openapi/v3")).string("paths", path, "serverRelativeURL");
    }

    @Test
    void theIndexRefersToCacheableDocuments() {
        HttpResponse<String> document = fixture.get(url("apis/apps/v1"));
        assertThat(document.headers().firstValue("Cache-Control")).contains("public, immutable");
        Object schemas = tree(document).at("components", "schemas");
        assertThat(Json.at(schemas, "io.k8s.api.apps.v1.Deployment", "properties", "spec"))
                .isNotNull();
        // all references have targets
        assertThat(java.util.regex.Pattern.compile("\"#/components/schemas/([^\"]+)\"")
                        .matcher(document.body())
                        .results()
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(Json.at(schemas, name)).as(name).isNotNull());
    }

    @Test
    void customResourcesAppearAndChangeTheHash() {
        assertThat(url("apis/demo.example.com/v1")).isEmpty();
        assertThat(fixture.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
                        .statusCode())
                .isEqualTo(201);
        String url = url("apis/demo.example.com/v1");
        Object document = tree(fixture.get(url));
        assertThat(Json.string(
                        document,
                        "components",
                        "schemas",
                        "com.example.demo.v1.Widget",
                        "properties",
                        "spec",
                        "properties",
                        "n",
                        "description"))
                .isEqualTo("how many");
        Object patch =
                Json.at(document, "paths", "/apis/demo.example.com/v1/namespaces/{namespace}/widgets/{name}", "patch");
        assertThat(Json.asArray(Json.at(patch, "parameters")))
                .extracting(parameter -> Json.string(parameter, "name"))
                .contains("dryRun", "fieldValidation", "fieldManager", "force");
        fixture.send(
                "PATCH",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.demo.example.com",
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/n"
                        + "/description\",\"value\":\"how few\"}]");
        assertThat(url("apis/demo.example.com/v1")).isNotEqualTo(url);
        // clients with the old hash are redirected to the new one
        assertThat(fixture.get(url).statusCode()).isEqualTo(301);
    }

    @Test
    void versionTwoIsServedToOldClients() {
        HttpResponse<String> protobuf = fixture.get("/openapi/v2", "Accept", V2);
        assertThat(protobuf.body()).startsWith("\n\u00032.0");
        assertThat(protobuf.headers().firstValue("Content-Type"))
                .contains("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
        String etag = protobuf.headers().firstValue("ETag").orElseThrow();
        assertThat(fixture.get("/openapi/v2", "Accept", V2, "If-None-Match", etag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(tree(fixture.get("/openapi/v2")).at("definitions", "io.k8s.api.core.v1.Pod"))
                .isNotNull();
    }

    @Test
    void versionThreeIsServedAsProtobufWithTheSameTag() {
        String path = "/openapi/v3/apis/apps/v1";
        String etag = fixture.get(path).headers().firstValue("ETag").orElseThrow();
        for (String type : List.of(V3, V3.replace('@', '.'), "application/xml, " + V3)) {
            HttpResponse<String> protobuf = fixture.get(path, "Accept", type);
            assertThat(protobuf.body()).startsWith("\n\u00053.0.0");
            assertThat(protobuf.headers().firstValue("ETag")).contains(etag);
            assertThat(protobuf.headers().firstValue("Content-Type"))
                    .contains("application/com.github.proto-openapi.spec.v3.v1.0+protobuf");
            assertThat(fixture.get(path, "Accept", type, "If-None-Match", etag).statusCode())
                    .isEqualTo(304);
        }
        assertThat(fixture.get(path, "Accept", "application/json, " + V3)
                        .headers()
                        .firstValue("Content-Type"))
                .contains("application/json");
    }

    @Test
    void documentsThatAreNotAcceptableAreRefusedWithoutABody() {
        for (String path : List.of("/openapi/v2", "/openapi/v3/apis/apps/v1", "/openapi/v3/version")) {
            HttpResponse<String> refused = fixture.get(path, "Accept", "application/xml");
            assertThat(refused.statusCode()).as(path).isEqualTo(406);
            assertThat(refused.body()).isEmpty();
            assertThat(refused.headers().firstValue("Vary")).contains("Accept");
            assertThat(fixture.get(path, "Accept", "text/plain, application/*;q=0.1")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(fixture.get("/openapi/v2", "Accept", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
                        .headers()
                        .firstValue("Content-Type"))
                .contains("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    }

    @Test
    void aggregatedDiscoveryIsCachedByItsTag() {
        String accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
        HttpResponse<String> first = fixture.get("/apis", "Accept", accept);
        String etag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(fixture.get("/apis", "Accept", accept, "If-None-Match", etag).statusCode())
                .isEqualTo(304);
        fixture.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
        HttpResponse<String> second = fixture.get("/apis", "Accept", accept, "If-None-Match", etag);
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).contains("demo.example.com");
        assertThat(fixture.get("/apis/demo.example.com/v1").body())
                .contains("widgets/status")
                .contains("widgets/scale");
    }
}
