package dev.evenkeel.policy;

import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link ClusterNetworkPolicy}, version {@code v1beta1}. Fields and their meaning are those of
 * {@code policy.networking.k8s.io}; fields of newer versions are dropped when an object is read, so that exactly-one-of
 * structures may be empty.
 *
 * @param tier {@code Admin} or {@code Baseline}
 * @param priority from 0, evaluated first, to 1000
 * @param subject the pods the policy applies to
 * @param ingress the rules for connections to the pods, in their order
 * @param egress the rules for connections from the pods, in their order
 */
public record ClusterNetworkPolicySpec(
        @Nullable String tier,
        @Nullable Integer priority,
        @Nullable Subject subject,
        List<IngressRule> ingress,
        List<EgressRule> egress) {
    /** Missing lists default to empty ones. */
    public ClusterNetworkPolicySpec {
        ingress = ingress == null ? List.of() : List.copyOf(ingress);
        egress = egress == null ? List.of() : List.copyOf(egress);
    }

    /**
     * Pods; exactly one field is set.
     *
     * @param namespaces all pods of these namespaces
     * @param pods these pods
     */
    public record Subject(
            @Nullable LabelSelector namespaces, @Nullable NamespacedPod pods) {}

    /**
     * Pods of namespaces.
     *
     * @param namespaceSelector the namespaces; all if it is empty
     * @param podSelector the pods; all if it is empty
     */
    public record NamespacedPod(
            @Nullable LabelSelector namespaceSelector,
            @Nullable LabelSelector podSelector) {}

    /**
     * A rule for connections to the pods.
     *
     * @param name a name for explanations
     * @param action {@code Accept}, {@code Deny} or {@code Pass}
     * @param from the sources, at least one
     * @param protocols protocols and ports; none for all
     */
    public record IngressRule(@Nullable String name, String action, List<Peer> from, List<Protocols> protocols) {
        /** Missing lists default to empty ones. */
        public IngressRule {
            from = from == null ? List.of() : List.copyOf(from);
            protocols = protocols == null ? List.of() : List.copyOf(protocols);
        }
    }

    /**
     * A rule for connections from the pods.
     *
     * @param name a name for explanations
     * @param action {@code Accept}, {@code Deny} or {@code Pass}
     * @param to the destinations, at least one
     * @param protocols protocols and ports; none for all
     */
    public record EgressRule(@Nullable String name, String action, List<Peer> to, List<Protocols> protocols) {
        /** Missing lists default to empty ones. */
        public EgressRule {
            to = to == null ? List.of() : List.copyOf(to);
            protocols = protocols == null ? List.of() : List.copyOf(protocols);
        }
    }

    /**
     * A source or destination; exactly one field is set. Sources are namespaces or pods.
     *
     * @param namespaces all pods of these namespaces
     * @param pods these pods
     * @param nodes the addresses of these nodes
     * @param networks blocks of addresses
     * @param domainNames names in DNS
     */
    public record Peer(
            @Nullable LabelSelector namespaces,
            @Nullable NamespacedPod pods,
            @Nullable LabelSelector nodes,
            @Nullable List<String> networks,
            @Nullable List<String> domainNames) {}

    /**
     * A protocol with ports, or the name of a port; exactly one field is set.
     *
     * @param tcp ports of TCP
     * @param udp ports of UDP
     * @param sctp ports of SCTP
     * @param destinationNamedPort the name of a port of a container
     */
    public record Protocols(
            @Nullable PortMatch tcp,
            @Nullable PortMatch udp,
            @Nullable PortMatch sctp,
            @Nullable String destinationNamedPort) {}

    /**
     * Ports of a protocol.
     *
     * @param destinationPort the ports
     */
    public record PortMatch(@Nullable Port destinationPort) {}

    /**
     * Ports; exactly one field is set.
     *
     * @param number one port
     * @param range several ports
     */
    public record Port(@Nullable Integer number, @Nullable Range range) {}

    /**
     * Consecutive ports.
     *
     * @param start the first port
     * @param end the last port
     */
    public record Range(int start, int end) {}
}
