package dev.evenkeel.engine.contract;

import static dev.evenkeel.engine.contract.Samples.MAPS;
import static dev.evenkeel.engine.contract.Samples.PODS;
import static dev.evenkeel.engine.contract.Samples.change;
import static dev.evenkeel.engine.contract.Samples.delete;
import static dev.evenkeel.engine.contract.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Conflict;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The simplest thing that does what a store does: a sorted map for each revision, and a list of changes. */
final class StoreModel {
    private final Store store;

    /** A model of an empty store. */
    StoreModel(Store store) {
        this.store = store;
    }

    /** A change. */
    private record Fact(long revision, Key key, String text) {}

    /** Does random things to both, and compares. */
    void compare(Random random, int steps) {
        NavigableMap<Key, Fact> present = new TreeMap<>();
        TreeMap<Long, NavigableMap<Key, Fact>> past = new TreeMap<>(Map.of(store.revision(), new TreeMap<>()));
        List<Fact> facts = new ArrayList<>();
        Map<Snapshot, NavigableMap<Key, Fact>> taken = new IdentityHashMap<>();
        record Watching(Follower follower, Predicate<Fact> expected) {}
        List<Watching> watching = new ArrayList<>();
        int skew = 1 + random.nextInt(12);
        for (int step = 0; step < steps; step++) {
            int dice = random.nextInt(100);
            if (dice < 70) {
                Map<Key, Change> changes = new TreeMap<>();
                for (int i = random.nextInt(skew) == 0 ? 4 : 1; i > 0; i--) {
                    Key key = randomKey(random);
                    Fact fact = present.get(key);
                    long expected = fact == null ? 0 : fact.revision;
                    if (random.nextInt(10) == 0) {
                        expected = random.nextInt(3);
                    }
                    boolean delete = random.nextInt(100) < (step / 500 % 2 == 0 ? 20 : 70);
                    changes.put(key, delete ? delete(key, expected) : change(key, expected, "v" + step));
                }
                applyToBoth(List.copyOf(changes.values()), present, past, facts);
            } else if (dice < 75) {
                taken.put(store.snapshot(), new TreeMap<>(present));
            } else if (dice < 85) {
                long revision = random(random, past.keySet());
                assertSame(store.snapshot(revision), past.get(revision));
            } else if (dice < 90) {
                long revision = random(random, past.keySet());
                Key some = randomKey(random);
                Range range = switch (random.nextInt(4)) {
                    case 0 -> Range.ALL;
                    case 1 -> Range.of(some.collection());
                    case 2 -> Range.of(some.collection(), some.namespace());
                    default -> Range.of(some);
                };
                watching.add(new Watching(
                        new Follower(store, range, revision),
                        fact -> fact.revision > revision && range.includes(fact.key)));
            } else if (dice < 94 && !watching.isEmpty()) {
                Follower follower = watching.get(random.nextInt(watching.size())).follower;
                follower.seen.addAll(follower.watch.poll(1 + random.nextInt(5)));
            } else if (dice < 96 && !watching.isEmpty()) {
                Watching one = watching.remove(random.nextInt(watching.size()));
                expect(one.follower, facts, one.expected);
                one.follower.watch.close();
            } else if (dice == 99 && random.nextInt(5) == 0) {
                watching.forEach(one -> expect(one.follower, facts, one.expected));
                long revision = random(random, past.keySet());
                store.compact(revision);
                past.headMap(revision).clear();
                assertThatThrownBy(() -> store.snapshot(revision - 1)).isInstanceOf(CompactedException.class);
            }
        }
        taken.forEach(StoreModel::assertSame);
        past.forEach((revision, state) -> assertSame(store.snapshot(revision), state));
        watching.forEach(one -> expect(one.follower, facts, one.expected));
    }

    private void applyToBoth(
            List<Change> changes,
            NavigableMap<Key, Fact> present,
            Map<Long, NavigableMap<Key, Fact>> past,
            List<Fact> facts) {
        Change wrong = null;
        boolean writes = false;
        for (Change change : changes) {
            Fact fact = present.get(change.key());
            if (wrong == null && change.expectedRevision() != (fact == null ? 0 : fact.revision)) {
                wrong = change;
            }
            writes |= fact != null || change.value() != null;
        }
        long before = store.revision();
        switch (store.commit(changes)) {
            case Conflict conflict -> {
                assertThat(wrong).isNotNull();
                assertThat(conflict.key()).isEqualTo(wrong.key());
                Fact fact = present.get(wrong.key());
                assertThat(conflict.actual().map(Entry::revision).orElse(0L))
                        .isEqualTo(fact == null ? 0 : fact.revision);
                assertThat(store.revision()).isEqualTo(before);
            }
            case Committed committed -> {
                assertThat(wrong).isNull();
                assertThat(committed.revision()).isEqualTo(store.revision());
                assertThat(committed.revision() > before).isEqualTo(writes);
                for (Change change : changes) {
                    Key key = change.key();
                    if (change.value() != null) {
                        Fact fact = new Fact(
                                committed.revision(),
                                key,
                                new String(change.value().bytes(), StandardCharsets.UTF_8));
                        present.put(key, fact);
                        facts.add(fact);
                    } else if (present.remove(key) != null) {
                        facts.add(new Fact(committed.revision(), key, ""));
                    }
                }
                past.put(committed.revision(), new TreeMap<>(present));
            }
        }
    }

    private static void assertSame(Snapshot snapshot, NavigableMap<Key, Fact> state) {
        List<String> actual = new ArrayList<>();
        for (String collection : List.of(MAPS, PODS)) {
            snapshot.range(
                    collection, "", null, entry -> actual.add(entry.key() + "@" + entry.revision() + text(entry)));
        }
        List<String> expected = state.values().stream()
                .map(fact -> fact.key + "@" + fact.revision + fact.text)
                .toList();
        assertThat(actual).isEqualTo(expected);
        assertThat(snapshot.count(MAPS) + snapshot.count(PODS)).isEqualTo(expected.size());
    }

    private static Key randomKey(Random random) {
        return new Key(
                random.nextInt(4) == 0 ? PODS : MAPS,
                List.of("", "a", "a-b", "b").get(random.nextInt(4)),
                "n" + random.nextInt(40));
    }

    private static long random(Random random, Collection<Long> revisions) {
        return revisions.stream()
                .skip(random.nextInt(revisions.size()))
                .findFirst()
                .orElseThrow();
    }

    private static void expect(Follower follower, List<Fact> facts, Predicate<Fact> expected) {
        List<String> wanted = facts.stream()
                .filter(expected)
                .map(fact -> fact.revision + " " + fact.key + "=" + fact.text)
                .toList();
        follower.expect(wanted, event -> event.revision() + " " + event.key() + "=" + text(event.current()));
    }
}
