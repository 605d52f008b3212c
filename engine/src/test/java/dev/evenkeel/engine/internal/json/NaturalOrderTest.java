package dev.evenkeel.engine.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {
    @Test
    void sortsNumbersByValue() {
        List<String> sorted = List.of(
                ".", "1", "2", "10", "A", "a", "a-b", "a.b", "a1", "a2", "a10", "aB", "ab", "b1c", "b1-c", "b2", "f:a",
                "f:b", "é");
        long seed = 3;
        for (int round = 0; round < 100; round++) {
            List<String> keys = new ArrayList<>(sorted);
            Collections.shuffle(keys, new Random(seed + round));
            keys.sort(NaturalOrder.INSTANCE);
            assertThat(keys).as("seed %d, round %d", seed, round).isEqualTo(sorted);
        }
    }

    @Test
    void isAnOrder() {
        long seed = 5;
        Random random = new Random(seed);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            StringBuilder key = new StringBuilder();
            for (int length = random.nextInt(4); length > 0; length--) {
                key.append("ab01-.".charAt(random.nextInt(6)));
            }
            keys.add(key.toString());
        }
        NaturalOrder order = NaturalOrder.INSTANCE;
        for (String a : keys) {
            for (String b : keys) {
                assertThat(Integer.signum(order.compare(a, b))).isEqualTo(-Integer.signum(order.compare(b, a)));
                if (a.equals(b) != (order.compare(a, b) == 0)) {
                    assertThat(a + " " + b).isEqualTo("distinct");
                }
                for (String c : keys) {
                    if (order.compare(a, b) < 0 && order.compare(b, c) < 0 && order.compare(a, c) >= 0) {
                        assertThat(a + " < " + b + " < " + c).isEqualTo("transitive");
                    }
                }
            }
        }
    }
}
