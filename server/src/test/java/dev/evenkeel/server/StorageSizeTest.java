package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects near the limit of etcd, which counts them as a Kubernetes API server stores them. */
class StorageSizeTest {
    private static final String REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
    private static final String THINGS = "/apis/x.io/v1/namespaces/default/things";
    private static final int LIMIT = 1536 * 1024;
    /** The key, three times, and what surrounds the object in a transaction. */
    private static final int TRANSACTION = 300;

    private final Fixture fixture = Fixture.insecure();

    @BeforeEach
    void define() {
        HttpResponse<String> defined =
                fixture.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'things.x.io'},
                 'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'things','kind':'Thing'},
                  'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{
                   'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}""".replace('\'', '"'));
        assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String revision(String name, String content) {
        return "{\"apiVersion\":\"apps/v1\",\"kind\":\"ControllerRevision\",\"metadata\":{\"name\":\"" + name
                + "\"},\"revision\":1,\"data\":{\"x\":\"" + content + "\"}}";
    }

    private static String thing(String name, String spec) {
        return "{\"apiVersion\":\"x.io/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":"
                + spec + "}";
    }

    private static String text(String content) {
        return "{\"text\":\"" + content + "\"}";
    }

    private static void tooLarge(HttpResponse<String> answer) {
        assertThat(answer.body())
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"etcdserver: request is too large\",\"code\":500}");
        assertThat(answer.statusCode()).isEqualTo(500);
    }

    private static void fits(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    @Test
    void objectsOfBuiltInKindsAreCountedInProtobuf() {
        String quotes = "\\\"".repeat(900_000);
        fits(fixture.post(Fixture.MAPS, Fixture.configMap("quotes", quotes)));
        fits(fixture.post(REVISIONS, revision("fits", "x".repeat(LIMIT - 1_000))));
        tooLarge(fixture.post(REVISIONS, revision("large", "x".repeat(LIMIT))));
        assertThat(fixture.get(REVISIONS + "/large").statusCode()).isEqualTo(404);
    }

    @Test
    void customResourcesAreCountedInJson() {
        JsonObject created = Fixture.tree(fixture.post(THINGS, thing("a", text(""))));
        created.object("metadata").remove("resourceVersion");
        int without = created.toString().length();
        int room = LIMIT - without - TRANSACTION;
        fits(fixture.post(THINGS, thing("b", text("x".repeat(room)))));
        tooLarge(fixture.post(THINGS, thing("c", text("x".repeat(room + 2 * TRANSACTION)))));
        fits(fixture.post(THINGS, thing("d", text("<".repeat(room / 6)))));
        tooLarge(fixture.post(THINGS, thing("e", text("<".repeat(room / 6 + TRANSACTION)))));
    }

    @Test
    void theClientOfEtcdSendsNoLargerRequests() {
        JsonObject refused = Fixture.tree(fixture.post(REVISIONS, revision("huge", "x".repeat(2_200_000))));
        assertThat(refused.string("message"))
                .matches("rpc error: code = ResourceExhausted desc = trying to send message larger than max"
                        + " \\(22\\d{5} vs\\. 2097152\\)");
        assertThat(refused.integer("code")).isEqualTo(500);
        assertThat(refused.has("reason")).isFalse();
    }

    @Test
    void changesAreCountedToo() {
        fits(fixture.post(THINGS, thing("a", text("small"))));
        String patch = "{\"spec\":" + text("x".repeat(LIMIT)) + "}";
        tooLarge(fixture.send("PATCH", THINGS + "/a", "application/merge-patch+json", patch));
        assertThat(fixture.get(THINGS + "/a").body()).contains("small");
    }

    @Test
    void managedFieldsAreLeftOutWhereTheObjectFitsWithoutThem() {
        StringBuilder spec = new StringBuilder("{");
        for (int i = 0; i < 14_000; i++) {
            spec.append(i == 0 ? "" : ",")
                    .append('"')
                    .append("x".repeat(60))
                    .append(i)
                    .append("\":1");
        }
        String thing = thing("many", spec + "}");
        HttpResponse<String> created = fixture.post(THINGS, thing);
        fits(created);
        assertThat(Fixture.tree(created).object("metadata").has("managedFields"))
                .isFalse();
        JsonObject read = Fixture.tree(fixture.get(THINGS + "/many"));
        assertThat(read.object("metadata").has("managedFields")).isFalse();
        assertThat(read.object("spec")).hasSize(14_000);

        String applied = thing.replace("\"many\"", "\"applied\"");
        tooLarge(fixture.send("PATCH", THINGS + "/applied?fieldManager=test", "application/apply-patch+yaml", applied));
    }
}
