package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.http.EventSink;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A socket that receives the events of a watch. As with a real one, the listener gets the first message unasked, each
 * further one after a {@link #request}, and is called by one thread at a time.
 */
final class LocalWebSocket implements LocalTransport.Receiver, WebSocket, EventSink {
    private static final int MOST_MESSAGES = 1000;

    private final HttpRequest request;
    private final WebSocket.Listener listener;
    private final Executor threads;
    private final CompletableFuture<WebSocketResponse> opened = new CompletableFuture<>();
    private final Queue<String> messages = new ArrayDeque<>();
    private Runnable gone = () -> {};
    private int wanted = 1;
    private boolean delivering;
    private boolean ended;
    private boolean closed;
    private @Nullable Throwable failure;
    private int code = 1000;

    LocalWebSocket(HttpRequest request, WebSocket.Listener listener, Executor threads) {
        this.request = request;
        this.listener = listener;
        this.threads = threads;
    }

    CompletableFuture<WebSocketResponse> opened() {
        return opened;
    }

    /** The answer is not an upgrade: a refusal. */
    @Override
    public void begin(int status, Map<String, List<String>> headers) {
        opened.complete(new WebSocketResponse(
                new WebSocketUpgradeResponse(request, status, headers),
                new IOException("the server answered with " + status)));
    }

    @Override
    public void piece(ByteBuffer bytes) {}

    @Override
    public void fail(Throwable why) {
        if (!opened.completeExceptionally(why instanceof IOException ? why : new IOException(why))) {
            abort(why);
        }
    }

    @Override
    public void events(Map<String, List<String>> headers, Function<EventSink, Runnable> begin) {
        listener.onOpen(this);
        opened.complete(new WebSocketResponse(new WebSocketUpgradeResponse(request, 101, headers), this));
        Runnable stop = begin.apply(this);
        boolean late;
        synchronized (this) {
            gone = stop;
            late = closed;
        }
        if (late) {
            stop.run();
        }
    }

    @Override
    public synchronized void send(List<byte[]> events) throws IOException {
        try {
            while (messages.size() >= MOST_MESSAGES && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the client did not read");
        }
        if (closed) {
            throw new IOException("the client has closed its socket");
        }
        events.forEach(event -> messages.add(new String(event, StandardCharsets.UTF_8)));
        deliver();
    }

    @Override
    public synchronized void end() {
        ended = true;
        deliver();
    }

    @Override
    public synchronized void abort(Throwable why) {
        ended = true;
        failure = why;
        deliver();
    }

    @Override
    public synchronized boolean alive() {
        return !closed;
    }

    @Override
    public synchronized void request() {
        wanted++;
        deliver();
    }

    private void deliver() {
        if (!delivering && !closed && ((ended && messages.isEmpty()) || (wanted > 0 && !messages.isEmpty()))) {
            delivering = true;
            threads.execute(this::drain);
        }
    }

    private void drain() {
        while (true) {
            String message;
            synchronized (this) {
                if (closed) {
                    return;
                }
                if (messages.isEmpty() && ended) {
                    break;
                }
                if (wanted == 0 || messages.isEmpty()) {
                    delivering = false;
                    return;
                }
                wanted--;
                message = messages.remove();
                notifyAll();
            }
            listener.onMessage(this, message);
        }
        close(code);
        Throwable why = failure;
        if (why == null) {
            listener.onClose(this, code, "");
        } else {
            listener.onError(this, why);
        }
    }

    /** Messages of clients of watches have no meaning. */
    @Override
    public boolean send(ByteBuffer buffer) {
        return alive();
    }

    @Override
    public boolean sendClose(int status, String reason) {
        if (!close(status)) {
            return false;
        }
        threads.execute(() -> listener.onClose(this, status, reason));
        return true;
    }

    private boolean close(int status) {
        Runnable stop;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            code = status;
            messages.clear();
            notifyAll();
            stop = gone;
        }
        stop.run();
        return true;
    }

    @Override
    public long queueSize() {
        return 0;
    }
}
