package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** API services of what a server with access control serves itself, and its range of service addresses. */
class LocalApisTest {
    private static final String APIS = "apiregistration.k8s.io/v1/apiservices";
    private static final String DEFINITIONS = "apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String RANGES = "networking.k8s.io/v1/servicecidrs";
    private static final String LABEL = "kube-aggregator.kubernetes.io/automanaged";

    private final Engine engine =
            Requests.direct().authorization(Authorization.RBAC).build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private static String condition(JsonObject object) {
        JsonObject condition = object.objects("status", "conditions").getFirst();
        assertThat(condition.has("lastTransitionTime")).isTrue();
        return condition.string("type") + " " + condition.string("status") + " " + condition.string("reason") + ": "
                + condition.string("message");
    }

    private void define(String plural, String kind, boolean second) {
        String schema = "'schema':{'openAPIV3Schema':{'type':'object'}}";
        api.create(
                DEFINITIONS,
                "",
                "{'metadata':{'name':'" + plural + ".example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                        + "'names':{'plural':'" + plural + "','kind':'" + kind + "'},'versions':["
                        + "{'name':'v1','served':true,'storage':true," + schema + "},"
                        + "{'name':'v2','served':" + second + ",'storage':false," + schema + "}]}}");
    }

    @Test
    void thoseOfKubernetesAreAvailable() {
        assertThat(api.names(APIS, "")).hasSize(21);
        JsonObject apps = api.get(APIS, "", "v1.apps");
        assertThat(apps.object("metadata", "labels")).isEqualTo(JsonObject.of(LABEL, "onstart"));
        assertThat(apps.object("spec"))
                .isEqualTo(JsonObject.of("group", "apps", "version", "v1")
                        .set("groupPriorityMinimum", 17_800L)
                        .set("versionPriority", 15L));
        assertThat(condition(apps)).isEqualTo("Available True Local: Local APIServices are always available");
        assertThat(condition(api.get(APIS, "", "v1."))).startsWith("Available True Local");
    }

    /** They are created when a server starts, and then left alone. */
    @Test
    void thoseOfKubernetesCanBeDeleted() {
        api.delete(APIS, "", "v1.apps");
        assertThat(api.names(APIS, "")).doesNotContain("v1.apps");
    }

    @Test
    void thoseOfCustomResourcesFollowTheServedVersions() {
        define("widgets", "Widget", true);
        define("gadgets", "Gadget", false);
        assertThat(api.names(APIS, "")).hasSize(23).contains("v1.example.com", "v2.example.com");
        JsonObject first = api.get(APIS, "", "v1.example.com");
        assertThat(first.object("metadata", "labels")).isEqualTo(JsonObject.of(LABEL, "true"));
        assertThat(first.object("spec"))
                .isEqualTo(JsonObject.of("group", "example.com", "version", "v1")
                        .set("groupPriorityMinimum", 1000L)
                        .set("versionPriority", 100L));
        assertThat(condition(first)).startsWith("Available True Local");
        api.delete(DEFINITIONS, "", "widgets.example.com");
        assertThat(api.names(APIS, "")).hasSize(22).contains("v1.example.com");
        api.delete(DEFINITIONS, "", "gadgets.example.com");
        assertThat(api.names(APIS, "")).hasSize(21);
    }

    @Test
    void thoseOfCustomResourcesAreKeptAsTheyAre() {
        define("widgets", "Widget", false);
        api.delete(APIS, "", "v1.example.com");
        assertThat(api.names(APIS, "")).contains("v1.example.com");
        api.patch(APIS, "", "v1.example.com", Patch.Type.MERGE, "{'spec':{'versionPriority':7}}");
        assertThat(api.get(APIS, "", "v1.example.com").object("spec").get("versionPriority"))
                .isEqualTo(100L);
        api.patch(APIS, "", "v1.example.com", Patch.Type.MERGE, "{'metadata':{'labels':null}}");
        api.patch(APIS, "", "v1.example.com", Patch.Type.MERGE, "{'spec':{'versionPriority':7}}");
        assertThat(api.get(APIS, "", "v1.example.com").object("spec").get("versionPriority"))
                .isEqualTo(7L);
    }

    @Test
    void theRangeOfServiceAddressesIsReady() {
        JsonObject range = api.get(RANGES, "", "kubernetes");
        assertThat(range.array("spec", "cidrs")).hasToString("[10.0.0.0/8]");
        assertThat(range.objects("status", "conditions").getFirst().get("reason"))
                .isEqualTo("");
        assertThat(condition(range)).isEqualTo("Ready True : Kubernetes default Service CIDR is ready");
    }

    @Test
    void theRangeOfServiceAddressesComesBack() {
        String uid = api.get(RANGES, "", "kubernetes").string("metadata", "uid");
        api.delete(RANGES, "", "kubernetes");
        JsonObject range = api.get(RANGES, "", "kubernetes");
        assertThat(range.string("metadata", "uid")).isNotEqualTo(uid);
        assertThat(condition(range)).startsWith("Ready True");
        api.create(RANGES, "", "{'metadata':{'name':'other'},'spec':{'cidrs':['10.9.0.0/24']}}");
        api.delete(RANGES, "", "other");
        assertThat(api.names(RANGES, "")).containsExactly("kubernetes");
    }

    @Test
    void engineWithoutAccessControlHasNone() {
        try (Engine plain = Requests.direct().build()) {
            assertThat(new Requests(ResourceApi.of(plain.partition("default"))).names(APIS, ""))
                    .isEmpty();
        }
    }
}
