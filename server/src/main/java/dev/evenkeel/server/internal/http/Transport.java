package dev.evenkeel.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The carrier of a request and its answer: a connection of HTTP, or a call within this process.
 *
 * <p>Names of headers are compared without regard to case. Used by one thread at a time.
 */
public interface Transport {
    /** Returns the method, such as {@code GET}. */
    String method();

    /** Returns the path as it was sent, undecoded. */
    String path();

    /** Returns the query as it was sent, undecoded; empty when there is none. */
    String query();

    /** Returns the name of the server that the client addressed. */
    String host();

    /** Returns the port that the client addressed. */
    int port();

    /** Returns the address of the client; empty for a call within this process. */
    default String remoteAddress() {
        return "";
    }

    /** Returns the names of the headers of the request. */
    Set<String> headers();

    /** Returns the values of a header of the request, in order. */
    List<String> headers(String name);

    /** Returns the certificates by which the client has authenticated, its own first; empty when there are none. */
    List<X509Certificate> certificates();

    /** Returns true if the request announced that it has no body. */
    boolean withoutBody();

    /**
     * Reads the whole body, waiting for it.
     *
     * @throws dev.evenkeel.client.ApiException when it is too large, or does not arrive in time
     */
    byte[] body();

    /** Sets the name of the user who sends the request, for limits on what one user may occupy. */
    default void user(String name) {}

    /**
     * Sets when {@link #body} stops waiting, in the time of {@link System#nanoTime}; without effect for a call within this
     * process.
     */
    default void bodyDeadline(long nanoTime) {}

    /**
     * Sets the answer of a request that is not answered in time; the earliest of several counts. Calls within this process
     * have no such limit.
     */
    default void expire(Expiry expiry) {}

    /**
     * The answer of a request that is not answered in time: with code 504.
     *
     * @param after the time from now on
     * @param body called by another thread
     * @param expired called when the time is over
     */
    record Expiry(Duration after, String contentType, Supplier<byte[]> body, Runnable expired) {}

    /** Returns the code of the answer. */
    int status();

    /** Sets the code of the answer. */
    void status(int code);

    /** Sets a header of the answer, replacing its values. */
    void setHeader(String name, String value);

    /** Adds a value to a header of the answer. */
    void addHeader(String name, String value);

    /** Returns true if a part of the answer was sent, so that code and headers cannot change. */
    boolean committed();

    /** Sends a part of the answer, waiting until it is sent. */
    void write(boolean last, ByteBuffer bytes) throws IOException;

    /** Ends the exchange after the last part of the answer. */
    void end();

    /** Aborts the exchange, so that an answer that has begun cannot be mistaken for a complete one. */
    void abort(Throwable why);

    /**
     * Sends code and headers, and makes the connection of the client and another one into one. The exchange must not be used
     * afterwards.
     *
     * @param in what the other server sends
     * @param server the connection to it, which the transport closes
     * @throws IOException when the connection of the client cannot change its protocol
     */
    default void tunnel(InputStream in, Socket server) throws IOException {
        server.close();
        throw new IOException("this connection cannot change its protocol");
    }

    /** Announces that the connection carries no further request, if the answer still can. */
    void closeConnection();

    /**
     * Begins an answer of events that ends much later, and returns. The exchange must not be used afterwards.
     *
     * @param contentType the media type of the events
     * @param binary whether events are frames of protobuf
     * @param opened called when events can be sent, possibly by another thread; returns what to run when the client is
     *     gone
     */
    void stream(String contentType, boolean binary, Function<EventSink, Runnable> opened) throws IOException;
}
