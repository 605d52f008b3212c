package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.policy.internal.model.Cidr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlocksTest {
    @Test
    void changesLeadToTheBlocksThatNoOtherContains() {
        long seed = Long.getLong("policy.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Blocks blocks = new Blocks();
        Set<Cidr> present = new HashSet<>();
        Set<Cidr> widest = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Cidr block = random.nextBoolean()
                    ? Cidr.parse("10.0.0." + random.nextInt(256) + "/"
                            + (random.nextInt(10) == 0 ? 0 : 24 + random.nextInt(9)))
                    : Cidr.parse("fd00::" + Integer.toHexString(random.nextInt(64)) + "/" + (122 + random.nextInt(7)));
            boolean add = random.nextBoolean();
            Blocks.Change change = add ? blocks.add(block) : blocks.remove(block);
            if (add) {
                present.add(block);
            } else {
                present.remove(block);
            }
            assertThat(widest).as("-Dpolicy.seed=" + seed).containsAll(change.removed());
            widest.removeAll(change.removed());
            assertThat(change.added()).as("-Dpolicy.seed=" + seed).noneMatch(widest::contains);
            widest.addAll(change.added());
            assertThat(widest).as("-Dpolicy.seed=" + seed).isEqualTo(naive(present));
            assertThat(blocks.isEmpty()).isEqualTo(present.isEmpty());
        }
        assertThat(new HashSet<>(Blocks.widest(present))).isEqualTo(naive(present));
    }

    private static Set<Cidr> naive(Set<Cidr> blocks) {
        List<Cidr> widest = new ArrayList<>();
        for (Cidr block : blocks) {
            if (blocks.stream().noneMatch(other -> !other.equals(block) && other.contains(block))) {
                widest.add(block);
            }
        }
        return new HashSet<>(widest);
    }

    @Test
    void allAddressesAreTwoElements() {
        assertThat(Family.IPV4.elements(Cidr.parse("0.0.0.0/0"))).containsExactly("0.0.0.0/1", "128.0.0.0/1");
        assertThat(Family.IPV6.elements(Cidr.parse("::/0"))).containsExactly("::/1", "8000::/1");
        assertThat(Family.IPV4.elements(Cidr.parse("10.0.0.0/8"))).containsExactly("10.0.0.0/8");
    }
}
