package dev.evenkeel.engine.contract;

import static dev.evenkeel.engine.contract.Samples.MAPS;
import static dev.evenkeel.engine.contract.Samples.PODS;
import static dev.evenkeel.engine.contract.Samples.change;
import static dev.evenkeel.engine.contract.Samples.delete;
import static dev.evenkeel.engine.contract.Samples.map;
import static dev.evenkeel.engine.contract.Samples.pod;
import static dev.evenkeel.engine.contract.Samples.text;
import static dev.evenkeel.engine.contract.Samples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Conflict;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Outcome;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Snapshot;
import dev.evenkeel.engine.spi.Store.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link Store}. A store's test extends this class.
 *
 * <p>The tests wait for events, so a store may deliver them late; and they compare values by their bytes, so a store
 * may recreate values.
 */
@Timeout(300)
public abstract class StoreCompatibilityKit {
    private final List<Follower> watchers = new ArrayList<>();

    /** The store under test. */
    private Store store;

    /** Returns a new store without entries, whose history holds at least 10,000 events. */
    protected abstract Store open();

    /** Checks the inner invariants of a store after each test. */
    protected void check(Store store) {}

    /** Returns the number of commits of tests with many of them. */
    protected int many() {
        return 3_000;
    }

    @BeforeEach
    final void begin() {
        store = open();
        assertThat(store.revision()).isPositive();
    }

    @AfterEach
    final void end() {
        watchers.forEach(watcher -> watcher.watch.close());
        check(store);
        store.close();
    }

    // commits

    @Test
    @DisplayName("A created entry exists with the revision of the commit")
    void creates() {
        long before = store.revision();
        long revision = put(map("a", "x"), 0, "1");
        assertThat(revision).isGreaterThan(before).isEqualTo(store.revision());
        Entry entry = store.snapshot().get(map("a", "x"));
        assertThat(entry).isNotNull();
        assertThat(entry.key()).isEqualTo(map("a", "x"));
        assertThat(entry.revision()).isEqualTo(revision);
        assertThat(text(entry)).isEqualTo("1");
    }

    @Test
    @DisplayName("Creating an existing key is a conflict that shows its entry, and changes nothing")
    void createsOnlyIfAbsent() {
        long revision = put(map("a", "x"), 0, "1");
        Conflict conflict = conflict(change(map("a", "x"), 0, "2"));
        assertThat(conflict.key()).isEqualTo(map("a", "x"));
        assertThat(conflict.actual()).hasValueSatisfying(actual -> {
            assertThat(actual.revision()).isEqualTo(revision);
            assertThat(text(actual)).isEqualTo("1");
        });
        assertThat(store.revision()).isEqualTo(revision);
        assertThat(contents(store.snapshot(), MAPS)).containsExactly("a/x=1");
    }

    @Test
    @DisplayName("An update needs the revision of the entry")
    void updatesAtRevision() {
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        assertThat(second).isGreaterThan(first);
        assertThat(conflict(change(map("a", "x"), first, "3")).actual())
                .hasValueSatisfying(actual -> assertThat(actual.revision()).isEqualTo(second));
        assertThat(contents(store.snapshot(), MAPS)).containsExactly("a/x=2");
    }

    @Test
    @DisplayName("An update of an absent key is a conflict without an entry")
    void updatesOnlyIfPresent() {
        put(map("a", "y"), 0, "1");
        assertThat(conflict(change(map("a", "x"), store.revision(), "2")).actual())
                .isEmpty();
    }

    @Test
    @DisplayName("A deletion needs the revision of the entry, and has a revision of its own")
    void deletesAtRevision() {
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        assertThat(conflict(delete(map("a", "x"), first)).actual()).isPresent();
        assertThat(commit(delete(map("a", "x"), second))).isGreaterThan(second).isEqualTo(store.revision());
        assertThat(store.snapshot().get(map("a", "x"))).isNull();
        assertThat(conflict(delete(map("a", "x"), second)).actual()).isEmpty();
    }

