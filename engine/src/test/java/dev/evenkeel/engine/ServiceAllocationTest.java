package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cluster addresses and node ports of services: unique, in range, and free again. */
class ServiceAllocationTest {
    private static final String SERVICES = "v1/services";
    private static final String PORTS = "{'metadata':{'name':'%s'},'spec':{'type':'NodePort','ports':[%s]}}";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(engine);

    @AfterEach
    void close() {
        engine.close();
    }

    static String service(String name, String address) {
        return "{'metadata':{'name':'%s'},'spec':{'clusterIP':'%s','ports':[{'port':80}]}}".formatted(name, address);
    }

    private static String ports(String name, String ports) {
        return PORTS.formatted(name, ports);
    }

    private JsonObject create(String text) {
        return api.create(SERVICES, "default", text);
    }

    private static void refused(ThrowingCallable call, int code, String message) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ApiException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.status().message()).isEqualTo(message);
        });
    }

    private static void inUse(ThrowingCallable call, String name, String address) {
        refused(
                call,
                422,
                String.format(
                        Locale.ROOT,
                        "Service \"%s\" is invalid: spec.clusterIPs: Invalid value: [\"%s\"]: failed to allocate IP %s: provided"
                                + " IP is already allocated",
                        name,
                        address,
                        address));
    }

    @Test
    void theFirstAndTheLastAddressOfTheRangeAreNotGiven() {
        String refusal =
                "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"%1$s\"]: failed to allocate IP %1$s: ";
        for (String address : List.of("10.0.0.0", "10.255.255.255")) {
            refused(
                    () -> create(service("b", address)),
                    422,
                    String.format(
                            Locale.ROOT, refusal + "the provided network does not match the current range", address));
        }
        assertThat(create(service("b", "10.255.255.254")).string("spec", "clusterIP"))
                .isEqualTo("10.255.255.254");
    }

    @Test
    void anUpdateWithARepeatedNodePortIsAnInternalError() {
        create(ports("a", "{'name':'x','port':80,'nodePort':30001}"));
        String repeated = "{'name':'x','port':80,'nodePort':30002},{'name':'y','port':81,'nodePort':30002}";
        refused(
                () -> api.update(SERVICES, "default", "a", ports("a", repeated)),
                500,
                "duplicate nodePort: {TCP 30002}");
        String other = repeated.replace("'port':81", "'port':81,'protocol':'UDP'");
        assertThat(api.update(SERVICES, "default", "a", ports("a", other))
                        .object("spec")
                        .objects("ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(30_002L, 30_002L);
        // a new service is refused by its validation
        refused(
                () -> create(ports("b", repeated.replace("30002", "30003"))),
                422,
                "Service \"b\" is invalid: spec.ports[1].nodePort: Invalid value: 30003: provided port is already allocated");
    }

    @Test
    void anAddressThatAnotherServiceHasIsRefused() {
        create(service("a", "10.0.0.9"));

        inUse(() -> create(service("b", "10.0.0.9")), "b", "10.0.0.9");
        inUse(() -> create(service("b", "10.0.0.1")), "b", "10.0.0.1");
        refused(
                () -> create(service("b", "1.2.3.4")),
                422,
                "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"1.2.3.4\"]: failed to allocate IP 1.2.3.4: the"
                        + " provided network does not match the current range");
    }

    /** As recorded: services-0050. */
    @Test
    void aListOfOtherAddressesIsRefusedFirst() {
        create(service("a", "10.0.0.9"));

        refused(
                () -> create(
                        "{'metadata':{'name':'b'},'spec':{'clusterIP':'10.0.0.9','clusterIPs':['10.0.0.6'],'ports':[{'port':80}]}}"),
                422,
                "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.6\"]: first value must match"
                        + " `clusterIP`");
    }

    @Test
    void theAddressOfADeletedServiceIsFree() {
        create(service("a", "10.0.0.9"));
        api.delete(SERVICES, "default", "a");

        assertThat(create(service("b", "10.0.0.9")).string("spec", "clusterIP")).isEqualTo("10.0.0.9");
    }

    @Test
    void dryRunsAndRefusedWritesTakeNothing() {
        Requests dry = api.with(WriteOptions.of("test").withDryRun(true));
        dry.create(SERVICES, "default", service("a", "10.0.0.9"));
        assertThatThrownBy(() -> create("{'metadata':{'name':'a'},'spec':{'clusterIP':'10.0.0.9','ports':[]}}"))
                .isInstanceOf(ApiException.class);

        assertThat(create(service("b", "10.0.0.9")).string("spec", "clusterIP")).isEqualTo("10.0.0.9");
    }

    @Test
    void dryRunsGetPlaceholders() {
        Requests dry = api.with(WriteOptions.of("test").withDryRun(true));
        JsonObject service = dry.create(
                SERVICES,
                "default",
                "{'metadata':{'name':'a'},'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local',"
                        + "'ports':[{'name':'x','port':80},{'name':'y','port':81}]}}");
        assertThat(service.string("spec", "clusterIP")).isEqualTo("10.0.0.0");
        assertThat(service.objects("spec", "ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(32_769L, 32_770L);
        assertThat(service.integer("spec", "healthCheckNodePort")).isEqualTo(32_771);
        JsonObject asked = dry.create(
                SERVICES, "default", ports("a", "{'name':'x','port':80,'nodePort':9},{'name':'y','port':81}"));
        assertThat(asked.objects("spec", "ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(9L, 10L);
        create(ports("b", "{'port':80,'nodePort':30080}"));
        refused(
                () -> dry.create(SERVICES, "default", ports("a", "{'port':80,'nodePort':30080}")),
                422,
                "Service \"a\" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated");
    }

    @Test
    void aNodePortThatWasAskedForStaysWithoutAllocation() {
        String balanced = "{'metadata':{'name':'a'},'spec':{'type':'LoadBalancer',"
                + "'allocateLoadBalancerNodePorts':false,'ports':[{'name':'x','port':80%s},{'name':'y','port':81}]}}";
        create(balanced.formatted(",'nodePort':30080"));
        JsonObject updated = api.update(SERVICES, "default", "a", balanced.formatted(""));
        assertThat(updated.objects("spec", "ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(30_080L, 0L);
    }

    @Test
    void thePolicyReleasesTheSecondFamilyOfAHeadlessService() {
        String headless = "{'metadata':{'name':'a'},'spec':{'clusterIP':'None'%s,'ports':[{'port':80}]}}";
        assertThat(create(headless.formatted("")).strings("spec", "ipFamilies")).containsExactly("IPv4", "IPv6");
        refused(
                () -> api.update(SERVICES, "default", "a", headless.formatted(",'ipFamilies':['IPv4']")),
                422,
                "Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be"
                        + " 'SingleStack' to release the secondary IP family");
        assertThat(api.update(SERVICES, "default", "a", headless.formatted("")).strings("spec", "ipFamilies"))
                .containsExactly("IPv4", "IPv6");
        refused(
                () -> api.update(SERVICES, "default", "a", headless.formatted(",'selector':{'a':'b'}")),
                422,
                "Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not"
                        + " configured for dual-stack services");
        JsonObject single =
                api.patch(SERVICES, "default", "a", Patch.Type.MERGE, "{'spec':{'ipFamilyPolicy':'SingleStack'}}");
        assertThat(single.strings("spec", "ipFamilies")).containsExactly("IPv4");
    }

    @Test
    void aNodePortThatAnotherServiceHasIsRefused() {
        create(ports("a", "{'port':80,'nodePort':30080}"));

        String message =
                "Service \"b\" is invalid: spec.ports[%d].nodePort: Invalid value: 30080: provided port is already allocated";
        refused(() -> create(ports("b", "{'port':80,'nodePort':30080}")), 422, message.formatted(0));
        create(ports("b", "{'port':80}"));
        refused(
                () -> api.update(
                        SERVICES,
                        "default",
                        "b",
                        ports("b", "{'name':'a','port':80},{'name':'b','port':81,'nodePort':30080}")),
                422,
                message.formatted(1));
        api.patch(SERVICES, "default", "a", Patch.Type.MERGE, "{'spec':{'type':'ClusterIP'}}");
        JsonObject moved = api.update(SERVICES, "default", "b", ports("b", "{'port':80,'nodePort':30080}"));
        assertThat(moved.objects("spec", "ports").getFirst().integer("nodePort"))
                .isEqualTo(30_080);
    }

    @Test
    void portsOfOneNumberShareTheirNodePort() {
        JsonObject dns = create(ports(
                "dns",
                "{'name':'u','port':53,'protocol':'UDP'},{'name':'t','port':53,'protocol':'TCP','nodePort':30053}"));

        assertThat(dns.objects("spec", "ports"))
                .extracting(port -> port.integer("nodePort"))
                .containsExactly(30_053L, 30_053L);
    }

    @Test
    void aHealthCheckPortThatIsInUseIsAnInternalError() {
        create(ports("a", "{'port':80,'nodePort':30080}"));

        refused(
                () -> create("{'metadata':{'name':'b'},'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local',"
                        + "'healthCheckNodePort':30080,'ports':[{'port':80}]}}"),
                500,
                "Internal error occurred: failed to allocate requested HealthCheck NodePort 30080: provided port is already"
                        + " allocated");
    }

    @Test
    void aForkKnowsTheAddressesOfItsServices() {
        create(service("a", "10.0.0.9"));
        try (Engine fork = engine.fork().build()) {
            inUse(() -> new Requests(fork).create(SERVICES, "default", service("b", "10.0.0.9")), "b", "10.0.0.9");
            new Requests(fork).delete(SERVICES, "default", "a");
            new Requests(fork).create(SERVICES, "default", service("b", "10.0.0.9"));
        }
        inUse(() -> create(service("b", "10.0.0.9")), "b", "10.0.0.9");
    }

    @Test
    void writesAtOnceGetDifferentAddresses() throws Exception {
        List<Future<JsonObject>> made = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 200)
                    .forEach(i -> made.add(threads.submit(() -> create(ports("s-" + i, "{'port':80}")))));
        }

        List<JsonObject> all = new ArrayList<>();
        for (Future<JsonObject> one : made) {
            all.add(one.get());
        }
        assertThat(all).extracting(one -> one.string("spec", "clusterIP")).doesNotHaveDuplicates();
        assertThat(all)
                .extracting(one -> one.objects("spec", "ports").getFirst().integer("nodePort"))
                .doesNotHaveDuplicates();
    }
}
