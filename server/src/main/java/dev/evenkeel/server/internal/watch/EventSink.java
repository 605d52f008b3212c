package dev.evenkeel.server.internal.watch;

import java.io.IOException;
import java.util.List;

/** Where the events of one watch go: a connection, in one of its forms. Used by one thread at a time, but for abort. */
interface EventSink {
    /** Sends encoded events, in order, waiting until they are gone. */
    void send(List<byte[]> events) throws IOException;

    /** Ends the stream properly: the client sees an end, not a failure. */
    void end();

    /** Breaks the stream off; makes a {@link #send} that waits fail. From any thread. */
    void abort(Throwable why);

    /** Looks whether the client is still there, without waiting. */
    boolean alive();
}
