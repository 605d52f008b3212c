package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Conflict;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.MemoryStore;
import io.etcd.jetcd.api.TxnRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several stores on one etcd. */
@Timeout(300)
class SharedEtcdTest {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final String MAPS = "default/configmaps";
    private static final Key X = new Key(MAPS, "a", "x");

    @TempDir(factory = InMemory.class)
    private static Path directory;

    private static LocalEtcd etcd;

    private final EtcdOptions options =
            EtcdOptions.at(etcd.endpoints()).prefix("/shared-" + TESTS.incrementAndGet() + "/");
    private final List<Store> stores = new ArrayList<>();

    @BeforeAll
    static void start() {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
        etcd = LocalEtcd.start(directory, 1);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @AfterEach
    void close() {
        stores.forEach(Store::close);
    }

    private Store open() {
        return open(options);
    }

    private Store open(EtcdOptions with) {
        Store store = with.open(
                new Store.Context((key, bytes) -> value(bytes), InstantSource.system(), Thread::startVirtualThread));
        stores.add(store);
        return store;
    }

    private static Store.Value value(byte[] bytes) {
        if (Arrays.equals(bytes, "broken".getBytes(StandardCharsets.UTF_8))) {
            throw new IllegalArgumentException("not an object");
        }
        return () -> bytes;
    }

    private static Change change(Key key, long expected, String text) {
        return new Change(key, expected, () -> text.getBytes(StandardCharsets.UTF_8));
    }

    private static long commit(Store store, Change... changes) {
        return ((Committed) store.commit(List.of(changes))).revision();
    }

    private static String text(Store.Snapshot snapshot, Key key) {
        Store.Entry entry = snapshot.get(key);
        return entry == null ? "" : new String(entry.value().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aCommitOfOneIsInTheLatestStateOfTheOthersAtOnce() {
        Store one = open();
        Store other = open();
        long revision = 0;
        for (int i = 0; i < 50; i++) {
            Store writer = i % 2 == 0 ? one : other;
            Store reader = i % 2 == 0 ? other : one;
            revision = commit(writer, change(X, revision, "v" + i));
            assertThat(text(reader.latest(), X)).isEqualTo("v" + i);
            assertThat(reader.snapshot().get(X).revision()).isEqualTo(revision);
        }
    }

    @Test
    void oneOfSimultaneousCommitsWins() throws Exception {
        List<Store> both = List.of(open(), open());
        List<Integer> won = inParallel(16, i -> {
            int wins = 0;
            for (int name = 0; name < 20; name++) {
                Key key = new Key(MAPS, "a", "k" + name);
                Store store = both.get(i % 2);
                switch (store.commit(List.of(change(key, 0, "from " + i)))) {
                    case Committed committed -> wins++;
                    case Conflict conflict -> {
                        assertThat(conflict.key()).isEqualTo(key);
                        assertThat(conflict.actual()).isPresent();
                        assertThat(store.snapshot().get(key)).isNotNull();
                    }
                }
            }
            return wins;
        });
        assertThat(won.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    }

    @Test
    void incrementsThroughBothAreAllThere() throws Exception {
        List<Store> both = List.of(open(), open());
        commit(both.getFirst(), change(X, 0, "0"));
        both.getLast().latest();
        inParallel(8, i -> {
            Store store = both.get(i % 2);
            for (int done = 0; done < 25; ) {
                Store.Entry entry = store.snapshot().get(X);
                int next = Integer.parseInt(text(store.snapshot(), X)) + 1;
                // the snapshot may have changed in between: then the revision does not fit
                if (store.commit(List.of(change(X, entry.revision(), "" + next))) instanceof Committed) {
                    done++;
                }
            }
            return 0;
        });
        assertThat(text(both.getFirst().latest(), X)).isEqualTo("200");
        assertThat(text(both.getLast().latest(), X)).isEqualTo("200");
    }

    @Test
    void watchesOfAllStoresHaveTheSameEvents() throws Exception {
        List<Store> all = List.of(open(), open(), open());
        List<Store.Watch> watches = all.stream()
                .map(store -> store.watch(Store.Range.ALL, 1, () -> {}))
                .toList();
        inParallel(6, i -> {
            for (int j = 0; j < 30; j++) {
                Key key = new Key(j % 2 == 0 ? MAPS : "default/pods", "a", "k" + i);
                Store store = all.get((i + j) % 3);
                Store.Entry entry = store.latest().get(key);
                commit(store, change(key, entry == null ? 0 : entry.revision(), "v" + j));
            }
            return 0;
        });
        List<List<String>> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.get(i).latest();
            seen.add(watches.get(i).poll(1_000).stream()
                    .map(Store.Event::toString)
                    .toList());
        }
        assertThat(seen.getFirst()).hasSize(180);
        assertThat(seen.get(1)).isEqualTo(seen.getFirst());
        assertThat(seen.get(2)).isEqualTo(seen.getFirst());
    }

    @Test
    void anotherProgramsWritesDoNotDelayReads() {
        Store store = open();
        long revision = commit(store, change(X, 0, "1"));
        try (Connection connection = new Connection(options)) {
            for (int i = 0; i < 10; i++) {
                connection.txn(TxnRequest.newBuilder()
                        .addSuccess(EtcdStore.put(ByteString.copyFromUtf8("/others/" + i), ByteString.EMPTY))
                        .build());
            }
        }
        assertThat(store.latest().revision()).isEqualTo(revision);
        assertThat(commit(store, change(X, revision, "2"))).isGreaterThan(revision + 10);
    }

    @Test
    void whatAnotherProgramWritesUnderThePrefixIsIgnored() {
        Store store = open();
        try (Connection connection = new Connection(options)) {
            for (String key : List.of("mine", "a/b/c/broken")) {
                connection.txn(TxnRequest.newBuilder()
                        .addSuccess(EtcdStore.put(
                                ByteString.copyFromUtf8(options.prefix() + "objects/" + key),
                                ByteString.copyFromUtf8("broken")))
                        .build());
            }
        }
        long revision = commit(store, change(X, 0, "1"));
        assertThat(store.snapshot().collections()).containsExactly(MAPS);
        assertThatThrownBy(() -> commit(store, change(new Key("a/b", "c", "broken"), 0, "1")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("are they written by another program?");
        store.compact(revision);
        assertThat(open().snapshot().collections()).containsExactly(MAPS);
    }

    @Test
    void memoryForgetsAndEtcdRemembers() {
        MemoryStore.Window small = new MemoryStore.Window(2, Duration.ofMinutes(5));
        Store store = open(options.window(small));
        List<Long> revisions = new ArrayList<>(List.of(commit(store, change(X, 0, "v0"))));
        for (int i = 1; i < 6; i++) {
            revisions.add(commit(store, change(X, revisions.getLast(), "v" + i)));
        }
        Key pod = new Key("default/pods", "b", "y");
        commit(store, change(pod, 0, "pod"));
        Store.Snapshot past = store.snapshot(revisions.get(1));
        assertThat(past.revision()).isEqualTo(revisions.get(1));
        assertThat(text(past, X)).isEqualTo("v1");
        assertThat(past.get(pod)).isNull();
        assertThat(past.count(MAPS)).isEqualTo(1);
        assertThat(past.count(MAPS, "b", null)).isZero();
        assertThat(past.collections()).containsExactly(MAPS);
        assertThatThrownBy(() -> store.watch(MAPS, revisions.get(1), () -> {})).isInstanceOf(CompactedException.class);
        store.compact(revisions.get(3));
        assertThat(text(past, X)).isEqualTo("v1"); // was read before
        assertThatThrownBy(() -> store.snapshot(revisions.get(2))).isInstanceOf(CompactedException.class);
        assertThat(text(open(options.window(small)).snapshot(revisions.get(3)), X))
                .isEqualTo("v3");
    }

    @Test
    void etcdsLimitsAreNamed() {
        Store store = open();
        Change[] many = IntStream.range(0, 200)
                .mapToObj(i -> change(new Key(MAPS, "a", "k" + i), 0, "1"))
                .toArray(Change[]::new);
        assertThatThrownBy(() -> commit(store, many))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.TOO_LARGE))
                .hasMessageContaining("--max-txn-ops is 128");
        for (int size : new int[] {1_600_000, 3_000_000}) {
            byte[] random = new byte[size];
            new Random(1).nextBytes(random);
            assertThatThrownBy(
                            () -> commit(store, change(X, 0, Base64.getEncoder().encodeToString(random))))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.TOO_LARGE))
                    .hasMessageContaining("--max-request-bytes is 1.5 MiB");
        }
        assertThat(store.latest().collections()).isEmpty();
        commit(store, change(X, 0, "x".repeat(3_000_000)));
        assertThat(text(store.latest(), X)).hasSize(3_000_000);
        assertThat(text(open().latest(), X)).hasSize(3_000_000);
    }

    @Test
    void engineThreadsMayWakeWatchersThatCommit() throws Exception {
        // as an engine does whose executor runs tasks in the calling thread
        Store store =
                options.open(new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Runnable::run));
        stores.add(store);
        Semaphore done = new Semaphore(0);
        Key answer = new Key(MAPS, "a", "answer");
        Store.Watch watch = store.watch(Store.Range.of(X), 1, () -> {
            commit(store, change(answer, 0, "seen"));
            done.release();
        });
        assertThat(watch.poll(1)).isEmpty();
        commit(store, change(X, 0, "1"));
        done.acquire();
        assertThat(text(store.snapshot(), answer)).isEqualTo("seen");
    }

    private static <T> List<T> inParallel(int threads, Task<T> task) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Callable<T>> tasks = IntStream.range(0, threads)
                    .mapToObj(i -> (Callable<T>) () -> task.run(i))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }

    private interface Task<T> {
        T run(int i) throws Exception;
    }
}
