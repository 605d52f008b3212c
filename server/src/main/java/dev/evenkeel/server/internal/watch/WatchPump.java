package dev.evenkeel.server.internal.watch;

import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.server.internal.http.EventSink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves the events of one watch from the engine to a connection.
 *
 * <p><b>Problem.</b> Thousands of watches are open, nearly all of them idle; then one write concerns all of them. An
 * idle watch should cost a few objects, no thread; a busy one should be drained in as few writes to its connection as
 * possible; and a client that does not read should delay only itself.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>At most one thread drains a watch at any time, so the stream is polled and the sink is used by one thread.
 *   <li>A signal is never lost: one that arrives during a drain makes it look again before it pauses.
 *   <li>However a watch ends, {@link #finish} runs exactly once, and afterwards nothing is polled or sent.
 *   <li>Bookmarks are only sent by the draining thread after a poll that found nothing, which makes them correct.
 * </ol>
 *
 * <p><b>Concurrency.</b> A watch is idle, draining, or draining with a signal pending; the three states are one atomic
 * number. Draining runs on a virtual thread and blocks there while the connection accepts the data. A timer thread
 * shared by all watches only signals, and aborts watches whose connection has accepted nothing for too long.
 *
 * <p><b>Cost.</b> Idle: this object, its sink and one timer entry. Draining: all pending events of up to 32 KiB are
 * sent in one write, so the more a watch lags, the cheaper each event gets. With very many watches, a write to each
 * connection for each event would leave the writers no processor time; therefore a watch that has just sent something
 * pauses for a while that grows with the number of watches, and then sends the events that arrived since. Events after
 * a quiet period are sent at once.
 *
 * <p>A virtual thread per watch, parked in {@code take}, would be simpler, but a parked thread costs some kilobytes of
 * stack; and a queue per watch would cost what the shared log of the engine saves.
 */
public final class WatchPump implements Runnable {
    private static final int IDLE = 0;
    private static final int DRAINING = 1;
    private static final int SIGNALLED = 2;
    private static final int FINISHED = 3;

    private static final int BATCH_BYTES = 32 * 1024;
    private static final int BATCH_EVENTS = 512;
    private static final long LIVENESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MIN_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LAST_BOOKMARK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long NEVER = Long.MAX_VALUE;

    private final AtomicInteger state = new AtomicInteger(DRAINING);
    private final EventEncoder encoder;
    private final EventSink sink;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final Duration writeTimeout;
    /** The longest time between two checks: a write that takes too long is noticed in twice its time. */
    private final long livenessNanos;

    private final LongSupplier restNanos;
    private final LongConsumer sent;
    private final Consumer<WatchPump> onFinish;

    private final long bookmarkNanos;
    private final long deadline;
    private volatile long nextBookmark;
    private volatile long lastBookmark;
    private volatile @Nullable Future<?> nextTick;
    private @Nullable WatchStream stream;
    private volatile long writingSince;
    private volatile long lastSent;
    private volatile boolean stopping;

    /**
     * Creates a pump that does nothing until it is {@link #start started}.
     *
     * @param timeout when the watch ends
     * @param bookmarks the interval of bookmarks; zero for none
     * @param restNanos the pause between two sends, in nanoseconds
     * @param sent receives the number of events sent
     * @param onFinish called when the watch is over
     */
    WatchPump(
            EventEncoder encoder,
            EventSink sink,
            Executor executor,
            ScheduledExecutorService timer,
            Duration timeout,
            Duration bookmarks,
            Duration writeTimeout,
            LongSupplier restNanos,
            LongConsumer sent,
            Consumer<WatchPump> onFinish) {
        this.encoder = encoder;
        this.sink = sink;
        this.executor = executor;
        this.timer = timer;
        this.writeTimeout = writeTimeout;
        livenessNanos = Math.min(LIVENESS_NANOS, writeTimeout.toNanos());
        this.restNanos = restNanos;
        this.sent = sent;
        this.onFinish = onFinish;
        long now = System.nanoTime();
        lastSent = now - TimeUnit.SECONDS.toNanos(1);
        deadline = now + timeout.toNanos();
        bookmarkNanos = bookmarks.isZero() ? 0 : bookmarks.toNanos();
        nextBookmark = bookmarkNanos == 0 ? NEVER : now + bookmarkNanos;
        boolean roomForLast = bookmarkNanos > 0 && timeout.toNanos() > LAST_BOOKMARK_NANOS;
        lastBookmark = roomForLast ? deadline - LAST_BOOKMARK_NANOS : NEVER;
    }

    /** Starts; drains the available events on the calling thread. */
    void start(WatchStream events) {
        stream = events;
        tick();
        run();
    }

    /** Signals that events may be available. Never waits. */
    void signal() {
        while (true) {
            int now = state.get();
            if (now == SIGNALLED || now == FINISHED) {
                return;
            }
            if (now == DRAINING) {
                if (state.compareAndSet(DRAINING, SIGNALLED)) {
                    return;
                }
            } else if (state.compareAndSet(IDLE, DRAINING)) {
                drainSoon();
                return;
            }
        }
    }

    /** Drains at once, or when the pause after the last send is over. */
    private void drainSoon() {
        long rest = restNanos.getAsLong();
        long left = rest == 0 || stopping ? 0 : lastSent + rest - System.nanoTime();
        if (left <= 0) {
            executor.execute(this);
        } else {
            var unused = timer.schedule(() -> executor.execute(this), left, TimeUnit.NANOSECONDS);
        }
    }

    /** Ends the watch as soon as the available events were sent. */
    void stop() {
        stopping = true;
        signal();
    }

    @Override
    public void run() {
        WatchStream events = stream;
        if (events == null) {
            return;
        }
        try {
            do {
                state.set(DRAINING);
                if (!drain(events)) {
                    finish(true);
                    return;
                }
            } while (!state.compareAndSet(DRAINING, IDLE));
        } catch (IOException | RuntimeException e) {
            // the client is gone, or reads too slowly: it resumes after the events that were sent
            sink.abort(e);
            finish(false);
        }
    }

    /** Sends all available events; returns true if the watch continues. */
    private boolean drain(WatchStream events) throws IOException {
        List<byte[]> batch = new ArrayList<>();
        while (true) {
            List<WatchEvent> found = events.poll(BATCH_EVENTS);
            int bytes = 0;
            for (WatchEvent event : found) {
                byte[] line = encoder.encode(event);
                batch.add(line);
                bytes += line.length;
                if (bytes >= BATCH_BYTES) {
                    send(batch);
                    bytes = 0;
                }
                if (event instanceof WatchEvent.Failed) {
                    send(batch);
                    return false;
                }
            }
            send(batch);
            if (found.isEmpty()) {
                break;
            }
        }
        if (events.closed() || stopping) {
            return false;
        }
        long now = System.nanoTime();
        if (now - deadline >= 0) {
            return false;
        }
        if (due(nextBookmark, now) || due(lastBookmark, now)) {
            batch.add(encoder.encode(events.bookmark()));
            send(batch);
            nextBookmark = now + bookmarkNanos;
            if (due(lastBookmark, now)) {
                lastBookmark = NEVER;
            }
        }
        return true;
    }

    private static boolean due(long time, long now) {
        return time != NEVER && now - time >= 0;
    }

    private void send(List<byte[]> batch) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        writingSince = System.nanoTime() | 1;
        try {
            sink.send(batch);
        } finally {
            writingSince = 0;
        }
        lastSent = System.nanoTime();
        sent.accept(batch.size());
        batch.clear();
    }

    /**
     * Checks on the timer's thread if the watch must end, a bookmark is due, or the client is gone or stuck.
     * Reschedules itself until the watch is over.
     */
    private void tick() {
        if (state.get() == FINISHED) {
            return;
        }
        long now = System.nanoTime();
        long since = writingSince;
        long delay = Math.min(livenessNanos, deadline - now);
        if (since != 0) {
            long left = since + writeTimeout.toNanos() - now;
            if (left <= 0) {
                sink.abort(new TimeoutException("the client does not read its watch"));
                return;
            }
            delay = Math.min(left, livenessNanos);
        } else {
            long bookmark = nextBookmark;
            long last = lastBookmark;
            delay = Math.min(delay, bookmark == NEVER ? NEVER : bookmark - now);
            delay = Math.min(delay, last == NEVER ? NEVER : last - now);
            if (delay <= 0) {
                signal();
            } else if (state.get() == IDLE && !sink.alive()) {
                stop();
            }
        }
        nextTick = timer.schedule(this::tick, Math.max(delay, MIN_TICK_NANOS), TimeUnit.NANOSECONDS);
    }

    private void finish(boolean properly) {
        if (state.getAndSet(FINISHED) == FINISHED) {
            return;
        }
        Future<?> tick = nextTick;
        if (tick != null) {
            tick.cancel(false);
        }
        try {
            WatchStream events = stream;
            if (events != null) {
                events.close();
            }
            if (properly) {
                sink.end();
            }
        } finally {
            onFinish.accept(this);
        }
    }
}
