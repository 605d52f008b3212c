package dev.evenkeel.store.sqlite;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The file {@code evenkeel.db}: a log of changes.
 *
 * <p>The table {@code change} has a row for each change, in the order of commits. A row becomes obsolete when the change
 * that replaced it leaves the history; then it is deleted, and so is the row of a deletion. What is left up to the
 * revision {@code store.compacted} is therefore the state at that revision, and the rows after it are the history:
 * appending is all that a commit does, whatever the number of objects.
 *
 * <p>Each row has a checksum, each commit the number of its rows, and {@code store} the number of entries at its revision,
 * so that a row that is damaged or lost is found when the file is read.
 *
 * <p>Not safe for use by several threads at once.
 */
final class Database implements AutoCloseable {
    static final String NAME = "evenkeel.db";
    private static final int APPLICATION = 0x45564b4c; // "EVKL": tells the file from those of other programs

    /**
     * A format of the file.
     *
     * @param number from 1 on
     * @param migrations for each earlier format, in order, the statements that lead to the next one
     */
    record Format(int number, List<List<String>> migrations) {
        static final Format PRESENT = new Format(1, List.of());
    }

    /** The history begins after this revision, at which there was this number of entries. */
    record Origin(long compacted, long entries) {
        private int checksum() {
            CRC32C sum = new CRC32C();
            sum.update(
                    ByteBuffer.allocate(16).putLong(compacted).putLong(entries).flip());
            return (int) sum.getValue();
        }
    }

    private final Path file;
    private final Connection connection;
    private Statements statements;

    /** The statements of commits. The driver closes a statement that failed. */
    private record Statements(PreparedStatement begin, PreparedStatement insert, PreparedStatement commit) {
        static Statements of(Connection connection) throws SQLException {
            return new Statements(
                    connection.prepareStatement("BEGIN IMMEDIATE"),
                    connection.prepareStatement("INSERT INTO change VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                    connection.prepareStatement("COMMIT"));
        }
    }

    private Database(Path file, Connection connection) throws SQLException {
        this.file = file;
        this.connection = connection;
        statements = Statements.of(connection);
    }

    /** Opens the database of a directory, which is created if absent. The caller holds the {@link DirectoryLock}. */
    static Database open(Path directory, Durability durability) {
        return open(directory.resolve(NAME), durability, Format.PRESENT);
    }

    /** Opens an existing database, which another process may be using. */
    static Database read(Path file) {
        return open(file, Durability.SYNC, null);
    }

    /** Opens a database, and brings it to a format; null leaves it as it is, and only reads it. */
    static Database open(Path file, Durability durability, @Nullable Format format) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(
                durability == Durability.SYNC
                        ? SQLiteConfig.SynchronousMode.FULL
                        : SQLiteConfig.SynchronousMode.NORMAL);
        config.setBusyTimeout(10_000); // of a backup or a check that begins or ends
        config.setCacheSize(-16_384); // KiB
        config.setPragma(SQLiteConfig.Pragma.JOURNAL_SIZE_LIMIT, Integer.toString(64 << 20));
        Connection connection = null;
        try {
            connection = config.createConnection("jdbc:sqlite:" + file);
            prepare(file, connection, format);
            return new Database(file, connection);
        } catch (SQLException | StoreException e) {
            closeQuietly(connection);
            throw e instanceof StoreException known ? known : failure(file, "open", (SQLException) e);
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // the reason of the first failure is the one that matters
        }
    }

    private static void prepare(Path file, Connection connection, @Nullable Format wanted) throws SQLException {
        Format known = wanted == null ? Format.PRESENT : wanted;
        try (Statement statement = connection.createStatement()) {
            long application = number(statement, "PRAGMA application_id");
            long format = number(statement, "PRAGMA user_version");
            boolean empty = number(statement, "SELECT count(*) FROM sqlite_schema") == 0;
            if (empty && application == 0 && wanted != null) {
                create(statement);
            } else if (application != APPLICATION) {
                throw new StoreException(file + " is not a store of Evenkeel: choose another directory", null);
            } else if (format > known.number()) {
                throw new StoreException(
                        file + " has format " + format + ", of a newer version; this one reads formats up to "
                                + known.number() + ": use the newer version",
                        null);
            } else if (format < known.number() && wanted != null) {
                migrate(file, statement, (int) format, wanted);
            }
        }
    }

