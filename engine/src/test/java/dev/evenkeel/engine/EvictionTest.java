package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Evictions of pods, and conditions that the server itself keeps. */
class EvictionTest {
    private static final String PODS = "v1/pods";
    private static final String BUDGETS = "policy/v1/poddisruptionbudgets";
    private static final String SCHEMAS = "flowcontrol.apiserver.k8s.io/v1/flowschemas";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private Target at(String resource, String name, String subresource) {
        Target target = api.target(resource, "default", name);
        return new Target(target.type(), target.version(), "default", name, subresource);
    }

    private void pod(String name) {
        api.create(
                PODS,
                "default",
                "{'metadata':{'name':'" + name + "','labels':{'app':'a'}},'spec':{'nodeName':'n',"
                        + "'terminationGracePeriodSeconds':0,'containers':[{'name':'c','image':'i:1'}]}}");
        api.patch(
                at(PODS, name, "status"),
                Patch.Type.MERGE,
                "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
    }

    private void budget(String name, int allowed) {
        api.create(
                BUDGETS,
                "default",
                "{'metadata':{'name':'" + name
                        + "'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'a'}}}}");
        api.patch(
                at(BUDGETS, name, "status"),
                Patch.Type.MERGE,
                "{'status':{'observedGeneration':1,'disruptionsAllowed':" + allowed
                        + ",'currentHealthy':2,'desiredHealthy':1,'expectedPods':2}}");
    }

    private void evict(String name, String options) {
        api.partition.create(
                at(PODS, name, "eviction"),
                Body.json(("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'" + name + "'}" + options
                                + "}")
                        .replace('\'', '"')),
                WriteOptions.of("test"));
    }

    @Test
    void podsWithoutBudgetAreDeleted() {
        pod("p");
        evict("p", ",'deleteOptions':{'dryRun':['All']}");
        assertThat(api.names(PODS, "default")).containsExactly("p");
        evict("p", ",'deleteOptions':{'gracePeriodSeconds':0}");
        assertThat(api.names(PODS, "default")).isEmpty();
        assertThatThrownBy(() -> evict("p", "")).isInstanceOf(NotFoundException.class);
    }

    @Test
    void budgetsCountEvictionsAndThenRefuseThem() {
        pod("p");
        pod("q");
        budget("b", 1);
        evict("p", ",'deleteOptions':{'gracePeriodSeconds':0}");
        JsonObject status = api.get(BUDGETS, "default", "b").object("status");
        assertThat(status.get("disruptionsAllowed")).isEqualTo(0L);
        assertThat(status.object("disruptedPods").keySet()).containsExactly("p");
        assertThatThrownBy(() -> evict("q", ""))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(429))
                .hasMessageContaining("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(api.names(PODS, "default")).containsExactly("q");
    }

    @Test
    void aPodHasOneBudget() {
        pod("p");
        budget("b", 1);
        budget("c", 1);
        assertThatThrownBy(() -> evict("p", "")).hasMessageContaining("more than one PodDisruptionBudget");
    }

    @Test
    void flowSchemasWithoutTheirLevelAreDangling() {
        api.create(
                SCHEMAS,
                "",
                "{'metadata':{'name':'s'},'spec':{'priorityLevelConfiguration':{'name':'none'},"
                        + "'matchingPrecedence':9}}");
        assertThat(conditions("s")).containsExactly("Dangling=True");
        api.create(
                "flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
                "",
                "{'metadata':{'name':'none'},'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}}}");
        assertThat(conditions("s")).containsExactly("Dangling=False");
    }

    private List<String> conditions(String schema) {
        return api.get(SCHEMAS, "", schema).object("status").array("conditions").stream()
                .map(item -> ((JsonObject) item).string("type") + "=" + ((JsonObject) item).string("status"))
                .toList();
    }
}
