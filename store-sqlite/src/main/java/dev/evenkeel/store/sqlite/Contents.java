package dev.evenkeel.store.sqlite;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a database: the entries at a revision, and the commits after it.
 *
 * <p>The {@link Database} compares the checksums; this checks that nothing is missing: the revisions of
 * commits follow each other, each commit has all of its rows, each change finds the entry that it replaced, and there are
 * as many entries at the beginning as were counted.
 *
 * <p>What is outside of a window is taken into the entries while the database is read, so that a long history does not need
 * more memory than a short one.
 */
final class Contents {
    private static final MemoryStore.Window ALL =
            new MemoryStore.Window(Integer.MAX_VALUE, Duration.ofDays(36_500), Long.MAX_VALUE);

    /** The memory store keeps that many events whatever their size. */
    private static final int LEAST = 16;

    private final Database database;
    private final Store.Codec codec;
    private final Map<Store.Key, Store.Entry> entries = new HashMap<>();
    private final Map<Store.Key, Latest> latest = new HashMap<>();
    private final Deque<List<Row>> commits = new ArrayDeque<>();
    private final Database.Origin origin;
    private final MemoryStore.Window window;
    private long revision;
    private long last;
    private long events;
    private long replacedBytes;

    /** The last change of a key: its revision, 0 for a deletion, and the size of its value. */
    private record Latest(long revision, int bytes) {
        static final Latest NONE = new Latest(0, 0);
    }

    private Contents(Database database, Store.Codec codec, MemoryStore.Window window) {
        this.database = database;
        this.codec = codec;
        this.window = window;
        origin = database.origin();
        revision = origin.compacted();
        last = revision;
    }

    /**
     * Reads a database.
     *
     * @throws dev.evenkeel.engine.spi.StoreException when it is damaged
     */
    static Contents read(Database database, Store.Codec codec) {
        return read(database, codec, ALL);
    }

    /**
     * Reads a database, and takes the oldest commits into the entries when there are more than a window has; its age is for
     * {@link #fold}.
     *
     * @throws dev.evenkeel.engine.spi.StoreException when it is damaged
     */
    static Contents read(Database database, Store.Codec codec, MemoryStore.Window window) {
        return database.atOneMoment(() -> read(database, new Contents(database, codec, window)));
    }

    private static Contents read(Database database, Contents contents) {
        database.rows(contents::add);
        contents.checkSize();
        contents.checkEntries();
        return contents;
    }

    private void add(Row row) {
        if (row.revision() <= origin.compacted()) {
            if (row.value() == null || entries.put(row.key(), entry(row, row.value())) != null) {
                throw database.damaged(row.key() + " has a record too many, at revision " + row.revision());
            }
            return;
        }
        if (row.revision() != last) {
            checkSize();
            checkEntries();
            if (row.revision() != last + 1) {
                throw database.damaged("the records of revision " + (last + 1) + " are missing");
            }
            foldSurplus();
            last = row.revision();
            commits.add(new ArrayList<>(row.size()));
        }
        Store.Entry entry = entries.get(row.key());
        Latest previous = latest.getOrDefault(
                row.key(), entry == null ? Latest.NONE : new Latest(entry.revision(), bytes(entry)));
        if (previous.revision() != row.previous()) {
            throw database.damaged("the record of " + row.key() + " at revision "
                    + Math.max(previous.revision(), row.previous()) + " is missing");
        }
        byte[] value = row.value();
        latest.put(row.key(), value == null ? Latest.NONE : new Latest(row.revision(), value.length));
        commits.getLast().add(row);
        events++;
        replacedBytes += previous.bytes();
    }

    private void checkSize() {
        List<Row> commit = commits.peekLast();
        if (commit != null && commit.size() != commit.getFirst().size()) {
            throw database.damaged("a record of revision " + last + " is missing");
        }
    }

    private void checkEntries() {
        if (commits.isEmpty() && entries.size() != origin.entries()) {
            throw database.damaged("there are " + entries.size() + " records of entries up to revision "
                    + origin.compacted() + " instead of " + origin.entries());
        }
    }

    private static int bytes(Store.@Nullable Entry entry) {
        return entry == null ? 0 : entry.value().bytes().length;
    }

    /** Takes the oldest commits into the entries, as long as there are too many; all that were read are complete. */
    private void foldSurplus() {
        while (commits.size() > LEAST && (events > window.events() || replacedBytes > window.bytes())) {
            foldFirst();
        }
    }

    /** Takes the commits that are outside of the window into the entries. */
    void fold(long now) {
        foldSurplus();
        long oldest = now - window.age().toMillis();
        while (!commits.isEmpty()
                && (events > window.events() || commits.getFirst().getFirst().time() < oldest)) {
            foldFirst();
        }
    }

    private void foldFirst() {
        List<Row> commit = commits.remove();
        events -= commit.size();
        revision = commit.getFirst().revision();
        for (Row row : commit) {
            byte[] value = row.value();
            replacedBytes -=
                    bytes(value == null ? entries.remove(row.key()) : entries.put(row.key(), entry(row, value)));
        }
    }

    private Store.Entry entry(Row row, byte[] value) {
        return new Store.Entry(row.key(), row.revision(), codec.decode(row.key(), value));
    }

    /** The beginning of the history in the database. */
    Database.Origin origin() {
        return origin;
    }

    /** The revision of the entries. */
    long revision() {
        return revision;
    }

    /** The entries. */
    Collection<Store.Entry> entries() {
        return entries.values();
    }

    /** The number of changes after the entries. */
    long events() {
        return events;
    }

    /** The revision of the last commit. */
    long last() {
        return last;
    }

    /** The number of entries after the last commit. */
    long present() {
        return entries.size()
                + commits.stream()
                        .flatMap(List::stream)
                        .mapToLong(Contents::growth)
                        .sum();
    }

    private static long growth(Row row) {
        return row.value() == null ? -1 : row.previous() == 0 ? 1 : 0;
    }

    /** Visits the commits after the entries. */
    void commits(Publisher publisher) {
        for (List<Row> commit : commits) {
            publisher.publish(
                    commit.getFirst().revision(),
                    commit.stream().map(this::change).toList());
        }
    }

    private Store.Change change(Row row) {
        byte @Nullable [] value = row.value();
        return new Store.Change(row.key(), row.previous(), value == null ? null : codec.decode(row.key(), value));
    }

    /** Receives the changes of a commit. */
    @FunctionalInterface
    interface Publisher {
        void publish(long revision, List<Store.Change> changes);
    }
}
