package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.spi.StoreException.Reason;
import dev.evenkeel.engine.store.DurableStore;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event.EventType;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on etcd.
 *
 * <p>The problem: reads should cost what they cost in memory, any number of engines write, and each of them must show all
 * commits in the same order. So every engine keeps all objects in memory, in a state that only one watch of etcd changes:
 * its own commits come back by that watch, too. A commit is one transaction, on the condition that the keys have the
 * expected revisions; it returns when the watch has delivered it. Invariants:
 *
 * <ol>
 *   <li>The state in memory is that of etcd at some revision, for all keys of objects.
 *   <li>Every transaction that changes objects writes the key {@code head} too, so its revision is that of the last commit,
 *       and is one that the watch delivers. A reader that wants the present state asks for it and waits until the
 *       memory has that revision: no need for progress notifications, which etcd before 3.4.25 sends too early.
 * </ol>
 *
 * <p>Once a second the head is read in any case. When that fails, the store is in an {@link Store.Outage outage}: commits
 * and reads of the present state are refused at once, and nothing is sent, until it succeeds again.
 *
 * <p>History is read from etcd when the store is opened, as much as fits the window: a client may resume a watch at another
 * engine, or after a restart. If the watch falls behind etcd's compaction, memory starts again from the present state, and
 * all watches end with {@link CompactedException}.
 */
final class EtcdStore extends DurableStore {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
    private static final Duration BEAT = Duration.ofSeconds(1);

    /** The revisions read at the start: etcd sends the past in parts of 1,000 each 100 ms, and reads all of it for each. */
    private static final long HISTORY = 10_000;

    /** The number of attempts of a transaction that conflicts with something that memory does not show. */
    private static final int TRIES = 5;

    private final Connection connection;
    private final Keys keys;
    private final Contents contents;
    private final InstantSource clock;
    private final Duration timeout;
    private final Arrivals arrivals = new Arrivals(this::revision);
    private final Barrier barrier;
    private final Map<Key, Value> writing = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock entrance = new ReentrantReadWriteLock();
    private final Compaction compaction;
    private final Thread follower;
    private final Thread heart;
    private volatile long followed;
    private volatile Instant reached;
    private volatile Optional<Outage> outage = Optional.empty();
    private volatile boolean closed;
    private volatile @Nullable PastSnapshot past;

    private EtcdStore(
            Connection connection, Contents contents, Contents.State state, EtcdOptions options, Context context) {
        // not on the thread that follows etcd: what is woken may commit, and wait for that thread
        super(
                options.window(),
                new Context(
                        context.codec(),
                        context.clock(),
                        task -> Thread.startVirtualThread(
                                () -> context.executor().execute(task))),
                state.revision(),
                state.entries());
        this.connection = connection;
        this.contents = contents;
        keys = contents.keys();
        clock = context.clock();
        timeout = options.timeout();
        barrier = new Barrier(contents::head);
        compaction = new Compaction(connection, keys, options.compaction());
        reached = clock.instant();
        followed = state.at();
        follower = Thread.ofPlatform().name("evenkeel etcd watch").daemon().unstarted(this::follow);
        heart = Thread.ofPlatform().name("evenkeel etcd heartbeat").daemon().unstarted(this::beat);
    }

    static EtcdStore open(EtcdOptions options, Context context) {
        Connection connection = new Connection(options);
        EtcdStore store = null;
        try {
            Contents contents = new Contents(connection, new Keys(options.prefix()), context.codec());
            Contents.State state = contents.load(Math.min(options.window().events(), HISTORY));
            store = new EtcdStore(connection, contents, state, options, context);
            store.follower.start();
            store.arrivals.await(contents.head(), Duration.ofMinutes(1)); // the history, at once
            store.heart.start();
            return store;
        } catch (RuntimeException e) {
            closeAfterFailure(connection, store);
            throw e;
        } catch (InterruptedException e) {
            closeAfterFailure(connection, store);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while etcd was read", e);
        }
    }

