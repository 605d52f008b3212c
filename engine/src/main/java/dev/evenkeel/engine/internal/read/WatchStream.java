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
     * Returns the next events, at most {@code max}; empty when there are none now. No events follow {@link
     * WatchEvent.Failed}.
     */
    List<WatchEvent> poll(int max);

    /**
     * Waits for the next events and returns at least one.
     *
     * @return empty when the watch ended
     * @throws InterruptedException when the thread is interrupted
     */
    List<WatchEvent> take(int max) throws InterruptedException;

    /**
     * Waits a limited time for the next events and returns at least one.
     *
     * @return empty when the watch ended, or when there was none in that time
     * @throws InterruptedException when the thread is interrupted
     */
    List<WatchEvent> take(int max, Duration wait) throws InterruptedException;

    /** Returns a bookmark of the position of the watch: all events up to there were polled. */
    WatchEvent.Bookmark bookmark();

    /** Returns true if the watch is over. */
    boolean closed();

    /** Ends the watch. */
    @Override
    void close();
}
