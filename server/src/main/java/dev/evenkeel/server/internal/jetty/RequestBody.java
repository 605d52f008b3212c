package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.http.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: read whole, within limits of size and time, or discarded.
 *
 * <p><b>Problem.</b> Many requests are answered although their body was not read. A connection on which the rest of a
 * body still arrives cannot carry the next request, and a client that is disconnected while it sends loses the answer.
 *
 * <p>Hence the rest is discarded after the answer, up to twice the size of the longest body that is accepted, and the
 * exchange ends with it. Discarding takes no thread: it continues when more bytes arrive. Used by one thread at a time.
 */
final class RequestBody {
    private final Request request;
    private final Server.Limits limits;
    private final long started = System.nanoTime();
    private long read;
    private boolean ended;

    RequestBody(Request request, Server.Limits limits) {
        this.request = request;
        this.limits = limits;
    }

    /**
     * Reads the whole body, waiting for it.
     *
     * @throws dev.evenkeel.client.ApiException when it is too large, or does not arrive in time
     */
    byte[] bytes() {
        int limit = limits.maxBodyBytes();
        long length = request.getLength();
        if (length > limit) {
            throw Failures.tooLarge(limit);
        }
        byte[] bytes = new byte[length < 0 ? 4096 : (int) length];
        int size = 0;
        try {
            while (!ended && size != length) {
                Content.Chunk chunk = next();
                int more = chunk.remaining();
                if (size + more > bytes.length && size + more <= limit) {
                    bytes = Arrays.copyOf(bytes, Math.min(limit, Math.max(size + more, 2 * bytes.length)));
                }
                if (size + more <= bytes.length) {
                    chunk.getByteBuffer().get(bytes, size, more);
                }
                size += more;
                chunk.release();
                if (size > limit) {
                    throw Failures.tooLarge(limit);
                }
            }
            if (size < length) {
                throw new IOException("the body ended early");
            }
        } catch (IOException e) {
            if (e.getCause() instanceof TimeoutException || e instanceof InterruptedIOException) {
                throw Failures.of(408, "Timeout", "the body of the request did not arrive in time");
            }
            throw new UncheckedIOException(e);
        }
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    /** Returns the next piece, waiting for it; the whole body must arrive in time, however small its pieces. */
    private Content.Chunk next() throws IOException {
        while (true) {
            Content.Chunk chunk = read();
            if (chunk == null) {
                if (late()) {
                    throw new InterruptedIOException("slow body");
                }
                try (var blocker = Blocker.runnable()) {
                    request.demand(blocker);
                    blocker.block();
                }
            } else if (Content.Chunk.isFailure(chunk)) {
                throw new IOException(chunk.getFailure());
            } else {
                return chunk;
            }
        }
    }

    private Content.@Nullable Chunk read() {
        Content.Chunk chunk = request.read();
        if (chunk != null) {
            read += chunk.remaining();
            ended = chunk.isLast() || Content.Chunk.isFailure(chunk);
        }
        return chunk;
    }

    private boolean late() {
        return System.nanoTime() - started > limits.bodyTimeout().toNanos();
    }

    /**
     * Discards the bytes that have arrived.
     *
     * @return true if the rest is known to be short enough to be discarded as well
     */
    boolean discardArrived() {
        discardPart();
        return ended || (request.getLength() >= 0 && request.getLength() <= mostDiscarded());
    }

    /** Discards the rest as it arrives, and then completes the exchange. */
    void discard(Callback exchange) {
        if (!discardPart()) {
            request.demand(() -> discard(exchange));
            return;
        }
        Stream stream = ended ? null : stream();
        if (stream == null) {
            exchange.succeeded();
        } else {
            // the reset that makes a client stop sending and leaves it the answer
            stream.reset(new ResetFrame(stream.getId(), ErrorCode.NO_ERROR.code), exchange);
        }
    }

    /** Returns the stream of HTTP/2 that carries the request; null when it is closed, and over HTTP/1.1. */
    private @Nullable Stream stream() {
        return request.getConnectionMetaData().getConnection() instanceof HTTP2Connection connection
                ? connection.getSession().getStream(Integer.parseInt(request.getId()))
                : null;
    }

    /** Discards the bytes that have arrived; returns true if that was all, or no more are to be awaited. */
    private boolean discardPart() {
        while (!ended && read <= mostDiscarded() && !late()) {
            Content.Chunk chunk = read();
            if (chunk == null) {
                // a client that waits for permission to send its body will not send it after a final answer
                return read == 0 && request.getHeaders().contains(HttpHeader.EXPECT);
            }
            chunk.release();
        }
        return true;
    }

    private long mostDiscarded() {
        return 2L * limits.maxBodyBytes();
    }
}
