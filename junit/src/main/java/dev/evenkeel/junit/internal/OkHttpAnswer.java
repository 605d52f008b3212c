package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.http.EventSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * An answer for OkHttp, whose body the client reads while it is written. The producer of events waits while too much was
 * not read.
 */
final class OkHttpAnswer implements LocalTransport.Receiver, EventSink, Source {
    private static final long MOST_BYTES = 1 << 20;
    private static final long CHECK_MILLIS = 100;

    private final Call call;
    private final Buffer unread = new Buffer();
    private Map<String, List<String>> headers = Map.of();
    private Runnable gone = () -> {};
    private int status;
    private boolean ended;
    private boolean closed;
    private @Nullable Throwable failure;

    OkHttpAnswer(Call call) {
        this.call = call;
    }

    @Override
    public synchronized void begin(int code, Map<String, List<String>> values) {
        status = code;
        headers = Map.copyOf(values);
        notifyAll();
    }

    @Override
    public synchronized void piece(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        var unused = unread.write(copy);
        notifyAll();
    }

    @Override
    public synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized void fail(Throwable why) {
        ended = true;
        failure = why;
        notifyAll();
    }

    @Override
    public void events(Map<String, List<String>> values, Function<EventSink, Runnable> opened) {
        begin(200, values);
        Runnable stop = opened.apply(this);
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
        while (unread.size() > MOST_BYTES && alive()) {
            pause("interrupted while the client did not read");
        }
        if (!alive()) {
            throw new IOException("the client has closed its watch");
        }
        events.forEach(event -> {
            var unused = unread.write(event);
        });
        notifyAll();
    }

    @Override
    public void abort(Throwable why) {
        fail(why);
    }

    @Override
    public synchronized boolean alive() {
        return !closed && !call.isCanceled();
    }

    /** Waits until the answer has begun, and returns it. */
    Response response(Request request) throws IOException {
        synchronized (this) {
            while (status == 0 && !ended) {
                check();
                pause("interrupted while waiting for an answer");
            }
            check();
            Response.Builder answer = new Response.Builder()
                    .request(request)
                    .protocol(Protocol.HTTP_1_1)
                    .code(status)
                    .message("")
                    .headers(headers());
            String type = headers.getOrDefault("Content-Type", List.of("application/json"))
                    .getFirst();
            return answer.body(ResponseBody.create(Okio.buffer(this), MediaType.parse(type), -1))
                    .build();
        }
    }

    private Headers headers() {
        Headers.Builder all = new Headers.Builder();
        headers.forEach((name, values) -> values.forEach(value -> {
            var unused = all.add(name, value);
        }));
        return all.build();
    }

    private void check() throws IOException {
        if (call.isCanceled()) {
            throw new IOException("Canceled");
        }
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    private void pause(String interrupted) throws IOException {
        try {
            // a cancelled call wakes no one
            TimeUnit.MILLISECONDS.timedWait(this, CHECK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(interrupted);
        }
    }

    @Override
    public synchronized long read(Buffer sink, long bytes) throws IOException {
        while (unread.exhausted()) {
            if (closed) {
                throw new IOException("closed");
            }
            check();
            if (ended) {
                return -1;
            }
            pause("interrupted while reading an answer");
        }
        notifyAll();
        return unread.read(sink, bytes);
    }

    @Override
    public Timeout timeout() {
        return Timeout.NONE;
    }

    @Override
    public void close() {
        Runnable stop;
        synchronized (this) {
            closed = true;
            notifyAll();
            stop = gone;
        }
        stop.run();
    }
}
