package dev.evenkeel.engine;

import static dev.evenkeel.engine.ServiceAllocationTest.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The addresses of services as objects, of a server with access control. */
class ServiceIpAddressesTest {
    private static final String SERVICES = "v1/services";
    private static final String ADDRESSES = "networking.k8s.io/v1/ipaddresses";

    private final Engine engine =
            Requests.direct().authorization(Authorization.RBAC).build();
    private final Requests api = new Requests(engine);

    @AfterEach
    void close() {
        engine.close();
    }

    private void reserve(String address) {
        api.create(
                ADDRESSES,
                "",
                "{'metadata':{'name':'%s'},'spec':{'parentRef':{'group':'e.x','resource':'things','name':'t'}}}"
                        .formatted(address));
    }

    @Test
    void theServiceOfAFreshServerHasOne() {
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1");
    }

    @Test
    void aServiceHasOneUntilItIsDeleted() {
        api.create(SERVICES, "default", service("a", "10.0.0.9"));
        JsonObject address = api.get(ADDRESSES, "", "10.0.0.9");
        assertThat(address.object("metadata", "labels"))
                .isEqualTo(JsonObject.of(
                        "ipaddress.kubernetes.io/ip-family",
                        "IPv4",
                        "ipaddress.kubernetes.io/managed-by",
                        "ipallocator.k8s.io"));
        assertThat(address.object("spec", "parentRef"))
                .isEqualTo(JsonObject.of("resource", "services", "namespace", "default", "name", "a"));
        assertThat(address.string("metadata", "uid")).isNotEmpty();
        assertThat(address.objects("metadata", "managedFields"))
                .extracting(owner -> owner.string("manager"))
                .containsExactly("kube-apiserver");
        api.patch(ADDRESSES, "", "10.0.0.9", Patch.Type.MERGE, "{'metadata':{'labels':{'a':'b'}}}");
        api.delete(SERVICES, "default", "a");
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1");
        api.create(SERVICES, "default", service("b", "10.0.0.9"));
    }

    @Test
    void onlyServicesWithAnAddressHaveOne() {
        api.create(SERVICES, "default", service("a", "None"));
        api.create(SERVICES, "default", service("b", ""));
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1", "10.0.0.2");
        api.patch(
                SERVICES,
                "default",
                "b",
                Patch.Type.MERGE,
                "{'spec':{'type':'ExternalName','externalName':'e.x','clusterIP':null,'clusterIPs':null}}");
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1");
        api.patch(SERVICES, "default", "b", Patch.Type.MERGE, "{'spec':{'type':'ClusterIP','externalName':null}}");
        assertThat(api.names(ADDRESSES, "")).hasSize(2);
    }

    @Test
    void aServiceThatIsHeldByAFinalizerKeepsItsAddress() {
        api.create(
                SERVICES,
                "default",
                "{'metadata':{'name':'a','finalizers':['e.x/f']},'spec':{'clusterIP':'10.0.0.9','ports':[{'port':80}]}}");
        api.delete(SERVICES, "default", "a");
        assertThat(api.names(ADDRESSES, "")).contains("10.0.0.9");
        api.patch(SERVICES, "default", "a", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1");
    }

    @Test
    void anAddressThatIsTakenIsNotGivenToAService() {
        reserve("10.0.0.2");
        JsonObject any = api.create(SERVICES, "default", service("any", ""));
        assertThat(any.string("spec", "clusterIP")).isEqualTo("10.0.0.3");
        assertThatThrownBy(() -> api.create(SERVICES, "default", service("a", "10.0.0.2")))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("spec.clusterIPs: Invalid value: [\"10.0.0.2\"]: failed to allocate IP 10.0.0.2:"
                        + " provided IP is already allocated");
        api.delete(ADDRESSES, "", "10.0.0.2");
        api.create(SERVICES, "default", service("a", "10.0.0.2"));
    }

    @Test
    void anAddressWhoseObjectWasDeletedStaysWithItsService() {
        api.create(SERVICES, "default", service("a", "10.0.0.9"));
        api.delete(ADDRESSES, "", "10.0.0.9");
        assertThatThrownBy(() -> api.create(SERVICES, "default", service("b", "10.0.0.9")))
                .isInstanceOf(InvalidException.class);
        api.delete(SERVICES, "default", "a");
        api.create(SERVICES, "default", service("b", "10.0.0.9"));
    }

    @Test
    void dryRunsAndRefusedWritesHaveNone() {
        Requests dry = api.with(WriteOptions.of("test").withDryRun(true));
        dry.create(SERVICES, "default", service("a", "10.0.0.9"));
        assertThatThrownBy(() -> api.create(
                        SERVICES, "default", "{'metadata':{'name':'a'},'spec':{'clusterIP':'10.0.0.9','ports':[]}}"))
                .isInstanceOf(InvalidException.class);
        assertThat(api.names(ADDRESSES, "")).containsExactly("10.0.0.1");
        api.create(SERVICES, "default", service("a", "10.0.0.9"));
    }

    @Test
    void dependentsOfAnAddressGoWithItsService() {
        api.create(SERVICES, "default", service("a", "10.0.0.9"));
        String uid = api.get(ADDRESSES, "", "10.0.0.9").string("metadata", "uid");
        api.create(
                "v1/configmaps",
                "default",
                "{'metadata':{'name':'c','ownerReferences':[{'apiVersion':'networking.k8s.io/v1','kind':'IPAddress',"
                        + "'name':'10.0.0.9','uid':'" + uid + "'}]}}");
        assertThat(api.names("v1/configmaps", "default")).contains("c");
        api.delete(SERVICES, "default", "a");
        assertThat(api.names("v1/configmaps", "default")).doesNotContain("c");
    }

    @Test
    void writesAtOnceHaveDifferentOnes() throws Exception {
        List<Future<JsonObject>> made = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 50)
                    .forEach(i ->
                            made.add(threads.submit(() -> api.create(SERVICES, "default", service("s-" + i, "")))));
        }
        List<String> all = new ArrayList<>(List.of("10.0.0.1"));
        for (Future<JsonObject> one : made) {
            all.add(one.get().string("spec", "clusterIP"));
        }
        assertThat(api.names(ADDRESSES, "")).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void engineWithoutAccessControlHasNone() {
        try (Engine plain = Requests.direct().build()) {
            assertThat(new Requests(plain).names(ADDRESSES, "")).isEmpty();
        }
    }
}