    @Test
    @DisplayName("A deleted key can be created again")
    void createsAgain() {
        long first = put(map("a", "x"), 0, "1");
        commit(delete(map("a", "x"), first));
        assertThat(put(map("a", "x"), 0, "2")).isGreaterThan(first + 1);
        assertThat(contents(store.snapshot(), MAPS)).containsExactly("a/x=2");
    }

    @Test
    @DisplayName("All changes of a commit have one revision, also across collections")
    void commitsSeveral() {
        long old = put(map("a", "old"), 0, "1");
        long revision =
                commit(delete(map("a", "old"), old), change(map("b", "new"), 0, "2"), change(pod("a", "new"), 0, "3"));
        assertThat(store.snapshot().get(map("b", "new")).revision()).isEqualTo(revision);
        assertThat(store.snapshot().get(pod("a", "new")).revision()).isEqualTo(revision);
        assertThat(contents(store.snapshot(), MAPS)).containsExactly("b/new=2");
    }

    @Test
    @DisplayName("A commit with one conflict changes nothing")
    void commitsAllOrNothing() {
        long revision = put(map("a", "x"), 0, "1");
        Conflict conflict = conflict(
                change(map("a", "new"), 0, "2"), change(map("a", "x"), 0, "2"), change(pod("a", "new"), 0, "2"));
        assertThat(conflict.key()).isEqualTo(map("a", "x"));
        assertThat(store.revision()).isEqualTo(revision);
        assertThat(contents(store.snapshot(), MAPS)).containsExactly("a/x=1");
        assertThat(contents(store.snapshot(), PODS)).isEmpty();
    }

    @Test
    @DisplayName("The deletion of a key that is expected to be absent is a condition, not a change")
    void conditions() {
        long before = store.revision();
        assertThat(commit(delete(map("a", "x"), 0))).isEqualTo(before);
        assertThat(commit()).isEqualTo(before);
        assertThat(store.revision()).isEqualTo(before);

        long revision = commit(delete(map("a", "x"), 0), change(map("a", "y"), 0, "1"));
        assertThat(revision).isGreaterThan(before);
        assertThat(conflict(delete(map("a", "y"), 0), change(map("a", "x"), 0, "1"))
                        .key())
                .isEqualTo(map("a", "y"));
    }

