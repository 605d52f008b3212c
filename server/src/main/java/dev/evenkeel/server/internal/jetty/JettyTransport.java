package dev.evenkeel.server.internal.jetty;

import static java.util.Objects.requireNonNull;

import dev.evenkeel.access.internal.MemoryBudget;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.Server;
import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;

/** A request that Jetty has received. */
final class JettyTransport implements Transport {
    /** The headers of nearly all answers, encoded once. */
    private static final List<HttpField> FREQUENT = List.of(
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, HttpExchange.JSON),
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, HttpExchange.NO_CACHE));

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final RequestBody body;
    private final WebSocketMappings sockets;
    private final Executor threads;

    JettyTransport(
            Request request,
            Response response,
            Callback callback,
            Server.Limits limits,
            MemoryBudget budget,
            WebSocketMappings sockets,
            Executor threads) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.sockets = sockets;
        this.threads = threads;
        body = new RequestBody(request, limits, budget);
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return request.getHttpURI().getPath();
    }

    @Override
    public String query() {
        String query = request.getHttpURI().getQuery();
        return query == null ? "" : query;
    }

    @Override
    public String host() {
        return Request.getServerName(request);
    }

    @Override
    public int port() {
        return Request.getServerPort(request);
    }

    @Override
    public String remoteAddress() {
        return Request.getRemoteAddr(request);
    }

    @Override
    public Set<String> headers() {
        return request.getHeaders().stream().map(HttpField::getName).collect(Collectors.toSet());
    }

    @Override
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name);
    }

    @Override
    public List<X509Certificate> certificates() {
        X509Certificate[] chain =
                request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData data
                        ? data.peerCertificates()
                        : null;
        return chain == null ? List.of() : List.of(chain);
    }

    @Override
    public boolean withoutBody() {
        return request.getLength() == 0;
    }

    @Override
    public byte[] body() {
        try {
            return body.bytes();
        } catch (HttpException.RuntimeException e) {
            throw e.getCode() < 500 ? Refusal.badRequest(e.getReason()) : e;
        } catch (UncheckedIOException e) {
            closeConnection();
            throw Refusal.badRequest("the body of the request is malformed, or ended early");
        }
    }

    @Override
    public void bodyDeadline(long nanoTime) {
        body.deadline(nanoTime);
    }

    @Override
    public void user(String name) {
        body.user(name);
    }

    /** Releases what the request took: it was processed. */
    void release() {
        body.release();
    }

    @Override
    public int status() {
        return response.getStatus();
    }

    @Override
    public void status(int code) {
        response.setStatus(code);
    }

    @Override
    public void setHeader(String name, String value) {
        for (HttpField field : FREQUENT) {
            if (field.getValue().equals(value) && field.getName().equals(name)) {
                response.getHeaders().put(field);
                return;
            }
        }
        response.getHeaders().put(name, value);
    }

    @Override
    public void addHeader(String name, String value) {
        response.getHeaders().add(name, value);
    }

    @Override
    public boolean committed() {
        return response.isCommitted();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // virtual threads do not take turns
    public void write(boolean last, ByteBuffer bytes) throws IOException {
        if (!response.isCommitted() && !body.discardArrived()) {
            closeConnection();
        }
        Content.Sink.write(response, last, bytes);
        if (!last) {
            Thread.yield(); // a virtual thread that sends a long list gives way to others
        }
    }

    @Override
    public void end() {
        body.discard(callback);
    }

    @Override
    public void abort(Throwable why) {
        callback.failed(why instanceof IOException ? why : new EofException(why));
    }

    /** Streams of HTTP/2 do not depend on each other, so their connection stays. */
    @Override
    public void closeConnection() {
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }

    @Override
    public void stream(String contentType, boolean binary, Function<EventSink, Runnable> opened) throws IOException {
        if ("websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))) {
            upgrade(binary, opened);
        } else {
            status(200);
            setHeader("Content-Type", contentType);
            // the pump asks the sink if the client is gone
            var unused = opened.apply(new HttpEventSink(this, request, response, callback));
        }
    }

    @Override
    public void tunnel(InputStream in, Socket server) throws IOException {
        if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2) {
            server.close();
            throw new IOException("a stream of HTTP/2 cannot change its protocol");
        }
        EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
        request.setAttribute(
                HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, new TunnelConnection(client, threads, in, server));
        callback.succeeded();
    }

    private void upgrade(boolean binary, Function<EventSink, Runnable> opened) throws IOException {
        AtomicReference<Runnable> gone = new AtomicReference<>(() -> {});
        SocketEventSink sink = new SocketEventSink(
                binary,
                open -> threads.execute(() -> {
                    Runnable stop = opened.apply(open);
                    gone.set(stop);
                    if (!open.alive()) {
                        stop.run();
                    }
                }),
                () -> requireNonNull(gone.get()).run());
        Configuration.Customizer settings = configuration -> configuration.setIdleTimeout(Duration.ZERO);
        if (!sockets.upgrade(new Negotiator(sink, settings), request, response, callback, settings)) {
            throw Refusal.badRequest("the WebSocket upgrade is malformed");
        }
    }
}
