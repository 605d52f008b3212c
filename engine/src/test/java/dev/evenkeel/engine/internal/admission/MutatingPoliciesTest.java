package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.InvalidException;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mutating admission policies; their recordings are replayed by the server's tests. */
class MutatingPoliciesTest {
    private static final String GROUP = "admissionregistration.k8s.io/v1/";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private void policy(String name, String plural, String operation, String mutations, String more) {
        api.create(
                GROUP + "mutatingadmissionpolicies",
                "",
                "{'metadata':{'name':'" + name + "'},'spec':{'reinvocationPolicy':'Never','matchConstraints':"
                        + "{'resourceRules':[{'apiGroups':['*'],'apiVersions':['*'],'operations':['" + operation
                        + "'],'resources':['" + plural + "']}]},'mutations':[" + mutations + "]" + more + "}}");
        api.create(
                GROUP + "mutatingadmissionpolicybindings",
                "",
                "{'metadata':{'name':'" + name + "'},'spec':{'policyName':'" + name + "'}}");
    }

    private static String configuration(String expression) {
        return "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'" + expression + "'}}";
    }

    private static String patch(String expression) {
        return "{'patchType':'JSONPatch','jsonPatch':{'expression':'" + expression + "'}}";
    }

    private JsonObject map(String name) {
        return api.create("v1/configmaps", "default", "{'metadata':{'name':'" + name + "'},'data':{'k':'v'}}");
    }

    @Test
    void listsThatAreMapsAreMergedByTheirKeys() {
        policy(
                "p",
                "pods",
                "CREATE",
                configuration("Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: \\\"side\\\","
                        + " image: \\\"s\\\", restartPolicy: \\\"Always\\\"}]}}"),
                "");
        JsonObject pod = api.create(
                "v1/pods",
                "default",
                "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                        + "'initContainers':[{'name':'i','image':'i'}]}}");
        assertThat(pod.objects("spec", "initContainers").stream().map(each -> each.string("name")))
                .containsExactly("i", "side");
    }

    @Test
    void aConfigurationMayNotReplaceWhatIsOwnedAsAWhole() {
        policy(
                "p",
                "services",
                "CREATE",
                configuration("Object{spec: Object.spec{selector: Object.spec.selector{a: \\\"b\\\"}}}"),
                "");
        assertThatThrownBy(() -> api.create(
                        "v1/services", "default", "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}"))
                .isInstanceOf(InvalidException.class)
                .hasMessage("policy 'p' with binding 'p' denied request: error applying patch: invalid"
                        + " ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector");
    }

    @Test
    void aTypeNameThatDoesNotFitItsFieldFails() {
        policy(
                "p",
                "configmaps",
                "CREATE",
                configuration("Object{metadata: Object.spec{labels: {\\\"a\\\": \\\"b\\\"}}}"),
                "");
        assertThatThrownBy(() -> map("a"))
                .hasMessageContaining("type mismatch: unexpected type name \"Object.spec\", expected"
                        + " \"Object.metadata\", which matches field name path from root Object type");
    }

    @Test
    void variablesAndTheAuthorizerAreSeen() {
        policy(
                "p",
                "configmaps",
                "CREATE",
                patch("[JSONPatch{op: \\\"add\\\", path: \\\"/data/may\\\", value: variables.may ? \\\"yes\\\" :"
                        + " \\\"no\\\"}]"),
                ",'variables':[{'name':'may','expression':'authorizer.group(\\\"\\\").resource(\\\"secrets\\\")"
                        + ".namespace(\\\"default\\\").check(\\\"get\\\").allowed()"
                        + " && authorizer.requestResource.check(\\\"create\\\").allowed()'}]");
        assertThat(map("a").string("data", "may")).isEqualTo("yes");
    }

    @Test
    void aConditionThatIsFalseLeavesTheObject() {
        policy(
                "p",
                "configmaps",
                "CREATE",
                configuration("Object{data: {\\\"x\\\": \\\"y\\\"}}"),
                ",'matchConditions':[{'name':'c','expression':'object.metadata.name == \\\"b\\\"'}]");
        assertThat(map("a").object("data").containsKey("x")).isFalse();
        assertThat(map("b").string("data", "x")).isEqualTo("y");
    }

    @Test
    void aFailureIsIgnoredIfThePolicySaysSo() {
        policy(
                "p",
                "configmaps",
                "CREATE",
                patch("[JSONPatch{op: \\\"remove\\\", path: \\\"/data/none\\\"}]"),
                ",'failurePolicy':'Ignore'");
        assertThat(map("a").object("data").size()).isEqualTo(1);
    }

    @Test
    void theResultOfAJsonPatchIsReadStrictly() {
        String ignore = ",'failurePolicy':'Ignore','matchConditions':[{'name':'n','expression':"
                + "'object.metadata.name == \\\"%s\\\"'}]";
        for (String[] patch : new String[][] {
            {"unknown", "/bogus", "1", "strict decoding error: unknown field \"bogus\""},
            {
                "mistyped",
                "/data/k",
                "1",
                "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"
            },
            {
                "version",
                "/apiVersion",
                "\\\"v2\\\"",
                "no kind \"ConfigMap\" is registered for version \"v2\" in scheme \"pkg/api/legacyscheme/scheme.go:30\""
            },
            {"kind", "/kind", "\\\"Namespace\\\"", "strict decoding error: unknown field \"data\""},
        }) {
            policy(
                    patch[0],
                    "configmaps",
                    "CREATE",
                    patch("[JSONPatch{op: \\\"add\\\", path: \\\"" + patch[1] + "\\\", value: " + patch[2] + "}]"),
                    ignore.formatted(patch[0]));
            assertThatThrownBy(() -> map(patch[0])).hasMessage("Internal error occurred: " + patch[3]);
        }
    }

    @Test
    void theChangedObjectIsValidatedAndSeenByPlugins() {
        api.create(
                "v1/limitranges",
                "default",
                "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container','default':{'cpu':'1'}}]}}");
        policy(
                "p",
                "pods",
                "CREATE",
                configuration("Object{spec: Object.spec{containers: [Object.spec.containers{name: \\\"more\\\","
                        + " image: \\\"m\\\"}]}}"),
                "");
        JsonObject pod = api.create(
                "v1/pods", "default", "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        assertThat(pod.objects("spec", "containers"))
                .hasSize(2)
                .allMatch(container ->
                        container.string("resources", "limits", "cpu").equals("1"));
    }
}
