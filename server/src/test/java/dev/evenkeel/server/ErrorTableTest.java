package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Answer;
import dev.evenkeel.server.replay.Wire;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every refusal that a Kubernetes API server knows, by status, reason, exact message and details.
 *
 * <p>Not here: what access control, webhooks and overload refuse; {@code generateName} exhausted, which takes eight
 * collisions in a row; 410, which takes a compacted store (the engine's own tests have it).
 */
class ErrorTableTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WIDGETS = "/apis/table.example.com/v1/namespaces/default/widgets";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    private static @Nullable TestServer server;
    private static @Nullable Wire wire;

    @BeforeAll
    static void start() {
        TestServer started = TestServer.start();
        server = started;
        wire = new Wire(started.base(), started.token());
        send(
                "POST",
                "/api/v1/namespaces",
                JSON,
                "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}}");
        Answer definition = send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", JSON, """
                {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
                 'metadata':{'name':'widgets.table.example.com'},
                 'spec':{'group':'table.example.com','scope':'Namespaced',
                  'names':{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList'},
                  'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
                   'properties':{'spec':{'type':'object','required':['size'],'properties':{
                    'size':{'type':'integer','minimum':1},'colour':{'type':'string','enum':['red','blue']}}}}}}}]}}""");
        assertThat(definition.status()).as(definition.text()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (wire != null) {
            wire.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void missingObject() {
        refused(
                get(MAPS + "/none"),
                404,
                "NotFound",
                "configmaps \"none\" not found",
                "{'name':'none','kind':'configmaps'}");
        refused(
                get("/apis/apps/v1/namespaces/default/deployments/none"),
                404,
                "NotFound",
                "deployments.apps \"none\" not found",
                "{'name':'none','group':'apps','kind':'deployments'}");
    }

    @Test
    void unknownResource() {
        refused(
                get("/api/v1/namespaces/default/nopes"),
                404,
                "NotFound",
                "the server could not find the requested resource",
                "{}");
    }

    @Test
    void wrongMethod() {
        refused(
                send("PUT", MAPS, JSON, map("m", "")),
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                "{}");
    }

    @Test
    void createOfAnObjectByItsName() {
        refused(
                send("POST", MAPS + "/m", JSON, map("m", "")),
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                "{}");
    }

    @Test
    void export() {
        send("POST", MAPS, JSON, map("exported", ""));
        for (String value : new String[] {"?export", "?export=true", "?export=1"}) {
            refused(
                    get(MAPS + "/exported" + value),
                    400,
                    "BadRequest",
                    "the export parameter, deprecated since v1.14, is no longer supported",
                    "");
        }
        assertThat(get(MAPS + "/exported?export=false").status()).isEqualTo(200);
    }

    @Test
    void anAddressWhoseNameIsNotItsCanonicalForm() {
        String path = "/apis/networking.k8s.io/v1/ipaddresses";
        String text = "{'apiVersion':'networking.k8s.io/v1','kind':'IPAddress','metadata':{'name':'%s'},'spec':"
                + "{'parentRef':{'resource':'services','name':'s','namespace':'default'}}}";
        Map<String, String> problems = Map.of(
                "10.0.0", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
                "10.0.0.01", "must not have leading 0s",
                "::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address",
                "0:0::01", "must be in canonical form (\"::1\")",
                "2001:DB8::1", "must be in canonical form (\"2001:db8::1\")",
                "2001:db8:0::1", "must be in canonical form (\"2001:db8::1\")");
        problems.forEach((name, problem) -> {
            Answer answer = send("POST", path, JSON, text.formatted(name));
            assertThat(answer.status()).as(answer.text()).isEqualTo(422);
            assertThat(tree(answer).string("message"))
                    .isEqualTo("IPAddress.networking.k8s.io \"" + name
                            + "\" is invalid: metadata.name: Invalid value: \"" + name + "\": " + problem);
        });
        assertThat(send("POST", path, JSON, text.formatted("2001:db8::1")).status())
                .isEqualTo(201);
    }

    /** A number is refused, since it might be meant as a precondition. */
    @Test
    void createWithAResourceVersion() {
        refused(
                send("POST", MAPS, JSON, map("numbered", "'resourceVersion':'5'")),
                500,
                "",
                "resourceVersion should not be set on objects to be created",
                "");
        Answer created = send("POST", MAPS, JSON, map("lettered", "'resourceVersion':'abc'"));
        assertThat(created.status()).isEqualTo(201);
        assertThat(revision(created)).isNotEqualTo("abc");
    }

    @Test
    void createOfAnExistingObject() {
        send("POST", MAPS, JSON, map("there", ""));
        refused(
                send("POST", MAPS, JSON, map("there", "")),
                409,
                "AlreadyExists",
                "configmaps \"there\" already exists",
                "{'name':'there','kind':'configmaps'}");
    }

    @Test
    void createWhileTheOldObjectIsTerminating() {
        send("POST", MAPS, JSON, map("ending", "'finalizers':['example.com/hold']"));
        send("DELETE", MAPS + "/ending", JSON, "");
        refused(
                send("POST", MAPS, JSON, map("ending", "")),
                409,
                "AlreadyExists",
                "object is being deleted: configmaps \"ending\" already exists",
                "{'name':'ending','kind':'configmaps'}");
    }

    @Test
    void staleResourceVersion() {
        String revision = revision(send("POST", MAPS, JSON, map("stale", "")));
        send("PATCH", MAPS + "/stale", MERGE, "{'data':{'k':'2'}}");
        refused(
                send("PUT", MAPS + "/stale", JSON, map("stale", "'resourceVersion':'" + revision + "'")),
                409,
                "Conflict",
                "Operation cannot be fulfilled on configmaps \"stale\": the object has been modified; please apply your"
                        + " changes to the latest version and try again",
                "{'name':'stale','kind':'configmaps'}");
    }

    @Test
    void uidOfAnotherObjectInAReplacement() {
        String uid = tree(send("POST", MAPS, JSON, map("uid", ""))).string("metadata", "uid");
        refused(
                send("PUT", MAPS + "/uid", JSON, map("uid", "'uid':'11111111-2222-3333-4444-555555555555'")),
                409,
                "Conflict",
                "Operation cannot be fulfilled on configmaps \"uid\": StorageError: invalid object, Code: 4, Key:"
                        + " /configmaps/default/uid, ResourceVersion: 0, AdditionalErrorMsg: Precondition"
                        + " failed: UID in precondition: 11111111-2222-3333-4444-555555555555, UID in object meta: "
                        + uid,
                "{'name':'uid','kind':'configmaps'}");
    }

    @Test
    void deletePreconditions() {
        Answer created = send("POST", MAPS, JSON, map("pre", ""));
        String uid = tree(created).string("metadata", "uid");
        refused(
                send("DELETE", MAPS + "/pre", JSON, "{'preconditions':{'uid':'x'}}"),
                409,
                "Conflict",
                "Operation cannot be fulfilled on ConfigMap \"pre\": the UID in the precondition (x) does not match the"
                        + " UID in record (" + uid + "). The object might have been deleted and then recreated",
                "{'name':'pre','kind':'ConfigMap'}");
        refused(
                send("DELETE", MAPS + "/pre", JSON, "{'preconditions':{'resourceVersion':'1'}}"),
                409,
                "Conflict",
                "Operation cannot be fulfilled on ConfigMap \"pre\": the ResourceVersion in the precondition (1) does"
                        + " not match the ResourceVersion in record (" + revision(created)
                        + "). The object might have been modified",
                "{'name':'pre','kind':'ConfigMap'}");
    }

    @Test
    void applyConflict() {
        send(
                "PATCH",
                MAPS + "/applied?fieldManager=one",
                APPLY,
                map("applied", "").replace("'k':'v'", "'k':'1'"));
        refused(
                send(
                        "PATCH",
                        MAPS + "/applied?fieldManager=two",
                        APPLY,
                        map("applied", "").replace("'k':'v'", "'k':'2'")),
                409,
                "Conflict",
                "Apply failed with 1 conflict: conflict with \"one\": .data.k",
                "{'causes':[{'reason':'FieldManagerConflict','message':'conflict with \\'one\\'','field':'.data.k'}]}");
    }

    @Test
    void validation() {
        refused(
                send("POST", WIDGETS, JSON, widget("v", "{'size':0}")),
                422,
                "Invalid",
                "Widget.table.example.com \"v\" is invalid: spec.size: Invalid value: 0: spec.size in body should be"
                        + " greater than or equal to 1",
                "{'name':'v','group':'table.example.com','kind':'Widget','causes':[{'reason':'FieldValueInvalid',"
                        + "'message':'Invalid value: 0: spec.size in body should be greater than or equal to 1',"
                        + "'field':'spec.size'}]}");
        refused(
                send("POST", WIDGETS, JSON, widget("v", "{'colour':'green'}")),
                422,
                "Invalid",
                "Widget.table.example.com \"v\" is invalid: [spec.colour: Unsupported value: \"green\": supported"
                        + " values: \"red\", \"blue\", spec.size: Required value]",
                "{'name':'v','group':'table.example.com','kind':'Widget','causes':[{'reason':'FieldValueNotSupported',"
                        + "'message':'Unsupported value: \\'green\\': supported values: \\'red\\', \\'blue\\'',"
                        + "'field':'spec.colour'},"
                        + "{'reason':'FieldValueRequired','message':'Required value','field':'spec.size'}]}");
    }

    @Test
    void replacementOfACustomResourceWithoutARevision() {
        send("POST", WIDGETS, JSON, widget("bare", "{'size':1}"));
        refused(
                send("PUT", WIDGETS + "/bare", JSON, widget("bare", "{'size':2}")),
                422,
                "Invalid",
                "widgets.table.example.com \"bare\" is invalid: metadata.resourceVersion: Invalid value: 0: must be"
                        + " specified for an update",
                "{'name':'bare','group':'table.example.com','kind':'widgets','causes':[{'reason':'FieldValueInvalid',"
                        + "'message':'Invalid value: 0: must be specified for an update',"
                        + "'field':'metadata.resourceVersion'}]}");
    }

    @Test
    void badOptionValues() {
        Map<String, Answer> answers = new LinkedHashMap<>();
        send("POST", MAPS, JSON, map("options", ""));
        answers.put("CreateOptions", send("POST", MAPS + "?dryRun=foo", JSON, map("o", "")));
        answers.put("UpdateOptions", send("PUT", MAPS + "/options?dryRun=foo", JSON, map("options", "")));
        answers.put("PatchOptions", send("PATCH", MAPS + "/options?dryRun=foo", MERGE, "{}"));
        answers.put("DeleteOptions", send("DELETE", MAPS + "/options?dryRun=foo", JSON, ""));
        answers.forEach(
                (kind, answer) -> refused(
                        answer,
                        422,
                        "Invalid",
                        kind
                                + ".meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"foo\"]: supported values: \"All\"",
                        "{'group':'meta.k8s.io','kind':'" + kind + "','causes':[{'reason':'FieldValueNotSupported',"
                                + "'message':'Unsupported value: [\\'foo\\']: supported values: \\'All\\'','field':'dryRun'}]}"));
        refused(
                get(MAPS + "?sendInitialEvents=true"),
                422,
                "Invalid",
                "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden"
                        + " for list",
                "{'group':'meta.k8s.io','kind':'ListOptions','causes':[{'reason':'FieldValueForbidden',"
                        + "'message':'Forbidden: sendInitialEvents is forbidden for list','field':'sendInitialEvents'}]}");
    }

    @Test
    void badTimeout() {
        Map<String, String> problems = Map.of(
                "invalid", "invalid duration \"invalid\"",
                "-", "invalid duration \"-\"",
                "1s.", "invalid duration \"1s.\"",
                "10", "missing unit in duration \"10\"",
                "1m10", "missing unit in duration \"1m10\"",
                "10days", "unknown unit \"days\" in duration \"10days\"");
        problems.forEach((timeout, problem) -> {
            for (String path : new String[] {MAPS, "/api", "/healthz", "/nope"}) {
                refused(
                        get(path + "?timeout=" + timeout),
                        400,
                        "BadRequest",
                        "invalid timeout specified in the request URL - time: " + problem,
                        "");
            }
        });
        for (String timeout : new String[] {"", "0", "32s", "1h2m3.5s", "-1s", "+.5h"}) {
            assertThat(get(MAPS + "?timeout=" + timeout.replace("+", "%2B")).status())
                    .as(timeout)
                    .isEqualTo(200);
        }
        assertThat(get(MAPS + "?watch=1&timeoutSeconds=1&timeout=invalid").status())
                .as("a watch ignores it")
                .isEqualTo(200);
    }

    @Test
    void unparsableBody() {
        refused(
                send("POST", MAPS, JSON, "{'apiVersion':'v1',"),
                400,
                "BadRequest",
                "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse"
                        + " error: unexpected end of JSON input ({\"apiVersion\":\"v1\",)",
                "");
        refused(
                send("POST", MAPS, JSON, "hello"),
                400,
                "BadRequest",
                "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse"
                        + " error: invalid character 'h' looking for beginning of value (68656c6c6f)",
                "");
    }

    @Test
    void wrongTypeInTheBody() {
        Answer answer = send("POST", MAPS, JSON, map("typed", "").replace("'k':'v'", "'k':{}"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(tree(answer).string("reason")).isEqualTo("BadRequest");
        assertThat(tree(answer).string("message"))
                .startsWith("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ");
    }

    @Test
    void wrongKind() {
        Answer typed = send("POST", MAPS, JSON, map("k", "").replace("ConfigMap", "Secret"));
        assertThat(typed.status()).isEqualTo(400);
        assertThat(tree(typed).string("message"))
                .startsWith("Secret in version \"v1\" cannot be handled as a ConfigMap: ");
        refused(
                send("POST", WIDGETS, JSON, widget("g", "{'size':1}").replace("Widget", "Gadget")),
                422,
                "Invalid",
                "Gadget.table.example.com \"g\" is invalid: kind: Invalid value: \"Gadget\": must be Widget",
                "{'name':'g','group':'table.example.com','kind':'Gadget','causes':[{'reason':'FieldValueInvalid',"
                        + "'message':'Invalid value: \\'Gadget\\': must be Widget','field':'kind'}]}");
    }

    @Test
    void wrongVersion() {
        refused(
                send("POST", WIDGETS, JSON, widget("g", "{'size':1}").replace("example.com/v1", "example.com/v2")),
                400,
                "BadRequest",
                "the API version in the data (table.example.com/v2) does not match the expected API version"
                        + " (table.example.com/v1)",
                "");
    }

    @Test
    void nameAndNamespaceDifferFromThePath() {
        send("POST", MAPS, JSON, map("named", ""));
        refused(
                send("PUT", MAPS + "/named", JSON, map("zz", "")),
                400,
                "BadRequest",
                "the name of the object (zz) does not match the name on the URL (named)",
                "");
        refused(
                send("POST", MAPS, JSON, map("elsewhere", "'namespace':'other'")),
                400,
                "BadRequest",
                "the namespace of the provided object does not match the namespace sent on the request",
                "");
    }

    @Test
    void revisionOnCreate() {
        refused(
                send("POST", MAPS, JSON, map("versioned", "'resourceVersion':'5'")),
                500,
                "",
                "resourceVersion should not be set on objects to be created",
                "");
    }

    @Test
    void bodyTooLarge() {
        refused(
                send("POST", MAPS, JSON, map("large", "").replace("'k':'v'", "'k':'" + "x".repeat(3_200_000) + "'")),
                413,
                "RequestEntityTooLarge",
                "Request entity too large: limit is 3145728",
                "");
    }

    @Test
    void bodyTooDeep() {
        Answer answer = send("POST", MAPS, JSON, "{'apiVersion':'v1','kind':'ConfigMap','data':" + "[".repeat(20_000));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(tree(answer).string("reason")).isEqualTo("BadRequest");
        assertThat(tree(answer).string("message")).contains("exceeded max depth");
    }

    @Test
    void noCredentials() {
        refused(
                wire().send("GET", MAPS, Map.of("Authorization", "Bearer wrong"), Optional.empty()),
                401,
                "Unauthorized",
                "Unauthorized",
                "");
    }

    @Test
    void missingNamespace() {
        refused(
                send("POST", "/api/v1/namespaces/nowhere/configmaps", JSON, map("a", "")),
                404,
                "NotFound",
                "namespaces \"nowhere\" not found",
                "{'name':'nowhere','kind':'namespaces'}");
    }

    @Test
    void terminatingNamespace() {
        send("POST", "/api/v1/namespaces", JSON, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ending'}}");
        String maps = "/api/v1/namespaces/ending/configmaps";
        send("POST", maps, JSON, map("held", "'finalizers':['example.com/hold']"));
        send("DELETE", "/api/v1/namespaces/ending", JSON, "");
        refused(
                send("POST", maps, JSON, map("late", "")),
                403,
                "Forbidden",
                "configmaps \"late\" is forbidden: unable to create new content in namespace ending because it is being"
                        + " terminated",
                "{'name':'late','kind':'configmaps','causes':[{'reason':'NamespaceTerminating',"
                        + "'message':'namespace ending is being terminated','field':'metadata.namespace'}]}");
    }

    @Test
    void revisionOfTheFuture() {
        Answer answer = get(MAPS + "?resourceVersion=99999999");
        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(tree(answer).string("reason")).isEqualTo("Timeout");
        assertThat(tree(answer).string("message"))
                .matches("Timeout: Too large resource version: 99999999, current: \\d+");
        assertThat(tree(answer).get("details"))
                .isEqualTo(parse("{'causes':[{'reason':'ResourceVersionTooLarge',"
                        + "'message':'Too large resource version'}],'retryAfterSeconds':1}"));
    }

    @Test
    void jsonPatchThatDoesNotFit() {
        send("POST", MAPS, JSON, map("patched", ""));
        for (String patch :
                new String[] {"[{'op':'test','path':'/data/k','value':'zz'}]", "[{'op':'remove','path':'/data/none'}]"
                }) {
            refused(
                    send("PATCH", MAPS + "/patched", "application/json-patch+json", patch),
                    422,
                    "Invalid",
                    "the server rejected our request due to an error in our request",
                    "{}");
        }
    }

    @Test
    void unsupportedMediaType() {
        send("POST", MAPS, JSON, map("media", ""));
        send("POST", WIDGETS, JSON, widget("media", "{'size':1}"));
        refused(
                send("PATCH", MAPS + "/media", "text/plain", "{}"),
                415,
                "UnsupportedMediaType",
                "415: Unsupported Media Type",
                "{}");
        refused(
                send("PATCH", WIDGETS + "/media", "application/strategic-merge-patch+json", "{}"),
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
                "");
        refused(
                send("POST", MAPS, "text/plain", map("text", "")),
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: application/json,"
                        + " application/yaml, application/vnd.kubernetes.protobuf",
                "");
        refused(
                send("POST", WIDGETS, "application/vnd.kubernetes.protobuf", "k8s"),
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: application/json,"
                        + " application/yaml, application/vnd.kubernetes.protobuf",
                "");
    }

    private static void refused(Answer answer, int code, String reason, String message, String details) {
        JsonObject status = tree(answer);
        assertThat(answer.status()).as(answer.text()).isEqualTo(code);
        assertThat(status.string("kind")).isEqualTo("Status");
        assertThat(status.string("status")).isEqualTo("Failure");
        assertThat(status.integer("code")).isEqualTo(code);
        assertThat(status.string("message")).isEqualTo(message);
        assertThat(status.string("reason")).isEqualTo(reason);
        assertThat(status.get("details")).isEqualTo(details.isEmpty() ? null : parse(details));
    }

    private static String map(String name, String metadata) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" + name + "'"
                + (metadata.isEmpty() ? "" : "," + metadata) + "},'data':{'k':'v'}}";
    }

    private static String widget(String name, String spec) {
        return "{'apiVersion':'table.example.com/v1','kind':'Widget','metadata':{'name':'" + name + "'},'spec':" + spec
                + "}";
    }

    private static Wire wire() {
        return java.util.Objects.requireNonNull(wire);
    }

    private static Answer get(String path) {
        return wire().send("GET", path, Map.of(), Optional.empty());
    }

    private static Answer send(String method, String path, String type, String body) {
        String json = body.replace('\'', '"');
        return body.isEmpty()
                ? wire().send(method, path, Map.of(), Optional.empty())
                : wire().send(
                                method,
                                path,
                                Map.of("Content-Type", type),
                                Optional.of(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static String revision(Answer answer) {
        return tree(answer).string("metadata", "resourceVersion");
    }

    private static JsonObject tree(Answer answer) {
        return Json.parseObject(answer.body(), JsonLimits.DEFAULT);
    }

    private static JsonObject parse(String json) {
        return Json.parseObject(
                json.replace("\\'", "\\\"").replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }
}
