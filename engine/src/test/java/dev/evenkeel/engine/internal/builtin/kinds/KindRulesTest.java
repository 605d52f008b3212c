package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules of kinds with small specifications. */
class KindRulesTest {
    /** A request for a certificate about {@code CN=x}. */
    private static final String REQUEST =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHTE1EOENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQXFNQVVH"
                    + "QXl0bGNBTWhBQUROSjBLUG9lRXpvMVdoN251MgpYQ1E2anNBcXpyS1NhdmJlY0xSSzhKcTBvQUF3QlFZREsyVndBMEVBVVpp"
                    + "T1dUcXhFSmdnR1FrU0VwdlF4Ty9uCnY3VUZyMXpoTTBDUUU0U25pTzdHZDhnWTZ0WjFvVXZEczBGOW9HeVNhS0VCNjQ4MDNQ"
                    + "ejFOUVNoYysyZ0NBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

    private static List<String> errors(String id, String json) {
        return Kinds.errors(Kinds.of(id), Kinds.read(id, Kinds.tree(json))).stream()
                .map(FieldError::text)
                .toList();
    }

    private static List<String> warnings(String id, String json) {
        return Kinds.of(id).warnings(Kinds.tree(json), null);
    }

    private static JsonObject deployment(String revision) {
        return Kinds.read(
                "deployments.apps",
                Kinds.tree("{'metadata':{'annotations':{'deprecated.deployment.rollback.to':'" + revision
                        + "'}},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                        + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
    }

    @Test
    void theRevisionThatADeploymentIsRolledBackToIsANumber() {
        KindStrategy strategy = Kinds.of("deployments.apps");
        JsonObject read = deployment("+07");
        assertThat(read.string("metadata", "annotations", "deprecated.deployment.rollback.to"))
                .isEqualTo("7");
        assertThat(strategy.partial(read.object("metadata").copy()).has("annotations"))
                .isFalse();
        assertThat(Kinds.errors(strategy, deployment("-1")))
                .extracting(FieldError::text)
                .contains("spec.rollback.version: Invalid value: -1: must be greater than or equal to 0");
        assertThatThrownBy(() -> deployment("x"))
                .hasMessageContaining("failed to parse annotation[deprecated.deployment.rollback.to]=x as int64:"
                        + " strconv.ParseInt: parsing \"x\": invalid syntax");
        assertThatThrownBy(() -> deployment("9223372036854775808")).hasMessageContaining("value out of range");
    }

    @Test
    void storageOfClaimTemplatesIsWhole() {
        String sent = "{'spec':{'volumeClaimTemplates':[{'spec':{'resources':{'requests':{'storage':'100m'}}}}]}}";
        String text = "resources.requests[storage]: fractional byte value \"100m\" is invalid, must be an integer";
        assertThat(warnings("statefulsets.apps", sent)).contains("spec.volumeClaimTemplates[0]." + text);
        assertThat(Kinds.of("statefulsets.apps").warnings(Kinds.tree(sent), Kinds.tree(sent)))
                .contains("spec.volumeClaimTemplates[0].Spec." + text);
    }

    @Test
    void addressesOfServicesAreWarnedAboutBeforeTheirField() {
        assertThat(warnings(
                        "services",
                        "{'spec':{'type':'ClusterIP','clusterIP':'10.0.0.1','externalIPs':['1::0:1'],"
                                + "'sessionAffinity':'None'}}"))
                .containsExactly(
                        "spec.externalIPs[0]: IPv6 address \"1::0:1\" should be in RFC 5952 canonical format (\"1::1\")",
                        "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }

    @Test
    void rangesOfNodesAreWarnedAbout() {
        assertThat(warnings("nodes", "{'spec':{'externalID':'x','podCIDRs':['10.0.0.0/8','1::0:0/64']}}"))
                .containsExactly(
                        "spec.externalID: this field is deprecated, and is unused by Kubernetes",
                        "spec.podCIDRs[1]: IPv6 CIDR value \"1::0:0/64\" should be in RFC 5952 canonical format"
                                + " (\"1::/64\")");
    }

    @Test
    void schedulesWithTimeZonesAreWarnedAboutWhenTheyAreKept() {
        JsonObject job = Kinds.tree("{'metadata':{'name':'j'},'spec':{'schedule':'TZ=UTC 0 0 * * *'}}");
        assertThat(Kinds.of("cronjobs.batch").warnings(job, job))
                .containsExactly("cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see"
                        + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
        assertThat(Kinds.of("cronjobs.batch").warnings(job, null)).isEmpty();
    }

    /** Upstream passes the templates in the wrong order. */
    @Test
    void warningsAboutAReplicationControllerAreThoseOfItsFormerTemplate() {
        String container = "{'name':'c','image':'i','ports':[{'containerPort':80,'hostIP':'127.0.0.1'}]}";
        String template = "'spec':{'template':{'spec':{'containers':[%s]}}}}";
        JsonObject old = Kinds.tree("{'metadata':{'generation':1}," + template.formatted(container));
        JsonObject changed = Kinds.tree(
                "{'metadata':{'generation':2}," + template.formatted("{'name':'b','image':'b'}," + container));
        assertThat(Kinds.of("replicationcontrollers").warnings(changed, old))
                .singleElement()
                .asString()
                .startsWith("spec.template.spec.containers[0].ports[0]: hostIP");
        assertThat(Kinds.of("replicasets.apps").warnings(changed, old))
                .singleElement()
                .asString()
                .startsWith("spec.template.spec.containers[1].ports[0]: hostIP");
        assertThat(Kinds.of("replicationcontrollers").warnings(changed, changed))
                .isEmpty();
    }

    @Test
    void metricsOfAutoscalersNameWhatTheyMeasure() {
        KindStrategy strategy = Kinds.of("horizontalpodautoscalers.autoscaling", "v2");
        String target = "'target':{'type':'AverageValue','averageValue':'1'}";
        JsonObject tree = Kinds.tree("{'spec':{'minReplicas':1,'maxReplicas':2,"
                + "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'D','name':'n'},'metrics':["
                + "{'type':'ContainerResource','containerResource':{'name':'gpu','container':'C'," + target + "}},"
                + "{'type':'Object','object':{'describedObject':{'apiVersion':'a/b/c','kind':'K','name':'n'},"
                + "'metric':{'name':'m'}," + target + "}},"
                + "{'type':'Pods','pods':{'metric':{'name':'m'},"
                + "'target':{'type':'AverageValue','averageValue':'-1'}}}]}}");
        assertThat(Kinds.errors(strategy, tree))
                .extracting(FieldError::text)
                .satisfiesExactly(
                        e -> assertThat(e)
                                .isEqualTo("spec.metrics[0].containerResource.name: Invalid value: \"gpu\": must be a"
                                        + " standard resource type or fully qualified"),
                        e -> assertThat(e)
                                .isEqualTo("spec.metrics[0].containerResource.name: Invalid value: \"gpu\": must be a"
                                        + " standard resource for containers"),
                        e -> assertThat(e).startsWith("spec.metrics[0].containerResource.container: Invalid value:"),
                        e -> assertThat(e)
                                .isEqualTo("spec.metrics[1].object.describedObject.apiVersion: Invalid value:"
                                        + " \"a/b/c\": unexpected GroupVersion string: a/b/c"),
                        e -> assertThat(e)
                                .isEqualTo("spec.metrics[2].pods.target.averageValue: Invalid value: \"-1\": must be"
                                        + " positive"));
    }

    @Test
    void tolerationsOfRuntimeClassesDifferInMoreThanTheirSeconds() {
        String toleration = "{'key':'k','operator':'Exists','effect':'NoExecute','tolerationSeconds':";
        assertThat(errors(
                        "runtimeclasses.node.k8s.io",
                        "{'handler':'h','scheduling':{'tolerations':[" + toleration + "1}," + toleration + "2}]}}"))
                .singleElement()
                .asString()
                .startsWith("scheduling.tolerations[1]: Duplicate value: {\"Key\":\"k\"");
    }

    @Test
    void overheadOfHugePagesNeedsMemory() {
        assertThat(errors(
                        "runtimeclasses.node.k8s.io", "{'handler':'h','overhead':{'podFixed':{'hugepages-2Mi':'1'}}}"))
                .containsExactly(
                        "overhead.limits[hugepages-2Mi]: Invalid value: \"1\": 1 is not positive integer multiple of"
                                + " hugepages-2Mi",
                        "overhead: Forbidden: HugePages require cpu or memory");
    }

    @Test
    void oldRulesOfEventsComeBeforeThoseOfTheirMetadata() {
        JsonObject event = Kinds.tree("{'metadata':{'name':'A_','namespace':'n'},'regarding':{'namespace':'n'},"
                + "'eventTime':'2026-01-01T00:00:00.000000Z','reportingController':'c',"
                + "'reportingInstance':'i','action':'a','type':'Normal'}");
        assertThat(Kinds.of("events.events.k8s.io").validate(event, null, ""))
                .extracting(FieldError::field)
                .containsExactly("reason", "metadata.name");
    }

    @Test
    void textsOfEventsAreMeasuredInBytes() {
        assertThat(errors(
                        "events",
                        "{'metadata':{'namespace':'n'},'involvedObject':{'namespace':'n'},"
                                + "'eventTime':'2026-01-01T00:00:00.000000Z','reportingComponent':'c',"
                                + "'reportingInstance':'i','action':'a','reason':'" + "é".repeat(65) + "'}"))
                .containsExactly("reason: Invalid value: \"\": can have at most 128 characters");
    }

    @Test
    void amountsOfLimitRangesAreOrdered() {
        assertThat(errors(
                        "limitranges",
                        "{'spec':{'limits':[{'type':'Container','min':{'cpu':'3'},'max':{'cpu':'2'},"
                                + "'maxLimitRequestRatio':{'cpu':'4'}}]}}"))
                .contains(
                        "spec.limits[0].min[cpu]: Invalid value: \"3\": min value 3 is greater than max value 2",
                        "spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"4\": ratio 4 is greater than"
                                + " max/min = 0.666667");
    }

    @Test
    void scopesOfQuotasApplyToTheirResources() {
        assertThat(errors("resourcequotas", "{'spec':{'hard':{'cpu':'1','pods':'1'},'scopes':['BestEffort']}}"))
                .containsExactly("spec.scopes: Invalid value: [\"BestEffort\"]: unsupported scope applied to resource");
        assertThat(errors("resourcequotas", "{'spec':{'hard':{'bogus':'1'}}}")).hasSize(2);
    }

    @Test
    void flowSchemasNameTheirSubjects() {
        assertThat(errors(
                        "flowschemas.flowcontrol.apiserver.k8s.io",
                        "{'spec':{'priorityLevelConfiguration':{'name':'l'},'matchingPrecedence':1,"
                                + "'rules':[{'subjects':[{'kind':'User'}],'nonResourceRules':"
                                + "[{'verbs':['get'],'nonResourceURLs':['x']}]}]}}"))
                .containsExactly(
                        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have"
                                + " matchingPrecedence 1",
                        "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
                        "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: \"x\": must start with"
                                + " slash");
    }

    @Test
    void handsOfPriorityLevelsFitTheirQueues() {
        assertThat(errors(
                        "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
                        "{'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Queue',"
                                + "'queuing':{'queues':2,'handSize':5,'queueLengthLimit':1}}}}}"))
                .containsExactly("spec.limited.limitResponse.queuing.handSize: Invalid value: 5: should not be greater"
                        + " than queues (2)");
    }

    @Test
    void signersHaveADomainAndAPath() {
        assertThat(errors(
                        "certificatesigningrequests.certificates.k8s.io",
                        "{'spec':{'signerName':'example/s','usages':['fly'],'request':'eA=='}}"))
                .hasSize(3)
                .contains("spec.signerName: Invalid value: \"example\": should be a domain with at least two segments"
                        + " separated by dots");
    }

    private static void assertSigner(String signer, String error) {
        assertThat(errors(
                        "certificatesigningrequests.certificates.k8s.io",
                        "{'spec':{'signerName':'" + signer + "','usages':['any'],'request':'" + REQUEST + "'}}"))
                .singleElement()
                .asString()
                .startsWith("spec.signerName: Invalid value: " + error);
    }

    @Test
    void signersAreCheckedUpToTheFirstWrongLabel() {
        assertSigner("a_.b_/s", "\"a_.b_\": validating label \"a_\": a lowercase RFC 1123 label must consist of");
        assertSigner("a.b/s.T.U", "\"s.T.U\": validating label \"T\": a lowercase RFC 1123 subdomain must consist of");
    }

    private static JsonObject decided(String status) {
        return Kinds.tree(
                "{'spec':{'signerName':'a.b/s','usages':['any'],'request':'" + REQUEST + "'},'status':" + status + "}");
    }

    @Test
    void onlyApprovalsAddDecisions() {
        KindStrategy strategy = Kinds.of("certificatesigningrequests.certificates.k8s.io");
        JsonObject tree = decided("{'conditions':[{'type':'Approved','status':'True'}]}");
        List<FieldError> errors = new ArrayList<>();
        strategy.validateSubresourceUpdate(Field.of(tree, errors), new JsonObject(), "approval");
        assertThat(errors).isEmpty();
        strategy.validateStatusUpdate(Field.of(tree, errors), new JsonObject());
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly("status.conditions: Forbidden: updates may not add a condition of type \"Approved\"");
    }

    @Test
    void updatesOfTheStatusKeepDecisions() {
        KindStrategy strategy = Kinds.of("certificatesigningrequests.certificates.k8s.io");
        String approved = "{'type':'Approved','status':'True','reason':'%s','lastUpdateTime':'2026-01-01T00:00:00Z',"
                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}";
        JsonObject old = decided("{'conditions':[" + approved.formatted("x") + "]}");
        JsonObject tree = decided("{'conditions':[" + approved.formatted("y") + "]}");
        strategy.prepareForUpdate(tree, old, "status", Kinds.CONTEXT);
        assertThat(tree).isEqualTo(old);
        JsonObject fewer = decided("{'conditions':[]}");
        JsonObject before = fewer.copy();
        strategy.prepareForUpdate(fewer, old, "status", Kinds.CONTEXT);
        assertThat(fewer).isEqualTo(before);
        assertThat(strategy.resetFields("approval")).containsExactly("spec", "status.certificate");
    }

    private static void assertCertificate(String pem, String detail) {
        String text = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("certificatesigningrequests.certificates.k8s.io")
                .validateStatusUpdate(Field.of(decided("{'certificate':'" + text + "'}"), errors), new JsonObject());
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly("status.certificate: Invalid value: \"<certificate data>\": " + detail);
    }

    @Test
    void issuedCertificatesCanBeRead() {
        String begin = "-----BEGIN CERTIFICATE-----\n";
        String end = "-----END CERTIFICATE-----\n";
        assertCertificate("x", "must contain at least one CERTIFICATE PEM block");
        assertCertificate(
                "-----BEGIN A-----\n-----END A-----\n", "only CERTIFICATE PEM blocks are allowed, found \"A\"");
        assertCertificate(begin + "a: b\n\n" + end, "no PEM block headers are permitted");
        assertCertificate(begin + end, "found CERTIFICATE PEM block containing 0 certificates");
        assertCertificate(begin + "eA==\n" + end, "x509: malformed certificate");
    }

    @Test
    void apiServicesAreNamedAfterTheirVersion() {
        assertThat(errors(
                        "apiservices.apiregistration.k8s.io",
                        "{'metadata':{'name':'x'},'spec':{'group':'g','version':'v1','groupPriorityMinimum':1,"
                                + "'versionPriority':1}}"))
                .containsExactly(
                        "metadata.name: Invalid value: \"x\": must be `spec.version+\".\"+spec.group`: \"v1.g\"");
    }

    @Test
    void autoscalersHaveOneSourceForEachMetric() {
        assertThat(errors(
                        "horizontalpodautoscalers.autoscaling",
                        "{'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'D','name':'d'},'maxReplicas':2,"
                                + "'metrics':[{'type':'Pods','resource':{'name':'cpu','target':"
                                + "{'type':'Utilization','averageUtilization':1}}}]}}"))
                .containsExactly("spec.metrics[0].pods: Required value: must populate information for the given metric"
                        + " source");
    }

    @Test
    void backendsOfIngressesNameAPort() {
        assertThat(errors("ingresses.networking.k8s.io", "{'spec':{'defaultBackend':{'service':{'name':'s'}}}}"))
                .containsExactly("spec.defaultBackend: Required value: port name or number is required");
    }

    @Test
    void taintsOfNodesAreUnique() {
        assertThat(errors(
                        "nodes",
                        "{'spec':{'taints':[{'key':'k','effect':'NoSchedule'},{'key':'k','effect':'NoSchedule'}]}}"))
                .containsExactly("metadata.taints[1]: Duplicate value: {\"Key\":\"k\",\"Value\":\"\",\"Effect\":"
                        + "\"NoSchedule\",\"TimeAdded\":null}: taints must be unique by key and effect pair");
    }

    @Test
    void onlyBalancedServicesHaveSourceRanges() {
        assertThat(errors(
                        "services",
                        "{'spec':{'clusterIP':'10.0.0.9','clusterIPs':['10.0.0.9'],'ports':[{'port':1,'nodePort':3}],"
                                + "'loadBalancerSourceRanges':['10.0.0.5/8']}}"))
                .containsExactly(
                        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
                        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
                        "spec.LoadBalancerSourceRanges[0]: Invalid value: \"10.0.0.5/8\": must not have bits set beyond"
                                + " the prefix length");
    }

    @Test
    void exceptionsOfNetworkPoliciesAreWithinTheirRange() {
        assertThat(errors(
                        "networkpolicies.networking.k8s.io",
                        "{'spec':{'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'10.0.0.0/8',"
                                + "'except':['10.1.0.0/16','11.0.0.0/16','10.0.0.1/8']}}],"
                                + "'ports':[{'port':9,'endPort':8}]}]}}"))
                .containsExactly(
                        "spec.ingress[0].ports[0].endPort: Invalid value: 9: must be greater than or equal to `port`",
                        "spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: \"11.0.0.0/16\": must be a strict"
                                + " subset of `cidr`",
                        "spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: \"10.0.0.1/8\": must not have bits"
                                + " set beyond the prefix length",
                        "spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: \"10.0.0.1/8\": must be a strict"
                                + " subset of `cidr`");
        assertThat(errors(
                        "networkpolicies.networking.k8s.io",
                        "{'spec':{'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'x','except':['y']}}]}]}}"))
                .hasSize(1);
    }

    @Test
    void secretsOfServiceAccountsKeepTheirNames() {
        JsonObject tree = Kinds.tree("{'secrets':[{'name':'s','namespace':'q'}]}");
        Kinds.of("serviceaccounts").prepareForCreate(tree, Kinds.CONTEXT);
        assertThat(tree.objects("secrets")).containsExactly(JsonObject.of("name", "s"));
    }

    @Test
    void valuesOfTopologiesDiffer() {
        assertThat(errors(
                        "storageclasses.storage.k8s.io",
                        "{'provisioner':'p','allowedTopologies':[{'matchLabelExpressions':"
                                + "[{'key':'k','values':['a','a']}]}]}"))
                .containsExactly("allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: \"a\"");
        assertThat(errors(
                        "storageclasses.storage.k8s.io",
                        "{'provisioner':'p','allowedTopologies':["
                                + "{'matchLabelExpressions':[{'key':'k','values':['a','b']}]},"
                                + "{'matchLabelExpressions':[{'key':'k','values':['b','a']}]}]}"))
                .containsExactly("allowedTopologies[1].matchLabelExpressions: Duplicate value: \"\"");
        assertThat(errors("storageclasses.storage.k8s.io", "{'provisioner':'p','allowedTopologies':[{}]}"))
                .containsExactly("allowedTopologies[0].matchLabelExpressions: Duplicate value: \"\"");
    }

    @Test
    void emptyChoicesAreNotDefaults() {
        assertThat(errors(
                        "storageclasses.storage.k8s.io",
                        "{'provisioner':'p','parameters':{'':'x'},'reclaimPolicy':'','volumeBindingMode':''}"))
                .containsExactly(
                        "parameters: Invalid value: \"\": field can not be empty.",
                        "volumeBindingMode: Unsupported value: \"\": supported values: \"Immediate\","
                                + " \"WaitForFirstConsumer\"");
        assertThat(errors(
                        "ingressclasses.networking.k8s.io",
                        "{'spec':{'controller':'Bad_/x','parameters':{'kind':'k','name':'n','scope':''}}}"))
                .hasSize(2)
                .contains("spec.parameters.scope: Unsupported value: \"\": supported values: \"Cluster\","
                        + " \"Namespace\"");
        assertThat(errors(
                        "ingresses.networking.k8s.io",
                        "{'spec':{'tls':[{'hosts':['']}],'rules':[{'http':{'paths':[{'path':'/','pathType':'',"
                                + "'backend':{'resource':{'kind':'k','name':'n'}}}]}}]}}"))
                .hasSize(2)
                .contains("spec.rules[0].http.paths[0].pathType: Unsupported value: \"\": supported values: \"Exact\","
                        + " \"ImplementationSpecific\", \"Prefix\"");
    }

    @Test
    void prioritiesOfUsersAreBelowThoseOfTheSystem() {
        String id = "priorityclasses.scheduling.k8s.io";
        assertThat(errors(id, "{'metadata':{'name':'p'},'value':1000000001,'preemptionPolicy':'X'}"))
                .containsExactly(
                        "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
                        "preemptionPolicy: Unsupported value: \"X\": supported values: \"PreemptLowerPriority\","
                                + " \"Never\"");
        assertThat(errors(id, "{'metadata':{'name':'system-node-critical'},'value':2000001000}"))
                .isEmpty();
        assertThat(errors(id, "{'metadata':{'name':'system-node-critical'},'value':1}"))
                .containsExactly("metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for"
                        + " system use only. error: value of system-node-critical PriorityClass must be 2000001000");
    }

    @Test
    void rangesOfServicesAreOneOfEachFamily() {
        String id = "servicecidrs.networking.k8s.io";
        assertThat(errors(id, "{'spec':{'cidrs':['10.0.0.0/24','2001:db8::/64']}}"))
                .isEmpty();
        assertThat(errors(id, "{'spec':{'cidrs':['10.0.0.0/24','10.1.0.0/24']}}"))
                .containsExactly("spec.cidrs: Invalid value: [\"10.0.0.0/24\",\"10.1.0.0/24\"]: may specify no more"
                        + " than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        assertThat(errors(id, "{'spec':{'cidrs':['10.0.0.1/24','10.1.0.0/24']}}"))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("spec.cidrs[0]: ");
        assertThat(errors(id, "{'spec':{'cidrs':['x','10.1.0.0/24']}}")).hasSize(1);
        assertThat(errors(id, "{'spec':{'cidrs':['2001:DB8::/64']}}"))
                .containsExactly("spec.cidrs[0]: Invalid value: \"2001:DB8::/64\": must be in canonical form"
                        + " (\"2001:db8::/64\")");
        assertThat(errors(id, "{'spec':{'cidrs':['010.0.0.0/24']}}"))
                .containsExactly("spec.cidrs[0]: Invalid value: \"010.0.0.0/24\": must not have leading 0s in IP or"
                        + " prefix length");
        assertThat(errors(id, "{'spec':{'cidrs':['2001:db8::1/64']}}"))
                .containsExactly("spec.cidrs[0]: Invalid value: \"2001:db8::1/64\": must not have bits set beyond the"
                        + " prefix length");
    }

    private static List<String> statusErrors(String id, String status, String old) {
        List<FieldError> errors = new ArrayList<>();
        Kinds.of(id)
                .validateStatusUpdate(
                        Field.of(Kinds.tree("{'status':" + status + "}"), errors),
                        Kinds.tree("{'status':" + old + "}"));
        return errors.stream().map(FieldError::text).toList();
    }

    @Test
    void collisionsOfWorkloadsGrow() {
        for (String id : List.of("deployments.apps", "statefulsets.apps", "daemonsets.apps")) {
            assertThat(statusErrors(id, "{'collisionCount':1}", "{'collisionCount':2}"))
                    .containsExactly("status.collisionCount: Invalid value: 1: cannot be decremented");
            assertThat(statusErrors(id, "{}", "{'collisionCount':2}")).hasSize(1);
            assertThat(statusErrors(id, "{'collisionCount':2}", "{}")).isEmpty();
        }
        assertThat(statusErrors("statefulsets.apps", "{'replicas':2,'availableReplicas':1}", "{}"))
                .containsExactly(
                        "status.availableReplicas: Invalid value: 1: cannot be greater than" + " status.readyReplicas");
        assertThat(statusErrors("deployments.apps", "{'terminatingReplicas':-1}", "{}"))
                .containsExactly("status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0");
    }

    @Test
    void conditionsAreComplete() {
        assertThat(statusErrors(
                        "poddisruptionbudgets.policy",
                        "{'conditions':[{'type':'A','status':'True','reason':'R','lastTransitionTime':"
                                + "'2026-01-01T00:00:00Z'},{'type':'A','status':'Maybe','observedGeneration':-1}]}",
                        "{}"))
                .containsExactly(
                        "status.conditions[1].type: Duplicate value: \"A\"",
                        "status.conditions[1].status: Unsupported value: \"Maybe\": supported values: \"False\","
                                + " \"True\", \"Unknown\"",
                        "status.conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to"
                                + " zero",
                        "status.conditions[1].lastTransitionTime: Required value: must be set",
                        "status.conditions[1].reason: Required value: must be set");
        assertThat(statusErrors(
                        "flowschemas.flowcontrol.apiserver.k8s.io", "{'conditions':[{'type':'A'},{'type':'A'}]}", "{}"))
                .containsExactly("status.conditions[1].type: Duplicate value: \"A\"");
    }

    @Test
    void messagesOfAttachmentsAreShort() {
        assertThat(statusErrors(
                        "volumeattachments.storage.k8s.io",
                        "{'attachError':{'message':'" + "m".repeat(1025) + "','errorCode':-1}}",
                        "{}"))
                .containsExactly(
                        "status.attachError.message: Too long: may not be more than 262144 bytes",
                        "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive");
    }

    @Test
    void schemasOfEveryServerAreFixed() {
        JsonObject exempt = BootstrapObjects.flowSchemas().getFirst();
        String id = "flowschemas.flowcontrol.apiserver.k8s.io";
        assertThat(Kinds.errors(Kinds.of(id), Kinds.read(id, exempt.copy()))).isEmpty();
        JsonObject changed = exempt.copy();
        changed.withObject("spec").put("matchingPrecedence", 2L);
        assertThat(Kinds.errors(Kinds.of(id), changed))
                .singleElement()
                .extracting(FieldError::text)
                .asString()
                .endsWith("spec of 'exempt' must equal the fixed value");
    }

    @Test
    void webhooksOfServicesHaveBothNames() {
        assertThat(errors(
                        "validatingwebhookconfigurations.admissionregistration.k8s.io",
                        "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],'sideEffects':'',"
                                + "'clientConfig':{'service':{'namespace':'n'}},'rules':[{'apiGroups':[''],"
                                + "'apiVersions':['v1'],'operations':['*'],'resources':['pods','*']}]}]}"))
                .containsExactly(
                        "webhooks[0].sideEffects: Unsupported value: \"\": supported values: \"None\","
                                + " \"NoneOnDryRun\"",
                        "webhooks[0].clientConfig.service.namespace: Required value");
    }

    @Test
    void conditionsOfApiServicesAreTrueFalseOrUnknown() {
        JsonObject tree = Kinds.tree("{'status':{'conditions':[{'type':'Available','status':'maybe'}]}}");
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("apiservices.apiregistration.k8s.io").validateStatusUpdate(Field.of(tree, errors), new JsonObject());
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly(
                        "status.conditions[0].status: Unsupported value: \"maybe\": supported values: \"True\","
                                + " \"False\", \"Unknown\"");
    }

    @Test
    void groupsOfApiServicesAreNamed() {
        assertThat(errors(
                        "apiservices.apiregistration.k8s.io",
                        "{'metadata':{'name':'v2.'},'spec':{'version':'v2','groupPriorityMinimum':1,"
                                + "'versionPriority':1,'caBundle':'eHl6'}}"))
                .containsExactly(
                        "spec.group: Required value: only v1 may have an empty group and it better be legacy kube",
                        "spec.caBundle: Invalid value: \"3 bytes\": local APIServices may not have a caBundle");
    }

    @Test
    void dataOfControllerRevisionsIsAnObject() {
        assertThat(errors("controllerrevisions.apps", "{'revision':1,'data':{}}"))
                .isEmpty();
        assertThat(errors("controllerrevisions.apps", "{'revision':-1,'data':[1]}"))
                .containsExactly(
                        "revision: Invalid value: -1: must be greater than or equal to 0",
                        "data: Required value: data must be a valid JSON object");
    }

    @Test
    void autoscalersNameTheGroupOfTheirTarget() {
        String autoscaler = "{'spec':{'scaleTargetRef':{'apiVersion':'%s','kind':'D','name':'d'},'maxReplicas':2}}";
        assertThat(errors("horizontalpodautoscalers.autoscaling", autoscaler.formatted("a/b/c")))
                .containsExactly("spec.scaleTargetRef.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion"
                        + " string: a/b/c");
        assertThat(errors("horizontalpodautoscalers.autoscaling", autoscaler.formatted("/v1")))
                .containsExactly("spec.scaleTargetRef.apiVersion: Invalid value: \"/v1\": apiVersion must specify API"
                        + " group");
    }

    @Test
    void oldNamesAreWarnedAbout() {
        assertThat(warnings(
                        "ingresses.networking.k8s.io",
                        "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'c'}},'spec':{}}"))
                .containsExactly("annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                        + " 'spec.ingressClassName' instead");
        String advice = "deprecated since v1.14; use \"kubernetes.io/os\" instead";
        assertThat(warnings(
                        "runtimeclasses.node.k8s.io",
                        "{'scheduling':{'nodeSelector':{'beta.kubernetes.io/os':'linux','a':'b'}}}"))
                .containsExactly("scheduling.nodeSelector: " + advice);
        assertThat(warnings(
                        "storageclasses.storage.k8s.io",
                        "{'allowedTopologies':[{'matchLabelExpressions':[{'key':'beta.kubernetes.io/os'}]}]}"))
                .containsExactly("allowedTopologies[0].matchLabelExpressions[0].key: " + advice);
        assertThat(warnings(
                        "csistoragecapacities.storage.k8s.io",
                        "{'nodeTopology':{'matchLabels':{'beta.kubernetes.io/os':'linux'},"
                                + "'matchExpressions':[{'key':'beta.kubernetes.io/os'}]}}"))
                .containsExactly(
                        "nodeTopology.matchExpressions[0].key: beta.kubernetes.io/os is " + advice,
                        "nodeTopology.matchLabels.beta.kubernetes.io/os: " + advice);
    }

    @Test
    void volumesHaveAnAmountAndAWayOfAccess() {
        assertThat(errors("persistentvolumes", "{'spec':{'nfs':{'server':'s','path':'/p'}}}"))
                .containsExactly(
                        "spec.accessModes: Required value",
                        "spec.capacity: Required value",
                        "spec.capacity: Unsupported value: null: supported values: \"storage\"");
    }

    @Test
    void sourcesOfClaimsAgree() {
        assertThat(errors(
                        "persistentvolumeclaims",
                        "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}},"
                                + "'dataSource':{'kind':'PersistentVolumeClaim','name':'a'},"
                                + "'dataSourceRef':{'kind':'PersistentVolumeClaim','name':'b'}}}"))
                .singleElement()
                .asString()
                .startsWith("spec: Invalid value: ")
                .endsWith("must match dataSourceRef");
    }

    @Test
    void wholeAmountsOfLimitRangesHaveOneDefault() {
        assertThat(errors(
                        "limitranges",
                        "{'spec':{'limits':[{'type':'Container','default':{'a.b/c':'2'},"
                                + "'defaultRequest':{'a.b/c':'1'}}]}}"))
                .containsExactly("spec.limits[0].defaultRequest[a.b/c]: Invalid value: \"1\": default value 2 must"
                        + " equal to defaultRequest value 1 in a.b/c");
    }

    @Test
    void credentialsOfRegistriesAreDocuments() {
        assertThat(errors("secrets", "{'type':'kubernetes.io/dockerconfigjson','data':{'.dockerconfigjson':'e30='}}"))
                .isEmpty();
        assertThat(errors("secrets", "{'type':'kubernetes.io/dockerconfigjson','data':{'.dockerconfigjson':'W10='}}"))
                .singleElement()
                .asString()
                .isEqualTo("data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": json: cannot"
                        + " unmarshal array into Go value of type map[string]interface {}");
    }

    @Test
    void phasesOfNamespacesFollowTheirDeletion() {
        List<FieldError> errors = new ArrayList<>();
        JsonObject tree = Kinds.tree("{'status':{'phase':'Terminating'}}");
        Kinds.of("namespaces").validateStatusUpdate(Field.of(tree, errors), tree);
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly("status.Phase: Invalid value: \"Terminating\": may only be 'Active' if"
                        + " `deletionTimestamp` is empty");
    }

    @Test
    void portsOfServicesAndNodesAreUnique() {
        assertThat(errors(
                        "services",
                        "{'spec':{'type':'NodePort','clusterIP':'10.0.0.9','clusterIPs':['10.0.0.9'],'ports':"
                                + "[{'name':'a','port':1,'nodePort':30001},{'name':'b','port':2,'nodePort':30001}]}}"))
                .containsExactly("spec.ports[1].nodePort: Duplicate value: 30001");
    }

    @Test
    void addressesOfEndpointsAreOfOneFamilyAndDecimal() {
        String slice = "{'addressType':'%s','endpoints':[{'addresses':['%s']}],'ports':[]}";
        assertThat(errors("endpointslices.discovery.k8s.io", slice.formatted("IPv4", "10.0.0.01")))
                .containsExactly("endpoints[0].addresses[0]: Invalid value: \"10.0.0.01\": must not have leading 0s");
        assertThat(errors("endpointslices.discovery.k8s.io", slice.formatted("IPv4", "fd00::1")))
                .containsExactly("endpoints[0].addresses: Invalid value: \"fd00::1\": must be an IPv4 address");
        assertThat(errors("endpointslices.discovery.k8s.io", slice.formatted("IPv6", "::ffff:1.2.3.4")))
                .containsExactly("endpoints[0].addresses[0]: Invalid value: \"::ffff:1.2.3.4\": must not be an"
                        + " IPv4-mapped IPv6 address");
        assertThat(errors("endpointslices.discovery.k8s.io", slice.formatted("FQDN", "a")))
                .containsExactly("endpoints[0].addresses[0]: Invalid value: \"a\": should be a domain with at least two"
                        + " segments separated by dots");
    }

    @Test
    void rangesOfNodesBeginAtTheirFirstAddress() {
        assertThat(errors("nodes", "{'spec':{'podCIDRs':['10.0.0.1/24']}}"))
                .containsExactly("spec.podCIDRs[0]: Invalid value: \"10.0.0.1/24\": must not have bits set beyond the"
                        + " prefix length");
        assertThat(errors("nodes", "{'spec':{'podCIDRs':['10.0.0.0/024']}}"))
                .containsExactly("spec.podCIDRs[0]: Invalid value: \"10.0.0.0/024\": must not have leading 0s in IP or"
                        + " prefix length");
    }

    @Test
    void someKindsMakeNamesOfTheirOwn() {
        KindStrategy limits = Kinds.of("limitranges");
        assertThat(limits.nameFrom("", () -> "uuid")).contains("uuid");
        assertThat(limits.nameFrom("l-", () -> "uuid")).isEmpty();
        KindStrategy addresses = Kinds.of("ipaddresses.networking.k8s.io");
        assertThat(addresses.nameFrom("10.0.0.", () -> "uuid")).contains("10.0.0.");
        assertThat(addresses.nameFrom("", () -> "uuid")).isEmpty();
    }

    /** A choice that is sent as an empty text is not one that is left out. */
    @Test
    void emptyChoicesOfEndpointsAndVolumesAreRefused() {
        assertThat(errors(
                        "endpointslices.discovery.k8s.io",
                        "{'addressType':'IPv4','ports':[{'name':'a'},{'name':'b','protocol':''}]}"))
                .containsExactly("ports[1].protocol: Unsupported value: \"\": supported values: \"SCTP\", \"TCP\","
                        + " \"UDP\"");
        String modes = "spec.volumeMode: Unsupported value: \"\": supported values: \"Block\", \"Filesystem\"";
        assertThat(errors("persistentvolumes", volume("'nfs':{'server':'s','path':'/p'},'volumeMode':''")))
                .containsExactly(modes);
        assertThat(errors(
                        "persistentvolumeclaims",
                        "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}},"
                                + "'volumeMode':''}}"))
                .containsExactly(modes);
        assertThat(errors(
                        "persistentvolumes",
                        volume("'azureDisk':{'diskName':'d','diskURI':'https://u','cachingMode':'','kind':''}")))
                .containsExactly(
                        "spec.azureDisk.cachingMode: Unsupported value: \"\": supported values: \"None\","
                                + " \"ReadOnly\", \"ReadWrite\"",
                        "spec.azureDisk.kind: Unsupported value: \"\": supported values: \"Dedicated\","
                                + " \"Managed\", \"Shared\"");
    }

    private static String volume(String rest) {
        return "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce']," + rest + "}}";
    }

    @Test
    void targetsOfVolumesAreCheckedInOrder() {
        assertThat(errors(
                        "persistentvolumes",
                        volume("'iscsi':{'targetPortal':'" + "é".repeat(40)
                                + "','iqn':'x','lun':-1,'secretRef':{},'initiatorName':'y'}")))
                .extracting(error -> error.replaceFirst(": Invalid.*|: Required.*", ""))
                .containsExactly(
                        "spec.iscsi.targetportal",
                        "spec.iscsi.iqn",
                        "spec.iscsi.lun",
                        "spec.iscsi.secretRef.name",
                        "spec.iscsi.initiatorname");
    }

    @Test
    void sourcesOfVolumesAreNamedAsUpstreamNamesThem() {
        assertThat(errors("persistentvolumes", volume("'gcePersistentDisk':{},'cephfs':{}")))
                .containsExactly(
                        "spec.persistentDisk.pdName: Required value",
                        "spec.cephFS: Forbidden: may not specify more than 1 volume type");
        assertThat(errors("persistentvolumes", volume("'local':{'path':'/d'}")))
                .containsExactly("spec.nodeAffinity: Required value: Local volume requires node affinity");
    }

    @Test
    void volumesInAttachmentsHaveASourceOnly() {
        String unset = ": Forbidden: may not be specified in the context of inline volumes";
        String at = "spec.source.inlineVolumeSpec.";
        assertThat(errors(
                        "volumeattachments.storage.k8s.io",
                        "{'spec':{'attacher':'a','nodeName':'n','source':{'inlineVolumeSpec':{'claimRef':{},"
                                + "'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                                + "'persistentVolumeReclaimPolicy':'Delete','nodeAffinity':{},"
                                + "'nfs':{'server':'s','path':'/p'},'storageClassName':'c','volumeMode':'Block'}}}}"))
                .containsExactly(
                        at + "claimRef" + unset,
                        at + "capacity" + unset,
                        at + "csi: Required value: has to be specified in the context of inline volumes",
                        at + "persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline"
                                + " volumes",
                        at + "nodeAffinity" + unset,
                        at + "storageClassName" + unset,
                        at + "volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of"
                                + " inline volumes");
    }

    @Test
    void volumesOfAttachmentsAreCheckedLast() {
        String attachment = "{'spec':{'attacher':'%s','nodeName':'Bad_','source':{'persistentVolumeName':'%s'}}}";
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("volumeattachments.storage.k8s.io")
                .validate(Field.of(Kinds.tree(attachment.formatted("Bad_", "Bad_")), errors));
        assertThat(errors)
                .extracting(FieldError::field)
                .containsExactly("spec.attacher", "spec.nodeName", "spec.source.persistentVolumeName");
        errors.clear();
        Kinds.of("volumeattachments.storage.k8s.io")
                .validate(Field.of(Kinds.tree(attachment.formatted("", "")), errors));
        assertThat(errors)
                .extracting(FieldError::field)
                .containsExactly(
                        "spec.attacher",
                        "spec.source.persistentVolumeName",
                        "spec.nodeName",
                        "spec.source.persistentVolumeName");
    }

    @Test
    void tokensInSecretsAreRequested() {
        assertThat(errors("csidrivers.storage.k8s.io", "{'spec':{'serviceAccountTokenInSecrets':false}}"))
                .containsExactly("spec.serviceAccountTokenInSecrets: Invalid value: false:"
                        + " serviceAccountTokenInSecrets is set but no tokenRequests are specified");
        assertThat(errors(
                        "csidrivers.storage.k8s.io",
                        "{'metadata':{'name':'" + "n".repeat(64) + "'},'spec':{'tokenRequests':[{'audience':'a'}],"
                                + "'serviceAccountTokenInSecrets':true}}"))
                .isEmpty();
    }

    @Test
    void addressesOfEndpointsAreThoseOfOtherMachines() {
        assertThat(errors(
                        "endpoints",
                        "{'subsets':[{'addresses':[{'ip':'::ffff:127.0.0.1','hostname':'Bad_'},{'ip':'x',"
                                + "'nodeName':''},{'ip':'0:0::0'},{'ip':'FE80::1'},{'ip':'ff12::1'}]}]}"))
                .extracting(text -> text.replaceFirst(", and must start.*|consist of.*", "..."))
                .containsExactly(
                        "subsets[0].addresses[0].ip: Invalid value: \"::ffff:127.0.0.1\": must not be an IPv4-mapped"
                                + " IPv6 address",
                        "subsets[0].addresses[0].hostname: Invalid value: \"Bad_\": a lowercase RFC 1123 label must"
                                + " ...",
                        "subsets[0].addresses[0].ip: Invalid value: \"::ffff:127.0.0.1\": may not be in the loopback"
                                + " range (127.0.0.0/8, ::1/128)",
                        "subsets[0].addresses[1].ip: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7"
                                + " or 2001:db8::ffff)",
                        "subsets[0].addresses[1].nodeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must"
                                + " ...",
                        "subsets[0].addresses[1].ip: Invalid value: \"x\": must be a valid IP address",
                        "subsets[0].addresses[2].ip: Invalid value: \"0:0::0\": may not be unspecified (0:0::0)",
                        "subsets[0].addresses[3].ip: Invalid value: \"FE80::1\": may not be in the link-local range"
                                + " (169.254.0.0/16, fe80::/10)",
                        "subsets[0].addresses[4].ip: Invalid value: \"ff12::1\": may not be in the link-local multicast"
                                + " range (224.0.0.0/24, ff02::/10)");
    }

    @Test
    void hintsOfEndpointsNameZonesAndNodes() {
        String slice = "{'addressType':'IPv4','endpoints':[{'addresses':['10.1.2.3'],'hints':{%s}}],"
                + "'ports':[{'name':'%s'}]}";
        assertThat(errors(
                        "endpointslices.discovery.k8s.io",
                        slice.formatted("'forZones':[{'name':'A_b'}],'forNodes':[{'name':'A_b'}]", "p".repeat(64))))
                .hasSize(2)
                .contains("ports[0].name: Invalid value: \"" + "p".repeat(64) + "\": must be no more than 63"
                        + " characters")
                .anyMatch(text -> text.startsWith("endpoints[0].hints.forNodes[0].name: Invalid value: \"A_b\""));
        String zones = "{'name':'a'},".repeat(9);
        assertThat(errors(
                        "endpointslices.discovery.k8s.io",
                        slice.formatted(
                                "'forZones':[" + zones.substring(0, zones.length() - 1)
                                        + "],'forNodes':[{'name':'A_b'}]",
                                "p")))
                .containsExactly("endpoints[0].hints.forZones: Too many: 9: must have at most 8 items");
    }

    @Test
    void balancedServicesMayExposeThePortOfKubelets() {
        assertThat(errors(
                        "services",
                        "{'spec':{'type':'LoadBalancer','clusterIP':'10.0.0.9','clusterIPs':['10.0.0.9'],"
                                + "'ports':[{'port':10250}]}}"))
                .isEmpty();
    }

    @Test
    void nodesDeclareTheirFeaturesInOrder() {
        assertThat(errors("nodes", "{'status':{'declaredFeatures':['A','B/c','B/c','Ab','x']}}"))
                .containsExactly(
                        "status.declaredFeatures[2]: Duplicate value: \"B/c\"",
                        "status.declaredFeatures[3]: Invalid value: \"Ab\": list must be sorted alphabetically",
                        "status.declaredFeatures[4]: Invalid value: \"x\": invalid feature name \"x\": must start with an"
                                + " UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature"
                                + " or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes");
        assertThat(errors("nodes", "{'status':{'nodeInfo':{'swap':{'capacity':0}}}}"))
                .containsExactly("metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero");
    }

    @Test
    void rangesOfNodesAreReadTogether() {
        assertThat(errors("nodes", "{'spec':{'podCIDRs':['10.0.0.0/24','x']}}"))
                .contains(
                        "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with"
                                + " error:invalid CIDR[1]: <nil> (invalid CIDR address: x)",
                        "spec.podCIDRs: Invalid value: [\"10.0.0.0/24\",\"x\"]: may specify no more than one CIDR for"
                                + " each IP family");
    }

    @Test
    void annotationsOfNodesHoldDocuments() {
        String key = "scheduler.alpha.kubernetes.io/";
        Map<String, String> annotations =
                Map.of("taints", "[{\"key\":\"k\",\"effect\":\"X\"}]", "preferAvoidPods", "{\"preferAvoidPods\":[{}]}");
        JsonObject node = new JsonObject();
        annotations.forEach((name, text) ->
                node.withObject("metadata").withObject("annotations").put(key + name, text));
        assertThat(Kinds.errors(Kinds.of("nodes"), node))
                .extracting(FieldError::text)
                .containsExactly(
                        "metadata.annotations." + key + "taints[0].effect: Unsupported value: \"X\": supported values:"
                                + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"",
                        "metadata.annotations." + key + "preferAvoidPods[0].PodSignature: Required value");
        node.withObject("metadata").withObject("annotations").put(key + "preferAvoidPods", "x");
        assertThat(Kinds.errors(Kinds.of("nodes"), node))
                .extracting(FieldError::field)
                .contains("metadata.annotations.AvoidPods");
    }

    @Test
    void rangesInARefusedFormAreComparedAllTheSame() {
        assertThat(errors(
                        "networkpolicies.networking.k8s.io",
                        "{'spec':{'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'010.0.0.0/8',"
                                + "'except':['11.0.0.0/16','010.1.0.0/16']}}]}]}}"))
                .extracting(text -> text.replace("spec.ingress[0].from[0].ipBlock.", ""))
                .containsExactly(
                        "cidr: Invalid value: \"010.0.0.0/8\": must not have leading 0s in IP or prefix length",
                        "except[0]: Invalid value: \"11.0.0.0/16\": must be a strict subset of `cidr`",
                        "except[1]: Invalid value: \"010.1.0.0/16\": must not have leading 0s in IP or prefix length");
    }

    @Test
    void reportersOfEventsAreNamedByTheirVersion() {
        String event = "{'metadata':{'namespace':'default'},'eventTime':'2026-01-01T00:00:00.000000Z','action':'a',"
                + "'reason':'r','reportingInstance':'i','type':'Normal'}";
        assertThat(errors("events", event)).first().isEqualTo("reportingComponent: Required value");
        assertThat(errors("events.events.k8s.io", event)).first().isEqualTo("reportingController: Required value");
    }

    @Test
    void ratiosAreComparedWithNegativeAmountsToo() {
        assertThat(errors(
                        "limitranges",
                        "{'spec':{'limits':[{'type':'Pod','max':{'cpu':'2'},'min':{'cpu':'-1'},"
                                + "'maxLimitRequestRatio':{'cpu':'4'}}]}}"))
                .containsExactly("spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"4\": ratio 4 is greater"
                        + " than max/min = -2.000000");
    }

    /** Updates a service and returns the result. */
    private static JsonObject updated(String old, String now) {
        KindStrategy services = Kinds.of("services");
        JsonObject before = Kinds.read("services", Kinds.tree(old));
        JsonObject after = Kinds.read("services", Kinds.tree(now));
        services.prepareForUpdate(after, before, "", Kinds.CONTEXT);
        return after;
    }

    @Test
    void typesOfServicesTakeTheirFieldsWithThem() {
        String balanced = "{'spec':{'type':'LoadBalancer','clusterIP':'10.0.0.9','clusterIPs':['10.0.0.9'],"
                + "'externalTrafficPolicy':'Local','healthCheckNodePort':30009,'ports':[{'name':'a','port':1,"
                + "'nodePort':30001},{'name':'b','port':2,'nodePort':30002}]},"
                + "'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}}";
        JsonObject plain = updated(
                balanced,
                "{'spec':{'type':'ClusterIP','externalTrafficPolicy':'Local','healthCheckNodePort':30009,"
                        + "'ports':[{'name':'b','port':2,'nodePort':30002}]}}");
        assertThat(plain.object("spec").keySet())
                .doesNotContain("externalTrafficPolicy", "healthCheckNodePort", "allocateLoadBalancerNodePorts");
        assertThat(plain.objects("spec", "ports").getFirst().has("nodePort")).isFalse();
        assertThat(plain.object("status")).isEqualTo(Kinds.tree("{'loadBalancer':{}}"));
        JsonObject other = updated(
                balanced,
                "{'spec':{'type':'ClusterIP','healthCheckNodePort':30010,'ports':[{'name':'b','port':2,"
                        + "'nodePort':30003}]}}");
        assertThat(other.integer("spec", "healthCheckNodePort")).isEqualTo(30_010);
        assertThat(other.objects("spec", "ports").getFirst().integer("nodePort"))
                .isEqualTo(30_003);
    }

    @Test
    void nodePortsBelongToTheNamesOfPorts() {
        JsonObject kept = updated(
                "{'spec':{'type':'NodePort','ports':[{'name':'a','port':1,'nodePort':30777},"
                        + "{'name':'b','port':2,'nodePort':30778}]}}",
                "{'spec':{'type':'NodePort','ports':[{'name':'b','port':3},{'name':'a','port':2}]}}");
        assertThat(kept.objects("spec", "ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(30_778L, 30_777L);
    }

    @Test
    void phasesOfVolumesHaveTheTimeOfTheirChange() {
        KindStrategy volumes = Kinds.of("persistentvolumes");
        String old = "{'status':{'phase':'Pending','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'}}";
        List.of(
                        List.of("{'phase':'Pending'}", "2026-01-01T00:00:00Z"),
                        List.of("{'phase':'Bound'}", "1970-01-01T00:00:00Z"),
                        List.of(
                                "{'phase':'Bound','lastPhaseTransitionTime':'2026-01-01T00:00:00Z'}",
                                "1970-01-01T00:00:00Z"),
                        List.of(
                                "{'phase':'Bound','lastPhaseTransitionTime':'2026-05-05T00:00:00Z'}",
                                "2026-05-05T00:00:00Z"))
                .forEach(row -> {
                    JsonObject now = Kinds.tree("{'status':" + row.get(0) + "}");
                    volumes.prepareForStatusUpdate(now, Kinds.tree(old), Kinds.CONTEXT);
                    assertThat(now.string("status", "lastPhaseTransitionTime")).isEqualTo(row.get(1));
                });
    }

    @Test
    void headlessServicesWithoutSelectorHaveTheFamiliesOfTheirPolicy() {
        KindStrategy services = Kinds.of("services");
        List.of(
                        List.of("'clusterIP':'None'", "RequireDualStack", "[IPv4, IPv6]"),
                        List.of("'clusterIP':'None','ipFamilyPolicy':'SingleStack'", "SingleStack", "[IPv4]"),
                        List.of("'clusterIP':'None','ipFamilies':['IPv6']", "RequireDualStack", "[IPv6, IPv4]"),
                        List.of("'clusterIP':'None','selector':{'a':'b'}", "SingleStack", "[IPv4]"))
                .forEach(row -> {
                    JsonObject service = Kinds.read("services", Kinds.tree("{'spec':{" + row.get(0) + "}}"));
                    services.prepareForCreate(service, Kinds.CONTEXT);
                    assertThat(service.string("spec", "ipFamilyPolicy")).isEqualTo(row.get(1));
                    assertThat(service.array("spec", "ipFamilies")).hasToString(row.get(2));
                    assertThat(Kinds.errors(services, service)).isEmpty();
                });
    }

    @Test
    void healthChecksHaveAPortOfNodes() {
        JsonObject service = Kinds.read(
                "services",
                Kinds.tree("{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':500,"
                        + "'ports':[{'port':80}]}}"));
        assertThatThrownBy(() -> Kinds.of("services").prepareForCreate(service, Kinds.CONTEXT))
                .hasMessageContaining("failed to allocate requested HealthCheck NodePort 500: provided port is not in"
                        + " the valid range. The range of valid ports is 30000-32767");
    }

    /** As upstream, whose allocators know nothing of ranges of ports, and of what is in use, when nothing is written. */
    @Test
    void dryRunsReserveLittle() {
        Map<String, List<String>> cases = Map.of(
                "{'type':'NodePort','ports':[{'port':80,'nodePort':80}]}",
                List.of("^$", "provided port is not in the valid range"),
                "{'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':80,'ports':[{'port':80}]}",
                List.of("^$", "provided port is not in the valid range"),
                "{'clusterIP':'10.0.0.3','ports':[{'port':80}]}",
                List.of("^$", "failed to allocate IP 10.0.0.3: provided IP is already allocated"),
                "{'clusterIP':'192.0.2.1','ports':[{'port':80}]}",
                List.of(
                        "the provided IP \\(192.0.2.1\\) is not in the valid range",
                        "the provided network does not match the current range"),
                "{'ipFamilies':['x'],'type':'NodePort','ports':[{'port':80,'nodePort':80}]}",
                List.of("^spec.ipFamilies\\[0\\]: Unsupported value", "^spec.ipFamilies\\[0\\]: Unsupported value"));
        cases.forEach((spec, expected) -> {
            assertThat(prepared(spec, true)).as(spec).containsPattern(expected.getFirst());
            assertThat(prepared(spec, false)).as(spec).containsPattern(expected.getLast());
        });
    }

    private static String prepared(String spec, boolean dryRun) {
        ServiceAddresses addresses = new ServiceAddresses();
        addresses.changed("other", new JsonObject(), Kinds.tree("{'clusterIPs':['10.0.0.3']}"));
        ResourceStrategy.Context context =
                Kinds.CONTEXT.with(User.of("u"), addresses.forWrite(end -> {}, dryRun, unused -> false), warning -> {});
        KindStrategy services = Kinds.of("services");
        JsonObject service = Kinds.read("services", Kinds.tree("{'spec':" + spec + "}"));
        try {
            services.prepareForCreate(service, context);
            return Kinds.errors(services, service).stream()
                    .map(FieldError::text)
                    .collect(Collectors.joining(", "));
        } catch (ApiException e) {
            return e.getMessage();
        }
    }

    @Test
    void droppedTopologiesBeginAGeneration() {
        KindStrategy slices = Kinds.of("endpointslices.discovery.k8s.io");
        String slice = "{'metadata':{'generation':1},'addressType':'IPv4','endpoints':[{'addresses':['10.1.2.3']%s}]}";
        JsonObject old = Kinds.tree(slice.formatted(""));
        List.of(List.of("", 1L), List.of(",'deprecatedTopology':{'a':'b'}", 2L)).forEach(row -> {
            JsonObject now = Kinds.tree(slice.formatted(row.get(0)));
            slices.prepareForUpdate(now, old, "", Kinds.CONTEXT);
            assertThat(now.integer("metadata", "generation")).isEqualTo(row.get(1));
            assertThat(now.array("endpoints")).isEqualTo(old.array("endpoints"));
        });
    }

    @Test
    void typesOfEndpointsAreWarnedAboutOnce() {
        KindStrategy slices = Kinds.of("endpointslices.discovery.k8s.io");
        JsonObject slice = Kinds.tree("{'addressType':'FQDN'}");
        assertThat(slices.warnings(slice, null)).hasSize(1);
        assertThat(slices.warnings(slice, slice)).isEmpty();
    }

    @Test
    void nodesNoLongerReportTheConfigurationOfTheirKubelet() {
        JsonObject tree = Kinds.tree("{'status':{'config':{'error':'x'},'phase':'Running'}}");
        JsonObject before = tree.copy();
        KindStrategy strategy = Kinds.of("nodes");
        strategy.prepareForStatusUpdate(tree, before, Kinds.CONTEXT);
        assertThat(tree).isEqualTo(before);
        strategy.prepareForStatusUpdate(tree, new JsonObject(), Kinds.CONTEXT);
        assertThat(tree).isEqualTo(Kinds.tree("{'status':{'phase':'Running'}}"));
    }

    @Test
    void namesOfApiServicesAreComparedIfTheyFitIntoPaths() {
        assertThat(errors(
                        "apiservices.apiregistration.k8s.io",
                        "{'metadata':{'name':'a/b'},'spec':{'group':'g','version':'v1','groupPriorityMinimum':1,"
                                + "'versionPriority':1}}"))
                .isEmpty();
    }

    private static List<String> rangeErrors(String now, String old) {
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("servicecidrs.networking.k8s.io")
                .validateUpdate(
                        Field.of(Kinds.tree("{'spec':{'cidrs':" + now + "}}"), errors),
                        Kinds.tree("{'spec':{'cidrs':" + old + "}}"));
        return errors.stream().map(FieldError::text).toList();
    }

    @Test
    void aSingleRangeGetsOneOfTheOtherFamily() {
        assertThat(rangeErrors("['10.0.0.0/24','2001:db8::/64']", "['10.0.0.0/24']"))
                .isEmpty();
        assertThat(rangeErrors("['10.1.0.0/24','10.0.0.0/24']", "['10.0.0.0/24']"))
                .containsExactly(
                        "spec.cidrs[0]: Invalid value: \"10.1.0.0/24\": field is immutable",
                        "spec.cidrs: Invalid value: [\"10.1.0.0/24\",\"10.0.0.0/24\"]: may specify no more than one IP"
                                + " for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        assertThat(rangeErrors("['x']", "['10.0.0.0/24']"))
                .containsExactly("spec.cidrs[0]: Invalid value: \"x\": field is immutable");
        assertThat(rangeErrors("['10.0.0.0/24']", "['10.0.0.0/24','2001:db8::/64']"))
                .containsExactly("spec.cidrs: Invalid value: [\"10.0.0.0/24\"]: field is immutable");
    }

    @Test
    void namespacesOfFlowSchemasAreLabels() {
        assertThat(errors(
                        "flowschemas.flowcontrol.apiserver.k8s.io",
                        "{'spec':{'matchingPrecedence':5,'priorityLevelConfiguration':{'name':'p'},'rules':[{'subjects':"
                                + "[{'kind':'User','user':{'name':'u'}}],'resourceRules':[{'verbs':['*'],'apiGroups':['*'],"
                                + "'resources':['*'],'namespaces':['A']}]}]}}"))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: \"A\": each member of this list"
                                + " must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist");
    }

    @Test
    void wildcardHostsHaveALimit() {
        String host = "*." + "a.".repeat(126) + "a";
        assertThat(errors(
                        "ingresses.networking.k8s.io",
                        "{'spec':{'defaultBackend':{'service':{'name':'s','port':{'number':1}}},'rules':[{'host':'"
                                + host + "'}]}}"))
                .containsExactly(
                        "spec.rules[0].host: Invalid value: \"" + host + "\": must be no more than 253 characters");
    }

    @Test
    void portsOfServicesDifferByNumberAndProtocol() {
        assertThat(errors("services", "{'spec':{'ports':[{'name':'a','port':80},{'name':'b','port':80}]}}"))
                .containsExactly(
                        "spec.ports[1]: Duplicate value: {\"Name\":\"\",\"Protocol\":\"TCP\",\"AppProtocol\":null,"
                                + "\"Port\":80,\"TargetPort\":0,\"NodePort\":0}");
    }

    @Test
    void warningsOfPoliciesReferToFields() {
        String warning = "{'typeChecking':{'expressionWarnings':[{'warning':'w','fieldRef':'%s'}]}}";
        String id = "validatingadmissionpolicies.admissionregistration.k8s.io";
        assertThat(statusErrors(id, String.format(warning, "spec.validations[0].expression"), "{}"))
                .isEmpty();
        assertThat(statusErrors(id, String.format(warning, " "), "{}"))
                .containsExactly("status.typeChecking.expressionWarnings[0].fieldRef: Required value");
        assertThat(statusErrors(id, String.format(warning, " spec[0 "), "{}"))
                .containsExactly("status.typeChecking.expressionWarnings[0].fieldRef: Invalid value: \"spec[0\":"
                        + " invalid JSONPath: unterminated array");
    }

    @Test
    void policiesHaveAFewAuditAnnotations() {
        String annotations = IntStream.range(0, 21)
                .mapToObj(i -> "{'key':'k" + i + "','valueExpression':'string(1)'}")
                .collect(Collectors.joining(","));
        assertThat(errors(
                        "validatingadmissionpolicies.admissionregistration.k8s.io",
                        "{'metadata':{'name':'p'},'spec':{'matchConstraints':{'resourceRules':[{'operations':['*'],"
                                + "'apiGroups':['*'],'apiVersions':['*'],'resources':['*']}]},'auditAnnotations':["
                                + annotations + "]}}"))
                .singleElement()
                .asString()
                .startsWith("spec.auditAnnotations: Invalid value: [{\"Key\":\"k0\",\"ValueExpression\":")
                .endsWith("}]: must not have more than 20 auditAnnotations");
    }

    @Test
    void decisionsAreRemovedBeforeTheyAreAdded() {
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("certificatesigningrequests.certificates.k8s.io")
                .validateStatusUpdate(
                        Field.of(decided("{'conditions':[{'type':'Approved','status':'True'}]}"), errors),
                        decided("{'conditions':[{'type':'Denied','status':'True'}]}"));
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly(
                        "status.conditions: Forbidden: updates may not remove a condition of type \"Denied\"",
                        "status.conditions: Forbidden: updates may not add a condition of type \"Approved\"");
    }

    @Test
    void lengthsOfNamesOfDriversCountBytes() {
        assertThat(errors(
                        "csinodes.storage.k8s.io",
                        "{'spec':{'drivers':[{'name':'d','nodeID':'" + "\u00e9".repeat(129) + "'}]}}"))
                .singleElement()
                .asString()
                .endsWith("must be 256 characters or less");
    }
}
