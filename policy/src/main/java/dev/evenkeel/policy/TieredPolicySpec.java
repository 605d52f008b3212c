package dev.evenkeel.policy;

import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link TieredPolicy} or a {@link ClusterTieredPolicy}.
 *
 * <p>Selectors have the form {@code app == "web" && !has(canary)}; a missing one selects everything. Pods have their own
 * labels and {@code projectcalico.org/namespace}, {@code projectcalico.org/serviceaccount} and
 * {@code projectcalico.org/orchestrator == "k8s"}.
 *
 * @param tier the name of the tier; null for {@code default}
 * @param order policies of a tier with a lower order are evaluated first; null: after all others
 * @param selector the endpoints the policy applies to
 * @param namespaceSelector the labels of their namespaces; of cluster policies only
 * @param types {@code Ingress}, {@code Egress} or both; both if empty
 * @param ingress the rules for connections to the endpoints, in their order
 * @param egress the rules for connections from the endpoints, in their order
 */
public record TieredPolicySpec(
        @Nullable String tier,
        @Nullable Double order,
        @Nullable String selector,
        @Nullable String namespaceSelector,
        List<String> types,
        List<Rule> ingress,
        List<Rule> egress) {
    /** Missing lists default to empty ones. */
    public TieredPolicySpec {
        types = types == null ? List.of() : List.copyOf(types);
        ingress = ingress == null ? List.of() : List.copyOf(ingress);
        egress = egress == null ? List.of() : List.copyOf(egress);
    }

    /**
     * A rule. All conditions that are present must hold.
     *
     * @param name a name for explanations
     * @param action {@code Allow}, {@code Deny}, {@code Pass} (continue with the next tier) or {@code Log} (record the
     *     connection, and continue with the next rule)
     * @param protocol {@code TCP}, {@code UDP}, {@code SCTP}, {@code ICMP}, {@code ICMPv6} or a number
     * @param notProtocol the protocol that the connection does not have
     * @param icmp the messages of {@code protocol}, which must be {@code ICMP} or {@code ICMPv6}
     * @param notIcmp messages of it that do not match
     * @param source conditions on the source
     * @param destination conditions on the destination
     */
    public record Rule(
            @Nullable String name,
            String action,
            @Nullable String protocol,
            @Nullable String notProtocol,
            @Nullable Icmp icmp,
            @Nullable Icmp notIcmp,
            @Nullable Entity source,
            @Nullable Entity destination) {}

    /**
     * Messages of ICMP or ICMPv6.
     *
     * @param type the type, such as 8 for an echo request of ICMP, and 128 for one of ICMPv6
     * @param code the code; null for all codes of the type
     */
    public record Icmp(Integer type, @Nullable Integer code) {}

    /**
     * Conditions on one end of a connection. All that are present must hold.
     *
     * @param selector the labels; in a namespaced policy without {@code namespaceSelector}, of the same namespace only
     * @param notSelector the labels that it does not have
     * @param namespaceSelector the labels of the namespace; {@code all()} for any namespace, {@code global()} for none
     * @param nets blocks of addresses, one of which has the address
     * @param notNets blocks of addresses, none of which has the address
     * @param ports numbers, ranges such as {@code 80:90}, or names of ports, one of which is the port
     * @param notPorts numbers, ranges or names of ports, none of which is the port
     * @param services the Service that the address belongs to; as a destination, with one of its ports
     */
    public record Entity(
            @Nullable String selector,
            @Nullable String notSelector,
            @Nullable String namespaceSelector,
            List<String> nets,
            List<String> notNets,
            List<IntOrString> ports,
            List<IntOrString> notPorts,
            @Nullable ServiceReference services) {
        /** Missing lists default to empty ones. */
        public Entity {
            nets = nets == null ? List.of() : List.copyOf(nets);
            notNets = notNets == null ? List.of() : List.copyOf(notNets);
            ports = ports == null ? List.of() : List.copyOf(ports);
            notPorts = notPorts == null ? List.of() : List.copyOf(notPorts);
        }
    }

    /**
     * A Service: the addresses and ports of its EndpointSlices, whether these are ready or not.
     *
     * @param name its name
     * @param namespace its namespace; null for that of the policy
     */
    public record ServiceReference(String name, @Nullable String namespace) {}
}
