package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.convert.EndpointConversion;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.v1.TierInfo;
import java.util.List;

/**
 * An endpoint as its host sees it: without labels, which only decide what applies to it.
 *
 * @param workload true for a pod, false for an interface of a host
 * @param interfaceName the network interface
 * @param addresses its addresses, sorted: messages have those of each family apart, so that their order between these is
 *     not a change
 * @param profiles the names of its profiles
 * @param tiers what applies to it
 */
record Hosted(
        boolean workload, String interfaceName, List<Cidr> addresses, List<String> profiles, List<TierInfo> tiers) {
    static Hosted of(Endpoint endpoint) {
        return new Hosted(
                endpoint.workload(), interfaceName(endpoint), addresses(endpoint), endpoint.profiles(), List.of());
    }

    private static List<Cidr> addresses(Endpoint endpoint) {
        List<Cidr> addresses = endpoint.addresses();
        return addresses.size() == 1 ? addresses : addresses.stream().sorted().toList();
    }

    private static String interfaceName(Endpoint endpoint) {
        int slash = endpoint.name().indexOf('/');
        return endpoint.workload()
                ? EndpointConversion.interfaceName(
                        endpoint.name().substring(0, slash), endpoint.name().substring(slash + 1))
                : endpoint.interfaceName();
    }

    Hosted with(List<TierInfo> values) {
        return new Hosted(workload, interfaceName, addresses, profiles, values);
    }
}
