package dev.evenkeel.policy;

import dev.evenkeel.policy.ClusterNetworkPolicySpec.EgressRule;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.IngressRule;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.NamespacedPod;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Peer;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Port;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.PortMatch;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Protocols;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Range;
import dev.evenkeel.policy.ClusterNetworkPolicySpec.Subject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Makes clusters at random, of few names, so that policies meet: valid objects of all shapes that the APIs of NetworkPolicy
 * and ClusterNetworkPolicy have.
 */
public final class RandomWorld {
    private static final List<String> KEYS = List.of("app", "tier", "env");
    private static final String SERVICE_NAME = "kubernetes.io/service-name";
    private static final List<String> VALUES = List.of("a", "b", "c");
    private static final List<String> NODES = List.of("n1", "n2");
    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
    private static final List<Integer> ICMP_TYPES = List.of(8, 128);
    private static final List<String> PORT_NAMES = List.of("http", "dns");
    private static final List<Integer> PORTS = List.of(53, 80, 81, 443);
    private static final List<String> OUTSIDE = List.of("10.0.0.200", "192.0.2.1", "fd00::c8", "2001:db8::1");
    private static final List<String> NODE_ADDRESSES = List.of("10.9.0.1", "10.9.0.2", "fd09::1", "fd09::2");
    private static final List<String> BLOCKS = List.of(
            "0.0.0.0/0",
            "10.0.0.0/8",
            "10.0.0.0/28",
            "10.0.0.0/30",
            "10.0.0.3/32",
            "192.0.2.0/24",
            "10.9.0.0/24",
            "::/0",
            "fd00::/16",
            "fd00::/126",
            "fd00::2/128",
            "2001:db8::/32");

    private final SplittableRandom random;
    private final World world = new World();
    private final List<String> addresses = new ArrayList<>();

