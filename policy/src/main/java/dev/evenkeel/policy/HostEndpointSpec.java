package dev.evenkeel.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The interface of a {@link HostEndpoint}. Policies select it by the labels of the object.
 *
 * @param node the name of the node
 * @param interfaceName the interface; null for all interfaces of the node
 * @param expectedIPs the addresses of the interface
 * @param ports named ports
 */
public record HostEndpointSpec(
        String node, @Nullable String interfaceName, List<String> expectedIPs, List<EndpointPort> ports) {
    /** Missing lists default to empty ones. */
    public HostEndpointSpec {
        expectedIPs = expectedIPs == null ? List.of() : List.copyOf(expectedIPs);
        ports = ports == null ? List.of() : List.copyOf(ports);
    }

    /**
     * A named port.
     *
     * @param name the name that rules use
     * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
     * @param port the number
     */
    public record EndpointPort(String name, String protocol, int port) {}
}
