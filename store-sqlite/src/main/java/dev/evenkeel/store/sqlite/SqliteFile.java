package dev.evenkeel.store.sqlite;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.DurableStore;
import dev.evenkeel.engine.store.MemoryStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The file of a store in a directory, to be looked after: checked, read, copied, restored. {@link #check}, {@link #stats},
 * {@link #read} and {@link #backup} may be called while a process serves the store.
 *
 * <p>When no process does, they first check the log as the store does when it is opened: SQLite drops transactions that
 * follow a damaged one when the last connection is closed.
 */
public final class SqliteFile {
    private static final long REVISIONS_SKIPPED = 1_000_000_000;
    private static final MemoryStore.Window EVERYTHING =
            new MemoryStore.Window(Integer.MAX_VALUE, Duration.ofDays(10_000), Long.MAX_VALUE);

    private final Path directory;
    private final Path file;

    private SqliteFile(Path directory) {
        this.directory = directory;
        file = directory.resolve(Database.NAME);
    }

    /** Returns the file in a directory. */
    public static SqliteFile in(Path directory) {
        return new SqliteFile(directory);
    }

    /**
     * The size of a store.
     *
     * @param revision the revision of the last commit
     * @param oldest the oldest revision that can still be read, and watched from
     * @param objects the number of objects
     * @param events the number of changes after the oldest revision
     * @param bytes the size of the file and of its log
     */
    public record Stats(long revision, long oldest, long objects, long events, long bytes) {}

    /**
     * Reads the store.
     *
     * @throws StoreException when the directory has no store, or a damaged one
     */
    public Stats stats() {
        return reading(this::stats);
    }

    /**
     * Opens a copy in memory of the present state and history, for reading: a commit fails.
     *
     * @throws StoreException when the directory has no store, or a damaged one
     */
    public Store read(Store.Context context) {
        return reading(database -> new ReadOnlyStore(Contents.read(database, context.codec()), context));
    }

    /** A store that stays as it was when it was read. */
    private static final class ReadOnlyStore extends DurableStore {
        ReadOnlyStore(Contents contents, Context context) {
            super(EVERYTHING, context, contents.revision(), contents.entries());
            contents.commits(this::publish);
        }

        @Override
        public Outcome commit(List<Change> changes, List<Condition> conditions) {
            throw new StoreException("the store was opened for reading", null);
        }
    }

    private Stats stats(Database database) {
        Contents contents = Contents.read(database, (key, bytes) -> () -> bytes);
        long bytes = size(file) + size(file.resolveSibling(Database.NAME + "-wal"));
        return new Stats(contents.last(), contents.revision(), contents.present(), contents.events(), bytes);
    }

    /**
     * Checks every record and every page of the store.
     *
     * @throws StoreException when there is none, or it is damaged
     */
    public Stats check() {
        return reading(database -> {
            Stats stats = stats(database);
            String errors = database.text("PRAGMA integrity_check");
            if (!errors.equals("ok")) {
                throw database.damaged(errors);
            }
            return stats;
        });
    }

    /**
     * Gives the space of forgotten history back to the file system; the store keeps its objects and history.
     *
     * @throws StoreException when a process uses the store
     */
    public Stats compact() {
        requirePresent();
        return locked(() -> {
            Wal.check(file);
            try (Database database = Database.read(file)) {
                database.execute("VACUUM");
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
                return stats(database);
            }
        });
    }

    /**
     * Copies the store, as it is at a moment, to a new file.
     *
     * @throws StoreException when the target exists, or cannot be written
     */
    public void backup(Path target) {
        if (Files.exists(target)) {
            throw new StoreException(target + " exists: choose another file", null);
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        reading(database -> {
            try {
                Files.deleteIfExists(part);
                database.execute("VACUUM INTO " + Database.quoted(part));
                sync(part);
                Files.move(part, target, ATOMIC_MOVE);
                sync(Objects.requireNonNull(target.toAbsolutePath().getParent()));
                return target;
            } catch (IOException e) {
                throw new StoreException("cannot write " + target + ": " + e, e);
            }
        });
    }

    private void requirePresent() {
        if (!Files.isRegularFile(file)) {
            throw new StoreException("no store: " + file + " does not exist", null);
        }
    }

    /** Does something with the database, which a process may be serving; when none does, none begins to. */
    private <T> T reading(Function<Database, T> work) {
        requirePresent();
        Optional<DirectoryLock> lock = DirectoryLock.tryTake(directory);
        try {
            if (lock.isPresent()) {
                Wal.check(file);
            }
            try (Database database = Database.read(file)) {
                return work.apply(database);
            }
        } finally {
            lock.ifPresent(DirectoryLock::close);
        }
    }

    /**
     * Makes the store what a backup contains. Revisions go on a billion higher, and all history is forgotten, so that
     * watches that began before, when the revisions meant something else, get 410 and list again.
     *
     * @param replace a present store is replaced, and kept as {@code evenkeel.db.old}
     * @throws StoreException when the backup is damaged, when there is a store and it is not to be replaced, or when a
     *     process uses it
     */
    public Stats restore(Path backup, boolean replace) {
        if (!Files.isRegularFile(backup)) {
            throw new StoreException(backup + " does not exist", null);
        }
        return locked(() -> {
            if (Files.exists(file) && !replace) {
                throw new StoreException(
                        directory + " contains a store: --replace replaces it, and keeps it as evenkeel.db.old", null);
            }
            try {
                Path next = file.resolveSibling(Database.NAME + ".next");
                Files.copy(backup, next, REPLACE_EXISTING);
                try (Database database = Database.read(next)) {
                    Contents contents = Contents.read(database, (key, bytes) -> () -> bytes);
                    database.compact(contents.origin(), contents.last());
                    database.skip(contents.last() + REVISIONS_SKIPPED);
                }
                sync(next);
                replace(next);
            } catch (IOException e) {
                throw new StoreException("cannot restore " + backup + " to " + directory + ": " + e, e);
            }
            return stats();
        });
    }

    private <T> T locked(Supplier<T> work) {
        DirectoryLock lock = DirectoryLock.take(directory);
        try {
            return work.get();
        } finally {
            lock.close();
        }
    }

    /** Puts the file in the place of the present one, which is kept. The log of that one must not meet the new one. */
    private void replace(Path next) throws IOException {
        Path log = file.resolveSibling(Database.NAME + "-wal");
        Path old = file.resolveSibling(Database.NAME + ".old");
        if (Files.exists(file)) {
            Files.copy(file, old, REPLACE_EXISTING);
            sync(old);
        }
        if (Files.exists(log)) {
            Files.move(log, old.resolveSibling(old.getFileName() + "-wal"), REPLACE_EXISTING);
        }
        Files.deleteIfExists(file.resolveSibling(Database.NAME + "-shm"));
        sync(directory);
        Files.move(next, file, ATOMIC_MOVE);
        sync(directory);
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new StoreException("cannot read " + file + ": " + e, e);
        }
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = Files.isDirectory(path) ? FileChannel.open(path) : FileChannel.open(path, WRITE)) {
            channel.force(true);
        }
    }
}
