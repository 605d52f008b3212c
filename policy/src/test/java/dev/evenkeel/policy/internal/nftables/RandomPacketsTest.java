package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.PolicyExplainer;
import dev.evenkeel.policy.RandomWorld;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random clusters with packets. One is made of the one before by adding, changing and removing objects. */
class RandomPacketsTest {
    private static final int WORLDS = Integer.getInteger("policy.packets.worlds", 15);

    private final long seed = Long.getLong("policy.seed", System.nanoTime());

    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
    }

    @Test
    void packetsArriveWhereTheExplanationSays() {
        try (PolicyLab lab = new PolicyLab(hosts(), List.of("n1", "n2"))) {
            for (int i = 0; i < WORLDS; i++) {
                RandomWorld.Generated random = RandomWorld.of(seed + i);
                List<HasMetadata> objects = random.world().objects();
                objects.forEach(RandomPacketsTest::place);
                SplittableRandom choice = new SplittableRandom(seed + i);
                List<HasMetadata> some = objects.stream()
                        .filter(object ->
                                object instanceof Namespace || object instanceof Node || choice.nextInt(3) > 0)
                        .toList();
                int port = RandomWorld.ports().get(i % RandomWorld.ports().size());
                for (List<HasMetadata> state : List.of(some, objects)) {
                    lab.replace(state);
                    assertThat(lab.differences()).isEmpty();
                    check(lab, state, random.addresses(), port, seed + i);
                }
            }
        }
    }

    /** The lab can't move pods between nodes: those with odd numbers are on n1. */
    private static void place(HasMetadata object) {
        if (object instanceof Pod pod && pod.getSpec().getNodeName() != null) {
            String name = pod.getMetadata().getName();
            pod.getSpec().setNodeName((name.charAt(name.length() - 1) & 1) == 1 ? "n1" : "n2");
        }
    }

    private static Lab hosts() {
        Lab lab = Lab.create().add("core", "", List.of());
        lab.add("n1", "core", List.of("10.9.0.1", "fd09::1"));
        lab.add("n2", "core", List.of("10.9.0.2", "fd09::2"));
        lab.add("near", "core", List.of("10.0.0.200", "fd00::c8"));
        lab.add("far", "core", List.of("192.0.2.1", "2001:db8::1"));
        for (int i = 1; i <= 6; i++) {
            lab.add("pod" + i, (i & 1) == 1 ? "n1" : "n2", List.of("10.0.0." + i, "fd00::" + i));
        }
        return lab.start();
    }

    private static void check(PolicyLab lab, List<HasMetadata> objects, List<String> addresses, int port, long seed) {
        PolicyExplainer explainer = PolicyExplainer.of(objects);
        List<Attempt> attempts = new ArrayList<>();
        BitSet expected = new BitSet();
        for (String from : addresses) {
            for (String to : addresses) {
                // packets of a host to itself do not meet the rules
                if (from.contains(":") == to.contains(":") && !from.equals(to)) {
                    for (String protocol : RandomWorld.protocols()) {
                        expected.set(
                                attempts.size(),
                                explainer.explain(from, to, protocol, port).allowed());
                        attempts.add(new Attempt(from, to, protocol, port));
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
                    + explainer.explain(attempt.from(), attempt.to(), attempt.protocol(), attempt.port()) + "\nin\n"
                    + Manifests.text(objects));
        }
    }
}
