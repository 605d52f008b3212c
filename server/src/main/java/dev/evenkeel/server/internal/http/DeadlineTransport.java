package dev.evenkeel.server.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request whose handler takes too long.
 *
 * <p><b>Problem.</b> A handler may wait for a webhook, a store, a lock or its client. It cannot be stopped everywhere
 * without the risk that a write is done halfway, and its client must have an answer in time all the same. As upstream,
 * the client receives its answer from a timer, and the handler continues without one.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>The client receives one answer: that of the handler if it began in time, else that of the timer. An answer of the
 *       handler that has begun and is not complete in time is aborted.
 *   <li>Of the answer of the timer, the handler cannot change anything: what it writes afterwards fails, as if the client
 *       were gone. Its headers are held back until it begins its answer.
 *   <li>While the handler reads the body, which the timer must not do at the same time, the handler itself answers.
 * </ol>
 *
 * <p><b>Concurrency.</b> Handler and timer; the state changes under the monitor of this object, which is not held while
 * bytes are sent.
 *
 * <p><b>Cost.</b> A task of a timer for each request, which is removed with the answer.
 */
public final class DeadlineTransport implements Transport {
    /** The headers that the answer of the timer has too. */
    private static final Set<String> COMMON = Set.of("Audit-Id", "Cache-Control");

    private enum State {
        OPEN,
        BEGUN,
        ENDED,
        EXPIRED
    }

    private record Header(String name, String value, boolean replaces) {}

    private record Timer(Expiry expiry, long deadline, Future<?> task) {}

    private final Transport inner;
    private final ScheduledExecutorService timers;
    private final Executor threads;
    private final List<Header> headers = new ArrayList<>(6);
    private State state = State.OPEN;
    private int status;
    private boolean closes;
    private boolean reading;
    private @Nullable Timer timer;

    /**
     * Wraps a transport.
     *
     * @param timers starts the answers of requests that take too long
     * @param threads sends these answers
     */
    public DeadlineTransport(Transport inner, ScheduledExecutorService timers, Executor threads) {
        this.inner = inner;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public synchronized void expire(Expiry expiry) {
        long deadline = System.nanoTime() + expiry.after().toNanos();
        Timer present = timer;
        if (state != State.OPEN || (present != null && present.deadline - deadline <= 0)) {
            return;
        }
        stopTimer();
        Future<?> task = timers.schedule(
                () -> threads.execute(this::expireNow), expiry.after().toNanos(), TimeUnit.NANOSECONDS);
        timer = new Timer(expiry, deadline, task);
        inner.bodyDeadline(deadline);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.task.cancel(false);
        }
    }

    /** Called by the timer. */
    private void expireNow() {
        boolean begun;
        Timer due;
        synchronized (this) {
            due = timer;
            if (due == null || reading || state == State.ENDED || state == State.EXPIRED) {
                return;
            }
            begun = state == State.BEGUN;
            state = State.EXPIRED;
        }
        answer(due.expiry, begun);
    }

    private void answer(Expiry expiry, boolean begun) {
        expiry.expired().run();
        if (begun) {
            inner.abort(new IOException("the answer took too long"));
            return;
        }
        inner.status(504);
        for (Header header : headers) {
            if (COMMON.contains(header.name)) {
                inner.setHeader(header.name, header.value);
            }
        }
        inner.setHeader("Content-Type", expiry.contentType());
        inner.closeConnection(); // it is not free for another request before the handler returns
        try {
            inner.write(true, ByteBuffer.wrap(expiry.body().get()));
            inner.end();
        } catch (IOException e) {
            inner.abort(e);
        }
    }

