package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents that are posted to subresources: how they are read, and their preconditions. */
class SubresourcesTest {
    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @BeforeEach
    void create() {
        pod("p", "");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void pod(String name, String more) {
        api.create(
                "v1/pods",
                "default",
                "{'metadata':{'name':'" + name + "'" + more + "},'spec':{'containers':[{'name':'c','image':'i'}]}}");
    }

    private Target pod(String subresource) {
        Target pod = api.target("v1/pods", "default", "p");
        return new Target(pod.type(), pod.version(), "default", "p", subresource);
    }

    private Reply post(String subresource, String document) {
        return post(pod(subresource), document, FieldValidation.WARN);
    }

    private Reply post(Target target, String document, FieldValidation validation) {
        WriteOptions options =
                new WriteOptions("test", false, validation, false, Optional.empty(), Requester.IN_PROCESS);
        return api.partition.create(target, Body.json(document.replace('\'', '"')), options);
    }

    private static String binding(String metadata) {
        return "{'metadata':{" + metadata + "},'target':{'name':'node'}}";
    }

    @Test
    void aDocumentNamesTheObject() {
        for (String metadata : new String[] {"'name':'other'", ""}) {
            assertThatThrownBy(() -> post("binding", binding(metadata)))
                    .hasMessage("name in URL does not match name in Binding object");
            assertThatThrownBy(() -> post("eviction", "{'metadata':{" + metadata + "}}"))
                    .hasMessage("name in URL does not match name in Eviction object");
        }
        assertThatThrownBy(() -> post("eviction", "{'metadata':{'name':'p','namespace':'other'}}"))
                .hasMessage("the namespace of the provided object does not match the namespace sent on the request");
        Target bindings = api.target("v1/bindings", "default", "");
        assertThatThrownBy(() -> post(bindings, binding(""), FieldValidation.WARN))
                .hasMessage("Name parameter required.");
    }

    @Test
    void aDocumentIsOfTheKindOfTheSubresource() {
        assertThatThrownBy(() -> post("eviction", "{'apiVersion':'v1','kind':'Pod'}"))
                .hasMessage("Pod in version \"v1\" cannot be handled as a Eviction: converting (v1.Pod) to"
                        + " (policy.Eviction): unknown conversion");
        assertThatThrownBy(() -> post("binding", "{'apiVersion':'v2','kind':'Binding'}"))
                .hasMessageStartingWith(
                        "Binding in version \"v2\" cannot be handled as a Binding: no kind \"Binding\" is"
                                + " registered for version \"v2\" in scheme");
        assertThatThrownBy(() -> post("eviction", "{'metadata':{'name':'p'},'deleteOptions':7}"))
                .hasMessageStartingWith("Eviction in version \"v1\" cannot be handled as a Eviction: json: cannot"
                        + " unmarshal number into Go struct field Eviction.deleteOptions");
        post("eviction", "{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'}}");
        assertThat(api.names("v1/pods", "default")).isEmpty();
    }

    @Test
    void unknownFieldsAreReported() {
        String binding = "{'metadata':{'name':'p'},'target':{'name':'node'},'more':1,'more':2}";
        assertThatThrownBy(() -> post(pod("binding"), binding, FieldValidation.STRICT))
                .hasMessage("Binding in version \"v1\" cannot be handled as a Binding: strict decoding error: unknown"
                        + " field \"more\"");
        assertThat(post("binding", binding))
                .isInstanceOfSatisfying(
                        Reply.Success.class,
                        reply -> assertThat(reply.warnings()).containsExactly("unknown field \"more\""));
        assertThatThrownBy(() -> post("binding", binding))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(RefusalWarnings.of(refusal)).containsExactly("unknown field \"more\""))
                .hasMessageContaining("pod p is already assigned to node \"node\"");
    }

    @Test
    void theUidAndTheVersionOfABindingArePreconditions() {
        String uid = api.get("v1/pods", "default", "p").string("metadata", "uid");
        assertThatThrownBy(() -> post("binding", binding("'name':'p','uid':'x'")))
                .hasMessage("Operation cannot be fulfilled on pods \"p\": StorageError: invalid object, Code: 4, Key:"
                        + " /pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in"
                        + " precondition: x, UID in object meta: " + uid);
        assertThatThrownBy(() -> post("binding", binding("'name':'p','resourceVersion':'1'")))
                .hasMessageContaining(
                        "Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object");
        post("binding", binding("'name':'p','uid':'" + uid + "'"));
        assertThat(api.get("v1/pods", "default", "p").string("spec", "nodeName"))
                .isEqualTo("node");
    }

