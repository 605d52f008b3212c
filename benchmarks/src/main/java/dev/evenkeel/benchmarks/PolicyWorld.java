package dev.evenkeel.benchmarks;

import dev.evenkeel.policy.ClusterNetworkSet;
import dev.evenkeel.policy.ClusterTieredPolicy;
import dev.evenkeel.policy.NetworkSetSpec;
import dev.evenkeel.policy.TieredPolicySpec;
import dev.evenkeel.policy.TieredPolicySpec.Entity;
import dev.evenkeel.policy.TieredPolicySpec.Rule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster for the calculation of network policy, as in Felix's {@code calc_graph_bench_test.go}.
 *
 * @param name the name of the workload
 * @param before what is put first: policies, namespaces, the pods of other hosts, network sets
 * @param local the pods of the host
 */
record PolicyWorld(String name, List<HasMetadata> before, List<HasMetadata> local) {
    static final String HOST = "localhost";

    private static final String[] WORDS = {
        "BIFF_BOP",
        "calico/FizzBuzz",
        "calico/BoffBip",
        "calico/Bazzle",
        "calico/Razzle",
        "calico/DoopDeeDoo",
        "calico/SOME_LABEL",
        "calico/BORED_NOW",
        "MyMarkerLabel"
    };
    private static final int MARKERS = 31;
    private static final int[] SET_SIZES = {1, 1, 1, 1, 2, 3, 4, 5, 100, 1_000};
    private static final int[] ONE_IN = {10, 11, 20, 30, 40};
    private static final int LABELS = 15;
    private static final long FIRST_ADDRESS = 0x0a00_0001L;

    /** Creates a world by its name: {@code customers-N}, {@code unique-customers-N}, {@code tags} or {@code network-sets-N}. */
    static PolicyWorld of(String name) {
        int number = Integer.parseInt("0" + name.replaceAll("\\D", ""));
        return switch (name.replaceAll("-?\\d+$", "")) {
            case "customers" -> customers(name, number, false);
            case "unique-customers" -> customers(name, number, true);
            case "tags" -> tags(name, number);
            case "network-sets" -> networkSets(name, number);
            default -> throw new IllegalArgumentException("unknown world \"" + name + "\"");
        };
    }

    /**
     * Customers that are isolated from each other: each has a namespace, a policy and a pod; 100 pods are on the host.
     *
     * @param unique whether label values are; those that Felix's benchmark generates are of 16 distinct ones
     */
    private static PolicyWorld customers(String name, int customers, boolean unique) {
        List<HasMetadata> policies = new ArrayList<>();
        List<HasMetadata> namespaces = new ArrayList<>();
        List<HasMetadata> remote = new ArrayList<>();
        List<HasMetadata> local = new ArrayList<>();
        Random values = new Random(unique);
        for (int i = 0; i < customers; i++) {
            String customer = "customer-" + i;
            String own = "pcns.projectcalico.org/name == '" + customer + "'";
            policies.add(policy(
                    customer,
                    own,
                    List.of(rule(null, selector(own), null)),
                    List.of(
                            rule(null, null, selector(own)),
                            rule("UDP", null, entity(null, List.of("10.96.0.10/32"), List.of(new IntOrString(53)))))));
            namespaces.add(namespace(customer));
            boolean here = i % (customers / 100) == 0;
            Map<String, String> labels = new HashMap<>();
            for (int label = 0; label < LABELS; label++) {
                labels.put("example.com/label-" + label, values.next(i));
            }
            (here ? local : remote).add(pod(customer, "pod-" + i, here ? HOST : "host-" + i % 1_000, i, labels));
        }
        return world(name, local, policies, namespaces, remote);
    }

