package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.access.internal.MemoryBudget;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.http.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
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
 *
 * <p>A body takes memory as it arrives, whatever length was declared, and from the {@link MemoryBudget}. It must arrive in
 * time, and after {@link #GRACE} faster than {@value #LEAST_RATE} bytes per second, so that slow clients do not occupy
 * what others need.
 */
final class RequestBody {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int LEAST_RATE = 1024;
    private static final int FIRST_BUFFER = 4096;

    private final Request request;
    private final Server.Limits limits;
    private final MemoryBudget budget;
    private final long started = System.nanoTime();
    private String user = "";
    private long taken;
    private long read;
    private boolean ended;
    private @Nullable Long deadline;

    RequestBody(Request request, Server.Limits limits, MemoryBudget budget) {
        this.request = request;
        this.limits = limits;
        this.budget = budget;
    }

    /** Sets the user for whom the memory is taken. */
    void user(String name) {
        user = name;
    }

    /** Sets when {@link #bytes} stops waiting. */
    void deadline(long nanoTime) {
        deadline = nanoTime;
    }

    private void take(long bytes) {
        if (!budget.take(user, bytes)) {
            throw Failures.tooManyRequests();
        }
        taken += bytes;
    }

    /** Gives back the memory: the request was processed. */
    void release() {
        if (taken > 0) {
            budget.giveBack(user, taken);
            taken = 0;
        }
    }

    /**
     * Reads the whole body, waiting for it.
     *
     * @throws dev.evenkeel.client.ApiException when it is too large, or does not arrive in time
     */
    @SuppressWarnings("ThreadPriorityCheck") // virtual threads do not take turns
    byte[] bytes() {
        int limit = limits.maxBodyBytes();
        long length = request.getLength();
        if (length > limit) {
            throw Failures.tooLarge(limit);
        }
        byte[] bytes = new byte[length < 0 ? FIRST_BUFFER : (int) Math.min(length, FIRST_BUFFER)];
        int size = 0;
        try {
            while (!ended && size != length) {
                Content.Chunk chunk = next();
                try {
                    int more = chunk.remaining();
                    if (size + more > bytes.length && size + more <= limit) {
                        int enough = Math.max(size + more, 2 * bytes.length);
                        int larger = Math.min(length < 0 ? limit : (int) length, enough);
                        take(larger - (taken == 0 ? 0 : bytes.length));
                        bytes = Arrays.copyOf(bytes, larger);
                    }
                    if (size + more <= bytes.length) {
                        chunk.getByteBuffer().get(bytes, size, more);
                    }
                    size += more;
                } finally {
                    chunk.release();
                }
                if (size > limit) {
                    throw Failures.tooLarge(limit);
                }
                Thread.yield(); // decrypting the next piece takes the time of small requests
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
                await();
            } else if (Content.Chunk.isFailure(chunk)) {
                throw new IOException(chunk.getFailure());
            } else {
                return chunk;
            }
        }
    }

    private void await() throws IOException {
        CountDownLatch arrived = new CountDownLatch(1);
        if (!late()) {
            request.demand(arrived::countDown);
        }
        try {
            long nanos = remainingNanos();
            if (deadline != null) {
                nanos = Math.min(nanos, deadline - System.nanoTime());
            }
            if (nanos <= 0 || !arrived.await(nanos, TimeUnit.NANOSECONDS)) {
                throw new InterruptedIOException("slow body");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
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
        return remainingNanos() <= 0;
    }

    /** Returns the time until which more must arrive: at most that for the whole body, less if it arrives too slowly. */
    private long remainingNanos() {
        long atLeastRate = GRACE.toNanos() + TimeUnit.SECONDS.toNanos(read / LEAST_RATE);
        return started + Math.min(limits.bodyTimeout().toNanos(), atLeastRate) - System.nanoTime();
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
