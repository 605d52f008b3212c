package dev.evenkeel.engine.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The plugins about single kinds; the recordings of limit ranges are replayed by the server's tests. */
class PluginsTest {
    private static final String PODS = "v1/pods";
    private static final String CLAIMS = "v1/persistentvolumeclaims";

    /** For the subject {@code O=system:masters, CN=x}. */
    private static final String MASTER =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZk1JR0hBZ0VBTUNVeEZ6QVZCZ05WQkFvTURuTj"
                    + "VjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFEREFGNApNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFn"
                    + "QUUzSUxZeDFndDl6WEdaWmZveUpSK09CZHZ3U2R5CkpkZ3RmeHA5ZTFIdUZSeDluNGROTDhieW5KbzhsUFAzZXJDU1"
                    + "hxVVhSeW1HWEZBMVlpMS9vdXRPT3FBQU1Bb0cKQ0NxR1NNNDlCQU1DQTBjQU1FUUNJQ29WNkN4K3FhTUhIWllYbU8w"
                    + "d2RUTy9ZbTFGdGpKTDJ6akhNNDlGRFJtZgpBaUFxRTh1WkZ5U2wzT2tGZFV1Z042QTQ2NDFLbWswSzlwRnU1TU4rMl"
                    + "Q5cmhnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

    /** For the subject {@code O=devs, CN=x}. */
    private static final String DEVELOPER =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVk1IMENBUUF3R3pFTk1Bc0dBMVVFQ2d3RVpHVj"
                    + "JjekVLTUFnR0ExVUVBd3dCZURCWk1CTUdCeXFHU000OQpBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJDb1RqblRKUTYzNEQv"
                    + "VGViQXI4WjhEOC9uMnVxTlVUakRnbjhRdlRHWS9ZClcrNkplbGtjVHF6UkpCbVhnVVFVSFV4eHJaK2ZUVCtxenRqNW"
                    + "R3NHMra2VnQURBS0JnZ3Foa2pPUFFRREFnTkkKQURCRkFpRUFzdWRhVkxWZm9ZN1JDK29RV1RxOFpFNGRBQlF3RmlF"
                    + "UFpGK2oxeHlNSG5VQ0lGaHF2dVEzRnVENgpOSllKb210WThEQUZqMDB6R29iQVFkNEZEeTRwNXp5aQotLS0tLUVORC"
                    + "BDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

    private Engine engine = Requests.direct().build();
    private Requests api = new Requests(engine);