    @Test
    @DisplayName("A commit that changes a key twice is refused")
    void refusesRepeatedKeys() {
        long before = store.revision();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit(change(map("a", "x"), 0, "1"), change(map("a", "x"), 0, "2")))
                .withMessageContaining("x");
        assertThat(store.revision()).isEqualTo(before);
    }

    @Test
    void aConditionOnAnotherKeyMustHoldAndDoesNotChangeIt() {
        long held = commit(change(map("a", "lease"), 0, "held"));

        Outcome done = store.commit(
                List.of(change(map("a", "x"), 0, "1")), List.of(new Store.Condition(map("a", "lease"), held)));
        Outcome absent =
                store.commit(List.of(change(map("a", "y"), 0, "1")), List.of(new Store.Condition(map("a", "none"), 0)));
        long other = commit(change(map("a", "lease"), held, "other"));
        Outcome late = store.commit(
                List.of(change(map("a", "z"), 0, "1")), List.of(new Store.Condition(map("a", "lease"), held)));

        assertThat(done).isInstanceOf(Committed.class);
        assertThat(absent).isInstanceOf(Committed.class);
        assertThat(late).isInstanceOfSatisfying(Store.Conflict.class, conflict -> {
            assertThat(conflict.key()).isEqualTo(map("a", "lease"));
            assertThat(conflict.actual().orElseThrow().revision()).isEqualTo(other);
        });
        assertThat(store.snapshot().get(map("a", "z"))).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.commit(
                        List.of(change(map("a", "x"), 0, "1")), List.of(new Store.Condition(map("a", "x"), 0))));
    }

    // reads

    @Test
    @DisplayName("A range is in the order of namespaces, then names, by code points")
    void sorts() {
        List<String> names = List.of(
                "", "-", "a", "a-", "a-b", "a.b", "a0", "aa", "b", "z", "é", "\uD7FF", "\uE000", "\uFFFD", "😀");
        List<Key> keys = new ArrayList<>();
        for (String namespace : names) {
            for (String name : names) {
                if (!name.isEmpty()) {
                    keys.add(map(namespace, name));
                }
            }
        }
        List<Key> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, new Random(1));
        shuffled.forEach(key -> put(key, 0, "1"));

        List<Key> seen = new ArrayList<>();
        store.snapshot().range(MAPS, "", null, entry -> seen.add(entry.key()));
        assertThat(seen).containsExactlyElementsOf(keys);
        List<Key> byBytes = new ArrayList<>(keys);
        byBytes.sort((a, b) -> {
            int result = Arrays.compareUnsigned(utf8(a.namespace()), utf8(b.namespace()));
            return result != 0 ? result : Arrays.compareUnsigned(utf8(a.name()), utf8(b.name()));
        });
        assertThat(seen).containsExactlyElementsOf(byBytes);
    }

    @Test
    @DisplayName("A range has only entries of its collection and namespace")
    void ranges() {
        for (String collection : List.of("default/a", "default/a.b", "default/ab", "default/b")) {
            for (String namespace : List.of("n", "n-", "n-m", "nn", "")) {
                put(new Key(collection, namespace, "x"), 0, "1");
            }
        }
        assertThat(contents(store.snapshot(), "default/a"))
                .containsExactly("/x=1", "n/x=1", "n-/x=1", "n-m/x=1", "nn/x=1");
        assertThat(contents(store.snapshot(), "default/a", "n", null)).containsExactly("n/x=1");
        assertThat(contents(store.snapshot(), "default/a", "m", null)).isEmpty();
        assertThat(contents(store.snapshot(), "default", "", null)).isEmpty();
    }

    @Test
    @DisplayName("A range begins with the first key at or after the given one, and ends when its visitor returns false")
    void pages() {
        for (String name : List.of("a", "b", "c", "d")) {
            put(map("n", name), 0, "1");
            put(map("o", name), 0, "1");
        }
        Snapshot snapshot = store.snapshot();
        assertThat(contents(snapshot, MAPS, "n", map("n", "c"))).containsExactly("n/c=1", "n/d=1");
        assertThat(contents(snapshot, MAPS, "n", map("n", "bb"))).containsExactly("n/c=1", "n/d=1");
        assertThat(contents(snapshot, MAPS, "o", map("n", "c"))).hasSize(4);
        assertThat(contents(snapshot, MAPS, "n", map("o", "c"))).isEmpty();
        assertThat(contents(snapshot, MAPS, "", map("n", "d"))).hasSize(5);
        List<String> two = new ArrayList<>();
        snapshot.range(MAPS, "", null, entry -> {
            two.add(entry.key().name());
            return two.size() < 2;
        });
        assertThat(two).containsExactly("a", "b");
    }

    @Test
    @DisplayName("A count is the number of entries that a range would visit")
    void counts() {
        for (String name : List.of("a", "b", "c", "d")) {
            put(map("n", name), 0, "1");
            put(map("n-", name), 0, "1");
            put(pod("n", name), 0, "1");
        }
        Snapshot snapshot = store.snapshot();
        assertThat(snapshot.count(MAPS)).isEqualTo(8);
        assertThat(snapshot.count(MAPS, "n", null)).isEqualTo(4);
        assertThat(snapshot.count(MAPS, "n", map("n", "c"))).isEqualTo(2);
        assertThat(snapshot.count(MAPS, "n", map("o", "c"))).isZero();
        assertThat(snapshot.count(MAPS, "", map("n", "d"))).isEqualTo(5);
        assertThat(snapshot.count("default/none")).isZero();
    }

    @Test
    @DisplayName("The collections are those that have entries, in order")
    void listsCollections() {
        long first = put(pod("a", "x"), 0, "1");
        put(map("a", "x"), 0, "1");
        put(map("", "y"), 0, "1");
        put(new Key("other/configmaps", "a", "x"), 0, "1");
        Snapshot before = store.snapshot();
        commit(delete(pod("a", "x"), first));
        assertThat(before.collections()).containsExactly(MAPS, PODS, "other/configmaps");
        assertThat(store.snapshot().collections()).containsExactly(MAPS, "other/configmaps");
    }

    @Test
    @DisplayName("A snapshot does not change")
    void snapshotsStay() {
        long first = put(map("a", "x"), 0, "1");
        Snapshot snapshot = store.snapshot();
        long second = put(map("a", "x"), first, "2");
        put(map("a", "y"), 0, "2");
        assertThat(snapshot.revision()).isEqualTo(first);
        assertThat(contents(snapshot, MAPS)).containsExactly("a/x=1");
        commit(delete(map("a", "x"), second));
        assertThat(contents(snapshot, MAPS)).containsExactly("a/x=1");
        assertThat(snapshot.get(map("a", "y"))).isNull();
        assertThat(snapshot.count(MAPS)).isEqualTo(1);
    }

    @Test
    @DisplayName("A snapshot of a revision has the state right after its commit")
    void goesBack() {
        long beginning = store.revision();
        long first = put(map("a", "x"), 0, "1");
        long second = commit(change(map("a", "x"), first, "2"), change(map("a", "y"), 0, "2"));
        long third = commit(delete(map("a", "x"), second));
        assertThat(contents(store.snapshot(beginning), MAPS)).isEmpty();
        assertThat(contents(store.snapshot(first), MAPS)).containsExactly("a/x=1");
        assertThat(contents(store.snapshot(second), MAPS)).containsExactly("a/x=2", "a/y=2");
        assertThat(contents(store.snapshot(third), MAPS)).containsExactly("a/y=2");
        assertThat(store.snapshot(first).revision()).isEqualTo(first);
        assertThat(store.snapshot(first).get(map("a", "x")).revision()).isEqualTo(first);
    }

    @Test
    @DisplayName("A snapshot of the future is refused")
    void refusesTheFuture() {
        long future = put(map("a", "x"), 0, "1") + 100;
        assertThatIllegalArgumentException().isThrownBy(() -> store.snapshot(future));
        assertThatIllegalArgumentException().isThrownBy(() -> store.compact(future));
    }

    // compaction

    @Test
    @DisplayName("Before the compacted revision there are no snapshots, from it on there are")
    void compacts() {
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        long third = put(map("a", "x"), second, "3");
        Snapshot taken = store.snapshot(first);
        store.compact(second);
        CompactedException compacted = catchThrowableOfType(CompactedException.class, () -> store.snapshot(first));
        assertThat(compacted).isNotNull();
        assertThat(compacted.requested()).isEqualTo(first);
        assertThat(compacted.oldest()).isEqualTo(second);
        assertThat(contents(store.snapshot(second), MAPS)).containsExactly("a/x=2");
        assertThat(contents(store.snapshot(third), MAPS)).containsExactly("a/x=3");
        assertThat(contents(taken, MAPS)).containsExactly("a/x=1");
        store.compact(first); // nothing more to forget
        assertThat(contents(store.snapshot(second), MAPS)).containsExactly("a/x=2");
    }

    @Test
    @DisplayName("There is no snapshot before the first revision")
    void hasNothingBeforeTheBeginning() {
        long beginning = store.revision();
        put(map("a", "x"), 0, "1");
        store.compact(beginning);
        assertThatThrownBy(() -> store.snapshot(beginning - 1)).isInstanceOf(CompactedException.class);
    }

    @Test
    @DisplayName("A watch that needs compacted history is refused, one from the compacted revision on is not")
    void refusesWatchesOfTheCompacted() {
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        put(map("a", "x"), second, "3");
        store.compact(second);
        assertThatThrownBy(() -> store.watch(MAPS, first, () -> {}))
                .isInstanceOfSatisfying(CompactedException.class, compacted -> {
                    assertThat(compacted.requested()).isEqualTo(first);
                    assertThat(compacted.oldest()).isEqualTo(second);
                });
        assertThat(watch(Range.of(MAPS), second).await(1)).containsExactly("a/x 2>3");
    }

    @Test
    @DisplayName("A watch that falls behind compaction fails")
    void failsWatchesLeftBehind() {
        Follower slow = watch(Range.of(MAPS), store.revision());
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        Follower quick = watch(Range.of(MAPS), first);
        assertThat(quick.await(1)).containsExactly("a/x 1>2");
        store.compact(second);
        put(map("a", "x"), second, "3");
        assertThat(quick.await(1)).containsExactly("a/x 2>3");
        assertThatThrownBy(() -> slow.awaitLast(map("a", "x"), "3")).isInstanceOf(CompactedException.class);
    }

    // watches

    @Test
    @DisplayName("A watch gives past and future events after its start, once and in order")
    void watches() {
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "y"), 0, "1");
        long third = put(map("a", "x"), first, "2");
        Follower watcher = watch(Range.of(MAPS), first);
        assertThat(watcher.await(2)).containsExactly("a/y >1", "a/x 1>2");
        commit(delete(map("a", "y"), second));
        put(map("a", "x"), third, "3");
        assertThat(watcher.await(2)).containsExactly("a/y 1>", "a/x 2>3");
        assertThat(watcher.seen.stream().map(Event::revision)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("An event has the revision of its commit, and the entries before and after")
    void describesChanges() {
        long beginning = store.revision();
        long first = put(map("a", "x"), 0, "1");
        long second = put(map("a", "x"), first, "2");
        long third = commit(delete(map("a", "x"), second));
        Follower watcher = watch(Range.of(MAPS), beginning);
        assertThat(watcher.await(3)).containsExactly("a/x >1", "a/x 1>2", "a/x 2>");
        assertThat(watcher.seen.stream().map(Event::revision)).containsExactly(first, second, third);
        assertThat(watcher.seen.stream().map(Event::key)).containsOnly(map("a", "x"));
        assertThat(watcher.seen.get(1).current().revision()).isEqualTo(second);
        assertThat(watcher.seen.get(1).previous().revision()).isEqualTo(first);
        assertThat(watcher.seen.get(2).previous().revision()).isEqualTo(second);
    }

    @Test
    @DisplayName("A watch does not see other collections")
    void watchesOneCollection() {
        Follower watcher = watch(Range.of(MAPS), store.revision());
        put(pod("a", "x"), 0, "1");
        put(new Key(MAPS + "x", "a", "x"), 0, "1");
        commit(change(pod("a", "y"), 0, "2"), change(map("a", "y"), 0, "2"));
        assertThat(watcher.await(1)).containsExactly("a/y >2");
    }

    @Test
    @DisplayName("A watch of a namespace or of a key has only events of that range")
    void watchesParts() {
        long start = store.revision();
        Follower namespace = watch(Range.of(MAPS, "a"), start);
        Follower key = watch(Range.of(map("a", "x")), start);
        Follower unscoped = watch(Range.of(map("", "x")), start);
        put(map("a", "x"), 0, "1");
        put(map("a", "y"), 0, "1");
        put(map("b", "x"), 0, "1");
        put(map("", "x"), 0, "1");
        put(pod("a", "x"), 0, "1");
        put(map("a", "z"), 0, "end");
        put(map("a", "x"), store.snapshot().get(map("a", "x")).revision(), "end");
        put(map("", "x"), store.snapshot().get(map("", "x")).revision(), "end");
        assertThat(namespace.await(4)).containsExactly("a/x >1", "a/y >1", "a/z >end", "a/x 1>end");
        assertThat(key.await(2)).containsExactly("a/x >1", "a/x 1>end");
        assertThat(unscoped.await(2)).containsExactly("/x >1", "/x 1>end");
    }

    @Test
    @DisplayName("A watch of all collections has all events, in the order of their revisions")
    void watchesEverything() {
        long first = put(map("a", "x"), 0, "1");
        Follower watcher = watch(Range.ALL, first - 1);
        put(pod("a", "x"), 0, "1");
        assertThat(watcher.await(2)).containsExactly("a/x >1", "a/x >1");
        commit(change(pod("b", "y"), 0, "2"), change(map("b", "y"), 0, "2"), delete(map("a", "x"), first));
        assertThat(watcher.await(3)).containsExactly("b/y >2", "b/y >2", "a/x 1>");
        long last = store.revision();
        store.compact(last);
        assertThatThrownBy(() -> store.watch(Range.ALL, first, () -> {})).isInstanceOf(CompactedException.class);
        assertThat(watch(Range.ALL, last).watch.poll(1)).isEmpty();
    }

    @Test
    @DisplayName("A watch from a future revision waits for it")
    void watchesTheFuture() {
        long first = put(map("a", "x"), 0, "1");
        Follower watcher = watch(Range.of(MAPS), first + 2);
        long revision = first;
        List<Long> revisions = new ArrayList<>();
        for (int i = 2; i < 8; i++) {
            revision = put(map("a", "x"), revision, String.valueOf(i));
            revisions.add(revision);
        }
        List<Long> expected =
                revisions.stream().filter(later -> later > first + 2).toList();
        watcher.await(expected.size());
        assertThat(watcher.seen.stream().map(Event::revision)).containsExactlyElementsOf(expected);
    }

    @Test
    @DisplayName("A poll returns no more than the maximum, but never a part of a commit")
    void pollsWholeCommits() throws Exception {
        long start = store.revision();
        put(map("a", "x"), 0, "1");
        commit(change(map("b", "x"), 0, "2"), change(map("b", "y"), 0, "2"), change(pod("b", "y"), 0, "2"));
        put(map("c", "x"), 0, "3");
        Follower watcher = watch(Range.of(MAPS), start);
        List<List<String>> polls = new ArrayList<>();
        for (int seen = 0; seen < 4; ) {
            List<Event> events = watcher.watch.poll(1);
            if (events.isEmpty()) {
                watcher.pause();
            } else {
                seen += events.size();
                polls.add(events.stream().map(Samples::describe).toList());
            }
        }
        assertThat(polls.getFirst()).containsExactly("a/x >1");
        assertThat(polls.get(1)).containsExactlyInAnyOrder("b/x >2", "b/y >2");
        assertThat(polls.get(2)).containsExactly("c/x >3");
    }

    @Test
    @DisplayName("A polled event is included in every later snapshot")
    void snapshotsShowWhatWatchesSaw() throws Exception {
        Follower watcher = watch(Range.of(MAPS), store.revision());
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writer = executor.submit(() -> {
                long revision = 0;
                for (int i = 0; i < many(); i++) {
                    revision = put(map("a", "x"), revision, String.valueOf(i));
                }
            });
            for (int seen = 0; seen < many(); ) {
                long before = store.revision();
                List<Event> events = watcher.watch.poll(10);
                if (events.isEmpty()) {
                    // all of them up to the revision before were given
                    assertThat(
                                    watcher.seen.isEmpty()
                                            ? before
                                            : watcher.seen.getLast().revision())
                            .isGreaterThanOrEqualTo(seen == 0 ? 0 : before);
                    watcher.pause();
                } else {
                    assertThat(store.snapshot().get(map("a", "x")).revision())
                            .isGreaterThanOrEqualTo(events.getLast().revision());
                }
                watcher.seen.addAll(events);
                seen += events.size();
            }
            writer.get();
        }
    }

    @Test
    @DisplayName("A watcher is woken once, and again only after it polled")
    void wakesOnce() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Semaphore ready = new Semaphore(0);
        try (Watch watch = store.watch(MAPS, store.revision(), () -> {
            calls.incrementAndGet();
            ready.release();
        })) {
            Follower other = watch(Range.of(MAPS), store.revision());
            for (int round = 0; round < 5; round++) {
                do {
                    ready.drainPermits();
                    calls.set(0);
                } while (!watch.poll(100).isEmpty());
                for (int i = 0; i < 10; i++) {
                    put(map("a", round + "-" + i), 0, "1");
                }
                other.await(10);
                Follower.acquire(ready);
                assertThat(calls.get()).isBetween(1, 2); // one may have been on its way during the poll
            }
        }
    }

    @Test
    @DisplayName("A watcher of a part sleeps through events elsewhere, and does not fall behind meanwhile")
    void sleepsThroughTheRest() {
        Follower sleeper = watch(Range.of(map("a", "x")), store.revision());
        assertThat(sleeper.watch.poll(10)).isEmpty();
        Follower awake = watch(Range.of(MAPS), store.revision());
        for (int i = 0; i < 50; i++) {
            put(map("b", "x" + i), 0, "1");
        }
        awake.await(50);
        assertThat(sleeper.watch.poll(10)).isEmpty();
        store.compact(store.revision());
        put(map("a", "x"), 0, "1");
        assertThat(sleeper.await(1)).containsExactly("a/x >1");
    }

    @Test
    @DisplayName("A closed watch returns no events, and calls no listener")
    void closesWatches() {
        AtomicInteger calls = new AtomicInteger();
        Watch watch = store.watch(MAPS, store.revision(), calls::incrementAndGet);
        assertThat(watch.closed()).isFalse();
        watch.close();
        watch.close();
        assertThat(watch.closed()).isTrue();
        Follower other = watch(Range.of(MAPS), store.revision());
        put(map("a", "x"), 0, "1");
        other.await(1);
        assertThat(watch.poll(10)).isEmpty();
        assertThat(calls).hasValue(0);
    }

    @Test
    @DisplayName("Closing the store ends watches and wakes their waiting readers")
    void closes() throws Exception {
        Follower watcher = watch(Range.of(MAPS), store.revision());
        put(map("a", "x"), 0, "1");
        watcher.await(1);
        assertThat(watcher.watch.poll(1)).isEmpty();
        assertThat(watcher.watch.closed()).isFalse();
        store.close();
        while (!watcher.watch.closed()) {
            watcher.pause();
        }
        assertThat(watcher.watch.poll(1)).isEmpty();
        store.close();
        assertThatThrownBy(() -> put(map("a", "y"), 0, "1")).isInstanceOf(RuntimeException.class);
    }

    @Test
    @DisplayName("A watcher that fails when woken does not affect other watchers")
    void survivesWatchers() {
        try (Watch failing = store.watch(MAPS, store.revision(), () -> {
            throw new IllegalStateException("as this test wants");
        })) {
            assertThat(failing.poll(1)).isEmpty();
            Follower other = watch(Range.of(MAPS), store.revision());
            assertThat(other.watch.poll(1)).isEmpty();
            put(map("a", "x"), 0, "1");
            assertThat(other.await(1)).containsExactly("a/x >1");
            assertThat(failing.poll(1)).hasSize(1);
        }
    }

    // all at once

    @Test
    @DisplayName(
            "Random commits, snapshots, watches and compactions agree with a model of a sorted map and a list of changes")
    void behavesLikeItsModel() {
        long seed = Long.getLong("store.seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + ": seed " + seed);
        try {
            new StoreModel(store).compare(new Random(seed), many());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("with -Dstore.seed=" + seed, e);
        }
    }

    @Test
    @DisplayName(
            "Under concurrent writers every snapshot is consistent, and every watcher sees every change once and in order")
    void holdsUnderConcurrency() throws Exception {
        new StoreUnderLoad(store).run(many());
    }

    // vocabulary

    private long put(Key key, long expected, String text) {
        return commit(change(key, expected, text));
    }

    private long commit(Change... changes) {
        Outcome outcome = store.commit(List.of(changes));
        assertThat(outcome).isInstanceOf(Committed.class);
        return ((Committed) outcome).revision();
    }

    private Conflict conflict(Change... changes) {
        Outcome outcome = store.commit(List.of(changes));
        assertThat(outcome).isInstanceOf(Conflict.class);
        return (Conflict) outcome;
    }

    private static List<String> contents(Snapshot snapshot, String collection) {
        return contents(snapshot, collection, "", null);
    }

    private static List<String> contents(Snapshot snapshot, String collection, String namespace, Key from) {
        List<String> contents = new ArrayList<>();
        snapshot.range(
                collection,
                namespace,
                from,
                entry ->
                        contents.add(entry.key().namespace() + "/" + entry.key().name() + "=" + text(entry)));
        assertThat(snapshot.count(collection, namespace, from)).isEqualTo(contents.size());
        return contents;
    }

    private Follower watch(Range range, long after) {
        Follower watcher = new Follower(store, range, after);
        watchers.add(watcher);
        return watcher;
    }
}
