package dev.evenkeel.engine.internal.read;

import java.time.Duration;
import java.util.List;

/**
 * A running watch: a cursor, not a queue, so that a slow reader costs nothing but its own delay.
 *
 * <p>To be polled by one thread at a time. {@code onReady}, given when the watch was opened, is called once when a poll
 * that found nothing may find something; {@link #take} waits for that.
 */
public interface WatchStream extends AutoCloseable {
    /**
     * The next events, at most so many; empty when there are none now. After {@link WatchEvent.Failed} there is nothing
     * more.
     */
    List<WatchEvent> poll(int max);

    /**
     * The next events, at least one, waiting for them.
     *
     * @return empty when the watch ended
     * @throws InterruptedException when the thread is interrupted
     */
    List<WatchEvent> take(int max) throws InterruptedException;

    /**
     * The next events, at least one, waiting for them at most so long.
     *
     * @return empty when the watch ended, or when there was none in that time
     * @throws InterruptedException when the thread is interrupted
     */
    List<WatchEvent> take(int max, Duration wait) throws InterruptedException;

    /** A bookmark of where the watch stands: everything up to there was polled. */
    WatchEvent.Bookmark bookmark();

    /** Whether the watch is over. */
    boolean closed();

    /** Ends the watch. */
    @Override
    void close();
}
