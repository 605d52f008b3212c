package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of pods that are allowed, and the subresources they go through. */
class PodUpdateRulesTest {
    private static final String BASE =
            "'containers':[{'name':'c','image':'i:1','resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}}]";

    private static JsonObject pod(String spec) {
        JsonObject tree = Kinds.read(
                "pods",
                Kinds.tree("{'metadata':{'name':'p','namespace':'n','uid':'u','resourceVersion':'1'},'spec':{" + spec
                        + "}}"));
        Kinds.of("pods").prepareForCreate(tree, Kinds.CONTEXT);
        return tree;
    }

    private static List<String> update(String subresource, JsonObject changed, JsonObject old) {
        KindStrategy strategy = Kinds.of("pods");
        JsonObject tree = changed.copy();
        strategy.prepareForUpdate(tree, old, subresource, Kinds.CONTEXT);
        return strategy.validate(tree, old, subresource).stream()
                .map(FieldError::text)
                .toList();
    }

    private static JsonObject with(String from, String to) {
        return pod(BASE.replace(from, to));
    }

    @Test
    void anyContainerIsStartedAgainWhereOneCanRestartAll() {
        String ended = "'status':{'qosClass':'BestEffort','containerStatuses':[{'name':'c','state':"
                + "{'terminated':{'exitCode':0}}}]}";
        String rules = "'containers':[{'name':'c','image':'i'}],'restartPolicy':'Never','initContainers':[{'name':'i',"
                + "'image':'i','restartPolicy':'Never','restartPolicyRules':[{'action':'ACTION',"
                + "'exitCodes':{'operator':'In','values':[1]}}]}]";
        for (String action : List.of("Restart", "RestartAllContainers")) {
            JsonObject old = Kinds.read(
                    "pods",
                    Kinds.tree("{'metadata':{'name':'p','namespace':'n','uid':'u','resourceVersion':'1'},'spec':{"
                            + rules.replace("ACTION", action) + "}," + ended + "}"));
            JsonObject changed = old.copy();
            changed.object("status").remove("containerStatuses");
            changed.object("status")
                    .put(
                            "containerStatuses",
                            Kinds.tree("{'a':[{'name':'c','state':{'running':{}}}]}")
                                    .array("a"));
            assertThat(update("status", changed, old)).hasSize(action.equals("Restart") ? 1 : 0);
        }
    }

    @Test
    void claimsForExtendedResourcesMapRequestsOfContainers() {
        JsonObject old = pod(BASE);
        JsonObject changed = old.copy();
        changed.withObject("status")
                .put(
                        "extendedResourceClaimStatus",
                        Kinds.tree("{'resourceClaimName':'','requestMappings':["
                                + "{'containerName':'c','resourceName':'a/b','requestName':'r'},"
                                + "{'containerName':'d','resourceName':'a/b','requestName':'R'}]}"));
        assertThat(update("status", changed, old))
                .extracting(error -> error.substring(0, error.indexOf(": ")))
                .containsExactly(
                        "status.extendedResourceClaimStatus.requestMappings[0].resourceName",
                        "status.extendedResourceClaimStatus.requestMappings[1].containerName",
                        "status.extendedResourceClaimStatus.requestName",
                        "status.extendedResourceClaimStatus.resourceClaimName");
    }

    @Test
    void imagesMayChange() {
        assertThat(update("", with("i:1", "i:2"), pod(BASE))).isEmpty();
        assertThat(update("", pod(BASE + ",'activeDeadlineSeconds':5"), pod(BASE)))
                .isEmpty();
        assertThat(update("", pod(BASE), pod(BASE + ",'activeDeadlineSeconds':5")))
                .containsExactly("spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive"
                        + " integer to nil value");
    }

