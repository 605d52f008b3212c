package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.http.Transport;
import dev.evenkeel.server.internal.resource.ApiCall;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request of a client in this process. Its answer goes to a receiver piece by piece. */
final class LocalTransport implements Transport {
    /** Receives an answer. */
    interface Receiver {
        /** Begins an answer of bytes. */
        void begin(int status, Map<String, List<String>> headers);

        /** Adds a piece, waiting while too many of them were not consumed. */
        void piece(ByteBuffer bytes) throws IOException;

        /** Ends the answer. */
        void end();

        /** Ends the answer by a failure. */
        void fail(Throwable why);

        /** Begins an answer of events. */
        void events(Map<String, List<String>> headers, Function<EventSink, Runnable> opened);
    }

    private final LocalRequest request;
    private final boolean socket;
    private final Receiver receiver;
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final RequestTap tap;
    private byte @Nullable [] body;
    private @Nullable ApiCall call;
    private String query;
    private int status = 200;
    private boolean committed;
    private boolean recorded;
    private Consumer<String> journal = line -> {};
    private boolean dropped;

    LocalTransport(LocalRequest request, boolean socket, Receiver receiver, RequestTap tap) {
        this.request = request;
        this.socket = socket;
        this.receiver = receiver;
        this.tap = tap;
        query = request.query();
    }

    /** Returns false for watches, and for requests that a tap may hold. */
    boolean isBrief() {
        return !socket && tap.equals(RequestTap.NONE) && !query.contains("watch=") && !path().contains("/watch/");
    }

    /** Returns false if the tap has answered the request. */
    boolean arrives() throws IOException {
        Optional<ApiCall> found = tap.equals(RequestTap.NONE)
                ? Optional.empty()
                : ApiCall.of(1, method(), path(), query, contentType(), body());
        if (found.isEmpty()) {
            return true;
        }
        ApiCall arrived = found.get();
        switch (tap.arrived(arrived)) {
            case RequestTap.Drop drop -> {
                drop();
                return false;
            }
            case RequestTap.Refuse refuse -> {
                refuse(refuse.status());
                return false;
            }
            case RequestTap.Pass pass -> {
                OptionalLong old = tap.revision(arrived);
                if (old.isPresent()) {
                    query = ApiCall.at(query, old.getAsLong());
                }
                call = arrived;
                return true;
            }
        }
    }

    private void drop() {
        dropped = true;
        receiver.fail(new IOException("the connection was cut by the test"));
    }

    /** Answers with a failure. */
    void refuse(Status failure) throws IOException {
        status(failure.getCode());
        setHeader("Content-Type", "application/json");
        write(true, ByteBuffer.wrap(Serialization.asJson(failure).getBytes(StandardCharsets.UTF_8)));
        end();
    }

    private String contentType() {
        List<String> types = headers("Content-Type");
        return types.isEmpty() ? "" : types.getFirst();
    }

    /** Sets what gets the line of the request when it is answered, before the client gets the answer. */
    void journal(Consumer<String> lines) {
        journal = lines;
    }

    /** Records the request, and the code of its answer, in a line; once. */
    void record() {
        if (!recorded) {
            recorded = true;
            journal.accept(method() + " " + path() + (query.isEmpty() ? "" : "?" + query) + " " + status);
        }
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.path();
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public String host() {
        return request.host();
    }

    @Override
    public int port() {
        return request.port();
    }

    @Override
    public Set<String> headers() {
        return request.headers().keySet();
    }

    @Override
    public List<String> headers(String name) {
        for (Map.Entry<String, List<String>> entry : request.headers().entrySet()) {
            if (entry.getKey().equalsIgnoreCase(name)) {
                return entry.getValue();
            }
        }
        return List.of();
    }

    @Override
    public List<X509Certificate> certificates() {
        return List.of();
    }

    @Override
    public boolean withoutBody() {
        return request.body().isEmpty();
    }

    @Override
    public byte[] body() {
        byte[] known = body;
        if (known == null) {
            known = request.body().map(Supplier::get).orElseGet(() -> new byte[0]);
            body = known;
        }
        return known;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void status(int code) {
        status = code;
    }

    @Override
    public void setHeader(String name, String value) {
        headers.put(name, List.of(value));
    }

    @Override
    public void addHeader(String name, String value) {
        List<String> values = new ArrayList<>(headers.getOrDefault(name, List.of()));
        values.add(value);
        headers.put(name, values);
    }

    @Override
    public boolean committed() {
        return committed;
    }

    @Override
    public void write(boolean last, ByteBuffer bytes) throws IOException {
        commit();
        if (bytes.hasRemaining() && !dropped) {
            // the caller may reuse its buffer
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            receiver.piece(ByteBuffer.wrap(copy));
        }
    }

    private void commit() {
        if (!committed) {
            committed = true;
            record();
            ApiCall answered = call;
            if (answered != null && tap.answered(answered, status) instanceof RequestTap.Drop) {
                drop();
            } else {
                receiver.begin(status, headers);
            }
        }
    }

    @Override
    public void end() {
        commit();
        if (!dropped) {
            receiver.end();
        }
    }

    @Override
    public void abort(Throwable why) {
        receiver.fail(why);
    }

    @Override
    public void closeConnection() {}

    @Override
    public void stream(String contentType, boolean binary, Function<EventSink, Runnable> opened) {
        committed = true;
        status = socket ? 101 : 200;
        record();
        setHeader("Content-Type", contentType);
        ApiCall watch = call;
        receiver.events(
                headers,
                watch == null
                        ? opened
                        : sink -> {
                            TappedWatch tapped = new TappedWatch(watch, sink);
                            tap.opened(tapped);
                            Runnable stop = opened.apply(tapped);
                            return () -> {
                                tap.closed(tapped);
                                stop.run();
                            };
                        });
    }
}
