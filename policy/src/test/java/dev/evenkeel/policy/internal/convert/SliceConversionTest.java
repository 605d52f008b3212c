package dev.evenkeel.policy.internal.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.internal.model.Slice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SliceConversionTest {
    private final List<String> problems = new ArrayList<>();

    private Optional<Slice> convert(String labels, String type, String endpoints, String ports) {
        EndpointSlice slice =
                (EndpointSlice) PolicyModel.typed(Manifests.parse("{apiVersion: discovery.k8s.io/v1, kind:"
                                + " EndpointSlice, metadata: {namespace: x, name: s-1, labels: {" + labels
                                + "}}, addressType: "
                                + type + ", endpoints: [" + endpoints + "], ports: [" + ports + "]}")
                        .getFirst());
        return SliceConversion.convert(slice, problems::add);
    }

    private String text(String endpoints, String ports) {
        Slice slice = convert("kubernetes.io/service-name: s", "IPv4", endpoints, ports)
                .orElseThrow();
        return slice.service() + " " + slice.addresses() + " "
                + slice.ports().stream()
                        .map(port -> port.protocol() + ":" + port.number())
                        .toList();
    }

    @Test
    void endpointsCountWhetherTheyAreReadyOrNot() {
        assertThat(text(
                        "{addresses: [10.0.0.1, 10.0.0.2]}, {addresses: [10.0.0.1], conditions: {ready: false}},"
                                + " {addresses: [10.0.0.3], conditions: {ready: false, terminating: true}}",
                        "{name: a, port: 80}, {name: b, port: 80}, {name: c, protocol: UDP, port: 53}"))
                .isEqualTo("x/s [10.0.0.1/32, 10.0.0.2/32, 10.0.0.3/32] [tcp:80, udp:53]");
        assertThat(problems).isEmpty();
    }

    @Test
    void aSliceWithoutAServiceOrWithNamesHasNoEffect() {
        assertThat(convert("", "IPv4", "{addresses: [10.0.0.1]}", "")).isEmpty();
        assertThat(convert("kubernetes.io/service-name: s", "FQDN", "{addresses: [a.example]}", ""))
                .isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void whatIsInvalidIsLeftOut() {
        assertThat(text("{addresses: [10.0.0]}, {addresses: [10.0.0.2]}", "{name: any}, {port: 8, protocol: ICMP}"))
                .isEqualTo("x/s [10.0.0.2/32] []");
        assertThat(problems)
                .hasSize(3)
                .allMatch(problem -> problem.endsWith("; it is left out"))
                .anyMatch(problem -> problem.startsWith("EndpointSlice x/s-1: endpoints[0].addresses: "))
                .anyMatch(problem -> problem.startsWith("EndpointSlice x/s-1: ports[0]: must have a number"));
    }
}
