package dev.evenkeel.server.internal;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The place where upstream expects the kubelet of a node.
 *
 * @param host a name or an address
 * @param port its number
 */
record Kubelet(String host, String port) {
    /** The types of addresses of a node, those that are preferred first. */
    private static final List<String> PREFERRED =
            List.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP");

    private static final long USUAL_PORT = 10_250;

    /**
     * Returns the kubelet of a node.
     *
     * @throws ApiException with 404 if there is no such node, with 500 if it has no address
     */
    static Kubelet of(ResourceApi partition, String node, User user) {
        JsonObject tree = partition
                .get(partition.resource("", "v1", "nodes").orElseThrow().withName("", node), "", user)
                .tree();
        List<JsonObject> addresses = tree.objects("status", "addresses");
        long port = tree.integer("status", "daemonEndpoints", "kubeletEndpoint", "Port");
        return PREFERRED.stream()
                .flatMap(type -> addresses.stream()
                        .filter(address -> address.string("type").equals(type)))
                .findFirst()
                .map(address -> new Kubelet(address.string("address"), String.valueOf(port > 0 ? port : USUAL_PORT)))
                .orElseThrow(() -> Refusal.internal("no preferred addresses found; known addresses: "
                        + addresses.stream()
                                .map(address -> "{" + address.string("type") + " " + address.string("address") + "}")
                                .collect(Collectors.joining(" ", "[", "]"))));
    }
}
