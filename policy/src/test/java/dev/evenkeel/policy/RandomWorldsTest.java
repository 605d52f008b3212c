package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The calculation agrees with the oracle on random clusters. */
class RandomWorldsTest {
    private static final int WORLDS = Integer.getInteger("policy.worlds", 1_000);

    private final long seed = Long.getLong("policy.seed", System.nanoTime());

    @Test
    void calculationAndOracleAgree() {
        int allowed = 0;
        int denied = 0;
        for (int i = 0; i < WORLDS; i++) {
            RandomWorld.Generated random = RandomWorld.of(seed + i);
            Oracle oracle = new Oracle(random.world());
            PolicyExplainer explainer = PolicyExplainer.of(random.world().objects());
            assertThat(explainer.problems()).isEmpty();
            int port = RandomWorld.ports().get(i % RandomWorld.ports().size());
            for (String from : random.addresses()) {
                for (String to : random.addresses()) {
                    if (from.contains(":") != to.contains(":")) {
                        continue;
                    }
                    for (String protocol : RandomWorld.protocols()) {
                        boolean expected = oracle.allows(from, to, protocol, port);
                        Explanation explanation = explainer.explain(from, to, protocol, port);
                        if (expected != explanation.allowed()) {
                            throw new AssertionError("-Dpolicy.worlds=1 -Dpolicy.seed=" + (seed + i) + ": " + from
                                    + " to " + to + " " + port + "/" + protocol + " should be "
                                    + (expected ? "allowed" : "denied") + ", and\n" + explanation + "\nin\n"
                                    + Manifests.text(random.world().objects()));
                        }
                        allowed += expected ? 1 : 0;
                        denied += expected ? 0 : 1;
                    }
                }
            }
        }
        assertThat(WORLDS < 100 || (allowed > denied / 20 && denied > allowed / 20))
                .as("worlds are not trivial: %d allowed, %d denied", allowed, denied)
                .isTrue();
    }

    @Test
    void aSeedGivesTheSameWorld() {
        Set<String> texts = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            texts.add(Manifests.text(RandomWorld.of(7).world().objects()));
        }
        assertThat(texts).hasSize(1);
    }
}
