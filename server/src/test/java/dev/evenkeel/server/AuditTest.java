package dev.evenkeel.server;

import static dev.evenkeel.server.Fixture.MAPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of a server, over HTTP. */
class AuditTest {
    private static final String COMPLETE =
            "omitStages: [RequestReceived, ResponseStarted]\n"; // events of complete answers and of panics

    @TempDir
    private Path directory;

    private Fixture audited(String policy, UnaryOperator<Server.Builder> settings) {
        Path file = directory.resolve("policy.yaml");
        try {
            Files.writeString(file, "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + policy);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new Fixture(
                builder -> settings.apply(
                        builder.tls(false).authentication(false).auditLog(file, directory.resolve("log"))),
                HttpClient.newHttpClient());
    }

    private Fixture audited(String policy) {
        return audited(policy, UnaryOperator.identity());
    }

    /** Returns the events, after the server has closed. */
    private List<JsonObject> events() {
        try (Stream<String> lines = Files.lines(directory.resolve("log"))) {
            return lines.map(Fixture::tree).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String rules(String... rules) {
        return "rules:\n- " + String.join("\n- ", rules) + "\n";
    }

    @Test
    void anEventHasTheShapeOfUpstream() {
        AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
        try (Fixture fixture = audited(rules("{level: Metadata}"))) {
            answer.set(
                    fixture.get(MAPS + "/none?pretty=1", "User-Agent", "me", "X-Forwarded-For", "10.1.2.3, nonsense"));
        }
        String id = answer.get().headers().firstValue("Audit-Id").orElseThrow();
        List<JsonObject> events = events();
        assertThat(events)
                .extracting(event -> event.string("stage"))
                .containsExactly("RequestReceived", "ResponseComplete");
        JsonObject event = events.getLast();
        assertThat(event.string("requestReceivedTimestamp"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(event.string("stageTimestamp")).isGreaterThanOrEqualTo(event.string("requestReceivedTimestamp"));
        assertThat(events.getFirst().string("stageTimestamp")).isEqualTo(event.string("requestReceivedTimestamp"));
        event.remove("requestReceivedTimestamp");
        event.remove("stageTimestamp");
        assertThat(event).isEqualTo(Fixture.tree("""
                {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s","stage":"ResponseComplete",
                 "requestURI":"/api/v1/namespaces/default/configmaps/none?pretty=1","verb":"get",
                 "user":{"username":"admin","groups":["system:masters","system:authenticated"]},
                 "sourceIPs":["10.1.2.3","127.0.0.1"],"userAgent":"me",
                 "objectRef":{"resource":"configmaps","namespace":"default","name":"none","apiVersion":"v1"},
                 "responseStatus":{"metadata":{},"status":"Failure","message":"configmaps \\"none\\" not found",
                  "reason":"NotFound","details":{"name":"none","kind":"configmaps"},"code":404},
                 "annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"access control is off"}}
                """.formatted(id)));
        assertThat(events.getFirst().containsKey("responseStatus")).isFalse();
        assertThat(events.getFirst().containsKey("annotations")).isFalse();
    }

    @Test
    void theFirstMatchingRuleSelectsTheLevel() {
        try (Fixture fixture = audited(COMPLETE
                + rules(
                        "{level: None, users: [system:anonymous]}",
                        "{level: None, verbs: [list]}",
                        "{level: Metadata, resources: [{group: '', resources: [secrets, 'serviceaccounts/*']}]}",
                        "{level: Request, namespaces: [default], resources: [{resources: [configmaps],"
                                + " resourceNames: [asked]}]}",
                        "{level: None, nonResourceURLs: [/api*]}",
                        "{level: RequestResponse, userGroups: [system:masters]}"))) {
            fixture.get("/healthz"); // anonymous
            fixture.get(MAPS);
            fixture.get("/apis");
            fixture.post("/api/v1/namespaces/default/secrets", """
                    {"metadata":{"name":"s"},"stringData":{"password":"hunter2"}}""");
            fixture.post(
                    "/api/v1/namespaces/default/serviceaccounts/default/token", "{\"spec\":{\"audiences\":[\"a\"]}}");
            fixture.create("a");
            fixture.send(
                    "PATCH",
                    MAPS + "/asked?fieldManager=m",
                    "application/apply-patch+yaml",
                    "apiVersion: v1\nkind: ConfigMap\ndata: {k: v}");
            fixture.get("/openapi/v3");
        }
        List<JsonObject> events = events();
        assertThat(events)
                .extracting(event -> event.string("level") + " " + event.string("verb") + " "
                        + event.string("objectRef", "resource") + " " + event.string("objectRef", "name"))
                .containsExactly(
                        "Metadata create secrets s",
                        "Metadata create serviceaccounts default",
                        "RequestResponse create configmaps a",
                        "Request patch configmaps asked",
                        "RequestResponse get  ");
        assertThat(events.subList(0, 2))
                .allSatisfy(event -> assertThat(event).doesNotContainKeys("requestObject", "responseObject"));
        assertThat(events.get(2).string("requestObject", "data", "k")).isEqualTo("v");
        assertThat(events.get(2).string("responseObject", "metadata", "uid")).isNotEmpty();
        assertThat(events.get(3).string("requestObject", "data", "k")).isEqualTo("v");
        assertThat(events.get(3)).doesNotContainKey("responseObject");
        assertThat(events.get(4)).doesNotContainKeys("requestObject", "responseObject", "objectRef");
        assertThat(events.toString()).doesNotContain("hunter2", "eyJ");
    }

    @Test
    void managedFieldsAreOmittedOnRequest() {
        try (Fixture fixture = audited(COMPLETE + "omitManagedFields: true\n"
                + rules(
                        "{level: RequestResponse, verbs: [get], omitManagedFields: false}",
                        "{level: RequestResponse}"))) {
            fixture.create("a");
            fixture.get(MAPS + "/a");
            fixture.get(MAPS, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
            fixture.get(MAPS + "/a", "Accept", "application/vnd.kubernetes.protobuf");
            fixture.send(
                    "DELETE", MAPS + "/a", "application/json", "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}");
        }
        List<JsonObject> events = events();
        assertThat(events.get(0).object("responseObject", "metadata")).doesNotContainKey("managedFields");
        assertThat(events.get(1).object("responseObject", "metadata")).containsKey("managedFields");
        assertThat(events.get(2).string("responseObject", "kind")).isEqualTo("Table");
        assertThat(events.get(2).toString()).doesNotContain("managedFields");
        assertThat(events.get(3).string("responseObject", "data", "k")).isEqualTo("v");
        assertThat(events.get(4).string("requestObject", "kind")).isEqualTo("DeleteOptions");
        assertThat(events.get(4).string("responseStatus", "status")).isEqualTo("Success");
    }

    @Test
    void aWatchIsRecordedAtItsStartAndAtItsEnd() throws Exception {
        try (Fixture fixture = audited(rules("{level: RequestResponse, verbs: [watch]}"))) {
            var watch = fixture.http.send(
                    fixture.request(MAPS + "?watch=1&resourceVersion=0").build(), BodyHandlers.ofLines());
            fixture.create("a");
            try (Stream<String> lines = watch.body()) {
                assertThat(lines.findFirst()).isPresent();
            }
        }
        assertThat(events())
                .extracting(event -> event.string("stage") + " " + event.integer("responseStatus", "code"))
                .containsExactly("RequestReceived 0", "ResponseStarted 200", "ResponseComplete 200");
    }

    @Test
    void impersonationAndRefusalsAreRecorded() {
        try (Fixture fixture = audited(
                COMPLETE.replace(", ResponseStarted", "") + rules("{level: Metadata}"),
                builder -> builder.authentication(true).token("secret", User.ADMIN))) {
            fixture.get(MAPS, "Authorization", "Bearer secret", "Impersonate-User", "jane");
            fixture.get(MAPS, "Authorization", "Bearer wrong");
        }
        List<JsonObject> events = events();
        assertThat(events.get(0).string("user", "username")).isEqualTo("admin");
        assertThat(events.get(0).object("impersonatedUser"))
                .isEqualTo(Fixture.tree("{\"username\":\"jane\",\"groups\":[\"system:authenticated\"]}"));
        assertThat(events.get(1).string("stage")).isEqualTo("ResponseStarted");
        assertThat(events.get(1).object("responseStatus"))
                .isEqualTo(Fixture.tree(
                        "{\"metadata\":{},\"message\":\"Authentication failed, attempted: bearer\",\"code\":401}"));
        assertThat(events.get(1).object("user")).isEmpty();
    }

    @Test
    void policiesOfAdmissionAnnotateTheEvent() {
        String policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
        try (Fixture fixture = audited(COMPLETE + rules("{level: Metadata, resources: [{resources: [configmaps]}]}"))) {
            HttpResponse<String> policy = fixture.post(policies + "ies", """
                    {"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[
                     {"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],"operations":["CREATE"]}]},
                     "validations":[{"expression":"true"},{"expression":"object.data.k != 'v'","message":"not v"}],
                     "auditAnnotations":[{"key":"value","valueExpression":"'is ' + object.data.k"},
                      {"key":"absent","valueExpression":"null"}]}}""");
            assertThat(policy.statusCode()).as(policy.body()).isEqualTo(201);
            fixture.post(policies + "ybindings", """
                    {"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Audit"]}}""");
            assertThat(fixture.create("a").statusCode()).isEqualTo(201);
        }
        JsonObject annotations = events().getFirst().object("annotations");
        assertThat(annotations.string("p/value")).isEqualTo("is v");
        assertThat(annotations).doesNotContainKey("p/absent");
        assertThat(annotations.string("validation.policy.admission.k8s.io/validation_failure"))
                .isEqualTo("[{\"message\":\"not v\",\"policy\":\"p\",\"binding\":\"b\",\"expressionIndex\":1,"
                        + "\"validationActions\":[\"Audit\"]}]");
    }

    @Test
    void metricsCountEventsAndLevels() {
        try (Fixture fixture = audited(COMPLETE + rules("{level: None, verbs: [list]}", "{level: Metadata}"))) {
            fixture.get(MAPS);
            fixture.get(MAPS + "/none");
            assertThat(fixture.get("/metrics").body())
                    .contains("apiserver_audit_level_total{level=\"None\"} 1.0")
                    .contains("apiserver_audit_level_total{level=\"Metadata\"} 2.0")
                    .contains("apiserver_audit_event_total 1.0");
        }
    }

    @Test
    void aDeprecatedResourceIsAnnotated() {
        try (Fixture fixture = audited(COMPLETE + rules("{level: Metadata}"))) {
            fixture.get("/api/v1/endpoints");
        }
        assertThat(events().getFirst().string("annotations", "k8s.io/deprecated"))
                .isEqualTo("true");
    }

    @Test
    void aDefectOfTheServerIsRecordedAsAPanic() throws Exception {
        Path policy = Files.writeString(
                directory.resolve("policy.yaml"),
                "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + COMPLETE + rules("{level: Metadata}"));
        try (HttpClient http = HttpClient.newHttpClient();
                Server server = Server.builder(name -> {
                            throw new IllegalStateException("broken");
                        })
                        .tls(false)
                        .authentication(false)
                        .auditLog(policy, directory.resolve("log"))
                        .start()) {
            var request =
                    HttpRequest.newBuilder(URI.create(server.url() + MAPS)).build();
            assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(500);
        }
        assertThat(events())
                .extracting(event -> event.string("stage") + " " + event.string("responseStatus", "message"))
                .containsExactly("Panic APIServer panic'd: java.lang.IllegalStateException: broken");
    }

    @Test
    void aPolicyThatIsNotValidIsRefusedWithItsField() {
        String[][] policies = {
            {"", "loaded illegal policy with 0 rules"},
            {rules("{users: [a]}"), "rules[0].level: Required value"},
            {rules("{level: All}"), "rules[0].level: Unsupported value: \"All\""},
            {rules("{level: None}", "{level: None, nonResourceURLs: [a]}"), "rules[1].nonResourceURLs[0]: Invalid value"
            },
            {rules("{level: None, nonResourceURLs: ['/a*b']}"), "'*' must be the final character"},
            {rules("{level: None, nonResourceURLs: [/a], namespaces: [b]}"), "rules cannot apply to both"},
            {rules("{level: None, resources: [{group: apps/v1}]}"), "must be the name of a group"},
            {rules("{level: None, resources: [{resourceNames: [a]}]}"), "requires at least one resource"},
            {rules("{level: RequestResponse, resource: [{}]}"), "unknown field \"rules[0].resource\""},
            {
                "omitStages: [Begin]\n" + rules("{level: None}"),
                "omitStages[0]: Invalid value: \"Begin\": allowed stages are"
            },
        };
        for (String[] policy : policies) {
            assertThatThrownBy(() -> audited(policy[0]).close())
                    .as(policy[0])
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(policy[1]);
        }
    }
}