    @Test
    void nothingIsPostedInANamespaceThatEnds() {
        assertThatThrownBy(() -> post(pod("eviction").withName("none", "p"), "{}", FieldValidation.WARN))
                .isInstanceOf(NotFoundException.class);
        Target pod = api.target("v1/pods", "ending", "p");
        Target eviction = new Target(pod.type(), pod.version(), "ending", "p", "eviction");
        assertThatThrownBy(() -> post(eviction, "{'metadata':{'name':'p'}}", FieldValidation.WARN))
                .hasMessage("namespaces \"ending\" not found");
        api.create("v1/namespaces", "", "{'metadata':{'name':'ending'}}");
        api.create(
                "v1/pods",
                "ending",
                "{'metadata':{'name':'p','finalizers':['example.com/f']},"
                        + "'spec':{'containers':[{'name':'c','image':'i'}]}}");
        api.delete("v1/namespaces", "", "ending");
        assertThatThrownBy(() -> post(eviction, "{'metadata':{'name':'p'}}", FieldValidation.WARN))
                .hasMessage("pods \"p\" is forbidden: unable to create new content in namespace ending because it is"
                        + " being terminated");
    }

    /** Registers a policy that refuses an operation on a resource of the core group. */
    private void refuse(String name, String operation, String resource) {
        String admission = "admissionregistration.k8s.io/v1/";
        api.create(
                admission + "validatingadmissionpolicies",
                "",
                "{'metadata':{'name':'" + name + "'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],"
                        + "'apiVersions':['v1'],'operations':['" + operation + "'],'resources':['" + resource
                        + "']}]},'validations':[{'expression':'false','message':'no " + name + "'}]}}");
        api.create(
                admission + "validatingadmissionpolicybindings",
                "",
                "{'metadata':{'name':'" + name + "'},'spec':{'policyName':'" + name
                        + "','validationActions':['Deny']}}");
    }

    @Test
    void policiesAreAskedAboutTheEvictionAndNotAboutTheDelete() {
        refuse("deletes", "DELETE", "pods");
        refuse("changes", "UPDATE", "pods/status");
        assertThatThrownBy(() -> api.delete("v1/pods", "default", "p")).hasMessageEndingWith("no deletes");
        pod("q", ",'finalizers':['example.com/f']");
        Target evicted = pod("eviction").withName("default", "q");
        post(evicted, "{'metadata':{'name':'q'}}", FieldValidation.WARN);
        assertThat(disruption("q").string("status")).isEqualTo("True");
        refuse("evictions", "CREATE", "pods/eviction");
        assertThatThrownBy(() -> post("eviction", "{'metadata':{'name':'p'}}")).hasMessageEndingWith("no evictions");
    }

    @Test
    void policiesSeeABindingAsWhatItIsSentTo() {
        Target bindings = api.target("v1/bindings", "default", "");
        refuse("collection", "CREATE", "bindings");
        assertThatThrownBy(() -> post(bindings, binding("'name':'p'"), FieldValidation.WARN))
                .hasMessageStartingWith("bindings \"p\" is forbidden: ")
                .hasMessageEndingWith("no collection");
        pod("q", "");
        refuse("subresource", "CREATE", "pods/binding");
        assertThatThrownBy(() -> post("binding", binding("'name':'p'")))
                .hasMessageStartingWith("pods \"p\" is forbidden: ")
                .hasMessageEndingWith("no subresource");
        api.delete("admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", "", "collection");
        post(bindings, binding("'name':'q'"), FieldValidation.WARN);
        assertThat(api.get("v1/pods", "default", "q").string("spec", "nodeName"))
                .isEqualTo("node");
    }

    @Test
    void aDocumentIsCheckedBeforePoliciesMayRefuseIt() {
        refuse("evictions", "CREATE", "pods/eviction");
        refuse("subresource", "CREATE", "pods/binding");
        assertThatThrownBy(() -> post("eviction", "{'metadata':{'name':'other'}}"))
                .hasMessage("name in URL does not match name in Eviction object");
        assertThatThrownBy(() -> post("binding", "{'metadata':{'name':'p'},'target':{}}"))
                .hasMessage("target.name: Required value");
    }

