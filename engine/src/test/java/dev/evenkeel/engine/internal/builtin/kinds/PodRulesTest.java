package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodRulesTest {
    private static JsonObject pod(String container, String rest) {
        JsonObject tree = Kinds.read(
                "pods",
                Kinds.tree("{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'name':'c','image':'i:1'"
                        + container + "}]" + rest + "}}"));
        Kinds.of("pods").prepareForCreate(tree, Kinds.CONTEXT);
        return tree;
    }

    private static List<String> errors(String container, String rest) {
        return Kinds.errors(Kinds.of("pods"), pod(container, rest)).stream()
                .map(FieldError::text)
                .toList();
    }

    @Test
    void plainPodsAreAccepted() {
        assertThat(errors("", "")).isEmpty();
        assertThat(errors(
                        ",'livenessProbe':{'httpGet':{'port':'http'}},'volumeMounts':[{'name':'v','mountPath':'/v'}]",
                        ",'volumes':[{'name':'v','emptyDir':{}}]"))
                .isEmpty();
    }

    @Test
    void aProbeHasOneHandler() {
        assertThat(errors(",'livenessProbe':{}", ""))
                .containsExactly("spec.containers[0].livenessProbe: Required value: must specify a handler type");
        assertThat(errors(",'livenessProbe':{'exec':{'command':['a']},'tcpSocket':{'port':1}}", ""))
                .containsExactly("spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1"
                        + " handler type");
    }

    @Test
    void privilegedContainersAreRefused() {
        assertThat(errors(",'securityContext':{'privileged':true}", ""))
                .containsExactly(
                        "spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy");
    }

    @Test
    void hostNamesAreOverriddenInNetworksOfTheirOwn() {
        assertThat(errors("", ",'hostnameOverride':'a.b','setHostnameAsFQDN':true,'hostNetwork':true"))
                .containsExactly(
                        "spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true",
                        "spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true");
        assertThat(errors("", ",'hostnameOverride':'" + "a".repeat(65) + "'"))
                .containsExactly("spec.hostnameOverride: Too long: may not be more than 64 bytes");
    }

    @Test
    void filesOfVariablesAreInEmptyDirectories() {
        String env = ",'env':[{'name':'A','valueFrom':{'fileKeyRef':{'volumeName':'v','path':'p','key':'K'}}}]";
        String at = "spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: ";
        assertThat(errors(env, "")).containsExactly(at + "Not found: \"v\"");
        assertThat(errors(env, ",'volumes':[{'name':'v','configMap':{'name':'c'}}]"))
                .containsExactly(at + "Invalid value: \"v\": referenced volume must be of type emptyDir");
        assertThat(errors(env, ",'volumes':[{'name':'v','emptyDir':{}}]")).isEmpty();
    }

    @Test
    void podsWithUsersOfTheirOwnHaveNoDevicesOfBlocks() {
        assertThat(errors(
                        ",'volumeDevices':[{'name':'v','devicePath':'/d'}]",
                        ",'hostUsers':false,'hostPID':true,'volumes':[{'name':'v','persistentVolumeClaim':"
                                + "{'claimName':'c'}}]"))
                .containsExactly(
                        "spec.HostPID: Forbidden: when `hostUsers` is false",
                        "spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false");
    }

    @Test
    void initContainersThatEndAreNotRestartedAtAResize() {
        String policy = "'resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]}]";
        String init = ",'initContainers':[{'name':'i','image':'i:1',";
        assertThat(errors("", init + policy))
                .containsExactly("spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value:"
                        + " \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar"
                        + " initContainers");
        assertThat(errors("", init + "'restartPolicy':'Always'," + policy)).isEmpty();
    }

    @Test
    void volumesOfImagesAreMountedInPart() {
        assertThat(errors(
                        ",'volumeMounts':[{'name':'v','mountPath':'/v','subPath':'a'}]",
                        ",'volumes':[{'name':'v','image':{'reference':'r'}}]"))
                .isEmpty();
    }

    @Test
    void restartRulesNameTheirAction() {
        assertThat(errors(
                        ",'restartPolicy':'Never','restartPolicyRules':[{'action':'RestartAllContainers',"
                                + "'exitCodes':{'operator':'In','values':[1]}},{'exitCodes':{'operator':'Is'}}]",
                        ""))
                .containsExactly(
                        "spec.containers[0].restartPolicyRules[1].action: Unsupported value: \"\": supported values:"
                                + " \"Restart\", \"RestartAllContainers\"",
                        "spec.containers[0].restartPolicyRules[1].exitCodes.operator: Unsupported value: \"Is\":"
                                + " supported values: \"In\", \"NotIn\"");
    }

    @Test
    void tolerationsDoNotCompareNumbers() {
        String at = "spec.tolerations[0].operator: Unsupported value: ";
        assertThat(errors("", ",'tolerations':[{'key':'k','operator':'X'}]"))
                .containsExactly(at + "\"X\": supported values: \"Equal\", \"Exists\"");
        assertThat(errors("", ",'tolerations':[{'key':'k','operator':'Lt','value':'1'}]"))
                .containsExactly(at + "\"Lt\": supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\"");
    }

    @Test
    void resourcesOfWholePodsCoverHugePages() {
        String pages = "{'cpu':'1','hugepages-2Mi':'4Mi'}";
        String whole = ",'resources':{'requests':{'cpu':'1','hugepages-2Mi':'2Mi'},"
                + "'limits':{'cpu':'1','hugepages-2Mi':'2Mi'}}";
        assertThat(errors(",'resources':{'limits':" + pages + "}", whole))
                .contains("spec.resources.limits[hugepages-2Mi]: Invalid value: \"2Mi\": must be greater than or"
                        + " equal to aggregate container limits of 4Mi");
        assertThat(errors("", whole + ",'os':{'name':'windows'}"))
                .containsExactly("spec.resources: Forbidden: may not be set for a windows pod");
    }

    @Test
    void requestsStayBelowLimits() {
        assertThat(errors(",'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}", ""))
                .containsExactly(
                        "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal"
                                + " to cpu limit of 1");
    }

    @Test
    void errorsOfVolumesComeBeforeThoseOfContainers() {
        assertThat(errors(",'volumeMounts':[{'name':'v','mountPath':'/v'}]", ",'volumes':[{'name':'v','secret':{}}]"))
                .containsExactly(
                        "spec.volumes[0].secret.secretName: Required value",
                        "spec.containers[0].volumeMounts[0].name: Not found: \"v\"");
    }

    @Test
    void tolerationsWithoutKeyTolerateAll() {
        assertThat(errors("", ",'tolerations':[{'operator':'Equal','value':'v'}]"))
                .containsExactly("spec.tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when"
                        + " `key` is empty, which means \"match all values and all keys\"");
    }

    @Test
    void portsWithoutHostPortNeedNoAddress() {
        assertThat(Kinds.of("pods").warnings(pod(",'ports':[{'containerPort':53,'hostIP':'127.0.0.1'}]", ""), null))
                .containsExactly("spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0"
                        + " ContainerPort:53 Protocol:TCP HostIP:127.0.0.1}");
    }

    private static List<String> newErrors(String rest) {
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("pods").validateNew(Field.of(pod("", rest), errors));
        return errors.stream().map(FieldError::text).toList();
    }

    @Test
    void newPodsAreNeitherGatedOnANodeNorDebugged() {
        assertThat(newErrors(",'nodeName':'n','schedulingGates':[{'name':'g'}],'ephemeralContainers':[{'name':'e'}]"))
                .containsExactly(
                        "spec.ephemeralContainers: Forbidden: cannot be set on create",
                        "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
    }

    @Test
    void gatedPodsSayThatTheyWait() {
        assertThat(pod("", ",'schedulingGates':[{'name':'g'}]").objects("status", "conditions"))
                .extracting(condition -> condition.string("reason"))
                .containsExactly("SchedulingGated");
    }

    @Test
    void labelsThatTermsNameSelectPods() {
        String term = "{'topologyKey':'z','matchLabelKeys':['app'],'labelSelector':{}}";
        JsonObject tree = Kinds.tree("{'metadata':{'labels':{'app':'a'}},'spec':{'affinity':{'podAffinity':"
                + "{'requiredDuringSchedulingIgnoredDuringExecution':[" + term + "]}},'containers':[]}}");
        Kinds.of("pods").prepareForCreate(tree, Kinds.CONTEXT);
        JsonObject first = tree.object("spec", "affinity", "podAffinity")
                .objects("requiredDuringSchedulingIgnoredDuringExecution")
                .getFirst();
        assertThat(first.object("labelSelector"))
                .isEqualTo(Kinds.tree("{'matchExpressions':[{'key':'app','operator':'In','values':['a']}]}"));
    }

    @Test
    void usersOfWindowsHaveADomainAndAName() {
        assertThat(errors(",'securityContext':{'windowsOptions':{'runAsUserName':'a b'}}", ""))
                .isEmpty();
        assertThat(errors(",'securityContext':{'windowsOptions':{'runAsUserName':'a|b'}}", ""))
                .singleElement()
                .asString()
                .contains("runAsUserName's User cannot contain the following characters");
    }

    @Test
    void hostProcessesNeedTheNetworkOfTheHostAndAreRefused() {
        assertThat(errors(",'securityContext':{'windowsOptions':{'hostProcess':true}}", ""))
                .containsExactly(
                        "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any"
                                + " hostProcess containers",
                        "spec: Forbidden: hostProcess containers are disallowed by cluster policy");
    }

    @Test
    void annotationsThatFieldsReplacedAreStillChecked() {
        JsonObject tree = pod("", "");
        tree.withObject("metadata")
                .put("annotations", JsonObject.of("controller.kubernetes.io/pod-deletion-cost", "+1"));
        assertThat(Kinds.errors(Kinds.of("pods"), tree))
                .extracting(FieldError::text)
                .singleElement()
                .asString()
                .startsWith("metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: \"+1\"");
    }

    @Test
    void filesThatHideEachOtherAreWarnedAbout() {
        String sources = "{'serviceAccountToken':{'path':'a/b'}},{'downwardAPI':{'items':[{'path':'a',"
                + "'fieldRef':{'fieldPath':'metadata.name'}}]}},{'configMap':{'name':'m'}}";
        JsonObject tree = pod("", ",'volumes':[{'name':'v','projected':{'sources':[" + sources + "]}}]");
        assertThat(Kinds.of("pods").warnings(tree, null))
                .containsExactly("volume \"v\" (Projected): overlapping paths: \"a\" (DownwardAPI) with \"a/b\""
                        + " (ServiceAccountToken)");
    }

    @Test
    void sourcesOfAVolumeAreWarnedAboutInTheirOrder() {
        String file = "{'secret':{'name':'s','items':[{'key':'k','path':'a'}]}}";
        JsonObject tree = pod("", ",'volumes':[{'name':'v','projected':{'sources':[" + file + "," + file + ",{}]}}]");
        assertThat(Kinds.of("pods").warnings(tree, null))
                .containsExactly(
                        "volume \"v\" (Projected): overlapping paths: \"a\" (Secret \"s\") with \"a\" (Secret \"s\")",
                        "volume \"v\" (Projected) has no sources provided");
    }

    @Test
    void namesOfPortsThatHideEachOtherAreWarnedAbout() {
        JsonObject tree = pod(
                ",'ports':[{'name':'p','containerPort':1,'protocol':'TCP'}]",
                ",'initContainers':[{'name':'i','ports':[{'containerPort':2},{'name':'p','containerPort':3}]}],"
                        + "'dnsConfig':{'nameservers':['1::0:1']}");
        assertThat(Kinds.of("pods").warnings(tree, null))
                .containsExactly(
                        "spec.containers[0].ports[0]: duplicate port name \"p\" with spec.initContainers[0].ports[1],"
                                + " services and probes that select ports by name will use"
                                + " spec.initContainers[0].ports[1]",
                        "spec.dnsConfig.nameservers[0]: IPv6 address \"1::0:1\" should be in RFC 5952 canonical format"
                                + " (\"1::1\")");
    }

    @Test
    void annotationsOfAppArmorAreWarnedAboutWhenTheyFillAField() {
        assertThat(appArmorWarnings("unconfined", ""))
                .hasSize(1)
                .first()
                .asString()
                .isEqualTo(
                        "metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the"
                                + " \"appArmorProfile\" field instead");
        assertThat(appArmorWarnings("bogus", "")).hasSize(1);
        assertThat(appArmorWarnings("unconfined", ",'securityContext':{'appArmorProfile':{'type':'Unconfined'}}"))
                .isEmpty();
    }

    /** Returns the warnings before a new pod is checked. */
    private static List<String> appArmorWarnings(String profile, String container) {
        JsonObject tree = pod(container, "");
        tree.withObject("metadata")
                .put("annotations", JsonObject.of("container.apparmor.security.beta.kubernetes.io/c", profile));
        List<String> warnings = new ArrayList<>();
        Kinds.of("pods")
                .prepareForCreate(
                        tree, Kinds.CONTEXT.with(Kinds.CONTEXT.user(), Kinds.CONTEXT.addresses(), warnings::add));
        assertThat(Kinds.of("pods").warnings(tree, null)).isEmpty();
        return warnings;
    }

    @Test
    void requestsOfPodsAreFilledInWithTheirLimits() {
        String container = ",'resources':{'requests':{'cpu':'1'}}";
        assertThat(pod(container, ",'resources':{'limits':{'cpu':'3','memory':'1Gi'}}")
                        .object("spec", "resources", "requests"))
                .isEqualTo(Kinds.tree("{'cpu':'1','memory':'1Gi'}"));
        assertThat(pod(container, ",'resources':{'requests':{'memory':'1Gi'}}").object("spec", "resources", "requests"))
                .isEqualTo(Kinds.tree("{'memory':'1Gi'}"));
        assertThat(pod(container, ",'resources':{}").object("spec", "resources"))
                .isEmpty();
    }

    @Test
    void projectionsWhoseFeaturesAreOffAreRemoved() {
        JsonObject tree = pod(
                "",
                ",'volumes':[{'name':'v','projected':{'sources':[{'clusterTrustBundle':{'path':'a'}},"
                        + "{'podCertificate':{'keyType':'X'}},{'secret':{'name':'s'}}]}}]");
        Kinds.of("pods").dropDisabled(tree);
        assertThat(tree.object("spec")
                        .objects("volumes")
                        .getFirst()
                        .object("projected")
                        .objects("sources"))
                .containsExactly(new JsonObject(), new JsonObject(), Kinds.tree("{'secret':{'name':'s'}}"));
        assertThat(Kinds.of("pods").warnings(tree, null)).contains("volume \"v\" (Projected) has no sources provided");
    }
}
