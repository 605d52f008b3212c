package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.http.EventSink;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer of bytes. The consumer gets a piece for each call of {@link AsyncBody#consume}, one after the other, on the
 * thread that answers or that asks for it. The producer of events waits when too many were not asked for, and they are
 * delivered by another thread.
 */
final class LocalResponse implements LocalTransport.Receiver {
    private static final int MOST_PIECES = 64;

    private final HttpRequest request;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final Executor threads;
    private final CompletableFuture<HttpResponse<AsyncBody>> begun = new CompletableFuture<>();
    private final Body body = new Body();

    LocalResponse(HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer, Executor threads) {
        this.request = request;
        this.consumer = consumer;
        this.threads = threads;
    }

    CompletableFuture<HttpResponse<AsyncBody>> begun() {
        return begun;
    }

    @Override
    public void begin(int status, Map<String, List<String>> headers) {
        begun.complete(new Response(status, headers, request, body));
    }

    @Override
    public void piece(ByteBuffer bytes) throws IOException {
        body.add(bytes);
    }

    @Override
    public void end() {
        body.end(null);
    }

    @Override
    public void fail(Throwable why) {
        IOException failure = why instanceof IOException io ? io : new IOException(why);
        begun.completeExceptionally(failure);
        body.end(failure);
    }

    @Override
    public void events(Map<String, List<String>> headers, Function<EventSink, Runnable> opened) {
        body.endless();
        begin(200, headers);
        body.gone(opened.apply(new EventSink() {
            @Override
            public void send(List<byte[]> events) throws IOException {
                for (byte[] event : events) {
                    body.add(ByteBuffer.wrap(event));
                }
            }

            @Override
            public void end() {
                body.end(null);
            }

            @Override
            public void abort(Throwable why) {
                body.end(why);
            }

            @Override
            public boolean alive() {
                return !body.done().isDone();
            }
        }));
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody> {
        private final int code;
        private final HttpRequest request;
        private final AsyncBody body;

        Response(int code, Map<String, List<String>> headers, HttpRequest request, AsyncBody body) {
            super(headers);
            this.code = code;
            this.request = request;
            this.body = body;
        }

        @Override
        public int code() {
            return code;
        }

        @Override
        public AsyncBody body() {
            return body;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }
    }

    private final class Body implements AsyncBody {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final Queue<ByteBuffer> pieces = new ArrayDeque<>();
        private Runnable gone = () -> {};
        private int wanted;
        private boolean endless;
        private boolean delivering;
        private boolean ended;
        private @Nullable Throwable failure;

        void add(ByteBuffer piece) throws IOException {
            synchronized (this) {
                awaitRoom();
                if (done.isDone()) {
                    throw new IOException("the client has cancelled its request");
                }
                pieces.add(piece);
            }
            deliver();
        }

        private void awaitRoom() throws IOException {
            try {
                while (endless && pieces.size() >= MOST_PIECES && !done.isDone()) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the client did not read");
            }
        }

        void end(@Nullable Throwable why) {
            synchronized (this) {
                ended = true;
                failure = why;
            }
            deliver();
        }

        synchronized void endless() {
            endless = true;
        }

        synchronized void gone(Runnable value) {
            gone = value;
        }

        @Override
        public void consume() {
            synchronized (this) {
                wanted++;
            }
            deliver();
        }

        /** Delivers on one thread at a time: the caller, or another one for events. */
        private void deliver() {
            boolean here;
            synchronized (this) {
                here = !endless;
                if (delivering || !((ended && pieces.isEmpty()) || (wanted > 0 && !pieces.isEmpty()))) {
                    return;
                }
                delivering = true;
            }
            if (here) {
                drain();
            } else {
                threads.execute(this::drain);
            }
        }

        private void drain() {
            while (true) {
                ByteBuffer piece;
                synchronized (this) {
                    if (done.isDone() || (pieces.isEmpty() && ended)) {
                        finish();
                        return;
                    }
                    if (wanted == 0 || pieces.isEmpty()) {
                        delivering = false;
                        return;
                    }
                    wanted--;
                    piece = pieces.remove();
                    notifyAll();
                }
                try {
                    consumer.consume(List.of(piece), this);
                } catch (Exception e) {
                    done.completeExceptionally(e);
                    stop();
                }
            }
        }

        private void finish() {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
            stop();
        }

        private void stop() {
            Runnable stopping;
            synchronized (this) {
                pieces.clear();
                notifyAll();
                stopping = gone;
            }
            stopping.run();
        }
    }
}
