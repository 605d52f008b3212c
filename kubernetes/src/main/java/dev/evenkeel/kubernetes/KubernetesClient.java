package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.client.internal.retry.Timing;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The client of an API server: Kubernetes, or Evenkeel's server.
 *
 * <pre>{@code
 * try (KubernetesClient client = KubernetesClient.connect(Connection.inCluster())) {
 *     client.list(ConfigMap.class, ListOptions.in("default"));
 * }
 * }</pre>
 *
 * <p>In addition to the {@link dev.evenkeel.client.ApiException}s of every client there are three of the network:
 * {@link ConnectionException}, {@link RequestInterruptedException} and {@link UnexpectedAnswerException}.
 */
public final class KubernetesClient implements Client, AutoCloseable {
    private static final String AS_METADATA =
            "application/json;as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1," + ApiRequest.JSON;

    private final Builder settings;
    private final Transport transport;
    private final Set<Watch<?>> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private KubernetesClient(Connection connection, Builder settings) {
        this.settings = settings;
        transport = new Transport(connection, settings);
    }

    /** Returns a client with the defaults of {@link #builder}; nothing is sent before the first call. */
    public static KubernetesClient connect(Connection connection) {
        return builder(connection).build();
    }

    /** Returns a builder of a client. */
    public static Builder builder(Connection connection) {
        return new Builder(connection);
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        try {
            return Optional.of(send(ApiRequest.get(path(kind, kind.requireName(key)), accept(kind, "")), kind));
        } catch (NotFoundException e) {
            if (e.isAbout(kind, key.name())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        Map<String, String> query = query(options);
        query.put("resourceVersion", options.resourceVersion());
        if (options.continueToken().isEmpty()
                && !options.resourceVersion().isEmpty()
                && !options.resourceVersion().equals("0")) {
            // with a limit, servers otherwise answer with exactly this version, which they compact
            query.put("resourceVersionMatch", "NotOlderThan");
        }
        query.put("limit", options.limit() == 0 ? "" : Long.toString(options.limit()));
        query.put("continue", options.continueToken());
        String path = path(kind, ObjectKey.of(options.namespace(), "")) + text(query);
        return list(kind, ApiRequest.get(path, accept(kind, "List")));
    }

    private <T extends HasMetadata> Listing<T> list(Kind<T> kind, ApiRequest request) {
        return transport.send(request.asLarge(), body -> ListReader.read(kind, body, settings.maxObjectBytes));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        Map<String, String> query = query(options);
        query.put("resourceVersion", options.resourceVersion());
        query.put("watch", "true");
        if (options.sendInitialEvents()) {
            query.put("sendInitialEvents", "true");
            query.put("resourceVersionMatch", "NotOlderThan");
        }
        query.put("allowWatchBookmarks", "true");
        query.put("timeoutSeconds", seconds(options.timeout()));
        ApiRequest request =
                ApiRequest.get(path(kind, ObjectKey.of(options.namespace(), "")) + text(query), accept(kind, ""));
        Function<IOException, ConnectionException> broken = cause -> transport.broken(request, cause);
        ResponseBody body = settings.webSocketWatches
                ? transport.openSocket(request, settings.watchTimeout)
                : transport.open(request, settings.watchTimeout);
        Watch<T> watch = new HttpWatch<>(kind, body, settings.maxObjectBytes, watches::remove, broken);
        watches.add(watch);
        if (closed) {
            watch.close();
        }
        return watch;
    }

    /** Returns whole seconds, rounded up; empty for zero. */
    private static String seconds(Duration time) {
        return time.isZero()
                ? ""
                : Long.toString(Math.max(1, time.plusNanos(999_999_999).toSeconds()));
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        String namespace = kind.requireScope(ObjectKey.of(object)).namespace();
        return write("POST", kind, path(kind, ObjectKey.of(namespace, "")), object, options);
    }

    @Override
    public void createSubresource(
            Kind<?> kind, ObjectKey key, String subresource, HasMetadata document, WriteOptions options) {
        if (subresource.isEmpty()) {
            throw ApiException.of(
                    Status.of(400, "BadRequest", "subresource: none is given; to create an object, use create"));
        }
        String path = path(kind, kind.requireName(key)) + segment(subresource) + text(query(options));
        byte[] unused = transport.send(
                ApiRequest.write("POST", path, ApiRequest.JSON, ModelCodec.encode(document), options.fence()),
                this::whole);
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write("PUT", kind, path(kind, kind.requireName(ObjectKey.of(object))), object, options);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write("PUT", kind, path(kind, kind.requireName(ObjectKey.of(object))) + "/status", object, options);
    }

    private <T extends HasMetadata> T write(String method, Kind<T> kind, String path, T object, WriteOptions options) {
        String full = path + text(query(options));
        return send(ApiRequest.write(method, full, ApiRequest.JSON, ModelCodec.encode(object), options.fence()), kind);
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, "", patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, "/status", patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return patch(kind, ObjectKey.of(object), "", Patch.Type.APPLY, ModelCodec.encode(object), options);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return patch(kind, ObjectKey.of(object), "/status", Patch.Type.APPLY, ModelCodec.encode(object), options);
    }

    private <T extends HasMetadata> T patch(
            Kind<T> kind, ObjectKey key, String subresource, Patch.Type type, byte[] body, WriteOptions options) {
        Map<String, String> query = query(options);
        query.put("force", options.force() ? "true" : "");
        String path = path(kind, kind.requireName(key)) + subresource + text(query);
        return send(ApiRequest.write("PATCH", path, type.mediaType(), body, options.fence()), kind);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return replicas(ApiRequest.get(path(kind, kind.requireName(key)) + "/scale", ApiRequest.JSON));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        String path = path(kind, kind.requireName(key)) + "/scale" + text(query(options));
        byte[] body = ("{\"spec\":{\"replicas\":" + replicas + "}}").getBytes(UTF_8);
        return replicas(ApiRequest.write("PATCH", path, Patch.Type.MERGE.mediaType(), body, options.fence()));
    }

    private Replicas replicas(ApiRequest request) {
        JsonNode scale = transport.send(request, body -> JsonDocuments.parse(whole(body)));
        return new Replicas(
                scale.path("spec").path("replicas").asInt(0),
                scale.path("status").path("replicas").asInt(0),
                scale.path("status").path("selector").asText(""));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        byte[] answer = transport.send(delete(path(kind, kind.requireName(key)), options), this::whole);
        JsonNode tree = JsonDocuments.parse(answer);
        return tree.path("kind").asText("").equals("Status")
                ? new Deletion<>(tree.path("details").path("uid").asText(""), Optional.empty())
                : Deletion.of(ModelCodec.decode(answer, kind.javaType()));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        String path = path(kind, kind.requireScope(ObjectKey.of(selection.namespace(), ""))) + text(query(selection));
        return list(kind, delete(path, options)).items();
    }

    private static ApiRequest delete(String path, DeleteOptions options) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.propagation().ifPresent(policy -> body.put("propagationPolicy", word(policy)));
        options.uid().ifPresent(uid -> body.withObject("/preconditions").put("uid", uid));
        options.resourceVersion()
                .ifPresent(version -> body.withObject("/preconditions").put("resourceVersion", version));
        options.gracePeriod().ifPresent(period -> body.put("gracePeriodSeconds", period.toSeconds()));
        if (options.dryRun()) {
            body.putArray("dryRun").add("All");
        }
        return ApiRequest.write("DELETE", path, ApiRequest.JSON, body.toString().getBytes(UTF_8), options.fence());
    }

    private static String word(DeleteOptions.Propagation policy) {
        return switch (policy) {
            case ORPHAN -> "Orphan";
            case BACKGROUND -> "Background";
            case FOREGROUND -> "Foreground";
        };
    }

    private <T extends HasMetadata> T send(ApiRequest request, Kind<T> kind) {
        byte[] answer = transport.send(request, this::whole);
        int first = 0;
        while (first < answer.length && answer[first] <= ' ' && answer[first] >= 0) {
            first++;
        }
        if (first == answer.length || answer[first] != '{') {
            throw new UnexpectedAnswerException(request + " was not answered with a JSON object: "
                    + JsonDocuments.excerpt(answer) + "; is this the address of the API server?");
        }
        return ModelCodec.decode(answer, kind.javaType());
    }

    private byte[] whole(InputStream body) throws IOException {
        byte[] answer = body.readNBytes(settings.maxObjectBytes);
        if (answer.length == settings.maxObjectBytes && body.read() >= 0) {
            throw new UnexpectedAnswerException(
                    "the answer has more than " + settings.maxObjectBytes + " bytes: raise maxObjectBytes");
        }
        return answer;
    }

    private static String accept(Kind<?> kind, String list) {
        return kind.javaType() == PartialObjectMetadata.class ? AS_METADATA.formatted(list) : ApiRequest.JSON;
    }

    private static String path(Kind<?> kind, ObjectKey key) {
        return (kind.group().isEmpty() ? "/api" : "/apis" + segment(kind.group()))
                + segment(kind.version())
                + (key.namespace().isEmpty() ? "" : "/namespaces" + segment(key.namespace()))
                + segment(kind.plural())
                + (key.name().isEmpty() ? "" : segment(key.name()));
    }

    /** Returns a slash and one encoded segment of a path. */
    private static String segment(String text) {
        String encoded = URLEncoder.encode(text, UTF_8).replace("+", "%20");
        // segments with a meaning in paths
        return "/" + (encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded);
    }

    /** Returns the non-empty parameters with a question mark; empty when all are empty. */
    private static String text(Map<String, String> query) {
        String text = query.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return text.isEmpty() ? "" : "?" + text;
    }

    private static Map<String, String> query(ListOptions options) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("labelSelector", options.labels().toString());
        query.put("fieldSelector", options.fields().toString());
        return query;
    }