    private static void migrate(Path file, Statement statement, int from, Format format) throws SQLException {
        Path copy = file.resolveSibling(file.getFileName() + ".format-" + from);
        if (!Files.exists(copy)) {
            statement.execute("VACUUM INTO " + quoted(copy));
        }
        statement.execute("BEGIN IMMEDIATE");
        for (List<String> step : format.migrations().subList(from - 1, format.number() - 1)) {
            for (String sql : step) {
                statement.execute(sql);
            }
        }
        statement.execute("PRAGMA user_version = " + format.number());
        statement.execute("COMMIT");
    }

    static String quoted(Path file) {
        return "'" + file.toString().replace("'", "''") + "'";
    }

    private static void create(Statement statement) throws SQLException {
        statement.execute("BEGIN IMMEDIATE");
        statement.execute("""
                CREATE TABLE change (
                    id INTEGER PRIMARY KEY,
                    revision INTEGER NOT NULL,
                    collection TEXT NOT NULL,
                    namespace TEXT NOT NULL,
                    name TEXT NOT NULL,
                    previous INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    value BLOB,
                    checksum INTEGER NOT NULL)
                """);
        statement.execute("CREATE INDEX change_revision ON change (revision)");
        statement.execute(
                "CREATE TABLE store (compacted INTEGER NOT NULL, entries INTEGER NOT NULL, checksum INTEGER NOT NULL)");
        Origin origin = new Origin(1, 0);
        statement.execute("INSERT INTO store VALUES (" + origin.compacted() + ", " + origin.entries() + ", "
                + origin.checksum() + ")");
        statement.execute("PRAGMA application_id = " + APPLICATION);
        statement.execute("PRAGMA user_version = " + Format.PRESENT.number());
        statement.execute("COMMIT");
    }

    /** Begins a transaction. */
    void begin() {
        run("write", statements.begin()::execute);
    }

    /** Adds a row to the transaction. */
    void insert(Row row) {
        PreparedStatement insert = statements.insert();
        run("write", () -> {
            insert.setLong(1, row.revision());
            insert.setString(2, row.key().collection());
            insert.setString(3, row.key().namespace());
            insert.setString(4, row.key().name());
            insert.setLong(5, row.previous());
            insert.setInt(6, row.size());
            insert.setLong(7, row.time());
            insert.setBytes(8, row.value());
            insert.setInt(9, row.checksum());
            insert.executeUpdate();
        });
    }

    /** Ends the transaction: when this returns it is durable. */
    void commit() {
        run("write", statements.commit()::execute);
    }