    @Test
    void otherFieldsAreForbiddenAndTheDifferenceIsShown() {
        assertThat(update("", pod(BASE + ",'hostname':'h'"), pod(BASE)))
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("spec: Forbidden: pod updates may not change fields other than"
                                + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                                + "`spec.tolerations` (only additions to existing tolerations),"
                                + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
                                + " negative)\n")
                        .contains("- \"Hostname\": \"\",\n", "+ \"Hostname\": \"h\",\n"));
    }

    @Test
    void resourcesChangeThroughResize() {
        assertThat(update("resize", with("'cpu':'2'", "'cpu':'3'"), pod(BASE))).isEmpty();
        assertThat(update("resize", with("'cpu':'2'", "'cpu':'0.5'"), pod(BASE)))
                .containsExactly("spec.containers[0].resources.requests: Invalid value: \"1\": must be less than or"
                        + " equal to cpu limit of 500m");
        assertThat(update("resize", with("'limits':{'cpu':'2'}", "'limits':{}"), pod(BASE)))
                .isNotEmpty();
    }

    @Test
    void resizedPodsKeepTheirContainers() {
        assertThat(update("resize", pod(BASE.replace("}]", "},{'name':'d','image':'i'}]")), pod(BASE)))
                .containsExactly("spec.containers: Forbidden: containers may not be added or removed on resize");
        assertThat(update("resize", with("'name':'c'", "'name':'d'"), pod(BASE)))
                .containsExactly(
                        "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize");
        assertThat(update("resize", with("'i:1'", "'i:2'"), pod(BASE))).isEmpty();
    }

    @Test
    void initContainersAreResizedUnlessThatRestartsThem() {
        String init = BASE + ",'initContainers':[{'name':'d','image':'i','resources':{'limits':{'cpu':'%s'}}%s}]";
        String restarts = ",'resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]";
        assertThat(update("resize", pod(init.formatted("2", "")), pod(init.formatted("1", ""))))
                .isEmpty();
        assertThat(update("resize", pod(init.formatted("2", restarts)), pod(init.formatted("1", restarts))))
                .containsExactly(
                        "spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of"
                                + " RestartContainer cannot be resized");
    }

    @Test
    void anInitContainerIsRefusedOnceForEachPolicyThatRestartsIt() {
        String init = BASE + ",'initContainers':[{'name':'d','image':'i','resources':{'limits':{'cpu':'%s'}},"
                + "'resizePolicy':[{'resourceName':'cpu','restartPolicy':'RestartContainer'},"
                + "{'resourceName':'memory','restartPolicy':'RestartContainer'}]}]";
        assertThat(update("resize", pod(init.formatted("2")), pod(init.formatted("1"))))
                .hasSize(2);
    }

    @Test
    void aContainerThatThePodDoesNotHaveStaysEnded() {
        JsonObject old = pod(BASE);
        JsonObject changed = old.copy();
        old.withObject("status")
                .put(
                        "containerStatuses",
                        Kinds.tree("{'a':[{'name':'c','state':{'terminated':{'exitCode':0}}},"
                                        + "{'name':'z','state':{'terminated':{'exitCode':0}}}]}")
                                .array("a"));
        changed.withObject("status")
                .put(
                        "containerStatuses",
                        Kinds.tree("{'a':[{'name':'c','state':{}},{'name':'z','state':{}}]}")
                                .array("a"));
        assertThat(update("status", changed, old))
                .containsExactly("status.containerStatuses[1].state: Forbidden: may not be transitioned to"
                        + " non-terminated state");
    }

    @Test
    void fieldsOfFeaturesThatAreOffAreDroppedFromAStatus() {
        JsonObject tree = pod(BASE);
        tree.put(
                "status",
                Kinds.tree("{'nodeAllocatableResourceClaimStatuses':[{}],'initContainerStatuses':[{'volumeMounts':"
                        + "[{'name':'v','volumeStatus':{'image':{'imageRef':'i'}}}]}]}"));
        Kinds.of("pods").dropDisabled(tree);
        assertThat(tree.object("status"))
                .isEqualTo(Kinds.tree("{'initContainerStatuses':[{'volumeMounts':[{'name':'v'}]}]}"));
    }

    @Test
    void messagesAboutDevicesAreNotEmptyAndNotLong() {
        JsonObject old = pod(BASE);
        JsonObject changed = old.copy();
        changed.withObject("status")
                .put(
                        "containerStatuses",
                        Kinds.tree("{'a':[{'name':'c','allocatedResourcesStatus':[{'name':'cpu','resources':["
                                        + "{'resourceID':'a','health':'Healthy','message':''},"
                                        + "{'resourceID':'b','health':'Healthy','message':'" + "m".repeat(1_025)
                                        + "'}]}]}]}")
                                .array("a"));
        String resources = "status.containerStatuses[0].allocatedResourcesStatus[0].resources";
        assertThat(update("status", changed, old))
                .containsExactly(
                        resources + "[0].message: Required value: must be non-empty if specified",
                        resources + "[1].message: Too long: may not be more than 1024 bytes");
    }

    @Test
    void malformedAddressesAreOfNoFamily() {
        JsonObject old = pod(BASE);
        JsonObject changed = old.copy();
        changed.withObject("status")
                .put("podIPs", Kinds.tree("{'a':[{'ip':'::1'},{'ip':'y'}]}").array("a"));
        assertThat(update("status", changed, old))
                .hasSize(3)
                .contains(
                        "status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: y",
                        "status.podIPs: Invalid value: [{\"IP\":\"::1\"},{\"IP\":\"y\"}]: may specify no more than"
                                + " one IP for each IP family");
    }

    @Test
    void statusesKeepTheGenerationsThatTheyLeaveOut() {
        JsonObject old = pod(BASE);
        old.withObject("status").put("observedGeneration", 3L);
        JsonObject tree = pod(BASE);
        Kinds.of("pods").prepareForStatusUpdate(tree, old, Kinds.CONTEXT);
        assertThat(tree.integer("status", "observedGeneration")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'d','image':'i:1'} | ",
                "{'name':'c','image':'i:1'} | spec.ephemeralContainers[0].name: Duplicate value: `c`",
                "{'name':'d','image':'i:1','ports':[{'containerPort':1}]} | spec.ephemeralContainers[0].ports:"
                        + " Forbidden: cannot be set for an Ephemeral Container",
                "{'name':'d','image':'i:1','targetContainerName':'x'} |"
                        + " spec.ephemeralContainers[0].targetContainerName: Not found: `x`",
            })
    void ephemeralContainersAreAddedThroughTheirSubresource(String container, String error) {
        List<String> texts =
                update("ephemeralcontainers", pod(BASE + ",'ephemeralContainers':[" + container + "]"), pod(BASE));
        assertThat(texts).isEqualTo(error == null ? List.of() : List.of(error.replace('`', '"')));
    }
}
