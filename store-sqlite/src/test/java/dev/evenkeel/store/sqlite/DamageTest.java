package dev.evenkeel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages files in ways that disks and people do: what is served afterwards is what was written, or nothing. */
class DamageTest {
    private static final int COMMITS = 60;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("damage.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Stores 60 commits of one object each, half of them in the database, the others in the log, as after a kill. */
    private List<String> killed(Path into) throws IOException {
        Path live = directory.resolve("live");
        SqliteStore store = (SqliteStore) open(live);
        for (int i = 0; i < COMMITS; i++) {
            byte[] value = ("value " + i).repeat(1 + random.nextInt(300)).getBytes();
            Store.Key key = new Store.Key("default/configmaps", "a", "x" + i % 20);
            Store.Entry before = store.snapshot().get(key);
            store.commit(List.of(new Store.Change(key, before == null ? 0 : before.revision(), () -> value)));
            if (i == COMMITS / 2) {
                store.database().text("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        }
        List<String> contents = contents(store);
        Files.createDirectories(into);
        for (String name : List.of(Database.NAME, Database.NAME + "-wal")) {
            Files.copy(live.resolve(name), into.resolve(name));
        }
        store.close();
        return contents;
    }

    private static Store open(Path directory) {
        return open(SqliteOptions.in(directory));
    }

    private static Store open(SqliteOptions options) {
        return options.open(
                new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }

    /** Returns the entries and the history. */
    private static List<String> contents(Store store) {
        List<String> contents = new ArrayList<>();
        store.snapshot().range("default/configmaps", "", null, entry -> contents.add(text(entry)));
        store.watch("default/configmaps", 1, () -> {})
                .poll(10_000)
                .forEach(event -> contents.add(event + ": " + text(event.current())));
        return contents;
    }

    private static String text(Store.Entry entry) {
        return entry.key() + "@" + entry.revision() + "="
                + new String(entry.value().bytes());
    }

    @Test
    void aLogIsReplayed() throws IOException {
        List<String> contents = killed(directory.resolve("copy"));
        try (Store store = open(directory.resolve("copy"))) {
            assertThat(contents(store)).isEqualTo(contents);
        }
    }

    /** A killed process may have written transactions that it had not synced. */
    @Test
    void aLogIsSyncedBeforeItIsRead() throws IOException {
        killed(directory.resolve("copy"));
        Path events = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            open(directory.resolve("copy")).close();
            recording.stop();
            recording.dump(events);
        }
        String log = directory.resolve("copy").resolve(Database.NAME + "-wal").toString();
        assertThat(RecordingFile.readAllEvents(events))
                .anySatisfy(event -> assertThat(event.getString("path")).isEqualTo(log));
    }

    /** The salt of a frame tells the frames of this log from those of an earlier one, which are its legal end. */
    @Test
    void aChangedSaltIsFound() throws IOException {
        Path copy = directory.resolve("copy");
        killed(copy);
        long size = Files.size(copy.resolve(Database.NAME + "-wal"));
        int page = 4096;
        for (long at = 32; at < size; at += 24 + page) {
            Path trial = directory.resolve("trial" + at);
            Files.createDirectories(trial);
            for (String name : List.of(Database.NAME, Database.NAME + "-wal")) {
                Files.copy(copy.resolve(name), trial.resolve(name));
            }
            flip(trial.resolve(Database.NAME + "-wal"), at + 11);
            try (Store store = open(trial)) {
                assertThat(store.revision()).as("frame at %d", at).isGreaterThanOrEqualTo(COMMITS);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("is damaged");
            }
        }
    }

    @Test
    void aChangedByteIsFoundOrDoesNotMatter() throws IOException {
        int refused = 0;
        Path copy = directory.resolve("copy");
        List<String> contents = killed(copy);
        for (int i = 0; i < 200; i++) {
            Path trial = directory.resolve("trial" + i);
            Files.createDirectories(trial);
            for (String name : List.of(Database.NAME, Database.NAME + "-wal")) {
                Files.copy(copy.resolve(name), trial.resolve(name));
            }
            Path file = trial.resolve(i % 2 == 0 ? Database.NAME : Database.NAME + "-wal");
            long at = random.nextLong(Files.size(file));
            flip(file, at);
            try (Store store = open(trial)) {
                List<String> served = contents(store);
                // the last transaction may be one that was torn, and was not acknowledged then
                if (store.revision() == COMMITS + 1) {
                    assertThat(served)
                            .as("seed %d: byte %d of %s", seed, at, file)
                            .isEqualTo(contents);
                } else {
                    assertThat(store.revision())
                            .as("seed %d: byte %d of %s", seed, at, file)
                            .isEqualTo(COMMITS);
                }
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining(trial.toString());
                refused++;
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(50);
    }

    /** A changed byte can make a text missing, though the schema does not allow it. */
    @Test
    void aMissingTextIsFound() throws Exception {
        Path copy = directory.resolve("copy");
        killed(copy);
        execute(
                copy,
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'change'");
        execute(copy, "UPDATE change SET namespace = NULL WHERE id = (SELECT max(id) FROM change)");

        assertThatThrownBy(() -> open(copy).close())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining("has no namespace");
    }

    private static void execute(Path copy, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy.resolve(Database.NAME));
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                boolean unused = statement.execute(each);
            }
        }
    }

    private static void flip(Path path, long at) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            int old = file.read();
            file.seek(at);
            file.write(old ^ 0x10);
        }
    }

    @Test
    void aTornLastWriteIsDropped() throws IOException {
        Path copy = directory.resolve("copy");
        killed(copy);
        Path log = copy.resolve(Database.NAME + "-wal");
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(file.length() - 1 - random.nextInt(4_000));
        }
        try (Store store = open(copy)) {
            assertThat(store.revision()).isEqualTo(COMMITS);
        }
    }

    @Test
    void aDamageInTheMiddleOfTheLogIsRefusedAndCanBeCutOff() throws IOException {
        Path copy = directory.resolve("copy");
        killed(copy);
        flip(copy.resolve(Database.NAME + "-wal"), 32 + 24 + 100);
        assertThatThrownBy(() -> open(copy))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "-wal is damaged: transactions follow frame 1, which has a wrong checksum: restore");
        try (Store store = open(SqliteOptions.in(copy).durability(Durability.FLUSH))) {
            assertThat(store.revision()).isEqualTo(COMMITS / 2 + 2);
        }
    }