    @Test
    void aRequestForATokenIsCheckedBeforePoliciesMayRefuseIt() {
        refuse("tokens", "CREATE", "serviceaccounts/token");
        api.create("v1/serviceaccounts", "default", "{'metadata':{'name':'a'}}");
        Target account = api.target("v1/serviceaccounts", "default", "a");
        Target token = new Target(account.type(), account.version(), "default", "a", "token");
        assertThatThrownBy(() -> post(token, "{'metadata':{'name':'b'}}", FieldValidation.WARN))
                .hasMessageContaining("must match the service account name if specified");
        assertThatThrownBy(() -> post(token, "{'spec':{'expirationSeconds':1}}", FieldValidation.WARN))
                .hasMessageContaining("may not specify a duration less than 10 minutes");
        assertThatThrownBy(() -> post(token.withName("default", "none"), "{}", FieldValidation.WARN))
                .isInstanceOf(NotFoundException.class);
        String bound = "{'spec':{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'none'}}}";
        assertThatThrownBy(() -> post(token, bound, FieldValidation.WARN)).hasMessageEndingWith("no tokens");
    }

    @Test
    void theDryRunOfAnEvictionIsThatOfTheRequest() {
        WriteOptions dry =
                new WriteOptions("test", true, FieldValidation.WARN, false, Optional.empty(), Requester.IN_PROCESS);
        String eviction = "{\"metadata\":{\"name\":\"p\"},\"deleteOptions\":{\"dryRun\":[%s]}}";
        Body twice = Body.json(eviction.formatted("\"All\",\"All\""));
        assertThatThrownBy(() -> api.partition.create(pod("eviction"), twice, dry))
                .hasMessage("Non-matching dry-run options in request and content: [All] and [All All]");
        api.partition.create(pod("eviction"), Body.json(eviction.formatted("\"All\"")), dry);
        post("eviction", "{'metadata':{'name':'p'},'deleteOptions':{'dryRun':['All']}}");
        assertThat(api.names("v1/pods", "default")).containsExactly("p");
    }

    /** Upstream tells the ownership of no reset fields for these two: their strategies know them, the endpoints do not. */
    @Test
    void aSubresourceOfAPodOwnsWhatIsSentAlthoughItStays() {
        String labels = "{'metadata':{'labels':{'a':'b'}},'spec':{'hostname':'h'%s}}";
        String container = ",'ephemeralContainers':[{'name':'e','image':'i'}]";
        api.patch(pod("ephemeralcontainers"), Patch.Type.STRATEGIC, labels.formatted(container));
        JsonObject stored = api.get("v1/pods", "default", "p");
        assertThat(stored.at("metadata", "labels")).isNull();
        assertThat(stored.at("spec", "hostname")).isNull();
        JsonObject owned = owned("p", "ephemeralcontainers");
        assertThat(owned.keySet()).containsExactly("f:metadata", "f:spec");
        assertThat(owned.object("f:spec").keySet()).containsExactly("f:ephemeralContainers", "f:hostname");
    }

    @Test
    void aResizeOwnsWhatIsSentAlthoughTheImageStays() {
        String cpu = "'resources':{'requests':{'cpu':'%s'}}";
        String spec = "'spec':{'containers':[{'name':'c','image':'%s'," + cpu + "}]," + cpu + "}}";
        api.create("v1/pods", "default", "{'metadata':{'name':'r'}," + spec.formatted("i", "1", "2"));
        Target pod = pod("resize");
        api.patch(
                new Target(pod.type(), pod.version(), "default", "r", "resize"),
                Patch.Type.STRATEGIC,
                "{" + spec.formatted("other", "2", "3"));
        JsonObject owned = owned("r", "resize").object("f:spec");
        assertThat(owned.keySet()).containsExactlyInAnyOrder("f:containers", "f:resources");
        assertThat(owned.object("f:containers", "k:{\"name\":\"c\"}").keySet())
                .containsExactlyInAnyOrder("f:image", "f:resources");
    }

