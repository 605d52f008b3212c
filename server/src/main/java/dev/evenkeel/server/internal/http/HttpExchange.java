package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.Status;
import dev.evenkeel.client.internal.IpLiteral;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.audit.AuditEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    public static final String NO_CACHE = "no-cache, private";

    /** The texts that Go reads as true. */
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Transport transport;
    private final ApiPath path;
    private final Query query;
    private final String auditId;
    private final long started = System.nanoTime();
    private User user = User.ANONYMOUS;
    private volatile Labels labels = Labels.OTHER;
    private @Nullable Duration timeLimit;
    private AuditEvent audit = AuditEvent.NONE;
    private long sent;

    public HttpExchange(Transport transport) {
        this.transport = transport;
        path = ApiPath.parse(transport.path());
        query = Query.parse(transport.query());
        String given = header("Audit-Id");
        auditId = given.isEmpty() || given.length() > 64 ? NameGenerator.uuid(ThreadLocalRandom.current()) : given;
        transport.setHeader("Audit-Id", auditId);
        transport.setHeader("Cache-Control", NO_CACHE);
    }

    public Transport transport() {
        return transport;
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
        return transport.method();
    }

    /** Refuses methods other than GET. */
    public void requireGet() {
        if (!method().equals("GET")) {
            throw Refusal.noSuchMethod();
        }
    }

    /** Returns the first value of a header of the request; empty when there is none. */
    public String header(String name) {
        List<String> values = transport.headers(name);
        return values.isEmpty() ? "" : values.getFirst();
    }

    /** Returns all values of {@code Accept}, joined. */
    public String accept() {
        List<String> values = transport.headers("Accept");
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
        transport.user(value.name());
    }

    /** Returns the record of this request in the audit log. */
    public AuditEvent audit() {
        return audit;
    }

    public void audit(AuditEvent value) {
        audit = value;
    }

    /** Returns what the audit log records of the sender. */
    public AuditEvent.Origin origin() {
        String query = transport.query();
        List<String> addresses = new ArrayList<>();
        for (String forwarded : transport.headers("X-Forwarded-For")) {
            for (String address : forwarded.split(",", -1)) {
                IpLiteral.parse(address.strip()).ifPresent(known -> addresses.add(address.strip()));
            }
        }
        String real = header("X-Real-Ip").strip();
        if (IpLiteral.parse(real).isPresent() && !addresses.contains(real)) {
            addresses.add(real);
        }
        String remote = transport.remoteAddress();
        if (!remote.isEmpty() && (addresses.isEmpty() || !addresses.getLast().equals(remote))) {
            addresses.add(remote);
        }
        return new AuditEvent.Origin(
                auditId, transport.path() + (query.isEmpty() ? "" : "?" + query), addresses, header("User-Agent"));
    }

    public Labels labels() {
        return labels;
    }

    public void labels(Labels value) {
        labels = value;
    }

    /** Returns the time that the request may take; empty if it may take any. */
    public Optional<Duration> timeLimit() {
        return Optional.ofNullable(timeLimit);
    }

    public void timeLimit(Duration value) {
        timeLimit = value;
    }

    /** Returns how many bytes of the body of the answer were sent, compressed ones as they are. */
    public long sentBytes() {
        return sent;
    }

    public long elapsedNanos() {
        return System.nanoTime() - started;
    }

    /** Returns true if JSON is to be indented: on request, and for browsers and command-line tools. */
    public boolean pretty() {
        String wanted = query.first("pretty");
        if (!wanted.isEmpty()) {
            return TRUE.contains(wanted);
        }
        String accept = accept();
        if (accept.contains("pretty") && isPretty(MediaType.accept(accept))) {
            return true;
        }
        String agent = header("User-Agent");
        return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
    }

    private static boolean isPretty(List<MediaType> clauses) {
        return !clauses.isEmpty() && clauses.getFirst().parameter("pretty").equals("1");
    }

    public void warn(List<String> warnings) {
        Warnings.headers(warnings).forEach(text -> transport.addHeader("Warning", text));
    }

    /** Answers with a tree, in the encoding that the client prefers. */
    public void reply(int status, JsonObject tree, Encoding encoding) {
        audit.response(tree);
        reply(status, encoding.mediaType(), encoding.encode(tree, pretty()));
    }

    /** Answers with an encoded document. */
    public void reply(int status, String contentType, byte[] body) {
        transport.status(status);
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
        transport.setHeader("ETag", etag);
        transport.setHeader("Vary", "Accept");
        if (header("If-None-Match").equals(etag)) {
            empty(304);
        } else {
            reply(200, contentType, document.get());
        }
    }

    /** Answers without a body. */
    public void empty(int status) {
        transport.status(status);
        try {
            write(true, NOTHING);
            finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns host and port at which the request arrived. */
    public String serverAddress() {
        return transport.host() + ":" + transport.port();
    }

    public void text(int status, String text) {
        reply(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with an error; if the answer has begun, aborts it. */
    public void fail(Status status) {
        if (transport.committed()) {
            transport.abort(new IllegalStateException(status.message()));
            return;
        }
        int retryAfter = status.details().map(Status.Details::retryAfterSeconds).orElse(0);
        if (retryAfter > 0) {
            transport.setHeader("Retry-After", String.valueOf(retryAfter));
        }
        reply(status.code(), StatusDocument.failure(status), Encoding.ofErrors(accept()));
    }

    /**
     * Sets the answer if there is none in time.
     *
     * @param after the time from now on
     * @param expired called when the time is over
     */
    public void expire(Duration after, Status status, Runnable expired) {
        Encoding encoding = Encoding.ofErrors(accept());
        boolean pretty = pretty();
        transport.expire(new Transport.Expiry(
                after, encoding.mediaType(), () -> encoding.encode(StatusDocument.failure(status), pretty), expired));
    }

    public void contentType(String contentType) {
        transport.setHeader("Content-Type", contentType);
    }

    boolean acceptsGzip() {
        return header("Accept-Encoding").contains("gzip");
    }

    /** Sends a part of the answer, waiting until it is sent. */
    public void write(boolean last, ByteBuffer bytes) throws IOException {
        sent += bytes.remaining();
        transport.write(last, bytes);
    }

    /** Ends the exchange after the last part of the answer. */
    public void finish() {
        transport.end();
    }
}
