package dev.evenkeel.collection.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentTreeTest {
    private record Entry(Integer key, int value) {}

    private static final PersistentTree.Order<Integer, Entry> ORDER = new PersistentTree.Order<>() {
        @Override
        public Integer key(Entry entry) {
            return entry.key();
        }

        @Override
        public int compare(Integer left, Integer right) {
            return left.compareTo(right);
        }
    };
    private static final PersistentTree<Integer, Entry> EMPTY = PersistentTree.empty(ORDER);

    @ParameterizedTest
    @DisplayName("Random changes match a sorted map, and leave earlier trees unchanged")
    @ValueSource(ints = {8, 200, 5_000})
    void behavesLikeASortedMap(int keys) {
        long seed = Long.getLong("collection.seed", System.nanoTime());
        System.out.println("PersistentTreeTest: seed " + seed);
        Random random = new Random(seed);
        TreeMap<Integer, Entry> map = new TreeMap<>();
        PersistentTree<Integer, Entry> tree = EMPTY;
        List<PersistentTree<Integer, Entry>> kept = new ArrayList<>();
        List<List<Entry>> contents = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            Integer key = (random.nextInt(keys));
            boolean shrinking = step / 4_000 % 2 == 1;
            if (random.nextInt(10) < (shrinking ? 8 : 3)) {
                tree = tree.remove(key);
                map.remove(key);
            } else {
                Entry entry = new Entry(key, step);
                tree = tree.put(entry);
                map.put(key, entry);
            }
            assertThat(tree.get(key)).isSameAs(map.get(key));
            if (step % 1_000 == 0) {
                tree.validate();
                assertThat(tree.size()).isEqualTo(map.size());
                Integer from = (random.nextInt(keys));
                Integer to = (random.nextInt(keys));
                assertThat(tree.rank(from)).isEqualTo(map.headMap(from).size());
                if (from.compareTo(to) < 0) {
                    assertThat(entries(tree, from, to))
                            .isEqualTo(List.copyOf(map.subMap(from, to).values()));
                }
                kept.add(tree);
                contents.add(List.copyOf(map.values()));
            }
        }
        for (int i = 0; i < kept.size(); i++) {
            assertThat(entries(kept.get(i), 0, keys)).isEqualTo(contents.get(i));
        }
    }

    @Test
    @DisplayName("Removing all entries in any order leaves the empty tree")
    void empties() {
        for (int seed = 0; seed < 5; seed++) {
            List<Integer> keys = new ArrayList<>();
            PersistentTree<Integer, Entry> tree = EMPTY;
            for (int i = 0; i < 3_000; i++) {
                keys.add(i);
                tree = tree.put(new Entry(i, i));
            }
            tree.validate();
            switch (seed) {
                case 0 -> {}
                case 1 -> Collections.reverse(keys);
                default -> Collections.shuffle(keys, new Random(seed));
            }
            for (int i = 0; i < keys.size(); i++) {
                tree = tree.remove(keys.get(i));
                if (i % 100 == 0) {
                    tree.validate();
                }
            }
            assertThat(tree.size()).isZero();
            tree.validate();
        }
    }

    @Test
    @DisplayName("Removing an absent key changes nothing")
    void removesNothing() {
        PersistentTree<Integer, Entry> tree = EMPTY.put(new Entry(1, 1));
        assertThat(tree.remove(2)).isSameAs(tree);
    }

    @ParameterizedTest
    @DisplayName("A tree of sorted entries has them all, holds its invariants and can be changed")
    @ValueSource(ints = {0, 1, 2, 31, 32, 33, 63, 64, 65, 1_023, 1_024, 1_025, 1_057, 40_000})
    void madeAtOnce(int size) {
        List<Entry> sorted = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            sorted.add(new Entry(2 * i, i));
        }
        PersistentTree<Integer, Entry> tree = PersistentTree.of(ORDER, sorted);
        tree.validate();
        assertThat(tree.toList()).isEqualTo(sorted);
        assertThat(tree.isEmpty()).isEqualTo(size == 0);
        for (int i = 0; i < Math.min(size, 200); i++) {
            tree = tree.put(new Entry(2 * i + 1, i)).remove(2 * i);
        }
        tree.validate();
        assertThat(tree.size()).isEqualTo(size);
    }

    @Test
    @DisplayName("Unordered entries are refused with the index of the first")
    void refusesDisorder() {
        assertThatThrownBy(() -> PersistentTree.of(ORDER, List.of(new Entry(1, 1), new Entry(1, 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sorted[1]: 1 does not follow 1");
    }

    private static List<Entry> entries(PersistentTree<Integer, Entry> tree, Integer from, Integer to) {
        List<Entry> entries = new ArrayList<>();
        tree.range(from, to, entries::add);
        return entries;
    }
}
