package dev.evenkeel.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Snapshot;
import dev.evenkeel.engine.spi.Store.Value;
import dev.evenkeel.engine.spi.Store.Watch;
import dev.evenkeel.engine.store.MemoryStore.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class MemoryStoreWindowTest {
    private static final Value NOTHING = () -> new byte[0];

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private MemoryStore store = store(10);

    private MemoryStore store(int events) {
        return new MemoryStore(new Window(events, Duration.ofMinutes(5)), () -> now, Runnable::run, 100);
    }

    @AfterEach
    void validate() {
        store.validate();
    }

    @Test
    @DisplayName("History holds as many events as the window allows, and not one more")
    void isBoundedByCount() {
        for (int i = 0; i < 25; i++) {
            create("c", "n" + i); // revisions 2 to 26
        }
        assertThat(store.snapshot(16).count("c")).isEqualTo(15);
        assertThatThrownBy(() -> store.snapshot(15))
                .isInstanceOfSatisfying(
                        CompactedException.class, e -> assertThat(e.oldest()).isEqualTo(16));
        assertThat(store.watch("c", 16, () -> {}).poll(100)).hasSize(10);
        assertThatThrownBy(() -> store.watch("c", 15, () -> {})).isInstanceOf(CompactedException.class);
    }

    @Test
    @DisplayName("History holds events of the last minutes")
    void isBoundedByAge() {
        create("c", "a"); // revision 2
        now = now.plusSeconds(60);
        create("c", "b"); // revision 3
        now = now.plusSeconds(230);
        create("c", "c");
        assertThat(store.snapshot(1).count("c")).isZero();
        now = now.plusSeconds(30);
        create("c", "d");
        assertThat(store.snapshot(2).count("c")).isEqualTo(1);
        assertThatThrownBy(() -> store.snapshot(1)).isInstanceOf(CompactedException.class);
        assertThatThrownBy(() -> store.watch("c", 1, () -> {})).isInstanceOf(CompactedException.class);
        now = now.plusSeconds(600);
        create("d", "e"); // also what other collections hold
        assertThatThrownBy(() -> store.watch("c", 4, () -> {})).isInstanceOf(CompactedException.class);
        assertThat(store.watch("c", 5, () -> {}).poll(10)).isEmpty();
    }

    @Test
    @DisplayName("A watch that needs no dropped event is not refused")
    void keepsQuietCollections() {
        long quiet = create("quiet", "x");
        Watch open = store.watch("quiet", quiet, () -> {});
        for (int i = 0; i < 50; i++) {
            create("busy", "n" + i);
        }
        create("quiet", "y");
        assertThat(names(open.poll(10))).containsExactly("y");
        assertThat(names(store.watch("quiet", quiet, () -> {}).poll(10))).containsExactly("y");
    }

    @Test
    @DisplayName("A watch that fell behind receives no more events")
    void leavesBehind() {
        AtomicInteger calls = new AtomicInteger();
        Watch watch = store.watch("c", 1, calls::incrementAndGet);
        for (int i = 0; i < 11; i++) {
            create("c", "n" + i);
        }
        assertThat(calls).hasValue(1);
        assertThatThrownBy(() -> watch.poll(5)).isInstanceOf(CompactedException.class);
        assertThatThrownBy(() -> watch.poll(5)).isInstanceOf(CompactedException.class);
    }

    @Test
    @DisplayName("A watch of one key outlives any number of events of others, if it is polled only when woken")
    void sleeps() {
        AtomicInteger calls = new AtomicInteger();
        Watch watch = store.watch(Range.of(new Key("c", "", "mine")), 1, calls::incrementAndGet);
        for (int i = 0; i < 50; i++) {
            create("c", "n" + i);
        }
        assertThat(calls).hasValue(0);
        create("c", "mine");
        assertThat(calls).hasValue(1);
        assertThat(names(watch.poll(10))).containsExactly("mine");
    }

    @Test
    @DisplayName("History holds as many bytes of replaced and deleted objects as the window allows")
    void isBoundedByBytes() {
        byte[] large = new byte[1_000];
        store = new MemoryStore(new Window(1_000, Duration.ofMinutes(5), 50_000), () -> now, Runnable::run, 100);
        Key key = new Key("c", "", "n");
        long revision = 0;
        for (int i = 0; i < 400; i++) {
            Change change = new Change(key, revision, () -> large);
            revision = ((Committed) store.commit(List.of(change), List.of())).revision();
            store.validate();
        }
        long oldest = store.oldest();
        assertThat(revision - oldest).isBetween(50L, 51L);
        assertThat(store.snapshot(revision - 40).get(key).revision()).isEqualTo(revision - 40);
        store.commit(List.of(new Change(key, revision, null)), List.of());
        assertThat(store.oldest()).isGreaterThan(oldest);
    }

    @Test
    @DisplayName("The youngest events are kept, so that watchers see objects that are larger than the window")
    void keepsTheYoungestEvents() {
        byte[] large = new byte[1_000];
        store = new MemoryStore(new Window(1_000, Duration.ofMinutes(5), 10), () -> now, Runnable::run, 100);
        Watch watch = store.watch(Range.of("c"), store.revision(), () -> {});
        long revision = 0;
        for (int i = 0; i < 16; i++) {
            Change change = new Change(new Key("c", "", "n"), revision, () -> large);
            revision = ((Committed) store.commit(List.of(change), List.of())).revision();
        }
        assertThat(watch.poll(100)).hasSize(16);
    }

    @Test
    @DisplayName("Without a window only the present state is available")
    void mayBeEmpty() {
        store = store(0);
        create("c", "a");
        create("c", "b");
        assertThat(store.snapshot(3).count("c")).isEqualTo(2);
        assertThatThrownBy(() -> store.snapshot(2)).isInstanceOf(CompactedException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> new Window(-1, Duration.ZERO));
    }

    @Test
    @DisplayName("Every revision of the window can be reached, in any order, near and far from kept states")
    void reachesEveryRevision() {
        store = store(1_000);
        List<Snapshot> expected = new ArrayList<>();
        long previous = 0;
        for (int i = 0; i < 900; i++) {
            expected.add(store.snapshot());
            if (i % 3 == 0) {
                previous = create("c", "n" + i);
            } else {
                Key key = new Key("c", "", "n" + (i - i % 3));
                previous = commit(new Change(key, previous, i % 3 == 1 ? NOTHING : null));
            }
        }
        for (int i = 0; i < expected.size(); i++) {
            Snapshot wanted = expected.get(i * 7 % expected.size());
            Snapshot actual = store.snapshot(wanted.revision());
            assertThat(actual.revision()).isEqualTo(wanted.revision());
            assertThat(entries(actual)).isEqualTo(entries(wanted));
        }
        Snapshot some = store.snapshot(450);
        assertThat(store.snapshot(450)).as("made once").isSameAs(some);
    }

    @Test
    @DisplayName("Values memoised for an event are dropped after a thousand more events")
    void forgets() {
        store = store(10_000);
        create("c", "a");
        Event event = store.watch("c", 1, () -> {}).poll(1).getFirst();
        AtomicInteger made = new AtomicInteger();
        event.memo("x", made::incrementAndGet);
        event.memo("x", made::incrementAndGet);
        assertThat(made).hasValue(1);
        for (int i = 0; i < 1_100; i++) {
            create("c", "n" + i);
        }
        event.memo("x", made::incrementAndGet);
        assertThat(made).hasValue(2);
    }

    @Test
    @DisplayName("Keys share their collections and namespaces")
    void sharesStrings() {
        for (int i = 0; i < 100; i++) {
            commit(new Change(new Key(new String("c"), new String("ns"), "n" + i), 0, NOTHING));
        }
        Key first = store.snapshot().get(new Key("c", "ns", "n0")).key();
        store.snapshot().range("c", "", null, entry -> {
            assertThat(entry.key().collection()).isSameAs(first.collection());
            assertThat(entry.key().namespace()).isSameAs(first.namespace());
            return true;
        });
    }

    @Test
    @DisplayName("While history is dropped, a reader gets the exact state or events that it requests, or an exception")
    void readsExactlyWhileDropping() throws Exception {
        store = new MemoryStore(new Window(60, Duration.ofMinutes(5)), () -> now, Thread::startVirtualThread, 16);
        int commits = 20_000;
        Key left = new Key("c", "", "left");
        Key right = new Key("c", "", "right");
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger exact = new AtomicInteger();
        // the commit of revision r writes r - 1 to both
        Callable<Void> reader = () -> {
            Random random = new Random(1);
            // also once nothing is dropped any more, however few turns a reader got until then
            while (!done.get() || exact.get() == 0) {
                long revision = Math.max(2, store.revision() - random.nextInt(100));
                try {
                    Snapshot snapshot = store.snapshot(revision);
                    assertThat(number(snapshot.get(left))).isEqualTo(revision - 1);
                    assertThat(number(snapshot.get(right))).isEqualTo(revision - 1);
                    exact.incrementAndGet();
                } catch (CompactedException e) {
                    assertThat(e.oldest()).isGreaterThan(revision);
                }
            }
            return null;
        };
        Callable<Void> watcher = () -> {
            long last = 1;
            while (last <= commits) {
                Semaphore ready = new Semaphore(0);
                try (Watch watch = store.watch("c", last, ready::release)) {
                    while (last <= commits) {
                        List<Event> events = watch.poll(7);
                        if (events.isEmpty()) {
                            ready.acquire();
                        }
                        for (Event event : events) {
                            assertThat(event.revision()).isBetween(last, last + 1);
                            assertThat(number(event.current())).isEqualTo(event.revision() - 1);
                            last = event.revision();
                        }
                    }
                } catch (CompactedException e) {
                    assertThat(e.oldest()).isGreaterThan(last);
                    last = e.oldest();
                }
            }
            return null;
        };
        long previous = commit(new Change(left, 0, number(1)), new Change(right, 0, number(1)));
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Void>> watchers = List.of(executor.submit(watcher), executor.submit(watcher));
            List<Future<Void>> readers = List.of(executor.submit(reader), executor.submit(reader));
            for (int i = 2; i <= commits; i++) {
                Value value = number(i);
                previous = commit(new Change(left, previous, value), new Change(right, previous, value));
            }
            done.set(true);
            for (Future<Void> future : readers) {
                future.get();
            }
            for (Future<Void> future : watchers) {
                future.get();
            }
        }
        assertThat(exact.get()).isPositive();
    }

    private static Value number(int number) {
        return () -> new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
    }

    private static long number(Entry entry) {
        byte[] bytes = entry.value().bytes();
        return (bytes[0] & 0xff) << 16 | (bytes[1] & 0xff) << 8 | (bytes[2] & 0xff);
    }

    private long create(String collection, String name) {
        return commit(new Change(new Key(collection, "", name), 0, NOTHING));
    }

    private long commit(Change... changes) {
        return ((Committed) store.commit(List.of(changes))).revision();
    }

    private static List<String> names(List<Event> events) {
        return events.stream().map(event -> event.key().name()).toList();
    }

    private static List<Object> entries(Snapshot snapshot) {
        List<Object> entries = new ArrayList<>();
        snapshot.range("c", "", null, entries::add);
        return entries;
    }
}