    private Map<String, String> query(WriteOptions options) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("fieldManager", options.fieldManager().isEmpty() ? settings.fieldManager : options.fieldManager());
        query.put("fieldValidation", "Warn");
        query.put("dryRun", options.dryRun() ? "All" : "");
        return query;
    }

    /** Ends all watches and aborts all requests. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(watches).forEach(Watch::close);
        transport.close();
    }

    /** Builds a client. */
    public static final class Builder {
        private final Connection connection;
        String fieldManager = "evenkeel";
        String userAgent = "evenkeel";
        RetryPolicy retry = RetryPolicy.DEFAULT;
        Duration requestTimeout = Duration.ofSeconds(30);
        Duration watchTimeout = Duration.ofMinutes(5);
        boolean webSocketWatches;
        boolean http2 = true;
        double requestsPerSecond;
        int burst = 1;
        int maxObjectBytes = 16 * 1024 * 1024;
        Optional<Boolean> compression = Optional.empty();
        Timing pace = Timing.REAL;

        private Builder(Connection connection) {
            this.connection = connection;
        }

        /** Sets the field manager of writes without one; {@code evenkeel} by default. */
        public Builder fieldManager(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("fieldManager: must not be blank");
            }
            fieldManager = value;
            return this;
        }

        /** Sets the user agent; {@code evenkeel} by default. */
        public Builder userAgent(String value) {
            userAgent = value;
            return this;
        }

        /** Sets the retry policy; default: {@link RetryPolicy#DEFAULT}. */
        public Builder retry(RetryPolicy value) {
            retry = value;
            return this;
        }

        /** Sets the time to wait for an answer to begin, and for each next piece of it; 30 seconds by default. */
        public Builder requestTimeout(Duration value) {
            if (value.isZero() || value.isNegative()) {
                throw new IllegalArgumentException("requestTimeout: must be positive: " + value);
            }
            requestTimeout = value;
            return this;
        }

        /**
         * Sets the time without data after which a watch fails, as a vanished peer sends nothing either; 5 minutes by
         * default, zero for no limit. Servers send bookmarks about every minute.
         */
        public Builder watchTimeout(Duration value) {
            if (value.isNegative()) {
                throw new IllegalArgumentException("watchTimeout: must be 0 or more: " + value);
            }
            watchTimeout = value;
            return this;
        }

        /** Watches over WebSockets, for networks that buffer long responses; off by default. */
        public Builder webSocketWatches(boolean value) {
            webSocketWatches = value;
            return this;
        }

        /** Uses HTTP/2 over TLS where the server supports it; on by default. */
        public Builder http2(boolean value) {
            http2 = value;
            return this;
        }

        /** Limits the requests per second, and the burst after a quiet period; no limit by default. */
        public Builder rateLimit(double perSecond, int burstOfRequests) {
            var unused = new RateLimit(perSecond, burstOfRequests, 0);
            requestsPerSecond = perSecond;
            burst = burstOfRequests;
            return this;
        }

        /**
         * Sets the maximum size of a single object; 16 MiB by default. The number of objects in a list is not limited.
         */
        public Builder maxObjectBytes(int value) {
            if (value < 1024) {
                throw new IllegalArgumentException("maxObjectBytes: must be 1024 or more: " + value);
            }
            maxObjectBytes = value;
            return this;
        }

        /** Accepts compressed lists; by default when the server is not on this machine. */
        public Builder compression(boolean value) {
            compression = Optional.of(value);
            return this;
        }

        Builder pace(Timing value) {
            pace = value;
            return this;
        }

        /** Returns the client. */
        public KubernetesClient build() {
            return new KubernetesClient(connection, this);
        }
    }

    /**
     * Thrown when a response is not one of an API server: not JSON, as of a proxy or a login page, or larger than allowed.
     */
    public static final class UnexpectedAnswerException extends RuntimeException {
        UnexpectedAnswerException(String message) {
            super(message);
        }

        UnexpectedAnswerException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
