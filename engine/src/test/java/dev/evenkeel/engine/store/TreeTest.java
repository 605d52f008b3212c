package dev.evenkeel.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.spi.Entry;
import dev.evenkeel.engine.spi.Key;
import dev.evenkeel.engine.spi.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeTest {
    private static final Value NOTHING = () -> new byte[0];
    private static final Key FIRST = key(0);
    private static final Key END = new Key("c\0", "", "");

    @ParameterizedTest
    @DisplayName("Random changes leave what they leave in a sorted map, and earlier trees as they were")
    @ValueSource(ints = {8, 200, 5_000})
    void behavesLikeASortedMap(int keys) {
        long seed = Long.getLong("store.seed", System.nanoTime());
        System.out.println("TreeTest: seed " + seed);
        Random random = new Random(seed);
        TreeMap<Key, Entry> map = new TreeMap<>();
        Tree tree = Tree.EMPTY;
        List<Tree> kept = new ArrayList<>();
        List<List<Entry>> contents = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            Key key = key(random.nextInt(keys));
            boolean shrinking = step / 4_000 % 2 == 1;
            if (random.nextInt(10) < (shrinking ? 8 : 3)) {
                tree = tree.remove(key);
                map.remove(key);
            } else {
                Entry entry = new Entry(key, step, NOTHING);
                tree = tree.put(entry);
                map.put(key, entry);
            }
            assertThat(tree.get(key)).isSameAs(map.get(key));
            if (step % 1_000 == 0) {
                tree.validate();
                assertThat(tree.size()).isEqualTo(map.size());
                Key from = key(random.nextInt(keys));
                Key to = key(random.nextInt(keys));
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
            assertThat(entries(kept.get(i), FIRST, END)).isEqualTo(contents.get(i));
        }
    }

    @Test
    @DisplayName("Removing all, in any order, leaves the empty tree")
    void empties() {
        for (int seed = 0; seed < 5; seed++) {
            List<Key> keys = new ArrayList<>();
            Tree tree = Tree.EMPTY;
            for (int i = 0; i < 3_000; i++) {
                keys.add(key(i));
                tree = tree.put(new Entry(key(i), i, NOTHING));
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
    @DisplayName("Removing what is absent changes nothing")
    void removesNothing() {
        Tree tree = Tree.EMPTY.put(new Entry(key(1), 1, NOTHING));
        assertThat(tree.remove(key(2))).isSameAs(tree);
    }

    private static Key key(int number) {
        return new Key("c", "", "%06d".formatted(number));
    }

    private static List<Entry> entries(Tree tree, Key from, Key to) {
        List<Entry> entries = new ArrayList<>();
        tree.range(from, to, entries::add);
        return entries;
    }
}
