package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * One request and its answer.
 *
 * <p>Stores facts about the request as they become known: the user, the format of errors, the labels of metrics. Used
 * by one thread at a time.
 */
public final class HttpExchange {
    public static final String JSON = "application/json";
    public static final String YAML = "application/yaml";
    public static final String TEXT = "text/plain; charset=utf-8";

    private static final HttpField NO_CACHE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache, private");
    private static final HttpField CONTENT_JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, JSON);

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final RequestBody body;
    private final ApiPath path;
    private final Query query;
    private final String auditId;
    private final long started = System.nanoTime();
    private User user = User.ANONYMOUS;
    private Labels labels = Labels.OTHER;

    public HttpExchange(Request request, Response response, Callback callback, Server.Limits limits) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        body = new RequestBody(request, limits);
        path = ApiPath.parse(request.getHttpURI().getPath());
        String text = request.getHttpURI().getQuery();
        query = Query.parse(text == null ? "" : text);
        String given = request.getHeaders().get("Audit-Id");
        auditId = given == null || given.isEmpty() || given.length() > 64
                ? NameGenerator.uuid(ThreadLocalRandom.current())
                : given;
        response.getHeaders().put("Audit-Id", auditId).put(NO_CACHE);
    }

    public Request request() {
        return request;
    }

    public Response response() {
        return response;
    }

    public Callback callback() {
        return callback;
    }

    public RequestBody body() {
        return body;
    }

    public ApiPath path() {
        return path;
    }

    public Query query() {
        return query;
    }

    public String auditId() {
        return auditId;
    }

    public String method() {
        return request.getMethod();
    }

    /** Refuses methods other than GET. */
    public void requireGet() {
        if (!method().equals("GET")) {
            throw Refusal.noSuchMethod();
        }
    }

    /** Returns the first value of a header of the request; empty when there is none. */
    public String header(String name) {
        String value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    /** Returns all values of {@code Accept}, joined. */
    public String accept() {
        List<String> values = request.getHeaders().getValuesList(HttpHeader.ACCEPT);
        return switch (values.size()) {
            case 0 -> "";
            case 1 -> values.getFirst();
            default -> String.join(",", values);
        };
    }

    public User user() {
        return user;
    }

    public void user(User value) {
        user = value;
    }

    public Labels labels() {
        return labels;
    }

    public void labels(Labels value) {
        labels = value;
    }

    public long elapsedNanos() {
        return System.nanoTime() - started;
    }

    /** Returns true if JSON is to be indented: on request, and for browsers and command-line tools. */
    public boolean pretty() {
        if (query.has("pretty")) {
            return query.flag("pretty");
        }
        String agent = header("User-Agent");
        return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
    }

    public void warn(List<String> warnings) {
        Warnings.headers(warnings).forEach(text -> response.getHeaders().add("Warning", text));
    }

    /** Answers with a tree, in the encoding that the client prefers. */
    public void reply(int status, JsonObject tree, Encoding encoding) {
        reply(status, encoding.mediaType(), encoding.encode(tree, pretty()));
    }

    /** Answers with an encoded document. */
    public void reply(int status, String contentType, byte[] body) {
        response.setStatus(status);
        try {
            if (body.length <= ResponseStream.PIECE || !acceptsGzip()) {
                contentType(contentType);
                write(true, ByteBuffer.wrap(body));
                finish();
            } else {
                ResponseStream out = new ResponseStream(this, contentType);
                out.write(body);
                out.finish();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers with a document that clients cache by its tag, unless the client has it already. */
    public void cached(String contentType, String etag, Supplier<byte[]> document) {
        response.getHeaders().put(HttpHeader.ETAG, etag).put(HttpHeader.VARY, "Accept");
        if (header("If-None-Match").equals(etag)) {
            notModified();
        } else {
            reply(200, contentType, document.get());
        }
    }

    private void notModified() {
        response.setStatus(304);
        try {
            write(true, BufferUtil.EMPTY_BUFFER);
            finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns host and port at which the request arrived. */
    public String serverAddress() {
        return Request.getServerName(request) + ":" + Request.getServerPort(request);
    }

    public void text(int status, String text) {
        reply(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with an error; if the answer has begun, aborts it. */
    public void fail(Status status) {
        if (response.isCommitted()) {
            callback.failed(new IllegalStateException(status.message()));
            return;
        }
        int retryAfter = status.details().map(Status.Details::retryAfterSeconds).orElse(0);
        if (retryAfter > 0) {
            response.getHeaders().put("Retry-After", String.valueOf(retryAfter));
        }
        reply(status.code(), StatusDocument.failure(status), Encoding.ofErrors(accept()));
    }

    public void contentType(String contentType) {
        if (contentType.equals(JSON)) {
            response.getHeaders().put(CONTENT_JSON);
        } else {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        }
    }

    boolean acceptsGzip() {
        return header("Accept-Encoding").contains("gzip");
    }

    /** Sends a part of the answer, waiting until it is sent. */
    public void write(boolean last, ByteBuffer bytes) throws IOException {
        if (!response.isCommitted() && !body.discardArrived()) {
            closeConnection();
        }
        Content.Sink.write(response, last, bytes);
    }

    /** Announces that the connection carries no further request; streams of HTTP/2 do not depend on each other. */
    public void closeConnection() {
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }

    /** Ends the exchange after the last part of the answer. */
    void finish() {
        body.discard(callback);
    }
}
