package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of kinds with small specifications. */
class KindRulesTest {
    private static List<String> errors(String id, String json) {
        return Kinds.errors(Kinds.of(id), Kinds.read(id, Kinds.tree(json))).stream()
                .map(FieldError::text)
                .toList();
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

    @Test
    void onlyApprovalsAddDecisions() {
        KindStrategy strategy = Kinds.of("certificatesigningrequests.certificates.k8s.io");
        JsonObject tree = Kinds.tree("{'spec':{'signerName':'a.b/s','usages':['any'],"
                + "'request':'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0='},"
                + "'status':{'conditions':[{'type':'Approved','status':'True'}]}}");
        List<FieldError> errors = new ArrayList<>();
        strategy.validateSubresourceUpdate(Field.of(tree, errors), new JsonObject(), "approval");
        assertThat(errors).isEmpty();
        strategy.validateStatusUpdate(Field.of(tree, errors), new JsonObject());
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly("status.conditions: Forbidden: updates may not add a condition of type \"Approved\"");
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
                                + " set beyond the prefix length");
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
                .startsWith("data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": ");
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
}