    private RandomWorld(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * A cluster, and the addresses that are worth a try in it.
     *
     * @param world the objects
     * @param addresses of pods, nodes and hosts outside
     */
    public record Generated(World world, List<String> addresses) {}

    /** Makes a cluster; the same one for each seed. */
    public static Generated of(long seed) {
        RandomWorld random = new RandomWorld(seed);
        random.fill();
        return new Generated(random.world, random.addresses);
    }

    /**
     * Makes a cluster that has tiers, ordered policies, network sets, service accounts and host endpoints, too; the same
     * one for each seed. Names recur in clusters of other seeds.
     */
    public static Generated tiered(long seed) {
        RandomWorld random = new RandomWorld(seed);
        random.fill();
        random.fillTiers();
        return new Generated(random.world, random.addresses);
    }

    /** Returns the ports that are worth a try. */
    public static List<Integer> ports() {
        return List.of(53, 80, 81, 82, 443);
    }

    /** Returns the protocols that are worth a try. */
    public static List<String> protocols() {
        return PROTOCOLS;
    }

    /** Returns the types of ICMP messages that are worth a try. */
    public static List<Integer> icmpTypes() {
        return ICMP_TYPES;
    }

    private void fill() {
        world.node("n1", labels(), NODE_ADDRESSES.get(0), NODE_ADDRESSES.get(2));
        world.node("n2", labels(), NODE_ADDRESSES.get(1), NODE_ADDRESSES.get(3));
        world.all(Node.class)
                .forEach(node -> node.setSpec(new NodeSpecBuilder()
                        .withPodCIDRs(several(3, () -> one(BLOCKS)))
                        .build()));
        List<String> namespaces = List.of("x", "y", "z").subList(0, 1 + random.nextInt(3));
        namespaces.forEach(namespace -> world.namespace(namespace, labels()));
        int pods = 2 + random.nextInt(5);
        for (int i = 1; i <= pods; i++) {
            pod(one(namespaces), i);
        }
        addresses.addAll(OUTSIDE);
        addresses.addAll(NODE_ADDRESSES);
        int policies = random.nextInt(6);
        for (int i = 0; i < policies; i++) {
            networkPolicy(one(namespaces), "p" + i);
        }
        int ofCluster = random.nextInt(4);
        for (int i = 0; i < ofCluster; i++) {
            clusterNetworkPolicy("c" + i);
        }
    }

    private void pod(String namespace, int number) {
        List<String> own = switch (random.nextInt(4)) {
            case 0 -> List.of("10.0.0." + number);
            case 1 -> List.of("fd00::" + number);
            default -> List.of("10.0.0." + number, "fd00::" + number);
        };
        List<String> ports = new ArrayList<>();
        for (String name : PORT_NAMES) {
            while (random.nextInt(3) > 0) {
                ports.add(name + "=" + one(PORTS) + "/" + one(PROTOCOLS));
            }
        }
        addresses.addAll(own);
        Pod pod = world.pod(namespace, "pod" + number, one(NODES), labels(), own, ports);
        switch (random.nextInt(12)) {
            case 0 -> pod.getStatus().setPhase("Succeeded");
            case 1 -> pod.getSpec().setHostNetwork(true);
            case 2 -> pod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            case 3 -> pod.getSpec().setNodeName(null);
            default -> {
                // a running pod
            }
        }
    }

    private void networkPolicy(String namespace, String name) {
        NetworkPolicy policy = world.add(new NetworkPolicyBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withPodSelector(selector())
                .endSpec()
                .build());
        policy.getSpec()
                .setPolicyTypes(
                        one(List.of(List.of(), List.of("Ingress"), List.of("Egress"), List.of("Ingress", "Egress"))));
        policy.getSpec()
                .setIngress(several(
                        3, () -> new NetworkPolicyIngressRule(several(3, this::peer), several(3, this::port))));
        // the constructor has the fields in alphabetical order
        policy.getSpec()
                .setEgress(several(
                        3, () -> new NetworkPolicyEgressRule(several(3, this::port), several(3, this::peer))));
    }

    private NetworkPolicyPeer peer() {
        NetworkPolicyPeer peer = new NetworkPolicyPeer();
        switch (random.nextInt(4)) {
            case 0 -> peer.setIpBlock(new IPBlock(one(BLOCKS), several(2, () -> one(BLOCKS))));
            case 1 -> peer.setPodSelector(selector());
            case 2 -> peer.setNamespaceSelector(selector());
            default -> {
                peer.setPodSelector(selector());
                peer.setNamespaceSelector(selector());
            }
        }
        return peer;
    }

    private NetworkPolicyPort port() {
        NetworkPolicyPort port = new NetworkPolicyPort();
        if (random.nextInt(4) > 0) {
            port.setProtocol(one(PROTOCOLS));
        }
        switch (random.nextInt(5)) {
            case 0 -> port.setPort(new IntOrString(one(PORT_NAMES)));
            case 1 -> {
                port.setPort(new IntOrString(80));
                port.setEndPort(80 + random.nextInt(3));
            }
            case 2 -> {
                // all ports
            }
            default -> port.setPort(new IntOrString(one(PORTS)));
        }
        return port;
    }

    private void clusterNetworkPolicy(String name) {
        ClusterNetworkPolicy policy = new ClusterNetworkPolicy();
        policy.setMetadata(new ObjectMetaBuilder().withName(name).build());
        policy.setSpec(new ClusterNetworkPolicySpec(
                one(List.of("Admin", "Baseline")),
                random.nextInt(3),
                random.nextBoolean() ? new Subject(selector(), null) : new Subject(null, pods()),
                several(3, () -> new IngressRule(null, action(), some(() -> ofCluster(2)), several(3, this::protocol))),
                several(
                        3,
                        () -> new EgressRule(null, action(), some(() -> ofCluster(4)), several(3, this::protocol)))));
        world.add(policy);
    }

    private String action() {
        return one(List.of("Accept", "Deny", "Pass"));
    }

    private NamespacedPod pods() {
        return new NamespacedPod(selector(), selector());
    }

    private Peer ofCluster(int kinds) {
        return switch (random.nextInt(kinds)) {
            case 0 -> new Peer(selector(), null, null, null, null);
            case 1 -> new Peer(null, pods(), null, null, null);
            case 2 -> new Peer(null, null, selector(), null, null);
            default -> new Peer(null, null, null, some(() -> one(BLOCKS)), null);
        };
    }

    private Protocols protocol() {
        if (random.nextInt(4) == 0) {
            return new Protocols(null, null, null, one(PORT_NAMES));
        }
        PortMatch match = new PortMatch(
                random.nextBoolean()
                        ? new Port(one(PORTS), null)
                        : new Port(null, new Range(80, 81 + random.nextInt(2))));
        return switch (random.nextInt(3)) {
            case 0 -> new Protocols(match, null, null, null);
            case 1 -> new Protocols(null, match, null, null);
            default -> new Protocols(null, null, match, null);
        };
    }

    private void fillTiers() {
        if (random.nextBoolean()) {
            world.add(new ServiceAccountBuilder()
                    .withNewMetadata()
                    .withNamespace("x")
                    .withName("default")
                    .withLabels(labels())
                    .endMetadata()
                    .build());
        }
        for (String name : List.of("t1", "t2")) {
            if (random.nextInt(3) > 0) {
                Tier tier = named(new Tier(), null, name);
                tier.setSpec(new TierSpec(
                        one(Arrays.asList(null, 1.0, 5e6, 2e7)), one(Arrays.asList(null, "Deny", "Pass"))));
                world.add(tier);
            }
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            TieredPolicy policy = named(new TieredPolicy(), one(List.of("x", "y")), "q" + i);
            policy.setSpec(tieredPolicy(false));
            world.add(policy);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            ClusterTieredPolicy policy = named(new ClusterTieredPolicy(), null, "d" + i);
            policy.setSpec(tieredPolicy(true));
            world.add(policy);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            NetworkSet set = named(new NetworkSet(), one(List.of("x", "y")), "s" + i);
            set.setSpec(new NetworkSetSpec(several(4, () -> one(BLOCKS))));
            world.add(set);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            ClusterNetworkSet set = named(new ClusterNetworkSet(), null, "s" + i);
            set.setSpec(new NetworkSetSpec(several(4, () -> one(BLOCKS))));
            world.add(set);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            slice("e" + i);
        }
        for (String node : NODES) {
            if (random.nextInt(3) == 0) {
                HostEndpoint endpoint = named(new HostEndpoint(), null, "h" + node);
                endpoint.setSpec(new HostEndpointSpec(
                        node,
                        one(Arrays.asList(null, "eth0")),
                        several(3, () -> one(NODE_ADDRESSES)),
                        several(
                                2,
                                () -> new HostEndpointSpec.EndpointPort(one(PORT_NAMES), one(PROTOCOLS), one(PORTS)))));
                world.add(endpoint);
            }
        }
    }

    private void slice(String name) {
        boolean ipv4 = random.nextBoolean();
        world.add(new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace(one(List.of("x", "y")))
                .withName(name)
                .withLabels(one(List.of(
                        Map.of(), Map.of(SERVICE_NAME, "s1"), Map.of(SERVICE_NAME, "s1"), Map.of(SERVICE_NAME, "s2"))))
                .endMetadata()
                .withAddressType(ipv4 ? "IPv4" : "IPv6")
                .withEndpoints(several(
                        4,
                        () -> new EndpointBuilder()
                                .withAddresses((ipv4 ? "10.0.0." : "fd00::") + (1 + random.nextInt(6)))
                                .build()))
                .withPorts(several(
                        4,
                        () -> new EndpointPortBuilder()
                                .withPort(one(PORTS))
                                .withProtocol(one(PROTOCOLS))
                                .build()))
                .build());
    }

    private <T extends HasMetadata> T named(T object, String namespace, String name) {
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels())
                .build());
        return object;
    }

    private TieredPolicySpec tieredPolicy(boolean ofCluster) {
        return new TieredPolicySpec(
                one(Arrays.asList(null, "default", "t1", "t2", "t3")),
                one(Arrays.asList(null, 1.0, 2.0)),
                one(Arrays.asList(null, text())),
                ofCluster ? one(Arrays.asList(null, text(), "global()")) : null,
                one(List.of(List.of(), List.of("Ingress"), List.of("Egress"), List.of("Ingress", "Egress"))),
                several(4, this::tieredRule),
                several(4, this::tieredRule));
    }

    private TieredPolicySpec.Rule tieredRule() {
        String protocol = one(Arrays.asList(null, null, "TCP", "UDP", "SCTP", "ICMP", "ICMPv6"));
        boolean icmp = protocol != null && protocol.startsWith("ICMP");
        return new TieredPolicySpec.Rule(
                null,
                one(List.of("Allow", "Allow", "Deny", "Pass", "Log")),
                protocol,
                one(Arrays.asList(null, null, "TCP", "UDP")),
                icmp && random.nextBoolean() ? icmp() : null,
                icmp && random.nextBoolean() ? icmp() : null,
                entity(),
                entity());
    }

    private TieredPolicySpec.Icmp icmp() {
        return new TieredPolicySpec.Icmp(one(ICMP_TYPES), one(Arrays.asList(null, 0, 1)));
    }

    private TieredPolicySpec.Entity entity() {
        if (random.nextInt(3) == 0) {
            return null;
        }
        return new TieredPolicySpec.Entity(
                one(Arrays.asList(null, null, text())),
                one(Arrays.asList(null, null, text())),
                one(Arrays.asList(null, null, "all()", "global()", text())),
                one(List.of(List.of(), several(3, () -> one(BLOCKS)))),
                one(List.of(List.of(), several(3, () -> one(BLOCKS)))),
                one(List.of(List.of(), several(3, this::textPort))),
                one(List.of(List.of(), List.of(), several(3, this::textPort))),
                random.nextInt(5) > 0
                        ? null
                        : new TieredPolicySpec.ServiceReference(one(List.of("s1", "s2")), one(List.of("x", "y"))));
    }

    private IntOrString textPort() {
        return one(List.of(new IntOrString(one(PORTS)), new IntOrString("80:82"), new IntOrString(one(PORT_NAMES))));
    }

    /** Returns the text of a selector. */
    private String text() {
        String label = one(List.of("app", "tier", "env", "pcns.app", "pcsa.app", "pcno.app"));
        String value = one(VALUES);
        String term = switch (random.nextInt(6)) {
            case 0 -> "has(" + label + ")";
            case 1 -> label + " != \"" + value + "\"";
            case 2 -> label + " in {\"" + value + "\", \"" + one(VALUES) + "\"}";
            case 3 -> "!has(" + label + ")";
            case 4 -> "all()";
            default -> label + " == \"" + value + "\"";
        };
        return switch (random.nextInt(4)) {
            case 0 -> "(" + term + ") && " + text();
            case 1 -> "(" + term + ") || " + text();
            default -> term;
        };
    }

    private LabelSelector selector() {
        Map<String, String> labels = new TreeMap<>();
        while (random.nextInt(3) == 0) {
            labels.put(one(KEYS), one(VALUES));
        }
        List<LabelSelectorRequirement> expressions = new ArrayList<>();
        while (random.nextInt(3) == 0) {
            String operator = one(List.of("In", "NotIn", "Exists", "DoesNotExist"));
            expressions.add(new LabelSelectorRequirement(
                    one(KEYS), operator, operator.endsWith("In") ? some(() -> one(VALUES)) : List.of()));
        }
        return new LabelSelector(expressions, labels);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        for (String key : KEYS) {
            if (random.nextInt(3) > 0) {
                labels.put(key, one(VALUES));
            }
        }
        return labels;
    }

    private <T> List<T> several(int limit, Supplier<T> element) {
        List<T> list = new ArrayList<>();
        int size = random.nextInt(limit);
        for (int i = 0; i < size; i++) {
            list.add(element.get());
        }
        return list;
    }

    private <T> List<T> some(Supplier<T> element) {
        List<T> list = several(2, element);
        list.add(element.get());
        return list;
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
