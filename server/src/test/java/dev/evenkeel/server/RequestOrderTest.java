package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Requests with several mistakes: upstream's order decides which one is answered. Forms of answers over HTTP. */
class RequestOrderTest {
    private static final Fixture FIXTURE = Fixture.insecure();

    @AfterAll
    static void stop() {
        FIXTURE.close();
    }

    private static HttpResponse<String> send(String method, String path, String body, String... headers) {
        return FIXTURE.send(FIXTURE.request(path)
                .method(method, BodyPublishers.ofString(body))
                .headers(headers));
    }

    private static String aggregated(String accept) {
        return Fixture.tree(FIXTURE.get("/apis", "Accept", accept).body()).string("kind");
    }

    @Test
    void theTypeOfABodyIsCheckedBeforeTheOptionsOfACreateAndAfterThoseOfAnUpdate() {
        String options = "?fieldValidation=Other";
        assertThat(send("POST", Fixture.MAPS + options, "{}", "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
        assertThat(send("PUT", Fixture.MAPS + "/a" + options, "{}", "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void bodiesAreReadBeforeOptions() {
        String large = "{\"data\":{\"a\":\"" + "x".repeat(4 * 1024 * 1024) + "\"}}";
        String options = "?fieldValidation=Other";
        String json = "application/json";
        assertThat(send("POST", Fixture.MAPS + options, large, "Content-Type", json)
                        .statusCode())
                .isEqualTo(413);
        assertThat(send("PUT", Fixture.MAPS + "/a" + options, large, "Content-Type", json)
                        .statusCode())
                .isEqualTo(413);
        String patch = "application/merge-patch+json";
        assertThat(send("PATCH", Fixture.MAPS + "/a" + options, large, "Content-Type", patch)
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void theFormOfAStreamIsNegotiatedAfterTheOptionsOfAWatch() {
        String watch = Fixture.MAPS + "?watch=1";
        assertThat(FIXTURE.get(watch, "Accept", "application/yaml").statusCode())
                .isEqualTo(406);
        assertThat(FIXTURE.get(watch + "&fieldSelector=a", "Accept", "application/yaml")
                        .statusCode())
                .isEqualTo(400);
        assertThat(FIXTURE.get(watch + "&fieldSelector=a", "Accept", "text/html")
                        .statusCode())
                .isEqualTo(406);
    }

    @Test
    void theTypeOfAPatchIsCheckedFirst() {
        assertThat(send(
                                "PATCH",
                                Fixture.MAPS + "/a?dryRun=x",
                                "{}",
                                "Content-Type",
                                "text/plain",
                                "Accept",
                                "text/html")
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void theTypeOfAPatchWithoutABodyMattersNotAndNoHandlerIsFound() {
        HttpResponse<String> refused = send("PATCH", Fixture.MAPS + "/a", "", "Content-Type", "text/plain");
        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(Fixture.tree(refused.body()).string("message"))
                .isEqualTo("406: Not Acceptable\n\nAvailable representations: ");
    }

    @Test
    void refusalsNameTheFormsOfTheRequest() {
        String forms = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
        String streams = ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
        assertThat(available("GET", Fixture.MAPS)).isEqualTo(forms + streams);
        for (String method : new String[] {"POST", "DELETE"}) {
            assertThat(available(method, Fixture.MAPS)).isEqualTo(forms);
        }
        assertThat(available("GET", "/api/v1/namespaces/default/pods/p/log")).isEqualTo("text/plain, " + forms);
        assertThat(available("GET", "/version")).isEqualTo("application/json");
    }

    private static String available(String method, String path) {
        HttpResponse<String> refused =
                send(method, path, "{}", "Content-Type", "application/json", "Accept", "text/html");
        assertThat(refused.statusCode()).isEqualTo(406);
        return Fixture.tree(refused.body())
                .string("message")
                .replaceFirst("^406: Not Acceptable\\n\\nAvailable representations: ", "");
    }

    @Test
    void theSelectionOfADeletionIsReadBeforeItsOptions() {
        String path = Fixture.MAPS + "?resourceVersionMatch=Other";
        assertThat(send("DELETE", path, "{'dryRun':1}".replace('\'', '"'), "Content-Type", "application/json")
                        .body())
                .contains("ListOptions.meta.k8s.io");
    }

    @Test
    void answersAreIndentedAsGoReadsTheParameter() {
        for (String pretty : new String[] {"1", "t", "TRUE"}) {
            assertThat(FIXTURE.get(Fixture.MAPS + "?pretty=" + pretty).body()).startsWith("{\n");
        }
        for (String pretty : new String[] {"", "0", "yes"}) {
            assertThat(FIXTURE.get(Fixture.MAPS + "?pretty=" + pretty).body()).startsWith("{\"");
        }
        assertThat(FIXTURE.get(Fixture.MAPS, "Accept", "application/json;pretty=1")
                        .body())
                .startsWith("{\n");
    }

    @Test
    void discoveryIsAggregatedIfAnyClauseAsksForIt() {
        String form = "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList";
        assertThat(aggregated("application/json," + form.formatted("v2"))).isEqualTo("APIGroupDiscoveryList");
        assertThat(aggregated(form.formatted("v2beta1") + ",application/json")).isEqualTo("APIGroupList");
        String table = "application/json;as=Table;g=meta.k8s.io;v=v1";
        assertThat(FIXTURE.get("/apis", "Accept", table).statusCode()).isEqualTo(406);
        assertThat(FIXTURE.get("/api/v1", "Accept", table).statusCode()).isEqualTo(406);
    }
}