    private static void closeAfterFailure(Connection connection, @Nullable EtcdStore store) {
        if (store == null) {
            connection.close();
        } else {
            store.close();
        }
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Optional<Outage> outage() {
        return outage;
    }

    private void requireReached() {
        outage.ifPresent(now -> {
            throw new StoreException(now.problem(), null);
        });
    }

    @Override
    public Snapshot latest() {
        requireOpen();
        requireReached();
        try {
            arrivals.await(barrier.pass(), timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for etcd", e);
        }
        return snapshot();
    }

    /** Reads the state from etcd when memory has forgotten it. */
    @Override
    public Snapshot snapshot(long revision) {
        try {
            return super.snapshot(revision);
        } catch (CompactedException e) {
            PastSnapshot known = past;
            if (known != null && known.revision() == revision) {
                return known;
            }
            if (revision <= 0) {
                throw e; // etcd would answer with the present state
            }
            requireReached();
            try {
                PastSnapshot read = new PastSnapshot(revision, contents.entries(revision));
                past = read; // lists request the same one page after page
                return read;
            } catch (CompactedException forgotten) {
                throw e;
            }
        }
    }

    @Override
    public Outcome commit(List<Change> changes, List<Condition> conditions) {
        ReentrantReadWriteLock.ReadLock inside = entrance.readLock();
        inside.lock();
        try {
            requireOpen();
            Snapshot present = snapshot();
            Optional<Conflict> conflict = present.conflict(changes, conditions);
            if (conflict.isPresent() && isFinal(conflict.get(), changes, conditions, present.revision())) {
                return conflict.get();
            }
            requireReached();
            return commit(changes, conditions, request(changes, conditions));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    Reason.UNKNOWN, "interrupted while waiting for etcd: it is unknown whether this was written", e);
        } finally {
            changes.stream()
                    .filter(change -> change.value() != null)
                    .forEach(change -> writing.remove(change.key(), change.value()));
            inside.unlock();
        }
    }

    /** Returns true if a conflict with a state holds for all later ones, too: the key had the expected revision before. */
    private static boolean isFinal(Conflict conflict, List<Change> changes, List<Condition> conditions, long revision) {
        long expected = changes.stream()
                .filter(change -> change.key().equals(conflict.key()))
                .mapToLong(Change::expectedRevision)
                .findFirst()
                .orElseGet(() -> conditions.stream()
                        .filter(condition -> condition.key().equals(conflict.key()))
                        .mapToLong(Condition::expectedRevision)
                        .findFirst()
                        .orElse(0));
        return expected > 0 && expected <= revision;
    }

    private Outcome commit(List<Change> changes, List<Condition> conditions, TxnRequest request)
            throws InterruptedException {
        for (int tries = 0; tries < TRIES; tries++) {
            TxnResponse response = send(changes, request);
            if (response.getSucceeded()) {
                if (request.getSuccessCount() == 0) {
                    return new Committed(revision());
                }
                long revision = response.getHeader().getRevision();
                await(revision);
                return new Committed(revision);
            }
            arrivals.await(Contents.revision(response.getResponses(0).getResponseRange()), timeout);
            Optional<Conflict> conflict = snapshot().conflict(changes, conditions);
            if (conflict.isPresent()) {
                return conflict.get();
            } // else the state has changed back: a key is absent again
        }
        throw new StoreException(
                "keys of this commit have other revisions in etcd than every engine would give them, such as "
                        + keys.of(changes.getFirst().key()).toStringUtf8() + ": are they written by another program?",
                null);
    }

    private TxnResponse send(List<Change> changes, TxnRequest request) {
        for (Change change : changes) {
            if (change.value() != null) {
                writing.put(change.key(), change.value());
            }
        }
        return connection.txn(request);
    }

    /** Waits until a commit is in memory. */
    private void await(long revision) throws InterruptedException {
        try {
            arrivals.await(revision, timeout);
        } catch (StoreException e) {
            throw new StoreException(
                    Reason.UNKNOWN,
                    "this was written at revision " + revision + ", but etcd has not told this server so within "
                            + timeout.toMillis() + " ms; read it before another attempt",
                    e);
        }
    }

    private TxnRequest request(List<Change> changes, List<Condition> conditions) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        for (Change change : changes) {
            ByteString key = keys.of(change.key());
            request.addCompare(at(key, change.expectedRevision()));
            Value value = change.value();
            if (value != null) {
                // a value's bytes are never changed
                request.addSuccess(put(key, UnsafeByteOperations.unsafeWrap(Packing.packed(value.bytes()))));
            } else if (change.expectedRevision() > 0) {
                request.addSuccess(RequestOp.newBuilder()
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key)));
            }
        }
        for (Condition condition : conditions) {
            request.addCompare(at(keys.of(condition.key()), condition.expectedRevision()));
        }
        if (request.getSuccessCount() > 0) {
            request.addSuccess(put(keys.head(), ByteString.EMPTY));
        }
        return request.addFailure(RequestOp.newBuilder()
                        .setRequestRange(
                                RangeRequest.newBuilder().setKey(keys.head()).setKeysOnly(true)))
                .build();
    }

    private static Compare at(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(revision)
                .build();
    }

    static RequestOp put(ByteString key, ByteString value) {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value))
                .build();
    }

    /** Forgets history, in memory and in etcd. */
    @Override
    public void compact(long revision) {
        super.compact(revision);
        connection.compact(revision);
        past = null;
    }

    /** Runs on the thread that follows etcd. */
    private void follow() {
        while (!closed) {
            long from = Math.max(revision(), followed) + 1;
            try (WatchStream stream = new WatchStream(connection, keys.objects(), from)) {
                while (!closed) {
                    WatchResponse response = stream.next(BEAT);
                    if (response != null) {
                        apply(response);
                    }
                }
            } catch (CompactedException e) {
                resume(e.oldest());
            } catch (StoreException e) {
                if (!closed) {
                    LOG.info("watching etcd again: {}", e.getMessage());
                    pause(100);
                }
            } catch (RuntimeException e) {
                if (!closed) {
                    LOG.warn("watching etcd again", e);
                    pause(1_000);
                }
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    private void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void apply(WatchResponse response) {
        long present = revision();
        Map<Long, List<Change>> commits = new LinkedHashMap<>(); // the events of a commit are together
        response.getEventsList().forEach(event -> {
            KeyValue stored = event.getKv();
            if (stored.getModRevision() > present) {
                keys.find(stored)
                        .ifPresent(key -> commits.computeIfAbsent(stored.getModRevision(), r -> new ArrayList<>())
                                .add(new Change(
                                        key, 0, event.getType() == EventType.DELETE ? null : value(key, stored))));
            }
        });
        commits.forEach(this::publish);
        arrivals.signal();
    }

    /** Returns the value that was committed here, if it is that one: it knows more than its encoding. */
    private @Nullable Value value(Key key, KeyValue stored) {
        byte[] bytes = stored.getValue().toByteArray();
        Value own = writing.remove(key);
        return own != null && Arrays.equals(Packing.packed(own.bytes()), bytes)
                ? own
                : contents.value(key, bytes).orElse(null);
    }

    /**
     * Handles that etcd has forgotten revisions after the one in memory: starts from the present state if there were commits
     * in between.
     */
    private void resume(long oldest) {
        try {
            if (contents.head() <= revision()) {
                followed = oldest;
                return;
            }
            LOG.warn("etcd has forgotten changes that this server has not seen: all watches start again");
            Contents.State state = contents.load(0);
            if (state.revision() > revision()) {
                reset(state.revision(), state.entries());
                followed = state.at();
            }
            arrivals.signal();
        } catch (StoreException e) {
            LOG.info("cannot read etcd: {}", e.getMessage());
            pause(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs on the thread of the heartbeat. */
    private void beat() {
        while (!closed) {
            try {
                arrivals.await(barrier.pass(), timeout);
                reached = clock.instant();
                if (outage.isPresent()) {
                    LOG.info("etcd can be reached again");
                    outage = Optional.empty();
                }
                compaction.run();
                TimeUnit.MILLISECONDS.sleep(BEAT.toMillis());
            } catch (InterruptedException e) {
                return; // closed
            } catch (RuntimeException e) {
                if (outage.isEmpty() && !closed) {
                    LOG.warn("etcd cannot be reached: {}", e.getMessage());
                }
                outage = Optional.of(new Outage(reached, String.valueOf(e.getMessage())));
                pause(BEAT.toMillis());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        entrance.writeLock().lock(); // after the commits under way
        try {
            super.close();
        } finally {
            entrance.writeLock().unlock();
        }
        follower.interrupt();
        heart.interrupt();
        connection.close();
    }
}
