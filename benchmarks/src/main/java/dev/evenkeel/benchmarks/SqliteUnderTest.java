package dev.evenkeel.benchmarks;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.sqlite.Durability;
import dev.evenkeel.store.sqlite.SqliteFile;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Locale;

/**
 * The store on SQLite.
 *
 * <p>The peer of creates is SQLite itself: one thread inserts rows of the same size, as many in a transaction as there are
 * clients, with the same settings. Nothing that stores each object durably in SQLite can be faster.
 */
enum SqliteUnderTest implements DurableStoreUnderTest {
    SYNC(Durability.SYNC),
    FLUSH(Durability.FLUSH);

    private final Durability durability;

    SqliteUnderTest(Durability durability) {
        this.durability = durability;
    }

    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Engine open(Path directory) {
        return Engine.builder()
                .store(SqliteOptions.in(directory).durability(durability))
                .build();
    }

    @Override
    public long bytes(Path directory) {
        return SqliteFile.in(directory).stats().bytes();
    }

    @Override
    public String bare() {
        return "SQLite by hand";
    }

    @Override
    public double bareCreates(Path directory, int group, RunLength length) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("rows.db"))) {
            try (Statement settings = connection.createStatement()) {
                settings.execute("PRAGMA journal_mode = WAL");
                settings.execute("PRAGMA synchronous = " + (durability == Durability.SYNC ? "FULL" : "NORMAL"));
                settings.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT, value BLOB)");
            }
            connection.setAutoCommit(false);
            byte[] value = StoredObjects.configMap(0);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO row VALUES (NULL, ?, ?)")) {
                return group
                        * Load.perSecond(length, count -> {
                            for (int i = 0; i < group; i++) {
                                insert.setString(1, StoredObjects.name(i));
                                insert.setBytes(2, value);
                                insert.executeUpdate();
                            }
                            connection.commit();
                        });
            }
        }
    }
}
