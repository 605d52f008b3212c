package dev.evenkeel.server.internal.http;

import java.io.IOException;
import java.util.List;

/**
 * The connection that receives the events of one watch, over HTTP or WebSocket. Used by one thread at a time, except
 * {@link #abort}.
 */
public interface EventSink {
    /** Sends encoded events, in order, waiting until they are sent. */
    void send(List<byte[]> events) throws IOException;

    /** Ends the stream properly: the client sees an end, not a failure. */
    void end();

    /** Aborts the stream and makes a waiting {@link #send} fail. From any thread. */
    void abort(Throwable why);

    /** Checks if the client is still connected, without waiting. */
    boolean alive();
}
