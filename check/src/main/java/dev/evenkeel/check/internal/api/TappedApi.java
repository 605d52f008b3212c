package dev.evenkeel.check.internal.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.server.internal.resource.ApiCall;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the connections of a process and the API.
 *
 * <p><b>Problem.</b> A process in any language can only be observed and disturbed by what it sends and receives. Between two
 * servers a proxy would do that; here the server is in the same process, so its handler is wrapped, and "after the request was
 * done, before it was answered" is simply the place of the call that writes the answer.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A request is passed to the tap before the server sees it, and again before any byte of its answer is sent.
 *   <li>Bodies and answers are passed on byte for byte. Only WebSockets are refused; a plain watch does the same.
 *   <li>A list that is answered from an old state is one that a server behind others may give: its client has permitted
 *       any version, or one that is older.
 * </ol>
 *
 * <p><b>Concurrency.</b> Each request has a virtual thread, which may wait in the tap.
 */
public final class TappedApi extends Handler.Wrapper {
    private static final String BEARER = "Bearer ";

    private final ApiTap tap;

    /** Creates the handler in front of that of the API. */
    public TappedApi(ApiTap tap, Handler api) {
        super(api);
        this.tap = tap;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (Thread.currentThread().isVirtual()) {
            answer(request, response, callback);
        } else {
            Thread.startVirtualThread(() -> answer(request, response, callback));
        }
        return true;
    }

    private void answer(Request request, Response response, Callback callback) {
        try {
            OptionalInt process = tap.process(token(request));
            if (process.isEmpty()) {
                pass(request, response, callback);
            } else if (process.getAsInt() == 0) {
                Connections.cut(request);
                callback.failed(new EofException("its process was killed"));
            } else if (isUpgrade(request)) {
                refuseUpgrade(request, response, callback);
            } else {
                answer(process.getAsInt(), request, response, callback);
            }
        } catch (Exception e) {
            Connections.cut(request);
            callback.failed(new EofException(e));
        }
    }

    private void answer(int process, Request request, Response response, Callback callback) throws Exception {
        ByteBuffer buffer = Content.Source.asByteBuffer(request);
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        HttpURI uri = request.getHttpURI();
        String query = uri.getQuery() == null ? "" : uri.getQuery();
        Optional<ApiCall> found = ApiCall.of(
                process, request.getMethod(), uri.getPath(), query, header(request, HttpHeader.CONTENT_TYPE), body);
        if (found.isEmpty()) {
            tap.other(process, uri.getPath());
            pass(new BufferedRequest(request, uri, body), response, callback);
            return;
        }
        ApiCall call = found.get();
        switch (tap.arrived(call)) {
            case ApiTap.Drop drop -> {
                Connections.cut(request);
                callback.failed(new EofException("cut by the check"));
                tap.ended(call);
            }
            case ApiTap.Refusal refusal -> {
                refuse(refusal.status(), call, response, callback);
                tap.ended(call);
            }
            case ApiTap.Pass passed -> {
                OptionalLong old = tap.revision(call);
                HttpURI target = old.isEmpty()
                        ? uri
                        : HttpURI.build(uri)
                                .query(ApiCall.at(query, old.getAsLong()))
                                .asImmutable();
                BufferedRequest buffered = new BufferedRequest(request, target, body);
                if (call.verb().equals("watch")) {
                    OpenWatch watch = new OpenWatch(call, request, response);
                    tap.opened(watch);
                    Callback ended = Callback.from(() -> tap.closed(watch), callback);
                    pass(buffered, new WatchResponse(buffered, response, watch), ended);
                } else {
                    // not before the answer is written: until then the process waits for it, and does nothing
                    Callback ended = Callback.from(() -> tap.ended(call), callback);
                    try {
                        pass(buffered, new TappedResponse(buffered, response, call), ended);
                    } catch (Exception e) {
                        tap.ended(call);
                        throw e;
                    }
                }
            }
        }
    }

    private void pass(Request request, Response response, Callback callback) throws Exception {
        super.handle(request, response, callback);
    }

    private static String header(Request request, HttpHeader name) {
        String value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    private static String token(Request request) {
        String header = header(request, HttpHeader.AUTHORIZATION);
        return header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : "";
    }

    private static boolean isUpgrade(Request request) {
        String protocol = header(request, HttpHeader.UPGRADE);
        return !protocol.isEmpty() && !protocol.equalsIgnoreCase("h2c");
    }

    /** Refuses a WebSocket, by an answer without an upgrade: fabric8's client then opens a watch without one. */
    private static void refuseUpgrade(Request request, Response response, Callback callback) {
        response.setStatus(200);
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, BufferUtil.EMPTY_BUFFER, callback);
    }

    private static void refuse(int status, ApiCall call, Response response, Callback callback) {
        String name = call.key().substring(call.key().lastIndexOf('/') + 1);
        String message = status == 409
                ? "Operation cannot be fulfilled on " + call.resource() + " \"" + name
                        + "\": the object has been modified; please apply your changes to the latest version and try again"
                : "refused by the check";
        byte[] body = Json.text(Map.of(
                        "kind",
                        "Status",
                        "apiVersion",
                        "v1",
                        "metadata",
                        Map.of(),
                        "status",
                        "Failure",
                        "message",
                        message,
                        "reason",
                        Status.reasonOf(status),
                        "code",
                        status))
                .getBytes(UTF_8);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        if (status == 429) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    /** A request whose body was read. */
    private static final class BufferedRequest extends Request.Wrapper {
        private final HttpURI uri;
        private final byte[] body;
        private final Content.Source source;

        BufferedRequest(Request request, HttpURI uri, byte[] body) {
            super(request);
            this.uri = uri;
            this.body = body;
            source = Content.Source.from(ByteBuffer.wrap(body));
        }

        @Override
        public HttpURI getHttpURI() {
            return uri;
        }

        @Override
        public long getLength() {
            return body.length;
        }

        @Override
        public Content.@Nullable Chunk read() {
            return source.read();
        }

        @Override
        public void demand(Runnable available) {
            source.demand(available);
        }

        @Override
        public void fail(Throwable failure) {
            source.fail(failure);
        }
    }

    /** An answer that the tap sees before its first byte is sent. */
    private final class TappedResponse extends Response.Wrapper {
        private final ApiCall call;
        private final AtomicBoolean begun = new AtomicBoolean();

        TappedResponse(Request request, Response response, ApiCall call) {
            super(request, response);
            this.call = call;
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback done) {
            if (!begun.getAndSet(true) && tap.answered(call, getStatus()) instanceof ApiTap.Drop) {
                Connections.cut(getRequest());
                done.failed(new EofException("cut by the check"));
            } else {
                super.write(last, bytes, done);
            }
        }
    }

    /** The answer to a watch. */
    private final class WatchResponse extends Response.Wrapper {
        private final OpenWatch watch;
        private final AtomicBoolean begun = new AtomicBoolean();

        WatchResponse(Request request, Response response, OpenWatch watch) {
            super(request, response);
            this.watch = watch;
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback done) {
            if (!begun.getAndSet(true)) {
                var unused = tap.answered(watch.call(), getStatus());
            }
            if (getStatus() == 200) {
                watch.write(last, bytes, done);
            } else {
                super.write(last, bytes, done);
            }
        }
    }
}
