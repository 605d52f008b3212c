package dev.evenkeel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.contract.ClientContract;
import dev.evenkeel.engine.contract.RestartCompatibilityKit;
import dev.evenkeel.engine.contract.StoreCompatibilityKit;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest {
    private static final Store.Key X = new Store.Key("default/configmaps", "a", "x");
    private static final Store.Key Y = new Store.Key("default/configmaps", "a", "y");

    @TempDir
    private Path directory;

    private final AtomicLong now = new AtomicLong(1_000_000_000_000L);

    private Store open() {
        return open(SqliteOptions.in(directory));
    }

    private Store open(SqliteOptions options) {
        InstantSource clock = () -> Instant.ofEpochMilli(now.get());
        return options.open(new Store.Context((key, bytes) -> () -> bytes, clock, Thread::startVirtualThread));
    }

    @Nested
    class AsAStore extends StoreCompatibilityKit {
        @Override
        protected Store open() {
            return SqliteStoreTest.this.open();
        }
    }

    @Nested
    class AfterARestart extends RestartCompatibilityKit {
        @Override
        protected Store open() {
            return SqliteStoreTest.this.open();
        }
    }

    @Nested
    class UnderAnEngine extends ClientContract {
        private Engine engine;

        @BeforeEach
        void start() {
            engine = Engine.builder().store(SqliteOptions.in(directory)).build();
        }

        @Override
        protected Client client() {
            return engine.partition(Engine.DEFAULT_PARTITION).client("contract");
        }

        @Override
        protected void compact() {
            engine.store().compact(engine.store().revision());
        }

        @AfterEach
        void close() {
            engine.close();
        }
    }

    @Nested
    class History {
        @Test
        void bothLimitsOfTheWindowHold() {
            try (Store store = open()) {
                commit(store, new Store.Change(X, 0, "1"::getBytes));
                now.addAndGet(600_000);
                for (int i = 2; i < 20; i++) {
                    commit(store, new Store.Change(X, i, "1"::getBytes));
                }
            }
            MemoryStore.Window five = new MemoryStore.Window(5, Duration.ofMinutes(5));
            try (Store store = open(SqliteOptions.in(directory).window(five))) {
                assertThat(store.snapshot(15).get(X).revision()).isEqualTo(15);
                assertThatThrownBy(() -> store.snapshot(14)).isInstanceOf(CompactedException.class);
            }
            try (Store store = open()) {
                assertThat(store.snapshot(3).get(X).revision()).isEqualTo(3);
                assertThatThrownBy(() -> store.snapshot(1)).isInstanceOf(CompactedException.class);
            }
            now.addAndGet(600_000);
            try (Store store = open()) {
                assertThat(store.snapshot(20).get(X).revision()).isEqualTo(20);
                assertThatThrownBy(() -> store.snapshot(19)).isInstanceOf(CompactedException.class);
            }
        }

        /** The file has more history than is kept: as when it was written with a larger heap. */
        @Test
        void whatIsReplacedIsNotHeldAtTheStart() {
            byte[] large = new byte[1_000_000];
            int first = 2;
            try (Store store = open()) {
                commit(store, new Store.Change(X, 0, () -> large));
                for (int i = first; i < 60; i++) {
                    commit(store, new Store.Change(X, i, () -> large));
                }
            }
            MemoryStore.Window small = new MemoryStore.Window(100, Duration.ofMinutes(5), 20_000_000);
            try (Database database = Database.read(directory.resolve(Database.NAME))) {
                Contents contents = Contents.read(database, (key, bytes) -> () -> bytes, small);
                assertThat(contents.events()).isBetween(16L, 22L);
                assertThat(contents.last()).isEqualTo(60);
                assertThat(contents.present()).isEqualTo(1);
                assertThat(contents.entries())
                        .singleElement()
                        .satisfies(entry -> assertThat(entry.revision()).isEqualTo(contents.revision()));
            }
            try (Store store = open(SqliteOptions.in(directory).window(small))) {
                assertThat(store.snapshot().get(X).revision()).isEqualTo(60);
                assertThat(store.snapshot(58).get(X).revision()).isEqualTo(58);
                assertThatThrownBy(() -> store.snapshot(30)).isInstanceOf(CompactedException.class);
            }
        }

        @Test
        void theFileForgetsWhatTheMemoryForgets() {
            MemoryStore.Window small = new MemoryStore.Window(10, Duration.ofMinutes(5));
            try (Store store = open(SqliteOptions.in(directory).window(small).durability(Durability.FLUSH))) {
                commit(store, new Store.Change(X, 0, "1"::getBytes));
                for (int i = 2; i < 5_000; i++) {
                    commit(store, new Store.Change(X, i, "1"::getBytes));
                }
            }
            try (Database database = Database.read(directory.resolve(Database.NAME))) {
                assertThat(Long.parseLong(database.text("SELECT count(*) FROM change")))
                        .isBetween(11L, 1_100L);
            }
        }
    }

    @Test
    void aSecondStoreIsRefused() {
        try (Store store = open()) {
            assertThatThrownBy(SqliteStoreTest.this::open)
                    .isInstanceOf(StoreException.class)
                    .hasMessage(directory + " is in use by process "
                            + ProcessHandle.current().pid() + ": stop it, or choose another directory");
            assertThat(store.revision()).isEqualTo(1);
        }
        open().close();
    }

    @Test
    void aFullDiskRefusesWritesUntilThereIsRoom() {
        try (Store store = open()) {
            commit(store, new Store.Change(X, 0, "1"::getBytes));
            Database database = ((SqliteStore) store).database();
            String pages = database.text("PRAGMA page_count");
            database.text("PRAGMA max_page_count = " + (Integer.parseInt(pages) + 5));
            Store.Watch watch = store.watch("default/configmaps", 1, () -> {});
            byte[] large = new byte[100_000];

            assertThatThrownBy(() -> store.commit(List.of(new Store.Change(X, 2, () -> large))))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("cannot write " + directory.resolve(Database.NAME)
                            + ": the disk is full; writes work again when there is room");
            assertThat(store.revision()).isEqualTo(2);
            assertThat(store.snapshot().get(X).revision()).isEqualTo(2);
            assertThat(watch.poll(10)).hasSize(1);
            commit(store, new Store.Change(Y, 0, "small"::getBytes));

            database.text("PRAGMA max_page_count = 1000000");
            commit(store, new Store.Change(X, 2, () -> large));
            assertThat(watch.poll(10)).hasSize(2);
        }
        try (Store store = open()) {
            assertThat(store.revision()).isEqualTo(4);
        }
    }

    @Test
    void aValueThatCannotBeEncodedDoesNotStopTheStore() {
        try (Store store = open()) {
            Store.Value broken = () -> {
                throw new IllegalArgumentException("as this test wants");
            };
            assertThatThrownBy(() -> store.commit(List.of(new Store.Change(X, 0, broken))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("as this test wants");
            commit(store, new Store.Change(X, 0, "1"::getBytes));
            assertThat(store.revision()).isEqualTo(2);
        }
    }

    @Test
    void manyWritersShareTransactionsAndOneOfEachWins() throws Exception {
        int writers = 16;
        AtomicLong won = new AtomicLong();
        try (Store store = open()) {
            CyclicBarrier start = new CyclicBarrier(writers);
            List<Thread> threads = IntStream.range(0, writers)
                    .mapToObj(writer -> Thread.startVirtualThread(() -> {
                        try {
                            start.await();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        for (int i = 0; i < 50; i++) {
                            Store.Entry seen = store.snapshot().get(X);
                            long expected = seen == null ? 0 : seen.revision();
                            if (store.commit(List.of(new Store.Change(X, expected, "1"::getBytes)))
                                    instanceof Store.Committed) {
                                won.incrementAndGet();
                            }
                        }
                    }))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(store.revision()).isEqualTo(1 + won.get());
        }
        try (Store store = open()) {
            assertThat(store.revision()).isEqualTo(1 + won.get());
            assertThat(store.watch("default/configmaps", 1, () -> {}).poll(10_000))
                    .hasSize((int) won.get());
        }
    }

    private static void commit(Store store, Store.Change... changes) {
        assertThat(store.commit(List.of(changes))).isInstanceOf(Store.Committed.class);
    }
}