    private JsonObject owned(String pod, String subresource) {
        return api.get("v1/pods", "default", pod).objects("metadata", "managedFields").stream()
                .filter(entry -> entry.string("subresource").equals(subresource))
                .findFirst()
                .orElseThrow()
                .object("fieldsV1");
    }

    private JsonObject disruption(String pod) {
        return Json.asObject(api.get("v1/pods", "default", pod).array("status", "conditions").stream()
                .filter(condition -> Json.string(condition, "type").equals("DisruptionTarget"))
                .findFirst()
                .orElse(new JsonObject()));
    }

    @Test
    void anEvictedPodThatStaysHasACondition() {
        api.delete("v1/pods", "default", "p");
        pod("p", ",'finalizers':['example.com/f']");
        JsonObject metadata = api.get("v1/pods", "default", "p").object("metadata");
        String version = metadata.string("resourceVersion");
        post(pod("eviction"), "{'metadata':{'name':'p'},'deleteOptions':{'dryRun':['All']}}", FieldValidation.WARN);
        assertThatThrownBy(() ->
                        post("eviction", "{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'uid':'x'}}}"))
                .hasMessageStartingWith("Operation cannot be fulfilled on Pod \"p\": the UID in the precondition (x)");
        assertThat(api.get("v1/pods", "default", "p").object("metadata")).isEqualTo(metadata);
        post(
                "eviction",
                "{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'resourceVersion':'" + version + "'}}}");
        JsonObject condition = disruption("p");
        assertThat(condition.string("status")).isEqualTo("True");
        assertThat(condition.string("reason")).isEqualTo("EvictionByEvictionAPI");
        assertThat(condition.string("message")).isEqualTo("Eviction API: evicting");
        assertThat(api.get("v1/pods", "default", "p").has("metadata", "deletionTimestamp"))
                .isTrue();
        assertThat(api.get("v1/pods", "default", "p").object("metadata").objects("managedFields"))
                .hasSize(1);
    }

    private Reply scale(String document, FieldValidation validation) {
        Target deployment = api.target("apps/v1/deployments", "default", "d");
        Target scale = new Target(deployment.type(), deployment.version(), "default", "d", "scale");
        WriteOptions options =
                new WriteOptions("test", false, validation, false, Optional.empty(), Requester.IN_PROCESS);
        return api.partition.update(scale, Body.json(document.replace('\'', '"')), options);
    }

    @Test
    void aScaleIsReadAsStrictlyAsAnObject() {
        api.create(
                "apps/v1/deployments",
                "default",
                "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
        String unknown = "{'metadata':{'name':'d'},'spec':{'replicas':3,'more':1}}";
        assertThatThrownBy(() -> scale(unknown, FieldValidation.STRICT))
                .hasMessage("Scale in version \"v1\" cannot be handled as a Scale: strict decoding error: unknown field"
                        + " \"spec.more\"");
        assertThat(scale(unknown, FieldValidation.WARN)).isInstanceOfSatisfying(Reply.Shown.class, reply -> {
            assertThat(reply.warnings()).containsExactly("unknown field \"spec.more\"");
            assertThat(reply.document().tree().at("spec", "replicas")).isEqualTo(3L);
        });
        assertThatThrownBy(() -> scale("{'spec':{'replicas':1}}", FieldValidation.WARN))
                .hasMessage("the name of the object (d based on URL) was undeterminable: name must be provided");
        assertThatThrownBy(() ->
                        scale("{'metadata':{'name':'d','namespace':'n'},'spec':{'replicas':1}}", FieldValidation.WARN))
                .hasMessage("the namespace of the provided object does not match the namespace sent on the request");
        assertThatThrownBy(() -> scale("{'metadata':{'name':'d'},'spec':{'replicas':'1'}}", FieldValidation.WARN))
                .hasMessage(
                        "Scale in version \"v1\" cannot be handled as a Scale: json: cannot unmarshal string into Go"
                                + " struct field ScaleSpec.spec.replicas of type int32");
        assertThatThrownBy(() -> scale("{'apiVersion':'apps/v1','kind':'Deployment'}", FieldValidation.WARN))
                .hasMessage("Deployment in version \"v1\" cannot be handled as a Scale: converting (v1.Deployment) to"
                        + " (autoscaling.Scale): unknown conversion");
    }
}