    /** SQLite drops what follows the damage when the last connection is closed, and the server finds nothing wrong then. */
    @Test
    void aDamagedLogIsNotCutOffByACommandThatReads() throws IOException {
        Path copy = directory.resolve("copy");
        killed(copy);
        Path log = copy.resolve(Database.NAME + "-wal");
        flip(log, 32 + 24 + 100);
        byte[] before = Files.readAllBytes(log);
        SqliteFile file = SqliteFile.in(copy);
        List<ThrowingCallable> all =
                List.of(file::stats, file::check, file::compact, () -> file.backup(directory.resolve("backup")));
        assertThat(all)
                .allSatisfy(one -> assertThatThrownBy(one)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("-wal is damaged: "));
        assertThat(log).hasBinaryContent(before);
    }

    @Test
    void eachLostRecordIsMissed() throws IOException {
        Path copy = directory.resolve("copy");
        killed(copy);
        try (Store store = open(copy)) {
            store.compact(30); // so that there are records of entries, too
        }
        List<String> ids;
        try (Database database = Database.read(copy.resolve(Database.NAME))) {
            ids = database.text("SELECT id FROM change ORDER BY id").lines().toList();
        }
        for (String id : ids.subList(0, ids.size() - 1)) { // that the last one is missing cannot be known
            Path trial = directory.resolve("trial" + id);
            Files.createDirectories(trial);
            Files.copy(copy.resolve(Database.NAME), trial.resolve(Database.NAME));
            try (Database database = Database.open(trial, Durability.FLUSH)) {
                database.execute("DELETE FROM change WHERE id = " + id);
            }
            assertThatThrownBy(() -> open(trial)).as(id).hasMessageContaining(" is damaged: ");
        }
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        Files.writeString(directory.resolve(Database.NAME), "name,value\n".repeat(1_000));
        assertThatThrownBy(() -> open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("evenkeel.db is damaged: ");
    }
}
