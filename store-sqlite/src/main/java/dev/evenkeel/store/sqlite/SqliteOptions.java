package dev.evenkeel.store.sqlite;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.nio.file.Path;

/**
 * A store of an engine in a directory:
 *
 * <pre>{@code
 * try (Engine engine = Engine.builder().store(SqliteOptions.in(Path.of("data"))).build()) {
 *     ...
 * }
 * }</pre>
 *
 * @param directory contains {@code evenkeel.db} and the other files that SQLite needs; created if absent. Used by one
 *     process at a time
 * @param durability what an acknowledged commit survives; default: {@link Durability#SYNC}
 * @param window how much history to keep, in the file and in memory; default: 100,000 events, 5 minutes
 */
public record SqliteOptions(Path directory, Durability durability, MemoryStore.Window window) implements Store.Factory {
    /** Returns the defaults for a directory. */
    public static SqliteOptions in(Path directory) {
        return new SqliteOptions(directory, Durability.SYNC, MemoryStore.Window.DEFAULT);
    }

    /** Returns a copy with this durability. */
    public SqliteOptions durability(Durability value) {
        return new SqliteOptions(directory, value, window);
    }

    /** Returns a copy with this window. */
    public SqliteOptions window(MemoryStore.Window value) {
        return new SqliteOptions(directory, durability, value);
    }

    /**
     * Opens the store: loads the objects and the retained history.
     *
     * @throws dev.evenkeel.engine.spi.StoreException when the directory is in use by another process, or its file is
     *     damaged, of a newer format, or cannot be read
     */
    @Override
    public Store open(Store.Context context) {
        return SqliteStore.open(this, context);
    }
}
