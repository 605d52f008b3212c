package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltinValidationTest {
    /** Metadata is checked elsewhere. */
    @TestFactory
    Stream<DynamicTest> recordedErrorsAreReproduced() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String file : List.of("crud", "access", "namespaces")) {
            for (String line : Recordings.lines(file)) {
                var record = Json.parseObject(line.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
                String path = record.string("request", "path");
                String plural = path.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
                if (record.integer("status") == 422
                        && record.string("request", "method").equals("POST")
                        && !record.string("body", "details", "kind").endsWith("Options")
                        && record.at("request", "body") instanceof Map<?, ?> body) {
                    BuiltinTypes.all().stream()
                            .filter(type -> type.plural().equals(plural)
                                    && type.rules().verbs().contains("list"))
                            .filter(type -> !type.plural().equals("customresourcedefinitions"))
                            .findFirst()
                            .ifPresent(type -> tests.add(DynamicTest.dynamicTest(
                                    record.string("id"), () -> check(type, Json.asObject(body), record))));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(15);
        return tests.stream();
    }

    private static void check(ResourceType type, JsonObject body, JsonObject record) {
        List<String> expected = new ArrayList<>();
        for (Object cause : record.array("body", "details", "causes")) {
            if (!Json.string(cause, "field").startsWith("metadata.")) {
                expected.add(Json.string(cause, "field") + ": " + Json.string(cause, "message"));
            }
        }
        assertThat(errors(type.id(), body.copy())).isEqualTo(expected);
    }

    private static List<String> errors(String id, JsonObject tree) {
        KindStrategy strategy = Kinds.of(id);
        Kinds.read(id, tree);
        strategy.prepareForCreate(tree, Kinds.CONTEXT);
        return Kinds.errors(strategy, tree).stream().map(FieldError::text).toList();
    }

    private static List<String> change(String id, String before, String after) {
        KindStrategy strategy = Kinds.of(id);
        JsonObject old = Kinds.read(id, Kinds.tree(before));
        strategy.prepareForCreate(old, Kinds.CONTEXT);
        JsonObject tree = Kinds.read(id, Kinds.tree(after));
        strategy.prepareForUpdate(tree, old, "", Kinds.CONTEXT);
        List<FieldError> errors = new ArrayList<>();
        strategy.validate(Field.of(old, errors));
        assertThat(errors).isEmpty();
        if (strategy.validatesWhole()) {
            strategy.validate(Field.of(tree, errors));
        }
        strategy.validateUpdate(Field.of(tree, errors), old);
        return errors.stream().map(FieldError::text).toList();
    }

    private static String deployment(String selector, String rest) {
        return "{'spec':{'selector':{'matchLabels':{'app':'" + selector + "'}}," + rest
                + "'template':{'metadata':{'labels':{'app':'d'}},'spec':{'containers':[{'name':'c','image':'i:1'}]}}}}";
    }

    @Test
    void deploymentsKeepTheirSelector() {
        assertThat(change("deployments.apps", deployment("d", ""), deployment("d", "'replicas':3,")))
                .isEmpty();
        assertThat(change("deployments.apps", deployment("d", ""), deployment("z", "")))
                .containsExactly(
                        "spec.template.metadata.labels: Invalid value: {\"app\":\"d\"}: `selector` does not match"
                                + " template `labels`",
                        "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"z\"}}: field is immutable");
        assertThat(change(
                        "deployments.apps",
                        deployment("d", ""),
                        deployment("d", "'strategy':{'type':'Recreate','rollingUpdate':{}},")))
                .containsExactly("spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is"
                        + " 'Recreate'");
    }

    private static String workload(String rest) {
        return "{'spec':{'selector':{'matchLabels':{'a':'b'}}," + rest
                + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i:1'}]}}}}";
    }

    @Test
    void strategiesOfWorkloadsAreKnown() {
        assertThat(errors("deployments.apps", Kinds.tree(workload("'strategy':{'type':'X'},"))))
                .containsExactly("spec.strategy: Unsupported value: {\"Type\":\"X\",\"RollingUpdate\":null}: supported"
                        + " values: \"Recreate\", \"RollingUpdate\"");
        assertThat(errors(
                        "deployments.apps",
                        Kinds.tree(workload("'strategy':{'rollingUpdate':{'maxUnavailable':'00%','maxSurge':0}},"))))
                .containsExactly("spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"00%\": may not be 0 when"
                        + " `maxSurge` is 0");
        assertThat(errors(
                        "daemonsets.apps",
                        Kinds.tree(workload(
                                "'updateStrategy':{'rollingUpdate':{'maxUnavailable':0,'maxSurge':'101%'}},"))))
                .containsExactly("spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: \"101%\": must not be"
                        + " greater than 100%");
        assertThat(errors(
                        "daemonsets.apps",
                        Kinds.tree(workload("'updateStrategy':{'rollingUpdate':{'maxUnavailable':0}},"))))
                .containsExactly("spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when"
                        + " maxSurge is 0");
        assertThat(errors(
                        "statefulsets.apps",
                        Kinds.tree(workload("'podManagementPolicy':'X','updateStrategy':{'type':'Y'},"))))
                .containsExactly(
                        "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
                        "spec.updateStrategy: Invalid value: {\"Type\":\"Y\",\"RollingUpdate\":null}: must be"
                                + " 'RollingUpdate' or 'OnDelete'");
    }

    @Test
    void namedStrategiesOfStatefulSetsHaveNoDefaults() {
        assertThat(Kinds.read("statefulsets.apps", Kinds.tree(workload(""))).object("spec", "updateStrategy"))
                .isEqualTo(Kinds.tree("{'type':'RollingUpdate','rollingUpdate':{'partition':0}}"));
        assertThat(Kinds.read("statefulsets.apps", Kinds.tree(workload("'updateStrategy':{'type':'RollingUpdate'},")))
                        .object("spec", "updateStrategy"))
                .isEqualTo(Kinds.tree("{'type':'RollingUpdate'}"));
    }

    @Test
    void statefulSetsReplaceOnePodAfterTheOther() {
        JsonObject set = Kinds.read(
                "statefulsets.apps",
                Kinds.tree(workload("'updateStrategy':{'rollingUpdate':{'maxUnavailable':2,'partition':3}},")));
        Kinds.of("statefulsets.apps").dropDisabled(set);
        assertThat(set.object("spec", "updateStrategy", "rollingUpdate")).isEqualTo(Kinds.tree("{'partition':3}"));
    }

    @Test
    void templatesOfMalformedSelectorsAreIgnored() {
        String set = "{'spec':{'selector':{'matchLabels':{'a':'b c'}},'template':{}}}";
        assertThat(errors("replicasets.apps", Kinds.tree(set)))
                .hasSize(2)
                .allSatisfy(error -> assertThat(error).startsWith("spec.selector"));
        assertThat(errors("statefulsets.apps", Kinds.tree(set))).hasSize(2);
        assertThat(errors("daemonsets.apps", Kinds.tree(set)))
                .contains("spec.template.spec.containers: Required value");
    }

    @Test
    void servicesKeepTheirAddress() {
        String service = "{'spec':{'clusterIP':'10.0.0.9','ports':[{'port':80}]}}";
        assertThat(change("services", service, "{'spec':{'ports':[{'port':81}]}}"))
                .isEmpty();
        assertThat(change("services", service, "{'spec':{'clusterIP':'10.0.0.77','ports':[{'port':81}]}}"))
                .containsExactly("spec.clusterIPs[0]: Invalid value: [\"10.0.0.77\"]: may not change once set");
        assertThat(change("services", service, "{'spec':{'type':'ExternalName','externalName':'a.b'}}"))
                .isEmpty();
    }

    @Test
    void servicesWithAnExternalNameGetNoAddress() {
        String service = "{'spec':{'type':'ExternalName','externalName':'a.b'%s}}";
        assertThat(change("services", service.formatted(""), service.formatted(",'clusterIP':'10.0.0.5'")))
                .containsExactly("spec.clusterIPs: Forbidden: may not be set for ExternalName services");
        assertThat(change("services", service.formatted(""), service.formatted(",'ipFamilyPolicy':'SingleStack'")))
                .containsExactly("spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services");
    }

    @Test
    void modesOfAddressesHaveADefaultWhereTheTypeIsSent() {
        String status = "'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}}";
        JsonObject old = Kinds.read("services", Kinds.tree("{'spec':{'type':'LoadBalancer'}}"));
        JsonObject whole = Kinds.read("services", Kinds.tree("{'spec':{'type':'LoadBalancer'}," + status));
        JsonObject alone = Kinds.read("services", Kinds.tree("{" + status));
        List<FieldError> errors = new ArrayList<>();
        for (JsonObject sent : List.of(whole, alone)) {
            Kinds.of("services").prepareForUpdate(sent, old, "status", Kinds.CONTEXT);
            Kinds.of("services").validateStatusUpdate(Field.of(sent, errors), old);
        }
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly("status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip`"
                        + " is set");
    }

    @Test
    void affinityOfAVolumeIsFixedButForNewNamesOfLabels() {
        String volume =
                "{'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/a'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'%s','operator':'In',"
                        + "'values':['a']}]}]}}}}";
        String zone = "failure-domain.beta.kubernetes.io/zone";
        assertThat(change("persistentvolumes", volume.formatted(zone), volume.formatted("topology.kubernetes.io/zone")))
                .isEmpty();
        assertThat(change("persistentvolumes", volume.formatted(zone), volume.formatted("a")))
                .containsExactly("nodeAffinity: Invalid value: {\"Required\":{\"NodeSelectorTerms\":"
                        + "[{\"MatchExpressions\":[{\"Key\":\"a\",\"Operator\":\"In\",\"Values\":[\"a\"]}],"
                        + "\"MatchFields\":null}]}}: field is immutable, except for updating from beta label to GA");
    }

    @Test
    void classesOfLoadBalancersAreFixed() {
        String service = "{'spec':{'type':'LoadBalancer','loadBalancerClass':'%s','ports':[{'port':80}]}}";
        assertThat(change("services", service.formatted("a/b"), service.formatted("a/c")))
                .containsExactly("spec.loadBalancerClass: Invalid value: \"a/c\": may not change once set");
    }

    @Test
    void claimsGrowOnlyOnceTheyAreBound() {
        String claim = "{'spec':{'accessModes':['ReadWriteOnce'],'volumeName':'v','volumeMode':'%s','resources':"
                + "{'requests':{'storage':'%s'}}},'status':{'phase':'Bound','capacity':{'storage':'2Gi'}}}";
        JsonObject old = Kinds.read("persistentvolumeclaims", Kinds.tree(claim.formatted("Filesystem", "2Gi")));
        assertThat(claim(old, claim.formatted("Filesystem", "3Gi"))).isEmpty();
        assertThat(claim(old, claim.formatted("Filesystem", "1Gi")))
                .containsExactly(
                        "spec.resources.requests.storage: Forbidden: field can not be less than" + " status.capacity");
        assertThat(claim(old, claim.formatted("Block", "2Gi")))
                .hasSize(2)
                .last()
                .isEqualTo("volumeMode: Invalid value: \"Block\": field is immutable");
    }

    @Test
    void boundClaimsLoseTheirAttributesOnlyUntilTheyAreApplied() {
        String claim = "{'spec':{'accessModes':['ReadWriteOnce'],'volumeName':'v',%s'resources':"
                + "{'requests':{'storage':'2Gi'}}},'status':{'phase':'Bound'%s}}";
        String name = "'volumeAttributesClassName':'%s',";
        String gold = claim.formatted(name.formatted("gold"), "");
        JsonObject asked = Kinds.read("persistentvolumeclaims", Kinds.tree(gold));
        assertThat(claim(asked, claim.formatted("", ""))).isEmpty();
        assertThat(claim(asked, claim.formatted(name.formatted(""), ""))).isEmpty();
        String applied = ",'currentVolumeAttributesClassName':'gold'";
        JsonObject has =
                Kinds.read("persistentvolumeclaims", Kinds.tree(claim.formatted(name.formatted("gold"), applied)));
        assertThat(claim(has, gold)).isEmpty();
        assertThat(claim(has, claim.formatted(name.formatted("silver"), ""))).isEmpty();
        assertThat(claim(has, claim.formatted("", "")))
                .containsExactly("spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when"
                        + " status.currentVolumeAttributesClassName is not nil");
        assertThat(claim(has, claim.formatted(name.formatted(""), "")))
                .containsExactly("spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden when"
                        + " status.currentVolumeAttributesClassName is not nil");
    }

    private static List<String> claim(JsonObject old, String after) {
        List<FieldError> errors = new ArrayList<>();
        JsonObject tree = Kinds.read("persistentvolumeclaims", Kinds.tree(after));
        Kinds.of("persistentvolumeclaims").validateUpdate(Field.of(tree, errors), old);
        return errors.stream().map(FieldError::text).toList();
    }

    @Test
    void immutableConfigCannotChange() {
        String frozen = "{'data':{'a':'1'},'immutable':true}";
        assertThat(change("configmaps", frozen, "{'data':{'a':'1'},'immutable':true,'metadata':{'labels':{'x':'y'}}}"))
                .isEmpty();
        assertThat(change("configmaps", frozen, "{'data':{'a':'2'},'immutable':true}"))
                .containsExactly("data: Forbidden: field is immutable when `immutable` is set");
        assertThat(change("configmaps", frozen, "{'data':{'a':'1'}}"))
                .containsExactly("immutable: Forbidden: field is immutable when `immutable` is set");
        assertThat(change("secrets", "{'type':'a/b'}", "{'type':'a/c'}"))
                .containsExactly("type: Invalid value: \"a/c\": field is immutable");
        assertThat(change("secrets", "{'type':'a/b'}", "{'data':{}}"))
                .containsExactly("type: Invalid value: \"Opaque\": field is immutable");
    }

    @Test
    void podsChangeInFewFieldsOnly() {
        String pod = "{'spec':{'containers':[{'name':'c','image':'i:1'}]}}";
        assertThat(change("pods", pod, "{'spec':{'containers':[{'name':'c','image':'i:2'}]}}"))
                .isEmpty();
        assertThat(change("pods", pod, "{'spec':{'hostname':'x','containers':[{'name':'c','image':'i:1'}]}}"))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: pod updates may not change fields other than");
    }

    @Test
    void jobsAndClaimsAndBindingsAreFixed() {
        String job = "{'metadata':{'name':'j','uid':'u'},'spec':{'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'%s'}]}},'selector':{'matchLabels':{'a':'b'}},'manualSelector':true}}";
        assertThat(change("jobs.batch", job.formatted("i:1"), job.formatted("i:1")))
                .isEmpty();
        assertThat(change("jobs.batch", job.formatted("i:1"), job.formatted("i:2")))
                .singleElement()
                .asString()
                .startsWith("spec.template: Invalid value: ")
                .endsWith(": field is immutable");
        String claim = "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'%s'}}}}";
        assertThat(change("persistentvolumeclaims", claim.formatted("1Gi"), claim.formatted("2Gi")))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: spec is immutable after creation");
        String binding = "{'roleRef':{'kind':'Role','name':'%s'},'subjects':[{'kind':'User','name':'u'}]}";
        assertThat(change("rolebindings.rbac.authorization.k8s.io", binding.formatted("a"), binding.formatted("b")))
                .containsExactly(
                        "roleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":\"Role\","
                                + "\"Name\":\"b\"}: cannot change roleRef");
    }

    @Test
    void podsOfStatefulSetsHaveVolumesOfTheirClaims() {
        String set =
                "{'spec':{'selector':{'matchLabels':{'a':'b'}},'volumeClaimTemplates':[{'metadata':{'name':'data'}}],"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i',"
                        + "'volumeMounts':[{'name':'%s','mountPath':'/data'}]}]}}}}";
        assertThat(errors("statefulsets.apps", Kinds.tree(set.formatted("data"))))
                .isEmpty();
        assertThat(errors("statefulsets.apps", Kinds.tree(set.formatted("others"))))
                .containsExactly("spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"others\"");
    }
}
