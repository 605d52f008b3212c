package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Webhooks of configurations, called by the engine; they answer in this process. */
class WebhooksTest {
    private static final String ALLOW = "\"allowed\":true";
    private final List<JsonObject> asked = new CopyOnWriteArrayList<>();
    private Function<JsonObject, String> answer = request -> ALLOW;
    private Function<JsonObject, String> second = request -> ALLOW;
    private final Engine engine = Engine.builder()
            .webhook("/first", review(request -> answer.apply(request)))
            .webhook("/second", review(request -> second.apply(request)))
            .build();
    private final Client client = engine.client();

    @AfterEach
    void close() {
        engine.close();
    }

    private UnaryOperator<byte[]> review(Function<JsonObject, String> answers) {
        return review -> {
            JsonObject request = Json.parseObject(review, JsonLimits.DEFAULT).object("request");
            asked.add(request);
            return ("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\""
                            + request.get("uid") + "\"," + answers.apply(request) + "}}")
                    .getBytes(StandardCharsets.UTF_8);
        };
    }

    private static String patching(String patch) {
        return ALLOW + ",\"patchType\":\"JSONPatch\",\"patch\":\""
                + Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)) + "\"";
    }

    private static String denying(String status) {
        return "\"allowed\":false" + (status.isEmpty() ? "" : ",\"status\":" + status);
    }

    private void configure(String kind, String name, String path, String more) {
        String yaml = """
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata: {name: %s}
                webhooks:
                - name: %s.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {service: {namespace: default, name: hooks, path: %s}}
                """.formatted(kind, name, name, path)
                + (more.contains("rules:") ? "" : rules("configmaps"))
                + more.indent(2);
        var unused = client.create(
                Kind.generic(
                        "admissionregistration.k8s.io",
                        "v1",
                        kind,
                        kind.toLowerCase(java.util.Locale.ROOT) + "s",
                        false),
                Manifests.parse(yaml).getFirst(),
                WriteOptions.DEFAULT);
    }

    private static String rules(String resource) {
        return "  rules: [{apiGroups: [''], apiVersions: [v1], resources: [" + resource
                + "], operations: ['*'], scope: '*'}]\n";
    }

    private void mutating(String name, String path, String more) {
        configure("MutatingWebhookConfiguration", name, path, more);
    }

    private void validating(String name, String path, String more) {
        configure("ValidatingWebhookConfiguration", name, path, more);
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("a", "b")
                .build();
    }

    private List<Object> operations() {
        return asked.stream().map(request -> request.get("operation")).toList();
    }

    private List<Object> seen() {
        return asked.stream()
                .<Object>map(request -> request.string("object", "data", "a"))
                .toList();
    }

    @Test
    void theQuestionNamesTheSender() {
        validating("v", "/first", "");
        User ann = new User("ann", "7", List.of("devs"), Map.of("scopes", List.of("shop")));
        engine.as(ann).create(Kind.of(ConfigMap.class), map("m"), WriteOptions.DEFAULT);
        client.create(Kind.of(ConfigMap.class), map("n"), WriteOptions.DEFAULT);
        assertThat(asked)
                .extracting(request -> Json.text(request.at("userInfo")))
                .containsExactly(
                        "{\"username\":\"ann\",\"uid\":\"7\",\"groups\":[\"devs\",\"system:authenticated\"],\"extra\":{\"scopes\":[\"shop\"]}}",
                        "{\"username\":\"system:admin\",\"groups\":[\"system:masters\",\"system:authenticated\"]}");
    }

    @Test
    void ownersOfFieldsThatCannotBeReadAfterAWebhookAreRestored() {
        mutating("a", "/first", "");
        answer = request ->
                patching("[{\"op\":\"replace\",\"path\":\"/metadata/managedFields/0/operation\",\"value\":\"x\"},"
                        + "{\"op\":\"add\",\"path\":\"/data/hook\",\"value\":\"1\"}]");
        Requests api = new Requests(ResourceApi.of(engine.partition("default")));
        Reply reply = api.partition.create(
                api.target("v1/configmaps", "default", ""),
                Body.json("{\"metadata\":{\"name\":\"m\"},\"data\":{\"k\":\"v\"}}"),
                dev.evenkeel.engine.internal.object.WriteOptions.of("test"));
        assertThat(reply.warnings())
                .containsExactly(".metadata.managedFields was in an invalid state after admission; this could be caused"
                        + " by an outdated mutating admission controller; please fix your requests: operation must be"
                        + " `Apply` or `Update`");
        ConfigMap created = client.get(Kind.of(ConfigMap.class), ObjectKey.of("default", "m"));
        assertThat(created.getData()).containsOnlyKeys("k", "hook");
        assertThat(created.getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getOperation)
                .containsExactly("Update");
    }

    /** It was refused with 409 AlreadyExists, which no server answers to an apply. */
    @Test
    void anApplyFindsAnObjectCreatedMeanwhile() {
        mutating("a", "/first", "");
        answer = request -> {
            answer = again -> ALLOW;
            client.apply(map("m"), WriteOptions.DEFAULT.fieldManager("faster"));
            return ALLOW;
        };

        ConfigMap applied = client.apply(map("m"), WriteOptions.DEFAULT.fieldManager("slower"));

        assertThat(applied.getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getManager)
                .containsExactlyInAnyOrder("faster", "slower");
        assertThat(operations()).containsExactly("CREATE", "CREATE", "UPDATE");
    }

    /** A webhook that knows only the older version of reviews could not be called. */
    @Test
    void aWebhookMayOnlyKnowReviewsInTheOlderVersion() {
        List<String> versions = new ArrayList<>();
        try (Engine other = Engine.builder()
                .webhook("/old", review -> {
                    versions.add(Json.parseObject(review, JsonLimits.DEFAULT).string("apiVersion"));
                    return ("{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\",\"response\":{"
                                    + "\"allowed\":true,\"patch\":\""
                                    + Base64.getEncoder()
                                            .encodeToString("[{\"op\":\"add\",\"path\":\"/data/old\",\"value\":\"1\"}]"
                                                    .getBytes(StandardCharsets.UTF_8))
                                    + "\"}}")
                            .getBytes(StandardCharsets.UTF_8);
                })
                .build()) {
            Requests api = new Requests(ResourceApi.of(other.partition("default")));
            api.create(
                    "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                    "",
                    "{'metadata':{'name':'m'},'webhooks':[{'name':'m.example.com','sideEffects':'None',"
                            + "'admissionReviewVersions':['v1beta1','v1'],'clientConfig':{'service':{'namespace':'d',"
                            + "'name':'h','path':'/old'}},'rules':[{'apiGroups':[''],'apiVersions':['v1'],"
                            + "'operations':['CREATE'],'resources':['configmaps']}]}]}");
            assertThat(api.create("v1/configmaps", "default", "{'metadata':{'name':'c'},'data':{'a':'b'}}")
                            .string("data", "old"))
                    .isEqualTo("1");
        }
        assertThat(versions).containsExactly("admission.k8s.io/v1beta1");
    }

    @Test
    void aWebhookSeesAndChangesAScale() {
        mutating("s", "/first", """
                rules:
                - {apiGroups: [apps], apiVersions: [v1], resources: [deployments/scale], operations: ['*']}
                """);
        Requests api = new Requests(ResourceApi.of(engine.partition("default")));
        api.create(
                "apps/v1/deployments",
                "default",
                "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
        answer = request -> patching("[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":3}]");
        Target deployment = api.target("apps/v1/deployments", "default", "d");
        Target scale = new Target(deployment.type(), deployment.version(), "default", "d", "scale");
        assertThat(api.patch(scale, Patch.Type.MERGE, "{'spec':{'replicas':9}}").integer("spec", "replicas"))
                .isEqualTo(3);
        JsonObject request = asked.getFirst();
        assertThat(request.string("kind", "kind")).isEqualTo("Scale");
        assertThat(request.string("kind", "group")).isEqualTo("autoscaling");
        assertThat(request.string("subResource")).isEqualTo("scale");
        assertThat(request.integer("object", "spec", "replicas")).isEqualTo(9);
        assertThat(request.integer("oldObject", "spec", "replicas")).isEqualTo(1);
    }

    @Test
    void aWebhookSeesADocumentThatIsPostedToASubresource() {
        validating(
                "b",
                "/first",
                "rules: [{apiGroups: [''], apiVersions: [v1], resources: ['pods/binding']," + " operations: ['*']}]\n");
        Requests api = new Requests(ResourceApi.of(engine.partition("default")));
        api.create("v1/pods", "default", "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        Target pod = api.target("v1/pods", "default", "p");
        Target binding = new Target(pod.type(), pod.version(), "default", "p", "binding");
        Body body = Body.json("{\"metadata\":{\"name\":\"p\"},\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}");
        answer = request -> denying("");
        assertThatThrownBy(() -> api.partition.create(
                        binding, body, dev.evenkeel.engine.internal.object.WriteOptions.of("test")))
                .hasMessageContaining("denied the request");
        answer = request -> ALLOW;
        api.partition.create(binding, body, dev.evenkeel.engine.internal.object.WriteOptions.of("test"));
        assertThat(asked)
                .extracting(request -> request.string("operation") + " " + request.string("kind", "kind"))
                .containsExactly("CREATE Binding", "CREATE Binding");
        assertThat(api.get("v1/pods", "default", "p").string("spec", "nodeName"))
                .isEqualTo("n");
    }

    @Test
    void aReinvokedWebhookIsCalledAgainAfterALaterChange() {
        mutating("a", "/first", "reinvocationPolicy: IfNeeded\n");
        mutating("b", "/second", "reinvocationPolicy: IfNeeded\n");
        second = request -> patching("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"c\"}]");

        assertThat(client.create(map("m")).getData()).containsEntry("a", "c");

        assertThat(seen()).containsExactly("b", "b", "c");
    }

    @Test
    void otherWebhooksAreCalledOnce() {
        mutating("a", "/first", "");
        mutating("b", "/second", "");
        second = request -> patching("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"c\"}]");

        var unused = client.create(map("m"));

        assertThat(seen()).containsExactly("b", "b");
    }

    @Test
    void thereIsNoReinvocationWithoutAChange() {
        mutating("a", "/first", "reinvocationPolicy: IfNeeded\n");
        mutating("b", "/second", "reinvocationPolicy: IfNeeded\n");
        second = request -> patching("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"b\"}]");

        var unused = client.create(map("m"));

        assertThat(asked).hasSize(2);
    }

    @Test
    void thereIsNoThirdCall() {
        mutating("a", "/first", "reinvocationPolicy: IfNeeded\n");
        mutating("b", "/second", "reinvocationPolicy: IfNeeded\n");
        answer = request -> patching("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\""
                + request.string("object", "data", "a") + "1\"}]");
        second = request -> patching("[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\""
                + request.string("object", "data", "a") + "2\"}]");

        assertThat(client.create(map("m")).getData()).containsEntry("a", "b1212");

        assertThat(seen()).containsExactly("b", "b1", "b12", "b121");
    }

    @Test
    void webhooksAreCalledForEachKindOfWrite() {
        validating("v", "/first", "");
        ConfigMap created = client.create(map("m"));
        created.setData(Map.of("a", "c"));
        var unused = client.update(created);
        var unused2 = client.delete(ConfigMap.class, ObjectKey.of("default", "m"));
        assertThat(operations()).containsExactly("CREATE", "UPDATE", "DELETE");
        JsonObject create = asked.getFirst();
        assertThat(create)
                .containsEntry("name", "m")
                .containsEntry("namespace", "default")
                .containsEntry("dryRun", false)
                .containsEntry("oldObject", null);
        assertThat(Json.text(create.get("kind")))
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
        assertThat(Json.text(create.get("resource")))
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}");
        assertThat(Json.text(create.get("options")))
                .isEqualTo("{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}");
        assertThat(Json.string(asked.get(1), "oldObject", "data", "a")).isEqualTo("b");
        assertThat(Json.string(asked.get(1), "object", "data", "a")).isEqualTo("c");
        assertThat(asked.get(2).get("object")).isNull();
        assertThat(Json.string(asked.get(2), "oldObject", "data", "a")).isEqualTo("c");
    }

    @Test
    void aPatchedObjectIsStored() {
        mutating("m", "/first", "");
        answer = request -> patching("[{\"op\":\"add\",\"path\":\"/data/by\",\"value\":\"webhook\"}]");
        assertThat(client.create(map("m")).getData()).containsEntry("by", "webhook");
        ConfigMap stored = client.get(ConfigMap.class, ObjectKey.of("default", "m"));
        assertThat(stored.getData()).isEqualTo(Map.of("a", "b", "by", "webhook"));
        // what webhooks set has no owner
        assertThat(stored.getMetadata().getManagedFields()).hasSize(1);
        assertThat(stored.getMetadata()
                        .getManagedFields()
                        .getFirst()
                        .getFieldsV1()
                        .toString())
                .doesNotContain("f:by");
        // nothing changes when the webhook says the same again
        String version = stored.getMetadata().getResourceVersion();
        assertThat(client.update(stored).getMetadata().getResourceVersion()).isEqualTo(version);
    }

    @Test
    void aPatchDoesNotChangeFieldsOfTheServer() {
        mutating("m", "/first", "");
        answer = request -> patching("""
                [{"op":"add","path":"/metadata/uid","value":"mine"},
                 {"op":"add","path":"/metadata/unknown","value":"x"},
                 {"op":"add","path":"/metadata/labels","value":{"l":"v"}}]""");
        ConfigMap created = client.create(map("m"));
        assertThat(created.getMetadata().getUid()).isNotEqualTo("mine");
        assertThat(created.getMetadata().getLabels()).isEqualTo(Map.of("l", "v"));
    }

    @Test
    void aPatchMayRenameANewObjectOnly() {
        mutating("m", "/first", "");
        answer = request -> patching("[{\"op\":\"replace\",\"path\":\"/metadata/name\",\"value\":\"other\"}]");
        assertThat(client.create(map("m")).getMetadata().getName()).isEqualTo("other");
        ConfigMap stored = client.get(ConfigMap.class, ObjectKey.of("default", "other"));
        answer = request -> patching("[{\"op\":\"replace\",\"path\":\"/metadata/name\",\"value\":\"third\"}]");
        assertThat(client.update(stored).getMetadata().getName()).isEqualTo("other");
    }

    @Test
    void webhooksSeeTheChangesOfEarlierOnesAndValidatingOnesTheFinalObject() {
        mutating("b", "/second", "");
        mutating("a", "/first", "");
        validating("a", "/second", "");
        List<String> seen = new ArrayList<>();
        answer = request -> patching("[{\"op\":\"add\",\"path\":\"/data/one\",\"value\":\"1\"}]");
        second = request -> {
            seen.add(Json.text(request.at("object", "data")));
            return patching("[{\"op\":\"add\",\"path\":\"/data/two\",\"value\":\"2\"}]");
        };
        assertThat(client.create(map("m")).getData()).containsOnlyKeys("a", "one", "two");
        assertThat(seen).containsExactly("{\"a\":\"b\",\"one\":\"1\"}", "{\"a\":\"b\",\"one\":\"1\",\"two\":\"2\"}");
    }

    @Test
    void aDenialHasTheMessageOfTheWebhook() {
        validating("v", "/first", "");
        answer = request -> denying("{\"code\":403,\"reason\":\"Forbidden\",\"message\":\"not on Fridays\"}");
        assertThatThrownBy(() -> client.create(map("m")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("admission webhook \"v.example.com\" denied the request: not on Fridays");
        answer = request -> denying("");
        assertRefused(400, "admission webhook \"v.example.com\" denied the request without explanation");
        answer = request -> denying("{\"reason\":\"Because\",\"code\":200}");
        assertRefused(400, "admission webhook \"v.example.com\" denied the request: Because");
        assertThat(client.find(ConfigMap.class, ObjectKey.of("default", "m"))).isEmpty();
    }

    private void assertRefused(int code, String message) {
        assertThatThrownBy(() -> client.create(map("m")))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    @Test
    void anInvalidAnswerIsHandledByTheFailurePolicy() {
        mutating("m", "/first", "");
        answer = request -> {
            throw new IllegalStateException("broken");
        };
        assertRefused(
                500,
                "Internal error occurred: failed calling webhook \"m.example.com\": failed to call webhook:"
                        + " java.lang.IllegalStateException: broken");
        answer = request -> "\"uid\":\"other\"," + ALLOW;
        assertRefused(500, "received invalid webhook response: ");
        answer = request -> ALLOW + ",\"patch\":\"W10=\"";
        assertRefused(500, "webhook returned response.patch but not response.patchType");
        answer = request -> patching("[{\"op\":\"remove\",\"path\":\"/data/none\"}]");
        assertRefused(500, "Internal error occurred: ");
    }

    @Test
    void auditAnnotationsTellWhatWebhooksHaveChanged() {
        mutating("a", "/first", "");
        mutating("b", "/second", "");
        mutating("c", "/nowhere", "failurePolicy: Ignore");
        validating("d", "/nowhere", "failurePolicy: Ignore");
        answer = request -> patching("[{\"op\":\"add\",\"path\":\"/data/x\",\"value\":\"y\"}]");
        Map<String, String> annotations = new java.util.TreeMap<>();
        ResourceApi api = ResourceApi.of(engine.partition("default"));
        Requester requester =
                new Requester(Requester.IN_PROCESS.user(), Requester.IN_PROCESS.tokens(), annotations::put);
        var options = dev.evenkeel.engine.internal.object.WriteOptions.of("test");
        var unused = api.create(
                api.resource("", "v1", "configmaps").orElseThrow().withName("default", ""),
                Body.json("{\"metadata\":{\"name\":\"m\"},\"data\":{\"a\":\"b\"}}"),
                new dev.evenkeel.engine.internal.object.WriteOptions(
                        options.fieldManager(), false, options.validation(), false, options.fence(), requester));
        String mutation = "mutation.webhook.admission.k8s.io/round_0_index_";
        assertThat(annotations)
                .containsEntry(mutation + 0, "{\"configuration\":\"a\",\"webhook\":\"a.example.com\",\"mutated\":true}")
                .containsEntry(
                        mutation + 1, "{\"configuration\":\"b\",\"webhook\":\"b.example.com\",\"mutated\":false}")
                .containsEntry(
                        "patch.webhook.admission.k8s.io/round_0_index_0",
                        "{\"configuration\":\"a\",\"webhook\":\"a.example.com\",\"patch\":[{\"op\":\"add\",\"path\":\"/data/x\","
                                + "\"value\":\"y\"}],\"patchType\":\"JSONPatch\"}")
                .containsEntry("failed-open." + mutation + 2, "c.example.com")
                .containsEntry("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "d.example.com")
                .doesNotContainKey("patch.webhook.admission.k8s.io/round_0_index_1");
    }

    @Test
    void anUnreachableWebhookIsIgnoredByItsFailurePolicy() {
        validating("v", "/nowhere", "failurePolicy: Ignore");
        assertThat(client.create(map("m")).getData()).isEqualTo(Map.of("a", "b"));
        validating("w", "/nowhere", "failurePolicy: Fail");
        assertThatThrownBy(() -> client.create(map("n"))).hasMessageContaining("no webhook is at /nowhere");
        // configurations are never subject to webhooks
        var unused = client.delete(
                Kind.generic(
                        "admissionregistration.k8s.io",
                        "v1",
                        "ValidatingWebhookConfiguration",
                        "validatingwebhookconfigurations",
                        false),
                ObjectKey.cluster("w"),
                dev.evenkeel.client.DeleteOptions.DEFAULT);
        assertThat(client.create(map("n"))).isNotNull();
    }

    @Test
    void aPatchOnDeletionIsAnError() {
        var unused = client.create(map("m"));
        mutating("m", "/first", "");
        answer = request -> patching("[]");
        assertThatThrownBy(() -> client.delete(ConfigMap.class, ObjectKey.of("default", "m")))
                .hasMessageContaining("attempted to modify the object, which is not supported for this operation");
    }

    @Test
    void rulesSelectWrites() {
        validating(
                "ops",
                "/first",
                "rules: [{apiGroups: [''], apiVersions: ['*'], resources: ['*'], operations: [UPDATE]}]");
        validating(
                "group",
                "/first",
                "rules: [{apiGroups: [apps], apiVersions: ['*'], resources: ['*'], operations: ['*']}]");
        validating(
                "cluster",
                "/first",
                "rules: [{apiGroups: ['*'], apiVersions: [v1], resources: ['*/*'], operations: ['*'],"
                        + " scope: Cluster}]");
        validating(
                "status",
                "/first",
                "rules: [{apiGroups: [''], apiVersions: [v1], resources: [configmaps/status],"
                        + " operations: ['*']}]");
        ConfigMap created = client.create(map("m"));
        assertThat(asked).isEmpty();
        created.setData(Map.of());
        var unused = client.update(created);
        assertThat(operations()).containsExactly("UPDATE");
    }

    @Test
    void selectorsSelectObjects() {
        Namespace labelled = new NamespaceBuilder()
                .withNewMetadata()
                .withName("labelled")
                .addToLabels("team", "a")
                .endMetadata()
                .build();
        var unused = client.create(labelled);
        validating("ns", "/first", "namespaceSelector: {matchLabels: {team: a}}");
        validating("object", "/second", "objectSelector: {matchExpressions: [{key: checked, operator: Exists}]}");
        var unused2 = client.create(map("plain"));
        assertThat(asked).isEmpty();
        ConfigMap inside = map("inside");
        inside.getMetadata().setNamespace("labelled");
        var unused3 = client.create(inside);
        ConfigMap checked = map("checked");
        checked.getMetadata().setLabels(Map.of("checked", "yes"));
        ConfigMap stored = client.create(checked);
        assertThat(asked).extracting(request -> request.get("name")).containsExactly("inside", "checked");
        // removing the label calls the webhook, too
        stored.getMetadata().setLabels(Map.of());
        var unused4 = client.update(stored);
        assertThat(asked).hasSize(3);
    }

    @Test
    void conditionsSelectWrites() {
        validating("v", "/first", """
                matchConditions:
                - {name: data, expression: "object.data.a != 'quiet'"}
                - {name: people, expression: "!(request.userInfo.username in ['system:nobody'])"}
                """);
        ConfigMap quiet = map("quiet");
        quiet.setData(Map.of("a", "quiet"));
        var unused = client.create(quiet);
        assertThat(asked).isEmpty();
        var unused2 = client.create(map("m"));
        assertThat(asked).extracting(request -> request.get("name")).containsExactly("m");
    }

    @Test
    void conditionsSeeTheOldObject() {
        validating("v", "/first", """
                matchConditions:
                - {name: change, expression: "request.operation != 'UPDATE' || object.data != oldObject.data"}
                - {name: no-delete, expression: "object != null"}
                """);
        ConfigMap created = client.create(map("m"));
        created.getMetadata().setLabels(Map.of("a", "b"));
        ConfigMap labelled = client.update(created);
        labelled.setData(Map.of("a", "c"));
        var unused = client.update(labelled);
        client.delete(ConfigMap.class, ObjectKey.of("default", "m"));
        assertThat(operations()).containsExactly("CREATE", "UPDATE");
    }

    @Test
    void aFailedConditionIsHandledByTheFailurePolicy() {
        String conditions = """
                matchConditions:
                - {name: a, expression: 'object.spec.a == 1'}
                - {name: b, expression: 'object.data.b == 2'}
                """;
        validating("lax", "/first", conditions + "failurePolicy: Ignore\n");
        var unused = client.create(map("m"));
        assertThat(asked).isEmpty();
        validating("strict", "/second", conditions);
        assertThatThrownBy(() -> client.create(map("n")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("configmaps \"n\" is forbidden: [expression 'object.spec.a == 1' resulted in error: "
                        + "no such key: spec, expression 'object.data.b == 2' resulted in error: no such key: b]");
        assertThat(asked).isEmpty();
    }

    @Test
    void aFalseConditionOutweighsAFailedOne() {
        validating("v", "/first", """
                matchConditions:
                - {name: a, expression: 'object.spec.a == 1'}
                - {name: b, expression: 'false'}
                """);
        var unused = client.create(map("m"));
        assertThat(asked).isEmpty();
    }

    @Test
    void aConditionThatDoesNotCompileIsRefusedWithItsConfiguration() {
        assertThatThrownBy(() -> validating("v", "/first", "matchConditions: [{name: a, expression: 'object.data'}]\n"))
                .hasMessageContaining("webhooks[0].matchConditions[0].expression: Invalid value: \"object.data\": "
                        + "must evaluate to bool but got dyn");
    }

    @Test
    void aDryRunIsReportedToWebhooks() {
        validating("v", "/first", "");
        var unused = client.create(Kind.of(ConfigMap.class), map("m"), WriteOptions.DEFAULT.dryRun(true));
        assertThat(asked.getFirst()).containsEntry("dryRun", true);
    }

    @Test
    void aForkCallsWebhooks() {
        validating("v", "/first", "");
        try (Engine fork = engine.fork().build()) {
            answer = request -> denying("{\"message\":\"no\"}");
            assertThatThrownBy(() -> fork.client().create(map("m"))).hasMessageContaining("denied the request: no");
        }
    }
}
