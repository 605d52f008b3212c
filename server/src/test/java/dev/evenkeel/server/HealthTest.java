package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final Fixture FIXTURE = Fixture.insecure();

    @AfterAll
    static void stop() {
        FIXTURE.close();
    }

    @Test
    void checksAreListedOnRequestInUpstreamsOrder() {
        assertThat(FIXTURE.get("/livez").body()).isEqualTo("ok");
        List<String> live = FIXTURE.get("/livez?verbose").body().lines().toList();
        assertThat(live)
                .startsWith("[+]ping ok", "[+]log ok", "[+]etcd ok")
                .contains("[+]poststarthook/rbac/bootstrap-roles ok")
                .endsWith("livez check passed");
        assertThat(FIXTURE.get("/readyz?verbose").body().lines())
                .contains("[+]etcd-readiness ok", "[+]informer-sync ok", "[+]shutdown ok")
                .endsWith("readyz check passed");
    }

    @Test
    void everyListedCheckHasAPath() {
        for (String path : List.of("/healthz", "/livez", "/readyz")) {
            List<String> checks = FIXTURE.get(path + "?verbose")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("[+]"))
                    .map(line -> line.substring(3, line.length() - " ok".length()))
                    .toList();
            assertThat(checks).isNotEmpty();
            for (String check : checks) {
                assertThat(FIXTURE.get(path + "/" + check).body()).isEqualTo("ok");
                assertThat(tree(FIXTURE.get("/")).array("paths")).contains(path + "/" + check);
            }
        }
        assertThat(FIXTURE.get("/readyz/nope").statusCode()).isEqualTo(404);
        assertThat(FIXTURE.get("/livez/shutdown").body()).isEqualTo("404 page not found\n");
    }

    @Test
    void excludedChecksAreShownAndUnknownOnesWarnedOf() {
        String text =
                FIXTURE.get("/readyz?verbose&exclude=etcd&exclude=b&exclude=a").body();
        assertThat(text)
                .contains("[+]etcd excluded: ok\n")
                .endsWith("warn: some health checks cannot be excluded: no matches for \"a\",\"b\"\n"
                        + "readyz check passed\n");
    }

    @Test
    void headIsAnsweredWithoutABodyWhereUpstreamAnswersAnyMethod() {
        for (String path : List.of("/healthz", "/livez/ping", "/readyz", "/metrics", "/metrics/slis", "/")) {
            HttpResponse<String> head = FIXTURE.send("HEAD", path, "", "");
            assertThat(head.statusCode()).as(path).isEqualTo(200);
            assertThat(head.body()).as(path).isEmpty();
        }
        assertThat(FIXTURE.send("POST", "/healthz", "", "").body()).isEqualTo("ok");
        assertThat(FIXTURE.send("HEAD", "/version", "", "").statusCode()).isEqualTo(405);
    }

    @Test
    void resultsOfChecksAreMetrics() {
        FIXTURE.get("/readyz");
        assertThat(FIXTURE.get("/metrics/slis").body())
                .contains("kubernetes_healthcheck{name=\"etcd\",type=\"readyz\"} 1.0")
                .contains("kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"readyz\"}");
    }

    @Test
    void theStoreIsAComponent() {
        String path = "/api/v1/componentstatuses";
        assertThat(FIXTURE.get(path).body())
                .isEqualTo("{\"kind\":\"ComponentStatusList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":["
                        + "{\"metadata\":{\"name\":\"etcd-0\"},"
                        + "\"conditions\":[{\"type\":\"Healthy\",\"status\":\"True\",\"message\":\"ok\"}]}]}");
        HttpResponse<String> one = FIXTURE.get(path + "/etcd-0");
        assertThat(tree(one)).containsEntry("kind", "ComponentStatus");
        assertThat(one.headers().firstValue("Warning"))
                .contains("299 - \"v1 ComponentStatus is deprecated in v1.19+\"");
        HttpResponse<String> none = FIXTURE.get(path + "/none");
        assertThat(none.statusCode()).isEqualTo(500);
        assertThat(tree(none)).containsEntry("message", "Component not found: none");
        assertThat(tree(FIXTURE.get(path + "?labelSelector=a%3Db")).array("items"))
                .isEmpty();
        assertThat(tree(FIXTURE.get(path + "?fieldSelector=metadata.name%3Detcd-0"))
                        .array("items"))
                .hasSize(1);
        assertThat(FIXTURE.get(path, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                        .body())
                .contains("\"cells\":[\"etcd-0\",\"Healthy\",\"ok\",\"\"]");
    }
}
