package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells of tables in states that no recorded table shows. */
class CellsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

    private static JsonObject tree(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** Returns the cell under a heading. */
    private static Object cell(String id, String column, String object) {
        KindStrategy strategy = Kinds.of(id);
        List<String> names = strategy.facts().version().columns().stream()
                .map(each -> each.name())
                .toList();
        return String.valueOf(strategy.cells(tree(object), NOW).get(names.indexOf(column)));
    }

    private static final String RESTARTED_AT_50 =
            "'restartCount':2,'lastState':{'terminated':{'exitCode':1," + "'finishedAt':'2026-01-01T00:50:00Z'}}";
    private static final String RESTARTED_AT_30 =
            "'restartCount':3,'lastState':{'terminated':{'exitCode':1," + "'finishedAt':'2026-01-01T00:30:00Z'}}";

    private static void pod(String status, String ready, String reason, String restarts) {
        String pod = "{'metadata':{},'spec':{'initContainers':[{'name':'i'},{'name':'s','restartPolicy':'Always'}],"
                + "'containers':[{'name':'a'},{'name':'b'}]},'status':" + status + "}";
        assertThat(List.of(cell("pods", "Ready", pod), cell("pods", "Status", pod), cell("pods", "Restarts", pod)))
                .containsExactly(ready, reason, restarts);
    }

    @Test
    void initContainersThatFailOrWaitNameTheState() {
        String status = "{'phase':'Pending','initContainerStatuses':[{'name':'i','state':%s}]}";
        pod(status.formatted("{'terminated':{'exitCode':3}}"), "0/3", "Init:ExitCode:3", "0");
        pod(status.formatted("{'terminated':{'exitCode':137,'signal':9}}"), "0/3", "Init:Signal:9", "0");
        pod(status.formatted("{'terminated':{'exitCode':1,'reason':'Error'}}"), "0/3", "Init:Error", "0");
        pod(status.formatted("{'waiting':{'reason':'CrashLoopBackOff'}}"), "0/3", "Init:CrashLoopBackOff", "0");
        pod(status.formatted("{'waiting':{'reason':'PodInitializing'}}"), "0/3", "Init:0/2", "0");
        pod(status.formatted("{'running':{}}"), "0/3", "Init:0/2", "0");
    }

    @Test
    void onceContainersRunOnlyTheRestartsOfSidecarsCountOfInitContainers() {
        String sidecar = ",{'name':'s','started':true,'ready':true,'state':{'running':{}}," + RESTARTED_AT_30 + "}";
        String before = "{'phase':'Pending','initContainerStatuses':[{'name':'i','state':%s," + RESTARTED_AT_50 + "}"
                + sidecar + "]";
        pod(before.formatted("{'running':{}}") + "}", "0/3", "Init:0/2", "2 (10m ago)");
        pod(
                before.formatted("{'terminated':{'exitCode':0}}")
                        + ",'containerStatuses':[{'ready':true,'restartCount':1,'state':{'running':{}}},"
                        + "{'ready':false,'state':{'waiting':{'reason':'ErrImagePull'}}}]}",
                "2/3",
                "ErrImagePull",
                "4 (30m ago)");
    }

    @Test
    void aPodOfWhichOnlyAPartHasEndedShowsTheRest() {
        String statuses = "{'phase':'Running'%s,'containerStatuses':[{'ready':false,'state':{'terminated':"
                + "{'exitCode':0,'reason':'Completed'}}},{'ready':%s,'state':{%s}}]}";
        String ready = ",'conditions':[{'type':'Ready','status':'True'}]";
        pod(statuses.formatted(ready, true, "'running':{}"), "1/3", "Running", "0");
        pod(statuses.formatted("", true, "'running':{}"), "1/3", "NotReady", "0");
        pod(statuses.formatted("", false, "'terminated':{'exitCode':2,'reason':'Error'}"), "0/3", "Error", "0");
        pod(statuses.formatted("", false, "'terminated':{'exitCode':2}"), "0/3", "ExitCode:2", "0");
        pod(statuses.formatted("", false, "'terminated':{'exitCode':0,'reason':'Completed'}"), "0/3", "Completed", "0");
    }

    @Test
    void podsThatAreDeletedOrGated() {
        String pod = "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':{},'status':%s}";
        assertThat(cell("pods", "Status", pod.formatted("{'phase':'Running'}"))).isEqualTo("Terminating");
        assertThat(cell("pods", "Status", pod.formatted("{'phase':'Failed','reason':'Evicted'}")))
                .isEqualTo("Evicted");
        assertThat(cell("pods", "Status", pod.formatted("{'phase':'Running','reason':'NodeLost'}")))
                .isEqualTo("Unknown");
        assertThat(cell(
                        "pods",
                        "Status",
                        "{'metadata':{},'spec':{},'status':{'phase':'Pending','conditions':[{'type':'PodScheduled',"
                                + "'status':'False','reason':'SchedulingGated'}]}}"))
                .isEqualTo("SchedulingGated");
    }

    @Test
    void readyAddressesOfEndpointsWithEachPort() {
        String subsets = "{'metadata':{},'subsets':[{'addresses':[{'ip':'10.0.0.1'},{'ip':'fd00::1'}],"
                + "'ports':[{'port':80},{'port':443}]}]}";
        assertThat(cell("endpoints", "Endpoints", subsets))
                .isEqualTo("10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...");
        assertThat(cell("endpoints", "Endpoints", "{'metadata':{},'subsets':[{'addresses':[{'ip':'10.0.0.1'}]}]}"))
                .isEqualTo("10.0.0.1");
        assertThat(cell(
                        "endpoints",
                        "Endpoints",
                        "{'metadata':{},'subsets':[{'notReadyAddresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]}]}"))
                .isEqualTo("");
        assertThat(cell("endpoints", "Endpoints", "{'metadata':{}}")).isEqualTo("<none>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[{'name':'','port':80},{'name':'https'}]; 80,https",
                "[{'name':''}]; <unset>",
                "[{'name':'','port':1},{'name':'','port':2},{'name':'','port':3},{'name':'','port':4}]; 1,2,3 + 1 more...",
                "[]; <unset>"
            })
    void portsOfEndpointSlices(String ports, String shown) {
        assertThat(cell("endpointslices.discovery.k8s.io", "Ports", "{'metadata':{},'ports':" + ports + "}"))
                .isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[]; *",
                "[{},{}]; *",
                "[{'host':'a'},{},{'host':'b'},{'host':'c'}]; a,b,c",
                "[{'host':'a'},{'host':'b'},{'host':'c'},{}]; a,b,c + 1 more...",
                "[{'host':'a'},{},{'host':'b'},{'host':'c'},{'host':'d'}]; a,b,c + 2 more..."
            })
    void hostsOfIngresses(String rules, String shown) {
        assertThat(cell("ingresses.networking.k8s.io", "Hosts", "{'metadata':{},'spec':{'rules':" + rules + "}}"))
                .isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[]; Pending",
                "['Approved']; Approved",
                "['Failed']; Pending,Failed",
                "['Approved','Failed']; Approved,Failed",
                "['Approved','Denied']; Denied"
            })
    void statesOfCertificateSigningRequests(String types, String shown) {
        StringBuilder conditions = new StringBuilder();
        for (Object type : tree("{'t':" + types + "}").array("t")) {
            conditions.append(conditions.isEmpty() ? "" : ",").append("{'type':'" + type + "','status':'True'}");
        }
        assertThat(cell(
                        "certificatesigningrequests.certificates.k8s.io",
                        "Condition",
                        "{'metadata':{},'spec':{},'status':{'conditions':[" + conditions + "]}}"))
                .isEqualTo(shown);
    }

    private static void targets(String metric, String current, String shown) {
        String status = current.isEmpty() ? "{}" : "{'currentMetrics':[" + current + "]}";
        KindStrategy strategy = Kinds.of("horizontalpodautoscalers.autoscaling", "v2");
        JsonObject tree = tree("{'metadata':{},'spec':{'scaleTargetRef':{},'maxReplicas':1,'metrics':[" + metric
                + "]},'status':" + status + "}");
        assertThat(strategy.cells(tree, NOW).get(2)).isEqualTo(shown);
    }

    @Test
    void metricsOfAutoscalers() {
        String cpu = "{'type':'Resource','resource':{'name':'cpu','target':{%s}}}";
        String reading = "{'type':'Resource','resource':{'name':'cpu','current':{%s}}}";
        targets(cpu.formatted("'averageUtilization':80"), "", "cpu: <unknown>/80%");
        targets(cpu.formatted("'averageUtilization':80"), reading.formatted("'averageUtilization':5"), "cpu: 5%/80%");
        targets(cpu.formatted(""), "", "cpu: <unknown>/<auto>");
        targets(cpu.formatted("'averageValue':'1'"), reading.formatted("'averageValue':'20m'"), "cpu: 20m/1");
        targets(cpu.formatted("'averageValue':'1'"), reading.formatted(""), "cpu: <nil>/1");
        String container = "{'type':'ContainerResource','containerResource':{'name':'memory','container':'c',"
                + "'target':{'averageUtilization':7}}}";
        targets(container, "", "memory: <unknown>/7%");
        targets("{'type':'Pods','pods':{'target':{'averageValue':'1k'}}}", "", "<unknown>/1k");
        targets(
                "{'type':'External','external':{'target':{'averageValue':'3'}}}",
                "{'type':'External','external':{'current':{'value':'9'}}}",
                "<unknown>/3 (avg)");
        targets(
                "{'type':'External','external':{'target':{'value':'3'}}}",
                "{'type':'External','external':{'current':{'averageValue':'9'}}}",
                "<nil>/3");
        String object = "{'type':'Object','object':{'target':{'value':'10'}}}";
        targets(object, "{'type':'Object','object':{'current':{'value':'4'}}}", "4/10");
        targets(object + "," + object + "," + object, "", "<unknown>/10, <unknown>/10 + 1 more...");
    }

    @Test
    void theSourceOfAnEventIsCompletedByTheReporter() {
        String event =
                "{'metadata':{},'involvedObject':{},'source':%s,'reportingComponent':'r','reportingInstance':'i'}";
        assertThat(cell("events", "Source", event.formatted("{'component':'c'}")))
                .isEqualTo("c, i");
        assertThat(cell("events", "Source", event.formatted("{'host':'h'}"))).isEqualTo("r, h");
        assertThat(cell("events", "Source", event.formatted("{}"))).isEqualTo("r, i");
    }

    @Test
    void parametersOfPolicyBindings() {
        String binding = "{'metadata':{},'spec':{'paramRef':%s}}";
        String id = "validatingadmissionpolicybindings.admissionregistration.k8s.io";
        assertThat(cell(id, "ParamRef", binding.formatted("{'name':'n'}"))).isEqualTo("*/n");
        assertThat(cell(
                        id,
                        "ParamRef",
                        binding.formatted("{'selector':{'matchLabels':{'b':'2','a':'1'},'matchExpressions':"
                                + "[{'key':'k','operator':'In','values':['x','y']}]}}")))
                .isEqualTo("&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:"
                        + "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}");
        assertThat(cell(id, "ParamRef", binding.formatted("{'selector':{}}")))
                .isEqualTo(
                        "&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}");
    }

    @Test
    void storageKinds() {
        String beta = "{'metadata':{'annotations':{'volume.beta.kubernetes.io/storage-class':''}},"
                + "'spec':{'storageClassName':'s'},'status':{}}";
        assertThat(cell("persistentvolumes", "StorageClass", beta)).isEqualTo("");
        assertThat(cell("persistentvolumeclaims", "StorageClass", beta)).isEqualTo("");
        String marked = "{'metadata':{'name':'c','annotations':{'%s':'true'}}}";
        String ofClass = "storageclass.kubernetes.io/is-default-class";
        String ofAttributes = "volumeattributesclass.alpha.kubernetes.io/is-default-class";
        assertThat(cell("storageclasses.storage.k8s.io", "Name", marked.formatted(ofClass)))
                .isEqualTo("c (default)");
        assertThat(cell("volumeattributesclasses.storage.k8s.io", "Name", marked.formatted(ofClass)))
                .isEqualTo("c");
        assertThat(cell("volumeattributesclasses.storage.k8s.io", "Name", marked.formatted(ofAttributes)))
                .isEqualTo("c (default)");
        String driver = "{'metadata':{},'spec':{'tokenRequests':%s}}";
        assertThat(cell("csidrivers.storage.k8s.io", "TokenRequests", driver.formatted("[]")))
                .isEqualTo("<unset>");
        assertThat(cell("csidrivers.storage.k8s.io", "TokenRequests", driver.formatted("[{'audience':''}]")))
                .isEqualTo("");
    }

    @Test
    void otherKinds() {
        assertThat(cell(
                        "apiservices.apiregistration.k8s.io",
                        "Available",
                        "{'metadata':{},'spec':{},'status':{'conditions':[{'type':'Available','status':'False'}]}}"))
                .isEqualTo("False");
        assertThat(cell(
                        "resourcequotas",
                        "Request",
                        "{'metadata':{},'status':{'hard':{'pods':'5','limits.cpu':'2','limitsX':'1'}}}"))
                .isEqualTo("limitsX: 0/1, pods: 0/5");
        assertThat(cell(
                        "ipaddresses.networking.k8s.io",
                        "ParentRef",
                        "{'metadata':{},'spec':{'parentRef':{'resource':'Services','namespace':'n','name':'S'}}}"))
                .isEqualTo("services/n/S");
    }

    @Test
    void flowSchemasAreInTheOrderInWhichTheyAreTried() {
        JsonObject first = tree("{'metadata':{'name':'z'},'spec':{'matchingPrecedence':5}}");
        JsonObject second = tree("{'metadata':{'name':'a'},'spec':{'matchingPrecedence':10}}");
        JsonObject third = tree("{'metadata':{'name':'b'},'spec':{'matchingPrecedence':10}}");
        assertThat(List.of(third, second, first).stream()
                        .sorted(Kinds.of("flowschemas.flowcontrol.apiserver.k8s.io")
                                .rowOrder()
                                .orElseThrow())
                        .toList())
                .containsExactly(first, second, third);
    }
}
