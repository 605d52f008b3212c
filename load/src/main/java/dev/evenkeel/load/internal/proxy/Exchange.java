package dev.evenkeel.load.internal.proxy;

import dev.evenkeel.load.internal.proxy.RequestCounters.Counters;
import dev.evenkeel.load.internal.proxy.Requests.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, on their way through a proxy.
 *
 * <p><b>Problem.</b> Bodies have any length, watches have no end, and either side may be slow, stop, or vanish at any time.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A piece of a body is read only after the piece before it was written: neither side can fill the memory.
 *   <li>A piece is written as soon as it was read: events of watches do not wait for further ones.
 *   <li>The request is counted once, before the client sees any of the answer; the bytes of a piece are counted before it
 *       is written.
 *   <li>An answer that ends early on one side is aborted on the other: it must not look complete.
 *   <li>The exchange ends once, and does not count as an open watch after that.
 * </ol>
 *
 * <p><b>Concurrency.</b> The copying of each body is serial, but both, the end of either side, and a cut may coincide. No
 * thread waits.
 */
final class Exchange {
    private static final String JSON = "application/json";

    private final ProxyHandler proxy;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final RequestInfo info;
    private final boolean http1;
    private final AtomicBoolean counted = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger halves = new AtomicInteger();

    /** Bytes of the request's body that were read before the request was counted. */
    private final AtomicLong uncounted = new AtomicLong();

    private volatile @Nullable Counters counters;
    private volatile boolean answered;
    private volatile org.eclipse.jetty.client.@Nullable Request sent;

    Exchange(ProxyHandler proxy, Request request, Response response, Callback callback) {
        this.proxy = proxy;
        this.request = request;
        this.response = response;
        this.callback = callback;
        String query = request.getHttpURI().getQuery();
        info = RequestInfo.of(
                request.getMethod(),
                request.getHttpURI().getPath(),
                query == null ? "" : query,
                header(HttpHeader.CONTENT_TYPE));
        http1 = request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2;
    }

    String header(HttpHeader name) {
        String value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    /** Sends the request to the API server, and its answer to the client. */
    void forward(Upstream upstream) {
        String token = upstream.token();
        var onward =
                upstream.request(request.getMethod(), request.getHttpURI().getPathQuery(), request.getHeaders(), token);
        if (hasBody()) {
            onward.body(new Body());
        }
        onward.onResponseContentSource((answer, body) -> {
            if (answer.getStatus() == 401) {
                proxy.execute(() -> upstream.refused(token));
            }
            answered = true;
            begin(answer, new Answer(onward, body));
        });
        sent = onward;
        request.addFailureListener(this::fail);
        onward.send(this::sent);
    }

    /** Returns whether the request has a body; one of unknown length may turn out to be empty. */
    private boolean hasBody() {
        if (request.getLength() >= 0) {
            return request.getLength() > 0;
        }
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return http1 ? request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING) : !reads;
    }

    private void begin(org.eclipse.jetty.client.Response answer, Content.Source body) {
        int status = answer.getStatus();
        Counters found = count(status);
        if (found == null) {
            return;
        }
        boolean watch = info.isWatch() && status == 200;
        if (watch) {
            proxy.opened(this);
            if (ended.get()) {
                proxy.ended(this);
                return;
            }
        }
        response.setStatus(status);
        Upstream.passed(
                answer.getHeaders(), (name, field) -> response.getHeaders().add(field));
        boolean lines = watch
                && contentType(answer).startsWith(JSON)
                && !answer.getHeaders().contains(HttpHeader.CONTENT_ENCODING);
        Content.Sink counting = (last, bytes, done) -> {
            if (bytes != null && bytes.hasRemaining()) {
                found.sent.add(bytes.remaining());
                if (lines) {
                    found.events.add(lines(bytes));
                }
            }
            response.write(last, bytes, done);
        };
        Callback copied = Callback.from(http1 ? this::end : this::half, this::fail);
        proxy.delayed(() -> {
            if (ended.get()) {
                return;
            }
            if (watch) {
                // clients trust a watch when they have its headers, and the first event may be hours away
                Runnable copy = () -> Content.copy(body, counting, copied);
                response.write(false, BufferUtil.EMPTY_BUFFER, Callback.from(copy, this::fail));
            } else {
                Content.copy(body, counting, copied);
            }
        });
    }

    private static String contentType(org.eclipse.jetty.client.Response answer) {
        HttpField field = answer.getHeaders().getField(HttpHeader.CONTENT_TYPE);
        return field == null || field.getValue() == null ? "" : field.getValue();
    }

