package dev.evenkeel.engine.contract;

import static dev.evenkeel.engine.contract.Samples.MAPS;
import static dev.evenkeel.engine.contract.Samples.PODS;
import static dev.evenkeel.engine.contract.Samples.change;
import static dev.evenkeel.engine.contract.Samples.delete;
import static dev.evenkeel.engine.contract.Samples.describe;
import static dev.evenkeel.engine.contract.Samples.map;
import static dev.evenkeel.engine.contract.Samples.pod;
import static dev.evenkeel.engine.contract.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Conflict;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link Store} whose data outlives it, in addition to {@link StoreCompatibilityKit}. A store's test
 * extends this class.
 */
public abstract class RestartCompatibilityKit {
    private Store store;

    /** Opens the store of this test: without entries at first, later with what it had when it was closed. */
    protected abstract Store open();

    /** Returns true if the history is kept too, at least of 1,000 changes. */
    protected boolean keepsHistory() {
        return true;
    }

    @BeforeEach
    final void begin() {
        store = open();
    }

    @AfterEach
    final void end() {
        store.close();
    }

    private void restart() {
        store.close();
        store = open();
    }

    private long commit(Change... changes) {
        return ((Committed) store.commit(List.of(changes))).revision();
    }

    /** Returns the entries of both collections, with their revisions. */
    private static List<String> contents(Store.Snapshot snapshot) {
        List<String> contents = new ArrayList<>();
        for (String collection : List.of(MAPS, PODS)) {
            snapshot.range(
                    collection,
                    "",
                    null,
                    entry -> contents.add(entry.key() + "=" + text(entry) + "@" + entry.revision()));
        }
        return contents;
    }

    private List<String> events(String collection, long after) {
        Follower follower = new Follower(store, Range.of(collection), after);
        List<String> events = new ArrayList<>();
        while (true) {
            List<Event> polled = follower.watch.poll(100);
            if (polled.isEmpty()) {
                follower.watch.close();
                return events;
            }
            polled.forEach(event -> events.add(describe(event) + " @" + event.revision()));
        }
    }

    @Test
    @DisplayName("Entries, their revisions and that of the store are as before")
    void entries() {
        commit(change(map("a", "x"), 0, "1"), change(pod("a", "x"), 0, "1"));
        long second = commit(change(map("a", "y"), 0, "2"));
        commit(delete(map("a", "y"), second), change(map("b", "z\uD83D\uDE00"), 0, "Grüße \u0000 \uFFFF"));
        List<String> before = contents(store.snapshot());
        long revision = store.revision();
        restart();
        assertThat(store.revision()).isEqualTo(revision);
        assertThat(contents(store.snapshot())).isEqualTo(before);
        restart();
        assertThat(store.revision()).isEqualTo(revision);
        assertThat(contents(store.snapshot())).isEqualTo(before);
    }

    @Test
    @DisplayName("Commits go on: revisions grow, and expected revisions of before hold")
    void commitsGoOn() {
        long first = commit(change(map("a", "x"), 0, "1"));
        restart();
        assertThat(store.commit(List.of(change(map("a", "x"), 0, "2")))).isInstanceOf(Conflict.class);
        long second = commit(change(map("a", "x"), first, "2"));
        assertThat(second).isGreaterThan(first);
        restart();
        assertThat(commit(delete(map("a", "x"), second))).isGreaterThan(second);
        restart();
        assertThat(contents(store.snapshot())).isEmpty();
        assertThat(commit(change(map("a", "x"), 0, "3"))).isEqualTo(store.revision());
    }

    @Test
    @DisplayName("The revision does not go back when the last commit deleted the last entry")
    void theRevisionStays() {
        long first = commit(change(map("a", "x"), 0, "1"));
        long second = commit(delete(map("a", "x"), first));
        restart();
        assertThat(store.revision()).isEqualTo(second);
        store.compact(second);
        restart();
        assertThat(store.revision()).isEqualTo(second);
    }

