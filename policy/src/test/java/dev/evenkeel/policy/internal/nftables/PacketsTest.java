package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.policy.PolicyCase;
import dev.evenkeel.policy.PolicyCase.Pair;
import dev.evenkeel.policy.PolicyCase.Probe;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The cases of {@code cases.yaml} with packets, one after the other on the same nodes; in a build every fourth, from a
 * random one on, and with {@code -Dpackets.all=true} all. The oracle and the explanation agree with the same matrices
 * elsewhere.
 */
class PacketsTest {
    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
    }

    @Test
    void packetsArriveWhereEachCaseSays() {
        List<PolicyCase> cases = cases();
        int probes = 0;
        try (PolicyLab lab = PolicyLab.ofCases()) {
            for (PolicyCase one : cases) {
                lab.replace(one.world().objects());
                assertThat(lab.differences()).as(one.name()).isEmpty();
                probes += check(one, lab.prober());
            }
        }
        assertThat(probes).isGreaterThan(cases.size() * 600);
    }

    private static List<PolicyCase> cases() {
        List<PolicyCase> all = PolicyCase.all();
        if (Boolean.getBoolean("packets.all")) {
            return all;
        }
        int first =
                Integer.getInteger("packets.first", ThreadLocalRandom.current().nextInt(4));
        System.out.println("every fourth case: -Dpackets.first=" + first);
        return IntStream.range(0, all.size())
                .filter(i -> i % 4 == first)
                .mapToObj(all::get)
                .toList();
    }

    private static int check(PolicyCase one, Prober prober) {
        List<Attempt> attempts = new ArrayList<>();
        BitSet expected = new BitSet();
        one.matrices()
                .forEach((probe, matrix) -> matrix.forEach((pair, allowed) -> {
                    Attempt attempt = new Attempt(
                            pair.fromAddress(probe), pair.toAddress(probe), probe.protocol(), probe.number());
                    expected.set(attempts.size(), allowed);
                    attempts.add(attempt);
                }));
        BitSet arrived = prober.run(attempts, expected);
        int number = 0;
        for (Map.Entry<Probe, Map<Pair, Boolean>> entry : one.matrices().entrySet()) {
            Map<Pair, Boolean> actual = new LinkedHashMap<>();
            for (Pair pair : entry.getValue().keySet()) {
                actual.put(pair, arrived.get(number++));
            }
            assertThat(PolicyCase.text(actual))
                    .as(one.name() + ": " + entry.getKey())
                    .isEqualTo(PolicyCase.text(entry.getValue()));
        }
        return number;
    }
}
