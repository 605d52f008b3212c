package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The type checks of validating policies, and the release of what is no longer used. */
class PolicyTypeChecksTest {
    private static final String POLICIES = "admissionregistration.k8s.io/v1/validatingadmissionpolicies";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private JsonObject checked(String group, String resource, String more) {
        api.create(
                POLICIES,
                "",
                "{'metadata':{'name':'p'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':['" + group
                        + "'],'apiVersions':['v1'],'operations':['CREATE'],'resources':['" + resource + "']}]}," + more
                        + "}}");
        return api.get(POLICIES, "", "p").object("status");
    }

    @Test
    void variablesAndParametersHaveTypes() {
        JsonObject status = checked(
                "apps",
                "deployments",
                "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},"
                        + "'variables':[{'name':'n','expression':'object.spec.replicas'}],'validations':["
                        + "{'expression':'variables.n > 1'},{'expression':'variables.n == \\\"x\\\"'},"
                        + "{'expression':'params.data.max == \\\"1\\\"'},{'expression':'params.spec == 1'}]");
        assertThat(status.integer("observedGeneration")).isEqualTo(1);
        assertThat(status.objects("typeChecking", "expressionWarnings").stream()
                        .map(warning -> warning.string("fieldRef")))
                .containsExactly("spec.validations[1].expression", "spec.validations[3].expression");
    }

    @Test
    void aChangedPolicyIsCheckedAgain() {
        assertThat(checked("", "pods", "'validations':[{'expression':'object.spec.nodeNam == \\\"\\\"'}]")
                        .objects("typeChecking", "expressionWarnings")
                        .getFirst()
                        .string("warning"))
                .startsWith("/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'nodeNam'");
        api.patch(
                POLICIES,
                "",
                "p",
                Patch.Type.MERGE,
                "{'spec':{'validations':[{'expression':'object.spec.nodeName == \\\"\\\"'}]}}");
        JsonObject status = api.get(POLICIES, "", "p").object("status");
        assertThat(status.integer("observedGeneration")).isEqualTo(2);
        assertThat(status.objects("typeChecking", "expressionWarnings")).isEmpty();
    }

    @Test
    void recursiveTypesCanBeChecked() {
        JsonObject status = checked(
                "apiextensions.k8s.io",
                "customresourcedefinitions",
                "'validations':[{'expression':'object.spec.versions.all(v, v.schema.openAPIV3Schema.type =="
                        + " \\\"object\\\")'}]");
        assertThat(status.objects("typeChecking", "expressionWarnings")).isEmpty();
    }
}
