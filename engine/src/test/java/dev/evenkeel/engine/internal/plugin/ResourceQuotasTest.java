package dev.evenkeel.engine.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Quotas: what they refuse, and that their usage is right; the recordings are replayed by the server's tests. */
class ResourceQuotasTest {
    private static final String QUOTAS = "v1/resourcequotas";
    private static final String MAPS = "v1/configmaps";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private void quota(String spec) {
        api.create(QUOTAS, "default", "{'metadata':{'name':'q'},'spec':" + spec + "}");
    }

    private String used(String name) {
        return api.get(QUOTAS, "default", "q").string("status", "used", name);
    }

    private JsonObject map(String name) {
        return api.create(MAPS, "default", "{'metadata':{'name':'" + name + "'}}");
    }

    @Test
    void countsWhatExistsAndWhatIsCreatedAndDeleted() {
        map("a");
        quota("{'hard':{'configmaps':'2','count/configmaps':'5'}}");
        assertThat(used("configmaps")).isEqualTo("1");
        map("b");
        assertThat(used("count/configmaps")).isEqualTo("2");
        assertThatThrownBy(() -> map("c"))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("configmaps \"c\" is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                        + " configmaps=2, limited: configmaps=2");
        api.delete(MAPS, "default", "a");
        assertThat(used("configmaps")).isEqualTo("1");
        assertThat(map("c").string("metadata", "name")).isEqualTo("c");
    }

    @Test
    void aChangedLimitIsEffectiveWithTheUsageOfThatMoment() {
        quota("{'hard':{'configmaps':'1'}}");
        map("a");
        api.patch(QUOTAS, "default", "q", Patch.Type.MERGE, "{'spec':{'hard':{'configmaps':'2','secrets':'1'}}}");
        assertThat(used("secrets")).isEqualTo("0");
        map("b");
        assertThatThrownBy(() -> map("c")).hasMessageContaining("exceeded quota: q");
    }

    @Test
    void customResourcesAreCounted() {
        api.create(
                "apiextensions.k8s.io/v1/customresourcedefinitions",
                "",
                "{'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com','scope':'Namespaced','names':"
                        + "{'plural':'widgets','kind':'Widget'},'versions':[{'name':'v1','served':true,'storage':true,"
                        + "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}");
        quota("{'hard':{'count/widgets.example.com':'1'}}");
        String widget = "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'%s'}}";
        api.create("example.com/v1/widgets", "default", widget.formatted("a"));
        assertThatThrownBy(() -> api.create("example.com/v1/widgets", "default", widget.formatted("b")))
                .hasMessageContaining("used: count/widgets.example.com=1, limited: count/widgets.example.com=1");
    }

    private JsonObject service(String name, String type) {
        return api.create(
                "v1/services",
                "default",
                "{'metadata':{'name':'" + name + "'},'spec':{'type':'" + type + "','ports':[{'port':80}]}}");
    }

    @Test
    void aServiceThatBecomesOneOfAnotherTypeIsChargedForTheDifference() {
        quota("{'hard':{'services':'9','services.nodeports':'1','services.loadbalancers':'0'}}");
        service("a", "ClusterIP");
        assertThat(used("services.nodeports")).isEqualTo("0");
        api.patch("v1/services", "default", "a", Patch.Type.MERGE, "{'spec':{'type':'NodePort'}}");
        assertThat(used("services.nodeports")).isEqualTo("1");
        assertThatThrownBy(() -> service("b", "NodePort")).hasMessageContaining("requested: services.nodeports=1");
        api.patch(
                "v1/services",
                "default",
                "a",
                Patch.Type.MERGE,
                "{'spec':{'type':'ClusterIP','ports':[{'port':80,'nodePort':null}]}}");
        assertThat(used("services.nodeports")).isEqualTo("0");
    }

    private JsonObject pod(String name, String more) {
        return api.create(
                "v1/pods",
                "default",
                "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i','resources':"
                        + "{'requests':{'cpu':'600m'}}}]" + more + "}}");
    }

    @Test
    void aPodThatHasEndedReleasesItsResourcesAndStaysCounted() {
        quota("{'hard':{'pods':'2','count/pods':'9','requests.cpu':'1'}}");
        pod("a", "");
        assertThatThrownBy(() -> pod("b", "")).hasMessageContaining("used: requests.cpu=600m, limited: requests.cpu=1");
        Target pod = api.target("v1/pods", "default", "a");
        Target status = new Target(pod.type(), pod.version(), "default", "a", "status");
        api.patch(status, Patch.Type.MERGE, "{'status':{'phase':'Succeeded'}}");
        assertThat(used("requests.cpu")).isEqualTo("0");
        assertThat(used("pods")).isEqualTo("0");
        assertThat(used("count/pods")).isEqualTo("1");
        assertThat(pod("b", "").string("metadata", "name")).isEqualTo("b");
    }

    @Test
    void aQuotaIsForThePodsInAllItsScopes() {
        quota("{'hard':{'pods':'1'},'scopes':['NotBestEffort'],'scopeSelector':{'matchExpressions':"
                + "[{'scopeName':'PriorityClass','operator':'In','values':['system-node-critical']}]}}");
        pod("a", "");
        assertThat(used("pods")).isEqualTo("0");
        pod("b", ",'priorityClassName':'system-node-critical'");
        assertThat(used("pods")).isEqualTo("1");
        assertThatThrownBy(() -> pod("c", ",'priorityClassName':'system-node-critical'"))
                .hasMessageContaining("exceeded quota: q");
    }

    @Test
    void storageIsCountedInAllAndForEachClass() {
        quota("{'hard':{'requests.storage':'3Gi','gold.storageclass.storage.k8s.io/requests.storage':'1Gi'}}");
        String claim = "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s',"
                + "'resources':{'requests':{'storage':'%s'}}}}";
        api.create("v1/persistentvolumeclaims", "default", claim.formatted("a", "gold", "1Gi"));
        assertThatThrownBy(
                        () -> api.create("v1/persistentvolumeclaims", "default", claim.formatted("b", "gold", "1Mi")))
                .hasMessageContaining("requested: gold.storageclass.storage.k8s.io/requests.storage=1Mi");
        api.create("v1/persistentvolumeclaims", "default", claim.formatted("c", "iron", "2Gi"));
        assertThat(used("requests.storage")).isEqualTo("3Gi");
    }

    @Test
    void aDryRunIsRefusedLikeARealWriteAndCountsNothing() {
        quota("{'hard':{'configmaps':'1'}}");
        Requests dry = api.with(WriteOptions.of("test").withDryRun(true));
        dry.create(MAPS, "default", "{'metadata':{'name':'a'}}");
        assertThat(used("configmaps")).isEqualTo("0");
        map("a");
        assertThatThrownBy(() -> dry.create(MAPS, "default", "{'metadata':{'name':'b'}}"))
                .hasMessageContaining("exceeded quota: q");
    }

    /** Two creates that both saw room for one would exceed the quota together. */
    @Test
    void simultaneousCreatesNeverExceedAQuotaTogether() throws Exception {
        quota("{'hard':{'configmaps':'20'}}");
        List<Callable<Boolean>> creates = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String name = "m" + i;
            creates.add(() -> {
                try {
                    map(name);
                    return true;
                } catch (ForbiddenException e) {
                    return false;
                }
            });
        }
        int created = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> result : threads.invokeAll(creates)) {
                created += result.get() ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(20);
        assertThat(api.names(MAPS, "default")).hasSize(20);
        assertThat(used("configmaps")).isEqualTo("20");
    }
}
