package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.internal.model.ServiceName;
import dev.evenkeel.policy.internal.model.Slice;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * EndpointSlices as parts of Services. The label {@code kubernetes.io/service-name} has the name of the Service; a slice
 * without it has no effect.
 *
 * <p>Endpoints count whether they are ready or not: a policy is about what belongs to a Service, and a rule that denies
 * must not open when a pod fails its probe. So a change of readiness changes nothing.
 */
public final class SliceConversion {
    private static final String SERVICE = "kubernetes.io/service-name";

    /** The type of addresses that are names. */
    private static final String NAMES = "FQDN";

    private SliceConversion() {}

    /** Converts a slice; empty if it has no effect. Reports what could not be converted as written. */
    public static Optional<Slice> convert(EndpointSlice slice, Consumer<String> problems) {
        ObjectKey key = ObjectKey.of(slice);
        String service = Objects.requireNonNullElse(slice.getMetadata().getLabels(), Map.<String, String>of())
                .getOrDefault(SERVICE, "");
        if (service.isEmpty() || NAMES.equals(slice.getAddressType())) {
            return Optional.empty();
        }
        Problems of = new Problems("EndpointSlice " + key.namespace() + "/" + key.name(), problems);
        return Optional.of(new Slice(
                Shared.of(new ServiceName(key.namespace(), service)), addresses(slice, of), ports(slice, of)));
    }

    private static List<Cidr> addresses(EndpointSlice slice, Problems problems) {
        Set<Cidr> addresses = new LinkedHashSet<>();
        List<Endpoint> endpoints = Objects.requireNonNullElse(slice.getEndpoints(), List.of());
        for (int i = 0; i < endpoints.size(); i++) {
            for (String text : Objects.requireNonNullElse(endpoints.get(i).getAddresses(), List.<String>of())) {
                try {
                    addresses.add(Cidr.address(text));
                } catch (IllegalArgumentException e) {
                    problems.add("endpoints[" + i + "].addresses", String.valueOf(e.getMessage()), "it is left out");
                }
            }
        }
        return List.copyOf(addresses);
    }

    private static List<Slice.Port> ports(EndpointSlice slice, Problems problems) {
        Set<Slice.Port> ports = new LinkedHashSet<>();
        List<EndpointPort> written = Objects.requireNonNullElse(slice.getPorts(), new ArrayList<>());
        for (int i = 0; i < written.size(); i++) {
            EndpointPort port = written.get(i);
            Optional<Protocol> protocol = Protocol.find(Objects.requireNonNullElse(port.getProtocol(), "TCP"))
                    .filter(Protocol::hasPorts);
            Integer number = port.getPort();
            if (protocol.isEmpty() || number == null || number < 1 || number > 65_535) {
                problems.add(
                        "ports[" + i + "]",
                        "must have a number from 1 to 65535, and the protocol TCP, UDP or SCTP",
                        "it is left out");
            } else {
                ports.add(Shared.of(new Slice.Port(protocol.get(), number)));
            }
        }
        return List.copyOf(ports);
    }
}
