package dev.evenkeel.store.sqlite;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.DurableStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a SQLite file.
 *
 * <p>The problem: a commit must be on the disk before anything sees it, a sync takes as long as a hundred commits in
 * memory, and many clients commit at once. So commits wait in a queue for the one thread that writes. It takes all that
 * are there, decides them one after the other, each on the state that those before it leave, writes their changes in one
 * transaction of SQLite, and when this is durable publishes them to snapshots and watches in the same order, and answers.
 * While it syncs, the next group gathers: the more clients, the larger the groups. Reads never come here.
 *
 * <p>When the transaction fails, nothing is published, and all commits of the group fail: also the conflicts, since these
 * may be with a commit of the group.
 *
 * <p>The memory store decides when history is forgotten. The file follows in steps between groups, so that no commit
 * waits for long.
 */
final class SqliteStore extends DurableStore {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    private static final int GROUP = 256;

    /** The number of forgotten revisions that the file may have; it forgets as many at once as a step has. */
    private static final int SURPLUS = 1_024;

    private static final int STEP = 2_048;

    /**
     * A commit that waits for the writer.
     *
     * @param surplus how many forgotten revisions the file may have when this is done
     */
    private record Commit(
            List<Change> changes, List<Condition> conditions, int surplus, CompletableFuture<Outcome> outcome) {
        Commit(List<Change> changes, List<Condition> conditions, int surplus) {
            this(changes, conditions, surplus, new CompletableFuture<>());
        }
    }

    /** A decided commit; without changes if it was not made, or changes nothing. */
    private record Decision(Commit commit, Outcome outcome, List<Change> applied) {}

    private final DirectoryLock lock;
    private final Database database;
    private final InstantSource clock;
    private final BlockingQueue<Commit> queue = new LinkedBlockingQueue<>();
    private final Object entrance = new Object();
    private final Thread writer;
    private Database.Origin origin;
    private volatile boolean closed;

    private SqliteStore(
            DirectoryLock lock, Database database, Contents contents, SqliteOptions options, Context context) {
        super(options.window(), context, contents.revision(), contents.entries());
        this.lock = lock;
        this.database = database;
        clock = context.clock();
        origin = contents.origin();
        contents.commits(this::publish);
        writer = Thread.ofPlatform().name("evenkeel sqlite").daemon().unstarted(this::write);
    }

    static SqliteStore open(SqliteOptions options, Context context) {
        DirectoryLock lock = DirectoryLock.take(options.directory());
        Database database = null;
        try {
            if (options.durability() == Durability.SYNC) {
                Path file = options.directory().resolve(Database.NAME);
                Wal.check(file);
                Wal.sync(file);
            }
            database = Database.open(options.directory(), options.durability());
            Contents contents = Contents.read(database, context.codec(), options.window());
            contents.fold(context.clock().millis());
            SqliteStore store = new SqliteStore(lock, database, contents, options, context);
            store.writer.start();
            return store;
        } catch (RuntimeException e) {
            if (database != null) {
                database.close();
            }
            lock.close();
            throw e;
        }
    }

    /** The database, for tests; only while nothing is written. */
    Database database() {
        return database;
    }

    @Override
    public Outcome commit(List<Change> changes, List<Condition> conditions) {
        requireOpen();
        Optional<Conflict> conflict = snapshot().conflict(changes, conditions); // need not wait for the writer
        return conflict.isPresent() ? conflict.get() : await(new Commit(changes, conditions, SURPLUS));
    }

    /** Forgets history, in memory and in the file. */
    @Override
    public void compact(long revision) {
        super.compact(revision);
        await(new Commit(List.of(), List.of(), 0));
    }

