package dev.evenkeel.policy;

import dev.evenkeel.policy.ClusterNetworkPolicySpec.NamespacedPod;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Peer;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.PortMatch;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Protocols;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the prose of the APIs of NetworkPolicy and ClusterNetworkPolicy: may a connection be opened? It shares no code with
 * the calculation, knows valid objects only, and is as slow as it likes.
 */
public final class Oracle {
    private final World world;

    public Oracle(World world) {
        this.world = world;
    }

    /** Returns whether an address may connect to a port of another. */
    public boolean allows(String from, String to, String protocol, int port) {
        Optional<Pod> source = pod(from);
        Optional<Pod> destination = pod(to);
        // "a Pod cannot block access to itself"
        if (source.isPresent() && source.equals(destination)) {
            return true;
        }
        Attempt attempt = new Attempt(from, to, protocol, port);
        return (source.isEmpty() || decide(source.get(), false, attempt))
                && (destination.isEmpty()
                        || isOnNode(destination.get(), from)
                        || decide(destination.get(), true, attempt));
    }

    private record Attempt(String from, String to, String protocol, int port) {
        String other(boolean ingress) {
            return ingress ? from : to;
        }
    }

    /** The pod with an address; "host-networked pods are not included". */
    private Optional<Pod> pod(String address) {
        return world.all(Pod.class).stream()
                .filter(pod -> !Boolean.TRUE.equals(pod.getSpec().getHostNetwork()))
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .filter(pod ->
                        !List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
                .filter(pod -> pod.getStatus().getPodIPs().stream()
                        .anyMatch(ip -> ip.getIp().equals(address)))
                .findFirst();
    }

    /** "Traffic is allowed [...] if the traffic source is the pod's local node." */
    private boolean isOnNode(Pod pod, String address) {
        return world.all(Node.class).stream()
                .filter(node ->
                        node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .anyMatch(node -> hasAddress(node, address));
    }

    private static boolean hasAddress(Node node, String address) {
        return node.getStatus().getAddresses().stream()
                .anyMatch(one -> one.getAddress().equals(address));
    }

    /** Admin tier, NetworkPolicies, Baseline tier; "the default [...] says that all pods can communicate". */
    private boolean decide(Pod pod, boolean ingress, Attempt attempt) {
        Optional<Boolean> admin = tier("Admin", pod, ingress, attempt);
        if (admin.isPresent()) {
            return admin.get();
        }
        List<NetworkPolicy> selecting = world.all(NetworkPolicy.class).stream()
                .filter(policy -> policy.getMetadata()
                        .getNamespace()
                        .equals(pod.getMetadata().getNamespace()))
                .filter(policy ->
                        isFor(policy, ingress) && matches(policy.getSpec().getPodSelector(), labels(pod)))
                .toList();
        return selecting.isEmpty()
                ? tier("Baseline", pod, ingress, attempt).orElse(true)
                : selecting.stream().anyMatch(policy -> allows(policy, ingress, attempt));
    }

    // ---- NetworkPolicy

    /** "By default Ingress will always be set and Egress will be set if the NetworkPolicy has any egress rules." */
    private static boolean isFor(NetworkPolicy policy, boolean ingress) {
        List<String> types = policy.getSpec().getPolicyTypes();
        if (types == null || types.isEmpty()) {
            return ingress
                    || !Objects.requireNonNullElse(policy.getSpec().getEgress(), List.of())
                            .isEmpty();
        }
        return types.contains(ingress ? "Ingress" : "Egress");
    }

    private boolean allows(NetworkPolicy policy, boolean ingress, Attempt attempt) {
        String namespace = policy.getMetadata().getNamespace();
        return ingress
                ? policy.getSpec().getIngress().stream()
                        .anyMatch(rule ->
                                isPeer(rule.getFrom(), namespace, attempt.from()) && isPort(rule.getPorts(), attempt))
                : policy.getSpec().getEgress().stream()
                        .anyMatch(rule ->
                                isPeer(rule.getTo(), namespace, attempt.to()) && isPort(rule.getPorts(), attempt));
    }

    /** "If this field is empty or missing, this rule matches all sources." */
    private boolean isPeer(List<NetworkPolicyPeer> peers, String namespace, String address) {
        return peers == null || peers.isEmpty() || peers.stream().anyMatch(peer -> isPeer(peer, namespace, address));
    }

    private boolean isPeer(NetworkPolicyPeer peer, String namespace, String address) {
        if (peer.getIpBlock() != null) {
            return isIn(peer.getIpBlock().getCidr(), address)
                    && peer.getIpBlock().getExcept().stream().noneMatch(block -> isIn(block, address));
        }
        Optional<Pod> pod = pod(address);
        if (pod.isEmpty()) {
            return false;
        }
        boolean ofNamespace = peer.getNamespaceSelector() == null
                ? pod.get().getMetadata().getNamespace().equals(namespace)
                : matches(peer.getNamespaceSelector(), namespaceLabels(pod.get()));
        return ofNamespace && (peer.getPodSelector() == null || matches(peer.getPodSelector(), labels(pod.get())));
    }

    /** "If this field is empty or missing, this rule matches all ports." */
    private boolean isPort(List<NetworkPolicyPort> ports, Attempt attempt) {
        return ports == null || ports.isEmpty() || ports.stream().anyMatch(port -> isPort(port, attempt));
    }

    private boolean isPort(NetworkPolicyPort port, Attempt attempt) {
        if (!Objects.requireNonNullElse(port.getProtocol(), "TCP").equals(attempt.protocol())) {
            return false;
        }
        if (port.getPort() == null) {
            return true;
        }
        if (port.getPort().getStrVal() != null) {
            return isNamed(port.getPort().getStrVal(), attempt);
        }
        int first = port.getPort().getIntVal();
        int last = port.getEndPort() == null ? first : port.getEndPort();
        return first <= attempt.port() && attempt.port() <= last;
    }

    private boolean isNamed(String name, Attempt attempt) {
        return pod(attempt.to()).stream()
                .flatMap(pod -> pod.getSpec().getContainers().stream())
                .flatMap(container -> container.getPorts().stream())
                .anyMatch(port -> name.equals(port.getName())
                        && port.getProtocol().equals(attempt.protocol())
                        && port.getContainerPort() == attempt.port());
    }

    // ---- ClusterNetworkPolicy

    /** The verdict of a tier; empty if no rule matches, or the first that does passes. */
    private Optional<Boolean> tier(String tier, Pod pod, boolean ingress, Attempt attempt) {
        return world.all(ClusterNetworkPolicy.class).stream()
                .filter(policy -> policy.getSpec().tier().equals(tier))
                .filter(policy -> isSubject(policy.getSpec().subject(), pod))
                .sorted(Comparator.comparing((ClusterNetworkPolicy policy) ->
                                policy.getSpec().priority())
                        .thenComparing(policy -> policy.getMetadata().getName()))
                .flatMap(policy -> actions(policy.getSpec(), ingress, attempt))
                .findFirst()
                .filter(action -> !action.equals("Pass"))
                .map(action -> action.equals("Accept"));
    }

    private Stream<String> actions(ClusterNetworkPolicySpec spec, boolean ingress, Attempt attempt) {
        return ingress
                ? spec.ingress().stream()
                        .filter(rule -> isMatch(rule.from(), rule.protocols(), true, attempt))
                        .map(ClusterNetworkPolicySpec.IngressRule::action)
                : spec.egress().stream()
                        .filter(rule -> isMatch(rule.to(), rule.protocols(), false, attempt))
                        .map(ClusterNetworkPolicySpec.EgressRule::action);
    }

    private boolean isMatch(List<Peer> peers, List<Protocols> protocols, boolean ingress, Attempt attempt) {
        return peers.stream().anyMatch(peer -> isPeer(peer, attempt.other(ingress)))
                && (protocols.isEmpty() || protocols.stream().anyMatch(one -> isProtocol(one, attempt)));
    }

    private boolean isSubject(ClusterNetworkPolicySpec.Subject subject, Pod pod) {
        return subject.namespaces() == null
                ? isOneOf(subject.pods(), pod)
                : matches(subject.namespaces(), namespaceLabels(pod));
    }

    private boolean isOneOf(NamespacedPod pods, Pod pod) {
        return matches(pods.namespaceSelector(), namespaceLabels(pod)) && matches(pods.podSelector(), labels(pod));
    }

    private boolean isPeer(Peer peer, String address) {
        if (peer.networks() != null) {
            return peer.networks().stream().anyMatch(block -> isIn(block, address));
        }
        if (peer.nodes() != null) {
            return world.all(Node.class).stream()
                    .anyMatch(node -> hasAddress(node, address)
                            && matches(
                                    peer.nodes(),
                                    Objects.requireNonNullElse(
                                            node.getMetadata().getLabels(), Map.<String, String>of())));
        }
        Optional<Pod> pod = pod(address);
        return pod.isPresent()
                && (peer.namespaces() == null
                        ? isOneOf(peer.pods(), pod.get())
                        : matches(peer.namespaces(), namespaceLabels(pod.get())));
    }

    private boolean isProtocol(Protocols protocols, Attempt attempt) {
        if (protocols.destinationNamedPort() != null) {
            return isNamed(protocols.destinationNamedPort(), attempt);
        }
        PortMatch ports = switch (attempt.protocol()) {
            case "TCP" -> protocols.tcp();
            case "UDP" -> protocols.udp();
            default -> protocols.sctp();
        };
        if (ports == null) {
            return false;
        }
        ClusterNetworkPolicySpec.Port port = ports.destinationPort();
        return port.number() == null
                ? port.range().start() <= attempt.port()
                        && attempt.port() <= port.range().end()
                : port.number() == attempt.port();
    }

    // ---- labels and addresses

    private static Map<String, String> labels(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    }

    private Map<String, String> namespaceLabels(Pod pod) {
        return world.all(Namespace.class).stream()
                .filter(namespace -> namespace
                        .getMetadata()
                        .getName()
                        .equals(pod.getMetadata().getNamespace()))
                .findFirst()
                .orElseThrow()
                .getMetadata()
                .getLabels();
    }

    private static boolean matches(LabelSelector selector, Map<String, String> labels) {
        if (selector == null) {
            return true;
        }
        boolean equal =
                Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of()).entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
        return equal
                && selector.getMatchExpressions().stream().allMatch(expression -> {
                    String value = labels.get(expression.getKey());
                    return switch (expression.getOperator()) {
                        case "In" -> expression.getValues().contains(value);
                        case "NotIn" -> !expression.getValues().contains(value);
                        case "Exists" -> value != null;
                        default -> value == null;
                    };
                });
    }

    private static boolean isIn(String block, String address) {
        try {
            String[] parts = block.split("/");
            byte[] first = InetAddress.getByName(parts[0]).getAddress();
            byte[] other = InetAddress.getByName(address).getAddress();
            int shift = first.length * 8 - Integer.parseInt(parts[1]);
            return first.length == other.length
                    && new BigInteger(1, first).shiftRight(shift).equals(new BigInteger(1, other).shiftRight(shift));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