    /** Counts line feeds: each ends an event, as JSON has none within strings, and servers do not indent events. */
    private static int lines(ByteBuffer bytes) {
        int lines = 0;
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) == '\n') {
                lines++;
            }
        }
        return lines;
    }

    private void sent(Result result) {
        Throwable failure = result.getFailure();
        if (failure == null || (answered && result.getResponseFailure() == null)) {
            // an answer before the end of the request, such as 413, is complete nevertheless
            half();
        } else if (answered) {
            fail(failure);
        } else if (!counted.get()) {
            ProxyHandler.LOG.debug("no answer from the API server", failure);
            refuse(new Refusal(502, "no answer from the API server: " + failure.getMessage()));
        }
    }

    /** Answers in the place of the API server. */
    void refuse(Refusal refusal) {
        byte[] body = refusal.body();
        Counters found = count(refusal.status());
        if (found == null) {
            return;
        }
        found.sent.add(body.length);
        response.setStatus(refusal.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
        if (refusal.retried()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        proxy.delayed(() -> response.write(true, ByteBuffer.wrap(body), Callback.from(this::end, this::fail)));
    }

    /**
     * Refuses a WebSocket, by an answer without an upgrade: fabric8's client then opens a watch without one, and does not
     * take the API for failing, as it would after a 503.
     */
    void refuseUpgrade() {
        counted.set(true);
        proxy.count(new Labels(header(HttpHeader.USER_AGENT), "upgrade", info.resource(), info.namespace(), 200));
        response.setStatus(200);
        if (http1) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, BufferUtil.EMPTY_BUFFER, Callback.from(this::end, this::fail));
    }

    /** Counts the request, and returns the counters of its labels; null if it was counted before, as it has ended. */
    private @Nullable Counters count(int status) {
        if (counted.getAndSet(true)) {
            return null;
        }
        Counters found = proxy.count(
                new Labels(header(HttpHeader.USER_AGENT), info.verb(), info.resource(), info.namespace(), status));
        counters = found;
        found.received.add(uncounted.getAndSet(0));
        return found;
    }

    /** Ends the exchange when both the answer was written and the request was sent. */
    private void half() {
        if (halves.incrementAndGet() == 2) {
            end();
        }
    }

    private void end() {
        if (!ended.getAndSet(true)) {
            proxy.ended(this);
            if (http1) {
                callback.succeeded();
            } else {
                discard();
            }
        }
    }

    /**
     * Reads the rest of the request before the exchange is over: Jetty would cancel its stream, and a client that is still
     * sending would lose the answer. Over HTTP/1.1, Jetty closes the connection if need be.
     */
    private void discard() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this::discard);
                return;
            }
            boolean last = chunk.isLast();
            chunk.release();
            if (last) {
                callback.succeeded();
                return;
            }
        }
    }

    /** Ends the exchange on both sides, at once. */
    void fail(Throwable why) {
        if (ended.getAndSet(true)) {
            return;
        }
        proxy.ended(this);
        count(0);
        var onward = sent;
        if (onward != null) {
            var unused = onward.abort(why);
        }
        callback.failed(why instanceof EofException ? why : new EofException(why));
        if (http1) {
            endPoint().close(why);
        }
    }

    private EndPoint endPoint() {
        return request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /**
     * Ends the exchange if the client is gone. The connection of HTTP/1.1 is not read during an answer, so that its end
     * would be detected only at the next event; a client that sends more before the end violates the protocol.
     */
    void check() {
        if (!http1 || ended.get()) {
            return;
        }
        try {
            if (endPoint().isOpen() && endPoint().fill(BufferUtil.allocate(64)) == 0) {
                return;
            }
            fail(new EofException("the client is gone"));
        } catch (IOException e) {
            fail(e);
        }
    }

    /**
     * The body of the answer. When it cannot be written, its exchange is aborted: to fail the body itself would, if the
     * answer has just arrived in full, fail the next exchange of the same channel of Jetty's client.
     */
    private record Answer(org.eclipse.jetty.client.Request sent, Content.Source body) implements Content.Source {
        @Override
        public Content.@Nullable Chunk read() {
            return body.read();
        }

        @Override
        public void demand(Runnable available) {
            body.demand(available);
        }

        @Override
        public void fail(Throwable failure) {
            var unused = sent.abort(failure);
        }
    }

    /** The body of the request, counted as it is read. */
    private final class Body implements org.eclipse.jetty.client.Request.Content {
        @Override
        public long getLength() {
            return request.getLength();
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk chunk = request.read();
            if (chunk != null && chunk.hasRemaining()) {
                uncounted.addAndGet(chunk.remaining());
                Counters found = counters;
                if (found != null) {
                    found.received.add(uncounted.getAndSet(0));
                }
            }
            return chunk;
        }

        @Override
        public void demand(Runnable available) {
            request.demand(available);
        }

        @Override
        public void fail(Throwable failure) {
            request.fail(failure);
        }
    }
}