    private Outcome await(Commit commit) {
        synchronized (entrance) {
            if (closed) {
                throw new IllegalStateException("the store is closed");
            }
            queue.add(commit);
        }
        try {
            return commit.outcome().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw new StoreException(String.valueOf(failure.getMessage()), failure);
            }
            throw e.getCause() instanceof RuntimeException wrong ? wrong : e;
        }
    }

    @Override
    public void close() {
        synchronized (entrance) {
            if (!closed) {
                closed = true;
                queue.add(new Commit(List.of(), List.of(), SURPLUS)); // wakes the writer
            }
        }
        boolean interrupted = Thread.interrupted();
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        List<Commit> group = new ArrayList<>();
        try {
            while (!closed || !queue.isEmpty()) {
                try {
                    group.add(queue.take());
                } catch (InterruptedException e) {
                    continue; // not used: closing is a commit, too
                }
                queue.drainTo(group, GROUP - 1);
                write(group);
                group.clear();
            }
        } finally {
            end(group);
        }
    }

    /** Refuses the commits that are left when an error ended the writer, and releases everything. */
    private void end(List<Commit> group) {
        synchronized (entrance) {
            closed = true;
        }
        queue.drainTo(group);
        group.forEach(
                commit -> commit.outcome().completeExceptionally(new IllegalStateException("the store is closed")));
        super.close();
        try (lock) {
            database.close();
        } catch (StoreException e) {
            LOG.warn("the database was not closed properly, which the next start repairs: {}", e.getMessage());
        }
    }

    private void write(List<Commit> group) {
        List<Decision> decisions;
        try {
            decisions = decide(group);
        } catch (RuntimeException e) {
            group.forEach(commit -> commit.outcome().completeExceptionally(e));
            return;
        }
        for (Decision decision : decisions) {
            if (!decision.applied().isEmpty()) {
                publish(((Committed) decision.outcome()).revision(), decision.applied());
            }
        }
        try {
            forget(group.stream().mapToInt(Commit::surplus).min().orElse(SURPLUS));
        } catch (StoreException e) {
            LOG.warn("history is not forgotten: {}", e.getMessage());
            group.stream()
                    .filter(commit -> commit.surplus() == 0)
                    .forEach(commit -> commit.outcome().completeExceptionally(e));
        }
        decisions.forEach(decision -> decision.commit().outcome().complete(decision.outcome()));
    }

    /** Decides commits, and writes the changes of those that are made. */
    private List<Decision> decide(List<Commit> group) {
        Pending pending = new Pending(snapshot());
        List<Decision> decisions = new ArrayList<>(group.size());
        long before = pending.revision();
        long now = clock.millis();
        try {
            for (Commit commit : group) {
                Optional<Conflict> conflict = Store.conflict(pending::get, commit.changes(), commit.conditions());
                List<Change> applied = conflict.isPresent()
                        ? List.of()
                        : commit.changes().stream()
                                .filter(change -> change.value() != null || change.expectedRevision() > 0)
                                .toList();
                if (!applied.isEmpty()) {
                    if (pending.revision() == before) {
                        database.begin();
                    }
                    write(pending.revision() + 1, applied, now);
                    pending.apply(applied);
                }
                Outcome outcome = conflict.isPresent() ? conflict.get() : new Committed(pending.revision());
                decisions.add(new Decision(commit, outcome, applied));
            }
            if (pending.revision() > before) {
                database.commit();
            }
            return decisions;
        } catch (RuntimeException e) {
            database.rollback();
            throw e;
        }
    }

    private void write(long revision, List<Change> changes, long now) {
        for (Change change : changes) {
            Value value = change.value();
            byte[] bytes = value == null ? null : value.bytes();
            database.insert(new Row(revision, change.key(), change.expectedRevision(), changes.size(), now, bytes));
        }
    }

    /** Forgets in the file what the memory has forgotten, except a surplus of revisions. */
    private void forget(int surplus) {
        while (oldest() - origin.compacted() > surplus) {
            origin = database.compact(origin, Math.min(oldest(), origin.compacted() + STEP));
            if (surplus > 0) {
                return; // the rest later: commits wait
            }
        }
    }
}