    /** Begins the answer of the handler. */
    private synchronized void begin() throws IOException {
        switch (state) {
            case EXPIRED -> throw new IOException("the time for the request is over");
            case BEGUN, ENDED -> {}
            case OPEN -> {
                state = State.BEGUN;
                if (closes) {
                    inner.closeConnection();
                }
                if (status != 0) {
                    inner.status(status);
                }
                for (Header header : headers) {
                    if (header.replaces) {
                        inner.setHeader(header.name, header.value);
                    } else {
                        inner.addHeader(header.name, header.value);
                    }
                }
            }
        }
    }

    @Override
    public void write(boolean last, ByteBuffer bytes) throws IOException {
        begin();
        inner.write(last, bytes);
    }

    @Override
    public void end() {
        if (ends()) {
            inner.end();
        }
    }

    @Override
    public void abort(Throwable why) {
        if (ends()) {
            inner.abort(why);
        }
    }

    /** Returns true if the exchange is the handler's to end. */
    private synchronized boolean ends() {
        if (state == State.EXPIRED) {
            return false;
        }
        state = State.ENDED;
        stopTimer();
        return true;
    }

    @Override
    public void stream(String contentType, boolean binary, Function<EventSink, Runnable> opened) throws IOException {
        begin();
        inner.stream(contentType, binary, opened);
    }

    @Override
    public void tunnel(InputStream in, Socket server) throws IOException {
        begin();
        if (ends()) {
            inner.tunnel(in, server);
        } else {
            server.close();
        }
    }

    @Override
    public byte[] body() {
        synchronized (this) {
            if (state == State.EXPIRED) {
                throw gone();
            }
            reading = true;
        }
        byte[] bytes = {};
        Optional<RuntimeException> failure = Optional.empty();
        try {
            bytes = inner.body();
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        }
        Timer due = read();
        if (due != null) {
            answer(due.expiry, false);
            throw gone(); // whatever the body was
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return bytes;
    }

    /** Ends the reading of the body; returns the timer if its time is over. */
    private synchronized @Nullable Timer read() {
        reading = false;
        Timer due = timer;
        if (due == null || state != State.OPEN || due.deadline - System.nanoTime() > 0) {
            return null;
        }
        stopTimer();
        state = State.EXPIRED;
        return due;
    }

    private static RuntimeException gone() {
        return new UncheckedIOException(new IOException("the time for the request is over"));
    }

    @Override
    public synchronized int status() {
        return state == State.EXPIRED ? 504 : status != 0 ? status : inner.status();
    }

    @Override
    public synchronized void status(int code) {
        status = code;
        if (state == State.BEGUN) {
            inner.status(code);
        }
    }

    @Override
    public synchronized void setHeader(String name, String value) {
        if (state == State.BEGUN) {
            inner.setHeader(name, value);
        } else {
            headers.removeIf(header -> header.name.equals(name));
            headers.add(new Header(name, value, true));
        }
    }

    @Override
    public synchronized void addHeader(String name, String value) {
        if (state == State.BEGUN) {
            inner.addHeader(name, value);
        } else {
            headers.add(new Header(name, value, false));
        }
    }

    @Override
    public synchronized boolean committed() {
        return state == State.EXPIRED || inner.committed();
    }

    @Override
    public synchronized void closeConnection() {
        closes = true;
        if (state == State.BEGUN) {
            inner.closeConnection();
        }
    }

    @Override
    public String method() {
        return inner.method();
    }

    @Override
    public String path() {
        return inner.path();
    }

    @Override
    public String query() {
        return inner.query();
    }

    @Override
    public String host() {
        return inner.host();
    }

    @Override
    public int port() {
        return inner.port();
    }

    @Override
    public String remoteAddress() {
        return inner.remoteAddress();
    }

    @Override
    public Set<String> headers() {
        return inner.headers();
    }

    @Override
    public List<String> headers(String name) {
        return inner.headers(name);
    }

    @Override
    public List<X509Certificate> certificates() {
        return inner.certificates();
    }

    @Override
    public boolean withoutBody() {
        return inner.withoutBody();
    }

    @Override
    public void user(String name) {
        inner.user(name);
    }
}
