package dev.evenkeel.engine.contract;

import static dev.evenkeel.engine.contract.Samples.MAPS;
import static dev.evenkeel.engine.contract.Samples.PODS;
import static dev.evenkeel.engine.contract.Samples.change;
import static dev.evenkeel.engine.contract.Samples.map;
import static dev.evenkeel.engine.contract.Samples.pod;
import static dev.evenkeel.engine.contract.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Outcome;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Accounts between which many move money: all that happens keeps the sum. */
final class StoreUnderLoad {
    private final Store store;

    /** Accounts in an empty store. */
    StoreUnderLoad(Store store) {
        this.store = store;
    }

    /** Runs writers, readers and watchers at once, and looks at what they saw. */
    void run(int commits) throws Exception {
        int writers = 4;
        int rounds = commits / writers;
        int accounts = 6;
        long start = store.revision();
        List<Key> keys = new ArrayList<>();
        Change[] opening = new Change[accounts];
        for (int i = 0; i < accounts; i++) {
            keys.add(i % 2 == 0 ? map("n" + i, "account") : pod("n" + i, "account"));
            opening[i] = change(keys.get(i), 0, "100");
        }
        long opened = commit(opening);
        AtomicBoolean done = new AtomicBoolean();
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>(List.of(opened));
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int seed = w;
            tasks.add(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < rounds; i++) {
                    committed.add(transfer(random, keys));
                }
                return null;
            });
        }
        for (int r = 0; r < 2; r++) {
            int seed = r;
            tasks.add(() -> {
                Random random = new Random(seed);
                long last = 0;
                while (!done.get()) {
                    Snapshot snapshot = store.snapshot();
                    assertThat(snapshot.revision()).isGreaterThanOrEqualTo(last);
                    last = snapshot.revision();
                    assertWhole(snapshot, keys);
                    long old = Math.max(opened, last - random.nextInt(50));
                    assertWhole(store.snapshot(old), keys);
                    Thread.yield();
                }
                return null;
            });
        }
        List<Follower> following = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            following.add(new Follower(store, Range.of(i % 2 == 0 ? MAPS : PODS), start));
        }
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Void>> all = new ArrayList<>();
            tasks.forEach(task -> all.add(executor.submit(task)));
            Map<Follower, Future<Void>> watches = new LinkedHashMap<>();
            for (Follower watcher : following) {
                watches.put(watcher, executor.submit(() -> {
                    watcher.awaitLast(null, "end");
                    return null;
                }));
            }
            try {
                for (Future<Void> writer : all.subList(0, writers)) {
                    writer.get();
                }
            } finally {
                done.set(true);
            }
            for (Future<Void> future : all) {
                future.get();
            }
            long end = commit(change(map("end", "end"), 0, "end"), change(pod("end", "end"), 0, "end"));
            for (Future<Void> future : watches.values()) {
                future.get();
            }
            committed.add(end);
        }
        assertThat(committed).doesNotHaveDuplicates();
        for (Follower watcher : following) {
            assertComplete(watcher.seen);
        }
        assertThat(following.get(0).seen.stream().map(Event::revision).distinct())
                .allSatisfy(revision -> assertThat(committed).contains(revision));
        assertThat(following.get(0).described()).isEqualTo(following.get(2).described());
    }

    /** Moves something between two accounts in one commit; tries until it succeeds. */
    private long transfer(Random random, List<Key> keys) {
        while (true) {
            int from = random.nextInt(keys.size());
            int to = (from + 1 + random.nextInt(keys.size() - 1)) % keys.size();
            Snapshot snapshot = store.snapshot();
            Entry payer = snapshot.get(keys.get(from));
            Entry payee = snapshot.get(keys.get(to));
            Outcome outcome = store.commit(List.of(
                    change(payer.key(), payer.revision(), String.valueOf(Integer.parseInt(text(payer)) - 1)),
                    change(payee.key(), payee.revision(), String.valueOf(Integer.parseInt(text(payee)) + 1))));
            if (outcome instanceof Committed(long revision)) {
                return revision;
            }
        }
    }

    private static void assertWhole(Snapshot snapshot, List<Key> keys) {
        int sum = 0;
        for (Key key : keys) {
            sum += Integer.parseInt(text(snapshot.get(key)));
        }
        assertThat(sum).isEqualTo(100 * keys.size());
    }

    /** Each event follows on the one before of the same key. */
    private static void assertComplete(List<Event> events) {
        Map<Key, Entry> state = new TreeMap<>();
        long last = 0;
        for (Event event : events) {
            assertThat(event.revision()).isGreaterThanOrEqualTo(last);
            last = event.revision();
            Entry before = state.get(event.key());
            assertThat(event.previous() == null ? 0 : event.previous().revision())
                    .isEqualTo(before == null ? 0 : before.revision());
            state.put(event.key(), event.current());
        }
    }

    private long commit(Change... changes) {
        return ((Committed) store.commit(List.of(changes))).revision();
    }
}
