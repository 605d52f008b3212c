package dev.evenkeel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFileTest {
    private static final Store.Key X = new Store.Key("default/configmaps", "a", "x");
    private static final Store.Key Y = new Store.Key("default/configmaps", "a", "y");

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private Store open() {
        return SqliteOptions.in(data()).open(context());
    }

    private static Store.Context context() {
        return new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread);
    }

    private static void commit(Store store, Store.Key key, long expected) {
        assertThat(store.commit(List.of(new Store.Change(key, expected, "1"::getBytes))))
                .isInstanceOf(Store.Committed.class);
    }

    @Test
    void aDirectoryThatIsCreatedIsForItsOwnerOnly() throws IOException {
        assumeTrue(Files.getFileStore(directory).supportsFileAttributeView("posix"), "no permissions of POSIX");
        open().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data())))
                .isEqualTo("rwx------");
    }

    @Test
    void aDirectoryThatExistsKeepsItsPermissions() throws IOException {
        assumeTrue(Files.getFileStore(directory).supportsFileAttributeView("posix"), "no permissions of POSIX");
        Files.createDirectory(data());
        Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwxr-x---"));
        open().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data())))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void countsWhatAStoreThatIsInUseContains() {
        try (Store store = open()) {
            commit(store, X, 0);
            commit(store, Y, 0);
            commit(store, X, 2);
            store.commit(List.of(new Store.Change(Y, 3, null)));
            store.compact(2);

            SqliteFile.Stats stats = SqliteFile.in(data()).check();

            assertThat(stats).isEqualTo(new SqliteFile.Stats(5, 2, 1, 3, stats.bytes()));
            assertThat(stats.bytes()).isPositive();
            assertThatThrownBy(() -> SqliteFile.in(data()).compact()).hasMessageContaining("is in use by process");
        }
        assertThat(SqliteFile.in(data()).compact())
                .isEqualTo(SqliteFile.in(data()).stats());
    }

    @Test
    void aStoreInUseIsReadAsItIsAtAMoment() {
        try (Store store = open()) {
            commit(store, X, 0);
            commit(store, X, 2);
            try (Store copy = SqliteFile.in(data()).read(context())) {
                commit(store, X, 3);
                assertThat(copy.revision()).isEqualTo(3);
                assertThat(copy.snapshot().get(X).revision()).isEqualTo(3);
                assertThat(copy.snapshot(2).get(X).revision()).isEqualTo(2);
                assertThatThrownBy(() -> commit(copy, Y, 0))
                        .isInstanceOf(StoreException.class)
                        .hasMessage("the store was opened for reading");
            }
        }
        try (Store copy = SqliteFile.in(data()).read(context());
                Store store = open()) { // what was read is not in use
            assertThat(copy.revision()).isEqualTo(store.revision()).isEqualTo(4);
        }
    }

    /** The beginning of the history and the records were read one after the other. */
    @Test
    void historyThatIsForgottenWhileAStoreIsReadIsNotMissing() throws InterruptedException {
        try (Store store = open()) {
            AtomicBoolean over = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().start(() -> {
                long revision = 0;
                while (!over.get()) {
                    revision = ((Store.Committed) store.commit(List.of(new Store.Change(X, revision, "1"::getBytes))))
                            .revision();
                    store.compact(revision);
                }
            });
            try {
                for (int i = 0; i < 100; i++) {
                    assertThat(SqliteFile.in(data()).stats().objects()).isLessThan(2);
                }
            } finally {
                over.set(true);
                writer.join();
            }
        }
    }

    @Test
    void aMissingStoreIsRefused() {
        SqliteFile file = SqliteFile.in(data());
        List<ThrowingCallable> all = List.of(
                file::stats,
                file::check,
                file::compact,
                () -> file.read(context()),
                () -> file.backup(directory.resolve("backup.db")));
        assertThat(all)
                .allSatisfy(one -> assertThatThrownBy(one)
                        .isInstanceOf(StoreException.class)
                        .hasMessage("no store: " + data().resolve("evenkeel.db") + " does not exist"));
        assertThat(data()).doesNotExist();
    }

    @Test
    void aBackupOfAStoreInUseIsRestored() throws IOException {
        Path backup = directory.resolve("backup.db");
        try (Store store = open()) {
            commit(store, X, 0);
            SqliteFile.in(data()).backup(backup);
            assertThatThrownBy(() -> SqliteFile.in(data()).backup(backup)).hasMessageContaining("exists");
            commit(store, X, 2);
            commit(store, Y, 0);
            assertThatThrownBy(() -> SqliteFile.in(data()).restore(backup, true))
                    .hasMessageContaining("in use");
        }
        assertThatThrownBy(() -> SqliteFile.in(data()).restore(backup, false)).hasMessageContaining("contains a store");

        SqliteFile.in(data()).restore(backup, true);

        try (Store store = open()) {
            assertThat(store.revision()).isEqualTo(1_000_000_002);
            assertThat(store.snapshot().get(X).revision()).isEqualTo(2);
            assertThat(store.snapshot().get(Y)).isNull();
            assertThatThrownBy(() -> store.watch("default/configmaps", 4, () -> {}))
                    .isInstanceOf(CompactedException.class); // which is what a watcher of the lost commits needs
            commit(store, Y, 0);
            assertThat(store.snapshot().get(Y).revision()).isEqualTo(1_000_000_003);
        }
        assertThat(data().resolve("evenkeel.db.old")).exists();
        try (Store store = open()) {
            assertThat(store.revision()).isEqualTo(1_000_000_003);
        }
    }

    @Test
    void aDamagedBackupIsNotRestored() throws IOException {
        try (Store store = open()) {
            commit(store, X, 0);
        }
        Path backup = directory.resolve("backup.db");
        SqliteFile.in(data()).backup(backup);
        byte[] bytes = Files.readAllBytes(backup);
        int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("default/configmaps");
        bytes[at]++;
        Files.write(backup, bytes);

        assertThatThrownBy(() -> SqliteFile.in(data()).restore(backup, true)).hasMessageContaining("damaged");

        try (Store store = open()) {
            assertThat(store.revision()).isEqualTo(2);
        }
    }
}