    /** 10,000 policies with 31 marker labels, one of which each pod has; 200 of the pods are on the host. */
    private static PolicyWorld tags(String name, int pods) {
        String[] markers = new String[MARKERS];
        markers[0] = "FOO_BAR";
        for (int i = 1; i < MARKERS; i++) {
            markers[i] = switch (i) {
                case 1 -> "FOO_BAR";
                case 30 -> "yxMyMarkerLabel";
                default -> List.of("", "x", "yx", "zyx").get((i - 2) / WORDS.length) + WORDS[(i - 2) % WORDS.length];
            };
        }
        List<HasMetadata> policies = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            int first = i;
            policies.add(policy(
                    "policy-" + i,
                    "has(" + markers[i % MARKERS] + ")",
                    IntStream.range(0, 5)
                            .mapToObj(j -> rule(null, selector("has(" + markers[(first + j) % MARKERS] + ")"), null))
                            .toList(),
                    List.of()));
        }
        List<HasMetadata> remote = new ArrayList<>();
        List<HasMetadata> local = new ArrayList<>();
        for (int i = 1; i <= pods + 200; i++) {
            Map<String, String> labels = new HashMap<>();
            for (int n : ONE_IN) {
                labels.put("one-in-" + n, "value-" + i % n);
            }
            labels.put(markers[i % MARKERS], "true");
            boolean here = i > pods;
            (here ? local : remote).add(pod("namespace-" + i % 100, "pod-" + i, here ? HOST : "other", i, labels));
        }
        return world(name, local, policies, hundredNamespaces(), remote);
    }

    /** Network sets of up to 1,000 addresses, each with a policy; 10,000 pods, and 200 on the host. */
    private static PolicyWorld networkSets(String name, int sets) {
        List<HasMetadata> policies = new ArrayList<>();
        long address = 0x5000_0000L;
        for (int i = 0; i < sets; i++) {
            List<String> nets = new ArrayList<>();
            for (int j = 0; j < SET_SIZES[i % SET_SIZES.length]; j++) {
                nets.add(address(address++) + "/32");
            }
            ClusterNetworkSet set = new ClusterNetworkSet();
            set.setMetadata(meta(null, "set-" + i, Map.of("network-set-name", "set-" + i)));
            set.setSpec(new NetworkSetSpec(nets));
            policies.add(set);
            policies.add(policy(
                    "policy-" + i,
                    "all()",
                    List.of(rule(null, selector("network-set-name == 'set-" + i + "'"), null)),
                    List.of()));
        }
        List<HasMetadata> remote = new ArrayList<>();
        List<HasMetadata> local = new ArrayList<>();
        for (int i = 0; i < 10_200; i++) {
            boolean here = i >= 10_000;
            (here ? local : remote)
                    .add(pod("namespace-" + i % 100, "pod-" + i, here ? HOST : "other", i, Map.of("app", "a" + i % 7)));
        }
        return world(name, local, policies, hundredNamespaces(), remote);
    }

    @SafeVarargs
    private static PolicyWorld world(String name, List<HasMetadata> local, List<HasMetadata>... before) {
        List<HasMetadata> all = new ArrayList<>();
        for (List<HasMetadata> one : before) {
            all.addAll(one);
        }
        return new PolicyWorld(name, all, local);
    }

    private static List<HasMetadata> hundredNamespaces() {
        return IntStream.range(0, 100)
                .<HasMetadata>mapToObj(i -> namespace("namespace-" + i))
                .toList();
    }

    static Namespace namespace(String name) {
        return new NamespaceBuilder().withMetadata(meta(null, name, Map.of())).build();
    }

    static Pod pod(String namespace, String name, String host, int number, Map<String, String> labels) {
        return new PodBuilder()
                .withMetadata(meta(namespace, name, labels))
                .withNewSpec()
                .withNodeName(host)
                .endSpec()
                .withNewStatus()
                .withPodIP(address(FIRST_ADDRESS + number))
                .endStatus()
                .build();
    }

    static ClusterTieredPolicy policy(String name, String selector, List<Rule> ingress, List<Rule> egress) {
        return policy(name, 100.0, selector, ingress, egress);
    }

    static ClusterTieredPolicy policy(
            String name, double order, String selector, List<Rule> ingress, List<Rule> egress) {
        ClusterTieredPolicy policy = new ClusterTieredPolicy();
        policy.setMetadata(meta(null, name, Map.of()));
        List<String> types = egress.isEmpty() ? List.of("Ingress") : List.of("Ingress", "Egress");
        policy.setSpec(new TieredPolicySpec(null, order, selector, null, types, ingress, egress));
        return policy;
    }

    static Rule rule(@Nullable String protocol, @Nullable Entity source, @Nullable Entity destination) {
        return new Rule(null, "Allow", protocol, null, null, null, source, destination);
    }

    static Entity selector(String selector) {
        return entity(selector, List.of(), List.of());
    }

    private static Entity entity(@Nullable String selector, List<String> nets, List<IntOrString> ports) {
        return new Entity(selector, null, null, nets, List.of(), ports, List.of(), null);
    }

    private static ObjectMeta meta(@Nullable String namespace, String name, Map<String, String> labels) {
        ObjectMeta meta = new ObjectMeta();
        meta.setNamespace(namespace);
        meta.setName(name);
        meta.setLabels(labels);
        return meta;
    }

    private static String address(long number) {
        return (number >> 24 & 255) + "." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    /** Label values: as Felix's benchmark generates them from the low bits of a counter, or unique ones. */
    private static final class Random {
        private final boolean unique;
        private long counter;

        Random(boolean unique) {
            this.unique = unique;
        }

        String next(int customer) {
            if (unique) {
                long mixed = (customer * 31L + counter++) * 0x9E37_79B9_7F4A_7C15L;
                mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
                return Long.toHexString(mixed);
            }
            long value = customer * 2_654_435_761L + 1;
            char[] text = new char[16];
            for (int i = 0; i < text.length; i++) {
                text[i] = "abcdef0123456789".charAt((int) (value & 15));
                value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            }
            return new String(text);
        }
    }
}