    /** Gives up the transaction, if there still is one. */
    void rollback() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            // SQLite did so already, as it does after some failures
        }
        run("write", () -> statements = Statements.of(connection));
    }

    /**
     * Reads several times what the database contains at one moment, though another process may be writing.
     * After a failure it can only be closed.
     */
    <T> T atOneMoment(Supplier<T> reads) {
        execute("BEGIN");
        T result = reads.get();
        execute("COMMIT");
        return result;
    }

    /** Reads all rows in the order of their commits, and checks that none of them is damaged. */
    void rows(Consumer<Row> visitor) {
        run("read", () -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "SELECT revision, collection, namespace, name, previous, size, time, value, checksum FROM change ORDER BY id")) {
                for (long number = 1; rows.next(); number++) {
                    Store.Key key = new Store.Key(text(rows, 2, number), text(rows, 3, number), text(rows, 4, number));
                    Row row = new Row(
                            rows.getLong(1), key, rows.getLong(5), rows.getInt(6), rows.getLong(7), rows.getBytes(8));
                    if (rows.getInt(9) != row.checksum()) {
                        throw damaged("record " + number + " (" + key + " at revision " + row.revision()
                                + ") has a wrong checksum");
                    }
                    visitor.accept(row);
                }
            }
        });
    }

    /** A text of a record is there unless the file was changed: the schema demands it. */
    private String text(ResultSet rows, int column, long number) throws SQLException {
        String text = rows.getString(column);
        if (text == null) {
            throw damaged("record " + number + " has no " + rows.getMetaData().getColumnName(column));
        }
        return text;
    }

    /** Returns where the history begins. */
    Origin origin() {
        Origin[] origin = new Origin[1];
        run("read", () -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT compacted, entries, checksum FROM store")) {
                if (!rows.next()) {
                    throw damaged("the record of the revision is missing");
                }
                origin[0] = new Origin(rows.getLong(1), rows.getLong(2));
                if (rows.getInt(3) != origin[0].checksum()) {
                    throw damaged("the record of the revision has a wrong checksum");
                }
            }
        });
        return origin[0];
    }

    /** Forgets, in a transaction of its own, the history up to a revision. */
    Origin compact(Origin from, long to) {
        begin();
        try {
            long[] entries = {from.entries()};
            run("write", () -> {
                try (Statement statement = connection.createStatement()) {
                    String range = "change.revision > " + from.compacted() + " AND change.revision <= " + to;
                    entries[0] += number(
                            statement,
                            "SELECT coalesce(sum(value IS NOT NULL AND previous = 0) - sum(value IS NULL), 0) FROM change WHERE "
                                    + range);
                    statement.execute("""
                            DELETE FROM change WHERE id IN (
                                SELECT old.id FROM change JOIN change AS old ON old.revision = change.previous
                                    AND old.name = change.name AND old.namespace = change.namespace
                                    AND old.collection = change.collection
                                WHERE\s""" + range + ")");
                    statement.execute("DELETE FROM change WHERE value IS NULL AND " + range);
                    statement.execute(update(new Origin(to, entries[0])));
                }
            });
            commit();
            return new Origin(to, entries[0]);
        } catch (StoreException e) {
            rollback();
            throw e;
        }
    }

    /** Raises the revision of a database without history, from where the next commits go on. */
    void skip(long revision) {
        Origin skipped = new Origin(revision, origin().entries());
        execute(update(skipped));
    }

    private static String update(Origin origin) {
        return "UPDATE store SET compacted = " + origin.compacted() + ", entries = " + origin.entries()
                + ", checksum = " + origin.checksum();
    }

    /** Executes a statement. */
    void execute(String sql) {
        run("write", () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        });
    }

    /** Returns the text that a query answers, row by row. */
    String text(String sql) {
        StringBuilder text = new StringBuilder();
        run("read", () -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    text.append(text.isEmpty() ? "" : "\n").append(rows.getString(1));
                }
            }
        });
        return text.toString();
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    private void run(String verb, Work work) {
        try {
            work.run();
        } catch (SQLException e) {
            throw failure(file, verb, e);
        }
    }

    StoreException damaged(String what) {
        return damaged(file, what, null);
    }

    static StoreException damaged(Path file, String what, @Nullable Throwable cause) {
        return new StoreException(
                file + " is damaged: " + what + ": restore it from a backup, with `evenkeel store restore`", cause);
    }

    private static StoreException failure(Path file, String verb, SQLException e) {
        SQLiteErrorCode code =
                e instanceof SQLiteException known ? known.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        return switch (SQLiteErrorCode.getErrorCode(code.code & 0xff)) {
            case SQLITE_FULL ->
                new StoreException(
                        "cannot write " + file + ": the disk is full; writes work again when there is room", e);
            case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, String.valueOf(e.getMessage()), e);
            default -> new StoreException("cannot " + verb + " " + file + ": " + e.getMessage(), e);
        };
    }

    @Override
    public void close() {
        run("close", connection::close);
    }
}
