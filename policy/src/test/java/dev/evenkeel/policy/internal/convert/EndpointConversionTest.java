package dev.evenkeel.policy.internal.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.policy.HostEndpoint;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Endpoint.NamedPort;
import dev.evenkeel.policy.internal.model.Protocol;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointConversionTest {
    private final List<String> problems = new ArrayList<>();

    private Optional<Endpoint> pod(String metadata, String spec, String status) {
        return EndpointConversion.convert(
                ModelCodec.convert(
                        Manifests.parse("{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web-0"
                                        + metadata + "}, spec: {" + (spec.contains("nodeName") ? "" : "nodeName: n1")
                                        + spec + "}, status: {" + status + "}}")
                                .getFirst(),
                        Pod.class),
                problems::add);
    }

    @Test
    void workedExample() {
        Endpoint endpoint = pod(
                        ", labels: {app: web}",
                        ", serviceAccountName: web, containers: [{name: a, ports: [{name: http, containerPort: 80}]}]",
                        "podIP: 10.1.0.5, podIPs: [{ip: 10.1.0.5}, {ip: 'fd00::5'}]")
                .orElseThrow();
        assertThat(endpoint)
                .isEqualTo(new Endpoint(
                        "default/web-0",
                        true,
                        "n1",
                        // the SHA-1 of default.web-0
                        "",
                        List.of(Cidr.parse("10.1.0.5/32"), Cidr.parse("fd00::5/128")),
                        Map.of(
                                "app", "web",
                                "projectcalico.org/namespace", "default",
                                "projectcalico.org/orchestrator", "k8s",
                                "projectcalico.org/serviceaccount", "web"),
                        List.of("kns.default", "ksa.default.web"),
                        List.of(new NamedPort("http", Protocol.TCP, 80))));
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "podIP: 10.0.0.1 ; ; 10.0.0.1/32",
                "podIPs: [{ip: 10.0.0.2}], podIP: 10.0.0.1 ; ; 10.0.0.2/32",
                "podIP: '' ; cni.projectcalico.org/podIPs: '10.0.0.3/32, fd00::3/128' ; 10.0.0.3/32,fd00::3/128",
                "podIP: 10.0.0.1 ; cni.projectcalico.org/podIPs: 10.0.0.3/32 ; 10.0.0.1/32",
                "phase: Pending ; cni.projectcalico.org/podIP: 10.0.0.4/32 ; 10.0.0.4/32",
                "phase: Pending ; vpc.amazonaws.com/pod-ips: 10.0.0.5 ; 10.0.0.5/32",
            })
    void addresses(String status, String annotation, String addresses) {
        String metadata = annotation == null ? "" : ", annotations: {" + annotation + "}";
        assertThat(pod(metadata, "", status).orElseThrow().addresses())
                .containsExactlyElementsOf(
                        List.of(addresses.split(",")).stream().map(Cidr::parse).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Failed", "Succeeded"})
    void aFinishedPodIsNotAnEndpoint(String phase) {
        assertThat(pod("", "", "podIP: 10.0.0.1, phase: " + phase)).isEmpty();
    }

    @Test
    void aTerminatingPodIsAnEndpointUntilItsNetworkIsTornDown() {
        String terminating = ", deletionTimestamp: '2026-01-01T00:00:00Z'";
        assertThat(pod(terminating, "", "podIP: 10.0.0.1")).isPresent();
        assertThat(pod(terminating + ", annotations: {cni.projectcalico.org/podIP: ''}", "", "podIP: 10.0.0.1"))
                .isEmpty();
        assertThat(pod(", annotations: {cni.projectcalico.org/podIP: ''}", "", "podIP: 10.0.0.1"))
                .isPresent();
    }

    @Test
    void withoutAnAddressANodeOrANetworkOfItsOwnItIsNotAnEndpoint() {
        assertThat(pod("", "", "phase: Pending")).isEmpty();
        assertThat(pod("", "nodeName: null", "podIP: 10.0.0.1")).isEmpty();
        assertThat(pod("", ", hostNetwork: true", "podIP: 10.0.0.1")).isEmpty();
        assertThat(pod("", ", hostNetwork: false", "podIP: 10.0.0.1")).isPresent();
    }

    @Test
    void aPodCannotClaimAnotherIdentityWithItsLabels() {
        assertThat(pod(
                                ", labels: {app: web, projectcalico.org/namespace: kube-system,"
                                        + " projectcalico.org/orchestrator: x, projectcalico.org/serviceaccount: admin,"
                                        + " projectcalico.org/node: n1, pcns.env: prod, pcsa.a: b, pcno.c: d}",
                                "",
                                "podIP: 10.0.0.1")
                        .orElseThrow()
                        .labels())
                .isEqualTo(Map.of(
                        "app",
                        "web",
                        "projectcalico.org/namespace",
                        "default",
                        "projectcalico.org/orchestrator",
                        "k8s"));
    }

    @Test
    void namedPortsOfAllContainers() {
        assertThat(pod("", """
                                , containers: [
                                  {name: a, ports: [{name: dns, containerPort: 53, protocol: UDP}, {containerPort: 80}]},
                                  {name: b, ports: [{name: dns, containerPort: 54, protocol: UDP}, {name: zero, containerPort: 0}]},
                                  {name: c}],
                                initContainers: [{name: d, ports: [{name: sync, containerPort: 99, protocol: SCTP}]}]
                                """, "podIP: 10.0.0.1").orElseThrow().ports())
                .containsExactly(
                        new NamedPort("dns", Protocol.UDP, 53),
                        new NamedPort("dns", Protocol.UDP, 54),
                        new NamedPort("sync", Protocol.SCTP, 99));
    }

    @Test
    void anInvalidAddressIsLeftOut() {
        assertThat(pod("", "", "podIPs: [{ip: 10.0.0.300}, {ip: 10.0.0.1}]")
                        .orElseThrow()
                        .addresses())
                .containsExactly(Cidr.address("10.0.0.1"));
        assertThat(problems)
                .containsExactly("Pod default/web-0: addresses: \"10.0.0.300\" is not an IP address;"
                        + " the endpoint does not have it");
    }

    @Test
    void hostEndpoints() {
        HostEndpoint endpoint = ModelCodec.convert(Manifests.parse("""
                        apiVersion: policy.evenkeel.dev/v1
                        kind: HostEndpoint
                        metadata: {name: n1-eth0, labels: {role: edge, projectcalico.org/namespace: default}}
                        spec:
                          node: n1
                          interfaceName: eth0
                          expectedIPs: [172.18.0.2, "fd18::2", 172.18.0]
                          ports: [{name: ssh, protocol: TCP, port: 22}, {name: ping, protocol: ICMP, port: 1}]
                        """).getFirst(), HostEndpoint.class);
        assertThat(EndpointConversion.convert(endpoint, problems::add))
                .isEqualTo(new Endpoint(
                        "n1-eth0",
                        false,
                        "n1",
                        "eth0",
                        List.of(Cidr.address("172.18.0.2"), Cidr.address("fd18::2")),
                        Map.of("role", "edge"),
                        List.of(),
                        List.of(new NamedPort("ssh", Protocol.TCP, 22))));
        assertThat(problems).hasSize(2);
    }
}
