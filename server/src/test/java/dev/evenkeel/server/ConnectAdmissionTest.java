package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Webhooks and policies for the operation CONNECT. */
class ConnectAdmissionTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String RULES = """
            'failurePolicy':'Fail','sideEffects':'None','admissionReviewVersions':['v1'],
            'clientConfig':{'url':'https://127.0.0.1:1/'},'rules':[{'apiGroups':[''],'apiVersions':['v1'],
             'operations':['CONNECT'],'resources':['pods/*','services/proxy','nodes/proxy']}]""";

    private final List<JsonObject> reviews = new CopyOnWriteArrayList<>();
    private volatile String patch = "";
    private volatile boolean allowed = true;
    private volatile boolean failing;
    private volatile List<String> warnings = List.of();
    private final Engine engine = Engine.builder()
            .webhooks((webhook, review, timeout) -> {
                JsonObject request =
                        Json.parseObject(review, JsonLimits.DEFAULT).object("request");
                reviews.add(request);
                if (failing) {
                    throw new IOException("down");
                }
                JsonObject response = JsonObject.of("uid", request.string("uid"), "allowed", allowed);
                if (!allowed) {
                    response.put("status", JsonObject.of("message", "no shells"));
                }
                response.put("warnings", warnings);
                if (!patch.isEmpty()) {
                    response.put("patchType", "JSONPatch");
                    response.put("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
                }
                return Json.write(JsonObject.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview")
                        .set("response", response));
            })
            .build();
    private final Server server =
            Server.builder(engine).tls(false).token("admin", User.ADMIN).start();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        server.close();
        http.close();
        engine.close();
    }

    @BeforeEach
    void pod() {
        create("/api/v1/nodes", """
                {'metadata':{'name':'n'},'status':{'addresses':[{'type':'InternalIP','address':'192.0.2.1'}]}}""");
        create(PODS, """
                {'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},
                 'spec':{'nodeName':'n','containers':[{'name':'a','image':'i'},{'name':'b','image':'i'}]}}""");
    }

    private HttpResponse<String> send(String method, String path, String body) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create(server.url() + path))
                            .header("Authorization", "Bearer admin")
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void create(String path, String body) {
        HttpResponse<String> answer = send("POST", path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private void validating() {
        create(ADMISSION + "validatingwebhookconfigurations", """
                {'metadata':{'name':'v'},'webhooks':[{'name':'v.example.com',%s}]}""".formatted(RULES));
    }

    @Test
    void aWebhookSeesTheOptionsOfAConnection() {
        validating();
        String query = "?command=sh&command=-c&stdin=true&stdout=1&stderr=false&tty=&container=a";
        HttpResponse<String> answer = send("POST", PODS + "/p/exec" + query, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(501);
        JsonObject request = reviews.getFirst();
        assertThat(request.string("operation")).isEqualTo("CONNECT");
        assertThat(request.object("kind"))
                .isEqualTo(JsonObject.of("group", "", "version", "v1", "kind", "PodExecOptions"));
        assertThat(request.object("resource"))
                .isEqualTo(JsonObject.of("group", "", "version", "v1", "resource", "pods"));
        assertThat(request.string("subResource")).isEqualTo("exec");
        assertThat(request.string("name")).isEqualTo("p");
        assertThat(request.string("namespace")).isEqualTo("default");
        assertThat(request.object("userInfo").string("username")).isEqualTo(User.ADMIN.name());
        assertThat(request.object("object"))
                .isEqualTo(JsonObject.of("kind", "PodExecOptions", "apiVersion", "v1")
                        .set("stdin", true)
                        .set("stdout", true)
                        .set("tty", true)
                        .set("container", "a")
                        .set("command", List.of("sh", "-c")));
        assertThat(request.containsKey("oldObject")).isTrue();
        assertThat(request.get("oldObject")).isNull();
        assertThat(request.get("options")).isNull();

        send("POST", PODS + "/p/portforward?ports=80,81", "");
        assertThat(reviews.getLast().object("object"))
                .isEqualTo(JsonObject.of("kind", "PodPortForwardOptions", "apiVersion", "v1")
                        .set("ports", List.of(80L, 81L)));
        send("GET", PODS + "/p/proxy/a/b", "");
        assertThat(reviews.getLast().string("subResource")).isEqualTo("proxy");
        assertThat(reviews.getLast().object("object"))
                .isEqualTo(JsonObject.of("kind", "PodProxyOptions", "apiVersion", "v1", "path", "/a/b"));
        send("GET", "/api/v1/nodes/n/proxy/metrics", "");
        assertThat(reviews.getLast().object("object").string("kind")).isEqualTo("NodeProxyOptions");
        assertThat(reviews.getLast().containsKey("namespace")).isFalse();
    }

    @Test
    void aDenialComesBeforeEverythingElse() {
        validating();
        allowed = false;
        for (String path : List.of("/p/exec?container=a", "/p/exec?container=none", "/none/attach", "/p/portforward")) {
            HttpResponse<String> answer = send("POST", PODS + path, "");
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            assertThat(Fixture.tree(answer).string("message"))
                    .isEqualTo("admission webhook \"v.example.com\" denied the request: no shells");
        }
        int called = reviews.size();
        assertThat(send("GET", PODS + "/p/log?container=a", "").statusCode()).isEqualTo(501);
        assertThat(reviews).as("reading a log is not a connection").hasSize(called);
    }

    @Test
    void aMutatingWebhookChangesTheOptions() {
        create(ADMISSION + "mutatingwebhookconfigurations", """
                {'metadata':{'name':'m'},'webhooks':[{'name':'m.example.com',%s}]}""".formatted(RULES));
        HttpResponse<String> undecided = send("POST", PODS + "/p/exec?command=sh", "");
        assertThat(undecided.statusCode()).as("which of two containers").isEqualTo(400);
        patch = "[{\"op\":\"add\",\"path\":\"/container\",\"value\":\"b\"}]";
        assertThat(send("POST", PODS + "/p/exec?command=sh", "").statusCode()).isEqualTo(501);
        patch = "[{\"op\":\"add\",\"path\":\"/container\",\"value\":\"c\"}]";
        assertThat(send("POST", PODS + "/p/exec?command=sh", "").body()).contains("container c is not valid for pod p");
    }

    @Test
    void metricsShowTheTimesOfWebhooks() {
        create(ADMISSION + "mutatingwebhookconfigurations", """
                {'metadata':{'name':'m'},'webhooks':[{'name':'m.example.com',%s}]}""".formatted(RULES));
        validating();
        send("POST", PODS + "/p/exec?container=a", "");
        allowed = false;
        send("POST", PODS + "/p/exec?container=a", "");
        String name = "apiserver_admission_webhook_admission_duration_seconds";
        assertThat(send("GET", "/metrics", "").body())
                .contains(name
                        + "_count{name=\"m.example.com\",operation=\"CONNECT\",rejected=\"false\",type=\"admit\"} 1")
                .contains(name
                        + "_count{name=\"m.example.com\",operation=\"CONNECT\",rejected=\"true\",type=\"admit\"} 1")
                .contains(name + "_bucket{name=\"v.example.com\",operation=\"CONNECT\",rejected=\"false\","
                        + "type=\"validating\",le=\"25.0\"} 1")
                .contains("apiserver_admission_webhook_request_total{code=\"200\",name=\"v.example.com\","
                        + "operation=\"CONNECT\",rejected=\"false\",type=\"validating\"} 1.0")
                .contains("apiserver_admission_webhook_rejection_count{error_type=\"no_error\",name=\"m.example.com\","
                        + "operation=\"CONNECT\",rejection_code=\"400\",type=\"admit\"} 1.0")
                .doesNotContain("fail_open");
    }

    @Test
    void metricsShowTheFailuresOfWebhooks() {
        create(ADMISSION + "validatingwebhookconfigurations", """
                {'metadata':{'name':'a'},'webhooks':[{'name':'a.example.com',%s}]}""".formatted(RULES.replace("Fail", "Ignore")));
        validating();
        failing = true;
        assertThat(send("POST", PODS + "/p/exec?container=a", "").statusCode()).isEqualTo(500);
        assertThat(send("GET", "/metrics", "").body())
                .contains("apiserver_admission_webhook_fail_open_count{name=\"a.example.com\",type=\"validating\"} 1.0")
                .contains(
                        "apiserver_admission_webhook_rejection_count{error_type=\"calling_webhook_error\","
                                + "name=\"v.example.com\",operation=\"CONNECT\",rejection_code=\"503\",type=\"validating\"} 1.0");
    }

    @Test
    void metricsShowTheTimesOfAdmission() {
        create(
                "/api/v1/namespaces/default/pods",
                "{'metadata':{'name':'x'},'spec':{'containers':[{'name':'a','image':'i'}]}}");
        String name = "apiserver_admission_%s_admission_duration_seconds";
        assertThat(send("GET", "/metrics", "").body())
                .contains("# HELP " + name.formatted("step") + " Admission sub-step latency histogram in seconds")
                .containsPattern(name.formatted("step")
                        + "_count\\{operation=\"CREATE\",rejected=\"false\",type=\"admit\"} [1-9]")
                .containsPattern(name.formatted("step")
                        + "_bucket\\{operation=\"CREATE\",rejected=\"false\",type=\"validate\",le=\"2.5\"} [1-9]")
                .containsPattern(name.formatted("controller")
                        + "_count\\{name=\"LimitRanger\",operation=\"CREATE\",rejected=\"false\",type=\"admit\"} [1-9]")
                .containsPattern(
                        name.formatted("controller")
                                + "_count\\{name=\"ResourceQuota\",operation=\"CREATE\",rejected=\"false\",type=\"validate\"} [1-9]");
    }

    @Test
    void warningsOfWebhooksReachTheClient() {
        validating();
        create(ADMISSION + "mutatingwebhookconfigurations", """
                {'metadata':{'name':'m'},'webhooks':[{'name':'m.example.com',%s}]}""".formatted(RULES));
        warnings = List.of("mind the \"gap\"");
        HttpResponse<String> opened = send("POST", PODS + "/p/exec?container=a", "");
        assertThat(opened.statusCode()).isEqualTo(501);
        assertThat(opened.headers().allValues("Warning"))
                .as("of both webhooks, once")
                .containsExactly("299 - \"mind the \\\"gap\\\"\"");
        allowed = false;
        HttpResponse<String> denied = send("POST", PODS + "/p/attach?container=a", "");
        assertThat(denied.statusCode()).isEqualTo(400);
        assertThat(denied.headers().allValues("Warning")).hasSize(1);
        HttpResponse<String> proxied = send("GET", "/api/v1/nodes/n/proxy/metrics", "");
        assertThat(proxied.headers().allValues("Warning")).hasSize(1);
    }

    private void mutatingPolicy(String mutation) {
        create(ADMISSION + "mutatingadmissionpolicies", """
                {'metadata':{'name':'m'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],
                 'apiVersions':['v1'],'operations':['CONNECT'],'resources':['pods/exec']}]},
                 'reinvocationPolicy':'Never','failurePolicy':'Fail','mutations':[%s]}}""".formatted(mutation));
        create(ADMISSION + "mutatingadmissionpolicybindings", """
                {'metadata':{'name':'m'},'spec':{'policyName':'m'}}""");
    }

    @Test
    void aMutatingPolicyPatchesTheOptions() {
        mutatingPolicy("""
                {'patchType':'JSONPatch','jsonPatch':{'expression':
                 '[JSONPatch{op: \\"add\\", path: \\"/container\\", value: \\"c\\"}]'}}""");
        HttpResponse<String> answer = send("POST", PODS + "/p/exec?command=sh", "");
        assertThat(answer.body()).contains("container c is not valid for pod p");
    }

    @Test
    void aMutatingPolicyCannotApplyToOptionsBecauseTheyHaveNoSchema() {
        mutatingPolicy("""
                {'patchType':'ApplyConfiguration','applyConfiguration':{'expression':
                 'Object{container: \\"a\\"}'}}""");
        HttpResponse<String> answer = send("POST", PODS + "/p/exec?command=sh", "");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body())
                .contains("error applying patch: failed to convert patch object to typed object:"
                        + " no corresponding type for /v1, Kind=PodExecOptions");
    }

    @Test
    void aPolicyDecidesByTheOptions() {
        create(ADMISSION + "validatingadmissionpolicies", """
                {'metadata':{'name':'no-terminals'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],
                 'apiVersions':['v1'],'operations':['CONNECT'],'resources':['pods/exec','pods/attach']}]},
                 'validations':[{'expression':'!has(object.tty) || !object.tty','message':'no terminals'}]}}""");
        create(ADMISSION + "validatingadmissionpolicybindings", """
                {'metadata':{'name':'all'},'spec':{'policyName':'no-terminals','validationActions':['Deny']}}""");
        assertThat(send("POST", PODS + "/p/exec?container=a", "").statusCode()).isEqualTo(501);
        HttpResponse<String> denied = send("POST", PODS + "/p/exec?container=a&tty=true", "");
        assertThat(denied.statusCode()).isEqualTo(422);
        assertThat(Fixture.tree(denied).string("message"))
                .isEqualTo("pods \"p\" is forbidden: ValidatingAdmissionPolicy 'no-terminals' with binding 'all' denied"
                        + " request: no terminals");
        assertThat(send("POST", PODS + "/p/exec?container=a&dryRun=All", "").body())
                .contains("dryRun is not supported");
    }
}
