package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowsTest {
    /** A key of which several have the same hash code. */
    private record Key(int number, int hash) {
        @Override
        public int hashCode() {
            return hash;
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 3", "100, 1000", "100, 7", "3000, 1000000"})
    void behavesAsAHashMapAndRollsBack(int keys, int hashes) {
        long seed = Long.getLong("graph.seed", System.nanoTime());
        System.out.println("RowsTest: -Dgraph.seed=" + seed);
        Random random = new Random(seed);
        Journal journal = new Journal();
        Rows<Key, Integer> rows = Rows.in(journal);
        Map<Key, Integer> map = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            Map<Key, Integer> before = new HashMap<>(map);
            // phases of growth and of removal, so that the table is resized in both directions
            int removals = step / 20 % 2 == 0 ? 20 : 80;
            for (int i = random.nextInt(keys); i >= 0; i--) {
                int number = random.nextInt(keys);
                Key key = new Key(number, number % hashes * 31);
                if (random.nextInt(100) < removals) {
                    assertThat(rows.remove(key)).isEqualTo(map.remove(key));
                } else {
                    assertThat(rows.put(key, i)).isEqualTo(map.put(key, i));
                }
            }
            if (random.nextInt(3) == 0) {
                journal.rollBack();
                map = before;
            } else {
                journal.clear();
            }
            Map<Key, Integer> content = new HashMap<>();
            rows.forEach(content::put);
            assertThat(content).as("seed %d, step %d", seed, step).isEqualTo(map);
            assertThat(rows.size()).isEqualTo(map.size());
        }
    }

    /** A key that counts comparisons. */
    private record Counted(int number, AtomicLong comparisons) {
        @Override
        public boolean equals(Object other) {
            comparisons.incrementAndGet();
            return other instanceof Counted counted && counted.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    @Test
    void aTableIsFilledInTheOrderOfAnotherOne() {
        AtomicLong comparisons = new AtomicLong();
        Rows<Counted, Integer> first = Rows.scratch();
        for (int i = 0; i < 50_000; i++) {
            first.put(new Counted(i * 31, comparisons), i);
        }
        Rows<Counted, Integer> second = Rows.scratch();
        first.forEach(second::put);
        assertThat(second.size()).isEqualTo(50_000);
        assertThat(comparisons.get()).isLessThan(500_000);
    }
}
