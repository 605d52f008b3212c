package dev.evenkeel.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response, or the messages of a WebSocket, read while they are received.
 *
 * <p>The JDK's own stream has no timeout: a peer that vanished would block its reader indefinitely. Here a read ends
 * when no data arrived for a while, when the thread is interrupted, or when another thread closes the body. Read by one
 * thread; unread data holds the sender back after a few buffers.
 */
final class ResponseBody extends InputStream implements HttpResponse.BodySubscriber<ResponseBody> {
    private static final int AHEAD = 4;

    private record Chunk(List<ByteBuffer> buffers, boolean end) {
        static final Chunk END = new Chunk(List.of(), true);
    }

    private final LinkedBlockingQueue<Chunk> queue = new LinkedBlockingQueue<>();
    private final ArrayDeque<ByteBuffer> taken = new ArrayDeque<>();
    private final Duration patience;
    private volatile Flow.@Nullable Subscription subscription;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    /** True when everything was received: over HTTP/2, to cancel it nevertheless would reset the stream. */
    private volatile boolean received;

    private boolean ended;

    /** @param patience the maximum time that a read waits for the next bytes; zero for no limit */
    ResponseBody(Duration patience) {
        this.patience = patience;
    }

    @Override
    public CompletionStage<ResponseBody> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (closed) {
            given.cancel();
        } else {
            given.request(AHEAD);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        queue.add(new Chunk(buffers, false));
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
        received = true;
        queue.add(Chunk.END);
    }

    @Override
    public void onComplete() {
        received = true;
        queue.add(Chunk.END);
    }

    /** Returns whether a read would return at once. */
    boolean ready() {
        while (!closed && !ended && head() == null) {
            Chunk chunk = queue.poll();
            if (chunk == null) {
                return false;
            }
            take(chunk);
        }
        return true;
    }

    /** Returns the buffer of the next byte; null when that has not been taken yet. */
    private @Nullable ByteBuffer head() {
        ByteBuffer head = taken.peek();
        while (head != null && !head.hasRemaining()) {
            taken.remove();
            head = taken.peek();
        }
        return head;
    }

    private void take(Chunk chunk) {
        ended = chunk.end;
        taken.addAll(chunk.buffers);
        Flow.Subscription source = subscription;
        if (source != null && !chunk.end) {
            source.request(1);
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        ByteBuffer head = next();
        if (head == null) {
            return end();
        }
        int n = Math.min(length, head.remaining());
        head.get(target, offset, n);
        return n;
    }

    /** Reads without the JDK's buffers of 16 KB: most bodies are one buffer, of the size that is returned. */
    @Override
    public byte[] readNBytes(int length) throws IOException {
        byte[] bytes = {};
        int count = 0;
        while (count < length) {
            ByteBuffer head = next();
            if (head == null) {
                int unused = end();
                break;
            }
            int n = Math.min(length - count, head.remaining());
            if (n > bytes.length - count) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, Math.max(count + (long) n, 2L * bytes.length)));
            }
            head.get(bytes, count, n);
            count += n;
        }
        return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
    }

    /** Returns the buffer of the next byte, when it is there; null at the end. */
    private @Nullable ByteBuffer next() throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("closed");
            }
            ByteBuffer head = head();
            if (head != null || ended) {
                return head;
            }
            take(await());
        }
    }

    private Chunk await() throws IOException {
        try {
            Chunk chunk = patience.isZero() ? queue.take() : queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (chunk == null) {
                throw new HttpTimeoutException("no data for " + patience.toMillis() + " ms");
            }
            return chunk;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private int end() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
        }
        return -1;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    boolean closed() {
        return closed;
    }

    /** Discards the rest; a waiting read fails. Callable from any thread. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription source = subscription;
        if (source != null && !received) {
            source.cancel();
        }
        queue.add(Chunk.END);
    }
}