    private void use(Engine.Builder builder) {
        engine.close();
        engine = builder.build();
        api = new Requests(engine);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private JsonObject pod(String name, String spec) {
        return api.create(
                PODS,
                "default",
                "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}");
    }

    private void limit(String item) {
        api.create("v1/limitranges", "default", "{'metadata':{'name':'l'},'spec':{'limits':[" + item + "]}}");
    }

    @Test
    void aLimitRangeGivesInitContainersItsDefaultsToo() {
        limit("{'type':'Container','default':{'cpu':'1'}}");
        JsonObject pod = pod("p", ",'initContainers':[{'name':'i','image':'i'}]");
        assertThat(pod.string("metadata", "annotations", "kubernetes.io/limit-ranger"))
                .isEqualTo("LimitRanger plugin set: cpu request for container c; cpu limit for container c;"
                        + " cpu request for init container i; cpu limit for init container i");
    }

    @Test
    void aLimitRangeOfPodsCountsSidecarsWithTheContainers() {
        limit("{'type':'Pod','max':{'cpu':'2'}}");
        String sidecar = ",'initContainers':[{'name':'s','image':'i','restartPolicy':'Always',"
                + "'resources':{'limits':{'cpu':'%s'}}},{'name':'i','image':'i','resources':{'limits':{'cpu':'1'}}}]";
        assertThat(pod("p", sidecar.formatted("1")).string("metadata", "name")).isEqualTo("p");
        assertThatThrownBy(() -> pod("q", sidecar.formatted("1500m")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("maximum cpu usage per Pod is 2, but limit is 2500m");
    }

    @Test
    void aClaimMustBeWithinTheLimits() {
        limit("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},'max':{'storage':'2Gi'}}");
        assertThatThrownBy(() -> claim("small", "100Mi", ""))
                .hasMessageContaining("minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 100Mi");
        assertThatThrownBy(() -> claim("large", "3Gi", ""))
                .hasMessageContaining("maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi");
    }

    private JsonObject claim(String name, String size, String more) {
        return api.create(
                CLAIMS,
                "default",
                "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'" + size + "'}}" + more + "}}");
    }

    private void priority(String name, long value, boolean byDefault) {
        api.create(
                "scheduling.k8s.io/v1/priorityclasses",
                "",
                "{'metadata':{'name':'" + name + "'},'value':" + value + ",'globalDefault':" + byDefault
                        + ",'preemptionPolicy':'Never'}");
    }

    @Test
    void aPodGetsThePriorityOfItsClassOrOfTheDefaultOne() {
        assertThat(pod("none", "").object("spec").integer("priority")).isZero();
        assertThat(pod("system", ",'priorityClassName':'system-node-critical'").integer("spec", "priority"))
                .isEqualTo(2_000_001_000L);
        priority("high", 1000, false);
        priority("usual", 10, true);
        JsonObject usual = pod("usual", "").object("spec");
        assertThat(usual.string("priorityClassName")).isEqualTo("usual");
        assertThat(usual.string("preemptionPolicy")).isEqualTo("Never");
        assertThat(pod("high", ",'priorityClassName':'high'").integer("spec", "priority"))
                .isEqualTo(1000);
        assertThatThrownBy(() -> pod("other", ",'priorityClassName':'other'"))
                .hasMessage("pods \"other\" is forbidden: no PriorityClass with name other was found");
        assertThatThrownBy(() -> pod("own", ",'priorityClassName':'high','priority':7"))
                .hasMessageContaining("the integer value of priority (7) must not be provided in pod spec;"
                        + " priority admission controller computed 1000");
        assertThatThrownBy(() -> priority("second", 20, true))
                .hasMessageContaining("PriorityClass usual is already marked as default. Only one default can exist");
    }

    @Test
    void aPodGetsOverheadSelectorAndTolerationsOfItsRuntimeClass() {
        api.create(
                "node.k8s.io/v1/runtimeclasses",
                "",
                "{'metadata':{'name':'vm'},'handler':'vm','overhead':{'podFixed':{'memory':'64Mi'}},'scheduling':"
                        + "{'nodeSelector':{'kind':'vm'},'tolerations':[{'key':'vm','operator':'Exists'}]}}");
        JsonObject spec = pod("p", ",'runtimeClassName':'vm'").object("spec");
        assertThat(spec.string("overhead", "memory")).isEqualTo("64Mi");
        assertThat(spec.string("nodeSelector", "kind")).isEqualTo("vm");
        assertThat(spec.objects("tolerations")).hasSize(3);
        assertThatThrownBy(() -> pod("other", ",'runtimeClassName':'other'"))
                .hasMessageContaining("pod rejected: RuntimeClass \"other\" not found");
        assertThatThrownBy(() -> pod("own", ",'overhead':{'cpu':'1'}"))
                .hasMessageContaining("Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }

    @Test
    void aClaimGetsTheNewestDefaultStorageClassAndGrowsIfThatAllowsIt() {
        assertThat(claim("before", "1Gi", "").has("spec", "storageClassName")).isFalse();
        api.create(
                "storage.k8s.io/v1/storageclasses",
                "",
                "{'metadata':{'name':'fast','annotations':{'storageclass.kubernetes.io/is-default-class':'true'}},"
                        + "'provisioner':'p'}");
        assertThat(claim("c", "1Gi", "").string("spec", "storageClassName")).isEqualTo("fast");
        assertThat(claim("d", "1Gi", ",'storageClassName':''").string("spec", "storageClassName"))
                .isEmpty();
        Target claim = api.target(CLAIMS, "default", "c");
        api.patch(claim, Patch.Type.MERGE, "{'spec':{'volumeName':'v'}}");
        Target status = new Target(claim.type(), claim.version(), "default", "c", "status");
        api.patch(status, Patch.Type.MERGE, "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}");
        String more = "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}";
        assertThatThrownBy(() -> api.patch(CLAIMS, "default", "c", Patch.Type.MERGE, more))
                .hasMessageContaining("the storageclass that provisions the pvc must support resize");
        api.patch("storage.k8s.io/v1/storageclasses", "", "fast", Patch.Type.MERGE, "{'allowVolumeExpansion':true}");
        assertThat(api.patch(CLAIMS, "default", "c", Patch.Type.MERGE, more)
                        .string("spec", "resources", "requests", "storage"))
                .isEqualTo("2Gi");
    }

    @Test
    void anIngressGetsTheDefaultClass() {
        api.create(
                "networking.k8s.io/v1/ingressclasses",
                "",
                "{'metadata':{'name':'n','annotations':{'ingressclass.kubernetes.io/is-default-class':'true'}},"
                        + "'spec':{'controller':'example.com/c'}}");
        JsonObject ingress = api.create(
                "networking.k8s.io/v1/ingresses",
                "default",
                "{'metadata':{'name':'i'},'spec':{'defaultBackend':{'service':{'name':'s','port':{'number':80}}}}}");
        assertThat(ingress.string("spec", "ingressClassName")).isEqualTo("n");
    }

    @Test
    void aPodNeedsNoServiceAccountUnlessThePluginIsOn() {
        assertThat(pod("p", "").has("spec", "serviceAccountName")).isFalse();
    }

    @Test
    void aPodRunsAsTheDefaultAccountWithItsToken() {
        use(Requests.direct().enableAdmission("ServiceAccount"));
        api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
        assertThat(api.names("v1/serviceaccounts", "n")).containsExactly("default");
        JsonObject spec = pod("p", "").object("spec");
        assertThat(spec.string("serviceAccountName")).isEqualTo("default");
        JsonObject volume = spec.objects("volumes").getFirst();
        assertThat(volume.string("name")).startsWith("kube-api-access-");
        assertThat(volume.objects("projected", "sources")).hasSize(3);
        JsonObject mount =
                spec.objects("containers").getFirst().objects("volumeMounts").getFirst();
        assertThat(mount.string("mountPath")).isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
        assertThat(mount.string("name")).isEqualTo(volume.string("name"));
        assertThat(pod("q", ",'automountServiceAccountToken':false")
                        .object("spec")
                        .array("volumes"))
                .isEmpty();
        assertThatThrownBy(() -> pod("r", ",'serviceAccountName':'other'"))
                .hasMessage("pods \"r\" is forbidden: error looking up service account default/other:"
                        + " serviceaccount \"other\" not found");
    }

    @Test
    void aPodGetsTheNodeSelectorOfItsNamespaceIfThePluginIsOn() {
        use(Requests.direct().enableAdmission("PodNodeSelector"));
        api.patch(
                "v1/namespaces",
                "",
                "default",
                Patch.Type.MERGE,
                "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/node-selector':'env=test, zone=a'}}}");
        assertThat(pod("p", "").object("spec", "nodeSelector"))
                .containsEntry("env", "test")
                .containsEntry("zone", "a");
        assertThatThrownBy(() -> pod("q", ",'nodeSelector':{'env':'other'}"))
                .hasMessageContaining("pod node label selector conflicts with its namespace node label selector");
    }

    @Test
    void anUnknownPluginIsRefusedWithTheKnownOnes() {
        Engine.Builder builder = Engine.builder();
        assertThatThrownBy(() -> builder.enableAdmission("AlwaysDeny"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "unknown admission plugin \"AlwaysDeny\"; known: CertificateApproval, CertificateSigning, ");
    }

    private void request(String name, String request, String signer) {
        api.create(
                "certificates.k8s.io/v1/certificatesigningrequests",
                "",
                "{'metadata':{'name':'" + name + "'},'spec':{'signerName':'" + signer
                        + "','usages':['client auth'],'request':'" + request + "'}}");
    }

    @Test
    void aCertificateOfAClientCannotBeForTheMasters() {
        String signer = "kubernetes.io/kube-apiserver-client";
        assertThatThrownBy(() -> request("a", MASTER, signer))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining(
                        "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
        request("b", DEVELOPER, signer);
        request("c", MASTER, "example.com/other");
    }

    @Test
    void podsGetTheZoneOfTheirNode() {
        String zone = "topology.kubernetes.io/zone";
        api.create("v1/nodes", "", "{'metadata':{'name':'n','labels':{'" + zone + "':'z','other':'o'}}}");
        assertThat(pod("p", ",'nodeName':'n'").object("metadata", "labels")).isEqualTo(JsonObject.of(zone, "z"));
        assertThat(pod("q", ",'nodeName':'absent'").has("metadata", "labels")).isFalse();
        pod("r", "");
        Target pod = api.target(PODS, "default", "r");
        ResourceApi.of(engine.partition("default"))
                .create(
                        new Target(pod.type(), pod.version(), "default", "r", "binding"),
                        Body.json("{\"metadata\":{\"name\":\"r\",\"labels\":{\"" + zone
                                + "\":\"wrong\"}},\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}"),
                        WriteOptions.DEFAULT);
        assertThat(api.get(PODS, "default", "r").object("metadata", "labels")).isEqualTo(JsonObject.of(zone, "z"));
    }

    private void grant(String verb, String signer) {
        String role = "{'metadata':{'name':'" + verb + "'},'rules':[{'apiGroups':['certificates.k8s.io'],"
                + "'resources':['signers'],'verbs':['" + verb + "'],'resourceNames':['" + signer + "']}]}";
        api.create("rbac.authorization.k8s.io/v1/clusterroles", "", role);
        String binding = "{'metadata':{'name':'" + verb + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                + "'kind':'ClusterRole','name':'" + verb + "'},'subjects':[{'kind':'User','name':'jane'}]}";
        api.create("rbac.authorization.k8s.io/v1/clusterrolebindings", "", binding);
    }

    private JsonObject decide(String subresource, String patch) {
        WriteOptions defaults = WriteOptions.DEFAULT;
        Requests jane = api.with(new WriteOptions(
                defaults.fieldManager(),
                false,
                defaults.validation(),
                false,
                Optional.empty(),
                new Requester(User.of("jane"), Tokens.NONE)));
        Target request = api.target("certificates.k8s.io/v1/certificatesigningrequests", "", "r");
        return jane.patch(new Target(request.type(), request.version(), "", "r", subresource), Patch.Type.MERGE, patch);
    }

    @Test
    void certificatesAreDecidedOnAndIssuedByThoseWhoMayDoSoForTheSigner() {
        use(Requests.direct().authorization(Authorization.RBAC));
        request("r", DEVELOPER, "example.com/signer");
        String approved = "{'status':{'conditions':[{'type':'Approved','status':'True'}]}}";
        String failed = "{'status':{'conditions':[{'type':'Approved','status':'True'},"
                + "{'type':'Failed','status':'True'}]}}";
        assertThatThrownBy(() -> decide("approval", approved))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: user not permitted to"
                        + " approve requests with signerName \"example.com/signer\"");
        grant("approve", "example.com/signer");
        decide("approval", approved);
        assertThatThrownBy(() -> decide("status", failed))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageEndingWith("user not permitted to sign requests with signerName \"example.com/signer\"");
        decide("status", "{'metadata':{'labels':{'a':'b'}}}");
        grant("sign", "example.com/*");
        assertThat(decide("status", failed).array("status", "conditions")).hasSize(2);
    }

    @Test
    void aDisabledPluginDoesNothing() {
        use(Requests.direct().disableAdmission("LimitRanger", "DefaultTolerationSeconds"));
        limit("{'type':'Container','max':{'cpu':'1'}}");
        assertThat(pod("p", "").object("spec").array("tolerations")).isEmpty();
    }
}