    @Test
    @DisplayName("Snapshots of revisions before the restart are as before, or refused when history is not kept")
    void oldSnapshots() {
        long first = commit(change(map("a", "x"), 0, "1"));
        List<String> before = contents(store.snapshot());
        commit(change(map("a", "x"), first, "2"));
        restart();
        if (keepsHistory()) {
            assertThat(contents(store.snapshot(first))).isEqualTo(before);
        } else {
            assertThatThrownBy(() -> store.snapshot(first)).isInstanceOf(CompactedException.class);
        }
    }

    @Test
    @DisplayName(
            "A watch resumes without gap or duplicate, also across the seam of stored and new events; or is refused")
    void watchesResume() {
        long first = commit(change(map("a", "x"), 0, "1"));
        long second = commit(change(map("a", "x"), first, "2"), change(map("a", "y"), 0, "1"));
        restart();
        if (!keepsHistory()) {
            assertThatThrownBy(() -> store.watch(MAPS, first, () -> {})).isInstanceOf(CompactedException.class);
            return;
        }
        try (Store.Watch live = store.watch(MAPS, first, () -> {})) {
            assertThat(live.poll(100)).hasSize(2);
            long third = commit(delete(map("a", "x"), second));
            assertThat(live.poll(100)).extracting(Event::revision).containsExactly(third);
            assertThat(events(MAPS, first))
                    .containsExactly("a/x 1>2 @" + second, "a/y >1 @" + second, "a/x 2> @" + third)
                    .isEqualTo(events(MAPS, first));
        }
    }

    @Test
    @DisplayName("What was compacted stays so")
    void compactionStays() {
        long first = commit(change(map("a", "x"), 0, "1"));
        long second = commit(change(map("a", "x"), first, "2"));
        long third = commit(change(map("a", "x"), second, "3"));
        store.compact(second);
        restart();
        assertThatThrownBy(() -> store.snapshot(first)).isInstanceOf(CompactedException.class);
        assertThatThrownBy(() -> store.watch(MAPS, first, () -> {})).isInstanceOf(CompactedException.class);
        if (keepsHistory()) {
            assertThat(text(store.snapshot(second).get(map("a", "x")))).isEqualTo("2");
            assertThat(events(MAPS, second)).containsExactly("a/x 2>3 @" + third);
        }
    }

    @Test
    @DisplayName("Random commits, compactions and restarts agree with a model")
    void behavesLikeItsModel() {
        long seed = Long.getLong("store.seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + ": seed " + seed);
        try {
            compare(new Random(seed));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("with -Dstore.seed=" + seed, e);
        }
    }

    private void compare(Random random) {
        TreeMap<Long, List<String>> states = new TreeMap<>();
        long oldest = store.revision();
        for (int step = 0; step < 200; step++) {
            int dice = random.nextInt(100);
            if (dice < 80) {
                Map<Key, Change> changes = new TreeMap<>();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    String name = "k" + random.nextInt(8);
                    Key key = random.nextBoolean() ? map("a", name) : pod("a", name);
                    Entry entry = store.snapshot().get(key);
                    long expected = entry == null ? 0 : entry.revision();
                    changes.put(
                            key, random.nextInt(3) == 0 ? delete(key, expected) : change(key, expected, "v" + step));
                }
                commit(changes.values().toArray(Change[]::new));
            } else if (dice < 85) {
                oldest = Math.max(oldest, store.revision() - random.nextInt(10));
                if (states.containsKey(oldest)) {
                    store.compact(oldest);
                }
            } else {
                restart();
                oldest = keepsHistory() ? oldest : store.revision();
            }
            states.put(store.revision(), contents(store.snapshot()));
            for (Map.Entry<Long, List<String>> state : states.tailMap(oldest).entrySet()) {
                assertThat(contents(store.snapshot(state.getKey())))
                        .as("step %d, revision %d", step, state.getKey())
                        .isEqualTo(state.getValue());
            }
        }
    }
}
