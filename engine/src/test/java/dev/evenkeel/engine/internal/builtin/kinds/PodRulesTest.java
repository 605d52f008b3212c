package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
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
}
