package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores whose etcd dies, hangs, and is back. */
@Timeout(300)
class EtcdOutageTest {
    private static final String MAPS = "default/configmaps";
    private static final Key X = new Key(MAPS, "a", "x");

    @TempDir(factory = InMemory.class)
    private Path directory;

    @BeforeEach
    void need() {
        assumeTrue(LocalEtcd.installed(), "etcd is not installed (Debian: etcd-server)");
    }

    private static Store open(LocalEtcd etcd) {
        return open(etcd.endpoints());
    }

    private static Store open(String... endpoints) {
        return EtcdOptions.at(endpoints)
                .timeout(Duration.ofSeconds(2))
                .open(new Store.Context(
                        (key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }

    private static Change change(long expected, String text) {
        return new Change(X, expected, () -> text.getBytes(StandardCharsets.UTF_8));
    }

    private static long commit(Store store, Change... changes) {
        return ((Committed) store.commit(List.of(changes))).revision();
    }

    /** Waits for what processes and connections do in their own time. */
    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void aStoreOutlivesItsEtcd() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                Store store = open(etcd)) {
            long first = commit(store, change(0, "1"));
            Store.Watch watch = store.watch(MAPS, first, () -> {});
            etcd.kill(0);
            // before that a commit may be sent into the dead connection, and its outcome is unknown
            until(() -> store.outage().map(Store.Outage::problem).orElse("").contains("does not answer"));

            assertThatThrownBy(() -> commit(store, change(first, "lost")))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE))
                    .hasMessageContaining("does not answer")
                    .hasMessageContaining("check that it runs");
            assertThatThrownBy(store::latest)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(etcd.endpoints()[0]);
            assertThat(store.snapshot().get(X).revision()).isEqualTo(first);

            etcd.restart(0);
            until(() -> store.outage().isEmpty());
            long second = commit(store, change(first, "2"));
            assertThat(store.latest().get(X).revision()).isEqualTo(second);
            assertThat(watch.poll(10)).extracting(Store.Event::revision).containsExactly(second);
        }
    }

    @Test
    void theOutcomeOfACommitThatIsNotAnsweredIsUnknown() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                Store store = open(etcd)) {
            long first = commit(store, change(0, "1"));
            etcd.stop(0);
            try {
                assertThatThrownBy(() -> commit(store, change(first, "2")))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNKNOWN))
                        .hasMessageContaining("it is unknown whether this was written");
                until(() -> store.outage().isPresent());
                assertThatThrownBy(() -> commit(store, change(first, "3")))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE));
            } finally {
                etcd.resume(0);
            }
            until(() -> store.outage().isEmpty());
            Store.Entry entry = store.latest().get(X);
            assertThat(commit(store, change(entry.revision(), "4"))).isGreaterThan(entry.revision());
        }
    }

    @Test
    void oneOfThreeMembersMayFail() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 3);
                Store store = open(etcd);
                Store other = open(etcd)) {
            long revision = commit(store, change(0, "0"));
            Store.Watch watch = other.watch(MAPS, 1, () -> {});
            int acknowledged = 1;
            for (int member = 0; member < 3; member++) {
                if (member == 1) {
                    etcd.stop(member);
                } else {
                    etcd.kill(member);
                }
                for (int i = 0; i < 5; i++) {
                    revision = write(store, revision);
                    acknowledged++;
                }
                if (member == 1) {
                    etcd.resume(member);
                } else {
                    etcd.restart(member);
                }
                for (int i = 0; i < 5; i++) {
                    revision = write(store, revision);
                    acknowledged++;
                }
            }
            long last = revision;
            until(() -> other.outage().isEmpty() && other.snapshot().get(X).revision() == last);
            List<Store.Event> events = watch.poll(1_000);
            assertThat(events).hasSizeGreaterThanOrEqualTo(acknowledged);
            for (int i = 1; i < events.size(); i++) {
                assertThat(events.get(i).previous()).isSameAs(events.get(i - 1).current());
            }
        }
    }

    /** Writes, and repeats it as a client does: after it has read whether the write was made. */
    private static long write(Store store, long revision) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) {
            try {
                return switch (store.commit(List.of(change(revision, "next after " + revision)))) {
                    case Committed committed -> committed.revision();
                    case Store.Conflict conflict -> {
                        Store.Entry entry = conflict.actual().orElseThrow();
                        assertThat(new String(entry.value().bytes(), StandardCharsets.UTF_8))
                                .isEqualTo("next after " + revision);
                        yield entry.revision();
                    }
                };
            } catch (StoreException e) {
                assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    @Test
    void aStoreThatFallsBehindTheCompactionStartsAgain() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                TcpProxy proxy = new TcpProxy(etcd.endpoints()[0]);
                Store store = open(proxy.endpoint());
                Store other = open(etcd)) {
            long first = commit(store, change(0, "1"));
            Store.Watch watch = store.watch(MAPS, first, () -> {});
            assertThat(watch.poll(1)).isEmpty();
            proxy.cut();
            other.latest();
            long second = commit(other, change(first, "2"));
            long third = commit(other, change(second, "3"));
            other.compact(third);
            proxy.mend();
            until(() -> store.outage().isEmpty() && store.revision() == third);
            assertThat(store.latest().get(X).revision()).isEqualTo(third);
            assertThatThrownBy(() -> watch.poll(1)).isInstanceOf(CompactedException.class);
            assertThatThrownBy(() -> store.snapshot(first)).isInstanceOf(CompactedException.class);
            Store.Watch again = store.watch(MAPS, third, () -> {});
            long fourth = commit(store, change(third, "4"));
            assertThat(again.poll(10)).extracting(Store.Event::revision).containsExactly(fourth);
        }
    }

    @Test
    void anIdleStoreSurvivesCompaction() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start(directory, 1);
                TcpProxy proxy = new TcpProxy(etcd.endpoints()[0]);
                Store store = open(proxy.endpoint());
                Connection connection = new Connection(EtcdOptions.at(etcd.endpoints()))) {
            long first = commit(store, change(0, "1"));
            Store.Watch watch = store.watch(MAPS, first, () -> {});
            Compaction compaction = new Compaction(connection, new Keys("/evenkeel/"), Duration.ofNanos(1));
            for (int i = 0; i < 5; i++) {
                compaction.run(); // later and later revisions of etcd, without a commit
            }
            assertThatThrownBy(() -> new Contents(connection, new Keys("/evenkeel/"), (key, bytes) -> () -> bytes)
                            .entries(first))
                    .isInstanceOf(CompactedException.class);
            proxy.cut();
            until(() -> store.outage().isPresent());
            proxy.mend();
            until(() -> store.outage().isEmpty());
            long second = commit(store, change(first, "2"));
            assertThat(watch.poll(10)).extracting(Store.Event::revision).containsExactly(second);
        }
    }

    @Test
    void anEtcdThatIsNotThereIsRefusedAtOnce() {
        EtcdOptions options = EtcdOptions.at("http://127.0.0.1:1", "http://127.0.0.1:2");
        assertThatThrownBy(() -> options.open(new Store.Context(
                        (key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("etcd at http://127.0.0.1:1, http://127.0.0.1:2 does not answer")
                .hasMessageContaining("Connection refused");
    }
}
