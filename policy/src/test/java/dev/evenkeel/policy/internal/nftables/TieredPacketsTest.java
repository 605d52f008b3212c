package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.Explanation;
import dev.evenkeel.policy.PolicyCase;
import dev.evenkeel.policy.PolicyExplainer;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random policies of {@code policy.evenkeel.dev} with packets: all actions and conditions, tiers, network sets, Services, a host. */
class TieredPacketsTest {
    private static final int WORLDS = Integer.getInteger("policy.packets.worlds", 15);

    private final long seed = Long.getLong("policy.seed", System.nanoTime());
    private SplittableRandom random = new SplittableRandom(seed);

    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
    }

    @Test
    void packetsArriveWhereTheExplanationSays() {
        int allowed = 0;
        int denied = 0;
        try (PolicyLab lab = PolicyLab.ofCases()) {
            for (int i = 0; i < WORLDS; i++) {
                random = new SplittableRandom(seed + i);
                List<HasMetadata> objects =
                        new ArrayList<>(PolicyCase.all().getFirst().world().objects());
                objects.addAll(policies());
                lab.replace(objects);
                assertThat(lab.differences()).as("-Dpolicy.seed=" + (seed + i)).isEmpty();
                BitSet expected = check(lab, objects, seed + i);
                allowed += expected.cardinality();
                denied += expected.length() - expected.cardinality();
            }
        }
        assertThat(WORLDS < 10 || (allowed > denied / 20 && denied > allowed / 20))
                .as("worlds are not trivial: %d allowed, %d denied", allowed, denied)
                .isTrue();
    }

    private List<HasMetadata> policies() {
        StringBuilder text = new StringBuilder();
        append(text, "Tier", "first", "{order: 1, defaultAction: " + one("Deny", "Pass") + "}");
        append(text, "Tier", "last", "{order: 20000000, defaultAction: " + one("Deny", "Pass") + "}");
        text.append("--- {apiVersion: policy.evenkeel.dev/v1, kind: ClusterNetworkSet, metadata: {name: s,"
                + " labels: {set: s, app: web}}, spec: {nets: [" + nets() + "]}}\n");
        if (random.nextInt(3) == 0) {
            text.append("--- {apiVersion: policy.evenkeel.dev/v1, kind: HostEndpoint, metadata: {name: h,"
                    + " labels: {app: host}}, spec: {node: n1, expectedIPs: [172.18.0.2, 'fd18::2']}}\n");
        }
        slice(text, "IPv4", "10.0.1.1", "10.0.2.2", "172.18.0.2");
        slice(text, "IPv6", "'fd00::1:1'", "'fd00::2:2'", "'fd18::2'");
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            append(
                    text,
                    "ClusterTieredPolicy",
                    "p" + i,
                    "{tier: " + one("first", "default", "last") + ", order: " + random.nextInt(3) + ", selector: '"
                            + selector() + "', types: [" + one("Ingress", "Egress", "Ingress, Egress") + "], ingress: ["
                            + rules() + "], egress: [" + rules() + "]}");
        }
        return List.copyOf(Manifests.parse(text.toString()));
    }

    private static void append(StringBuilder text, String kind, String name, String spec) {
        text.append("--- {apiVersion: policy.evenkeel.dev/v1, kind: " + kind + ", metadata: {name: " + name
                + "}, spec: " + spec + "}\n");
    }

    private void slice(StringBuilder text, String type, String... addresses) {
        text.append("--- {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {namespace: x, name: ")
                .append(type.toLowerCase(Locale.ROOT))
                .append(", labels: {kubernetes.io/service-name: web}}, addressType: ")
                .append(type)
                .append(", endpoints: [{addresses: [")
                .append(one(addresses))
                .append("]}, {addresses: [")
                .append(one(addresses))
                .append("]}], ports: [{port: 80, protocol: TCP}, {port: 53, protocol: UDP}]}\n");
    }

    private String one(String... values) {
        return values[random.nextInt(values.length)];
    }

    private String selector() {
        return one("all()", "app == \"web\"", "pod == \"b\"", "has(set)", "app in {\"web\", \"host\"}", "pod != \"a\"");
    }

    private String nets() {
        List<String> nets = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            nets.add(one(
                    "10.0.0.0/16",
                    "10.0.1.0/24",
                    "10.0.1.1/32",
                    "172.16.0.0/12",
                    "0.0.0.0/0",
                    "'fd00::/16'",
                    "'fd00::1:0/112'",
                    "'::/0'",
                    "'2001:db8::5/128'"));
        }
        return String.join(", ", nets);
    }

    private String rules() {
        List<String> rules = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String protocol = one("", "TCP", "TCP", "UDP", "SCTP", "ICMP", "ICMPv6");
            rules.add("{action: " + one("Allow", "Allow", "Deny", "Pass", "Log")
                    + (protocol.isEmpty() ? "" : ", protocol: " + protocol)
                    + (random.nextInt(6) == 0 ? ", notProtocol: " + one("UDP", "ICMP") : "")
                    + (protocol.startsWith("ICMP") ? icmp() : "")
                    + ", source: {" + end(false) + "}, destination: {"
                    + end(List.of("TCP", "UDP", "SCTP").contains(protocol)) + "}}");
        }
        return String.join(", ", rules);
    }

    private String icmp() {
        return one("", ", icmp: {type: 8}", ", icmp: {type: 128, code: 1}", ", icmp: {type: 8, code: 0}")
                + one("", ", notIcmp: {type: 8, code: 1}", ", notIcmp: {type: 128}", ", notIcmp: {type: 128, code: 0}");
    }

    private String end(boolean ports) {
        List<String> fields = new ArrayList<>();
        switch (random.nextInt(7)) {
            case 0 -> fields.add("nets: [" + nets() + "]");
            case 1 -> fields.add("notNets: [" + nets() + "]");
            case 2 -> fields.add("selector: '" + selector() + "'");
            case 3 -> fields.add("notSelector: '" + selector() + "'");
            case 4 -> fields.add("services: {namespace: x, name: web}");
            default -> {
                // any address
            }
        }
        if (ports && random.nextBoolean()) {
            fields.add(
                    one("ports: [80]", "ports: [http, 53]", "notPorts: ['79:81']", "notPorts: [sig]", "ports: [dns]"));
        }
        return String.join(", ", fields);
    }

    private static Explanation explain(PolicyExplainer explainer, Attempt attempt) {
        return attempt.protocol().equals("ICMP")
                ? explainer.explainIcmp(
                        attempt.from(), attempt.to(), attempt.from().contains(":") ? 128 : 8, attempt.port())
                : explainer.explain(attempt.from(), attempt.to(), attempt.protocol(), attempt.port());
    }

    private static BitSet check(PolicyLab lab, List<HasMetadata> objects, long seed) {
        PolicyExplainer explainer = PolicyExplainer.of(objects);
        assertThat(explainer.problems()).isEmpty();
        List<String> addresses = lab.lab().names().stream()
                .flatMap(name -> lab.lab().addresses(name).stream())
                .toList();
        List<Attempt> attempts = new ArrayList<>();
        BitSet expected = new BitSet();
        for (String from : addresses) {
            for (String to : addresses) {
                if (from.contains(":") == to.contains(":") && !from.equals(to)) {
                    for (String probe : List.of("TCP 80", "TCP 81", "UDP 53", "SCTP 9000", "ICMP 0", "ICMP 1")) {
                        String protocol = probe.substring(0, probe.indexOf(' '));
                        int port = Integer.parseInt(probe.substring(probe.indexOf(' ') + 1));
                        Attempt attempt = new Attempt(from, to, protocol, port);
                        expected.set(
                                attempts.size(), explain(explainer, attempt).allowed());
                        attempts.add(attempt);
                    }
                }
            }
        }
        BitSet arrived = lab.prober().run(attempts, expected);
        BitSet wrong = (BitSet) arrived.clone();
        wrong.xor(expected);
        if (!wrong.isEmpty()) {
            Attempt attempt = attempts.get(wrong.nextSetBit(0));
            throw new AssertionError("-Dpolicy.packets.worlds=1 -Dpolicy.seed=" + seed + ": " + wrong.cardinality()
                    + " differ, such as " + attempt + ": should be\n"
                    + explain(explainer, attempt) + "\nin\n"
                    + Manifests.text(objects.subList(12, objects.size())));
        }
        return expected;
    }
}
