package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Answer;
import dev.evenkeel.server.replay.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kinds that are answered and never stored. */
class ReviewTest {
    private static final String ACCESS = "/apis/authorization.k8s.io/v1/";
    private static final String AUTHENTICATION = "/apis/authentication.k8s.io/v1/";

    private static final TestServer SERVER = TestServer.start();
    private static final Wire WIRE = new Wire(SERVER.base(), SERVER.token());

    @AfterAll
    static void stop() {
        WIRE.close();
        SERVER.close();
    }

    @Test
    void everythingIsAllowed() {
        String spec =
                "'spec':{'user':'jane','resourceAttributes':{'namespace':'default','verb':'list','resource':'pods'}}";
        for (String path : List.of(
                ACCESS + "subjectaccessreviews",
                ACCESS + "selfsubjectaccessreviews",
                ACCESS + "namespaces/default/localsubjectaccessreviews")) {
            JsonObject review = created(path, spec.replace(path.contains("self") ? "'user':'jane'," : "none", ""));
            assertThat(review.get("status")).isEqualTo(tree("{'allowed':true,'reason':'access control is off'}"));
            assertThat(review.at("spec", "resourceAttributes", "verb")).isEqualTo("list");
        }
        JsonObject rules = created(ACCESS + "selfsubjectrulesreviews", "'spec':{'namespace':'default'}");
        assertThat(rules)
                .isEqualTo(tree("{'kind':'SelfSubjectRulesReview','apiVersion':'authorization.k8s.io/v1','metadata':{},"
                        + "'spec':{},'status':{'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*']}],"
                        + "'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['*']}],'incomplete':false}}"));
    }

    @Test
    void usersAreFoundByTheirTokens() {
        JsonObject admin =
                tree("{'username':'admin','uid':'admin-uid','groups':['system:masters','system:authenticated']}");
        assertThat(created(AUTHENTICATION + "selfsubjectreviews", "'status':{}").get("status"))
                .isEqualTo(Map.of("userInfo", admin));
        assertThat(token("'token':'" + SERVER.token() + "'").get("status"))
                .isEqualTo(Map.of(
                        "authenticated", true, "user", admin, "audiences", List.of("https://kubernetes.default.svc")));
        for (String spec : List.of("'token':'zz'", "'token':'" + SERVER.token() + "','audiences':['other']")) {
            assertThat(token(spec).get("status")).isEqualTo(Map.of("user", Map.of(), "error", "invalid bearer token"));
        }
    }

    private static JsonObject token(String spec) {
        return created(AUTHENTICATION + "tokenreviews", "'spec':{" + spec + "}");
    }

    @Test
    void onlyCreateIsServed() {
        for (String path : List.of(
                ACCESS + "subjectaccessreviews",
                ACCESS + "selfsubjectaccessreviews",
                ACCESS + "namespaces/default/localsubjectaccessreviews",
                ACCESS + "selfsubjectrulesreviews",
                AUTHENTICATION + "selfsubjectreviews",
                AUTHENTICATION + "tokenreviews")) {
            assertThat(WIRE.send("GET", path, Map.of(), Optional.empty()).status())
                    .isEqualTo(405);
            for (String method : List.of("GET", "PUT", "PATCH", "DELETE")) {
                Map<String, String> type = Map.of("Content-Type", "application/apply-patch+yaml");
                assertThat(WIRE.send(method, path + "/a?fieldManager=m", type, Optional.of(new byte[] {'{', '}'}))
                                .status())
                        .as("%s %s", method, path)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void thereAreNoTablesOfReviews() {
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        for (String accept : List.of(table, table + ",application/json")) {
            Answer answer = WIRE.send(
                    "POST",
                    AUTHENTICATION + "selfsubjectreviews",
                    Map.of("Content-Type", "application/json", "Accept", accept),
                    Optional.of(new byte[] {'{', '}'}));
            assertThat(answer.status()).isEqualTo(accept.equals(table) ? 406 : 201);
        }
    }

    @Test
    void aTokenRequestKeepsItsMetadata() {
        String accounts = "/api/v1/namespaces/default/serviceaccounts";
        assertThat(created(accounts, "'metadata':{'name':'keeper'}").string("kind"))
                .isEqualTo("ServiceAccount");
        JsonObject answer = created(accounts + "/keeper/token", "'metadata':{'labels':{'a':'b'}}");
        assertThat(answer.string("metadata", "name")).isEqualTo("keeper");
        assertThat(answer.at("metadata", "labels")).isEqualTo(Map.of("a", "b"));
        assertThat(answer.objects("metadata", "managedFields").getFirst().object("fieldsV1"))
                .isEqualTo(tree("{'f:metadata':{'f:labels':{'f:a':{}}},'f:spec':{'f:expirationSeconds':{}}}"));
    }

    @Test
    void thereAreNoTablesOfTokens() {
        Answer answer = WIRE.send(
                "POST",
                "/api/v1/namespaces/default/serviceaccounts/default/token",
                Map.of("Content-Type", "application/json", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"),
                Optional.of(new byte[] {'{', '}'}));
        assertThat(answer.status()).isEqualTo(406);
    }

    /**
     * Plays the reviews that a real API server answered to its administrator, or refused by their content. What it
     * allowed depends on its access control, and is not compared.
     */
    @ParameterizedTest
    @CsvSource({"access, 5", "builtin/access-rbac, 30"})
    void answersAsRecorded(String recording, int atLeast) {
        List<String> played = new ArrayList<>();
        for (String line : Recordings.lines(recording)) {
            JsonObject record = parse(line);
            if (comparable(record)) {
                played.add(record.string("id"));
                compare(record);
            }
        }
        assertThat(played).hasSizeGreaterThanOrEqualTo(atLeast);
    }

    private static boolean comparable(JsonObject record) {
        if (!record.string("request", "path").contains("review")) {
            return false;
        }
        long status = record.integer("status");
        JsonObject headers = record.object("request", "headers");
        boolean admin = !headers.containsKey("Authorization");
        boolean impersonates = headers.keySet().stream().anyMatch(name -> name.startsWith("Impersonate"));
        return (status == 400 || status == 422 || (admin && status != 403))
                && !impersonates
                && !Json.text(record).contains("${");
    }

    private static void compare(JsonObject record) {
        JsonObject expected = record.object("body");
        Object body = record.at("request", "body");
        Answer answer = WIRE.send(
                record.string("request", "method"),
                record.string("request", "path"),
                Map.of("Content-Type", "application/json"),
                body == null ? Optional.empty() : Optional.of(Json.write(body)));
        JsonObject actual = parse(answer.text().replaceAll("\"[0-9-]{10}T[0-9:]{8}Z\"", "\"<time>\""));
        assertThat((long) answer.status()).as(record.string("id")).isEqualTo(record.integer("status"));
        if (answer.status() == 201) {
            if (!expected.get("kind").equals("SelfSubjectReview")) {
                expected.put("status", actual.get("status"));
            }
        }
        assertThat(actual).as(record.string("id")).isEqualTo(expected);
    }

    private static JsonObject created(String path, String fields) {
        Answer answer = WIRE.send(
                "POST",
                path,
                Map.of("Content-Type", "application/json"),
                Optional.of(("{" + fields + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return parse(answer.text());
    }

    private static JsonObject tree(String json) {
        return parse(json.replace('\'', '"'));
    }

    private static JsonObject parse(String json) {
        return Json.parseObject(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }
}
