package dev.evenkeel.server;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.access.internal.Endpoint;
import dev.evenkeel.access.internal.MemoryBudget;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Partition;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.server.internal.ApiHandler;
import dev.evenkeel.server.internal.Partitions;
import dev.evenkeel.server.internal.access.Access;
import dev.evenkeel.server.internal.access.HostCheck;
import dev.evenkeel.server.internal.aggregation.Aggregation;
import dev.evenkeel.server.internal.audit.AuditLog;
import dev.evenkeel.server.internal.http.Kubeconfig;
import dev.evenkeel.server.internal.http.Metrics;
import dev.evenkeel.server.internal.jetty.CompleteChunks;
import dev.evenkeel.server.internal.jetty.Errors;
import dev.evenkeel.server.internal.jetty.JettyHandler;
import dev.evenkeel.server.internal.jetty.SlowHeads;
import dev.evenkeel.server.internal.jetty.TlsSettings;
import dev.evenkeel.server.internal.watch.Watches;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.DecoratedObjectFactory;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.compression.DeflaterPool;
import org.eclipse.jetty.util.compression.InflaterPool;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.WebSocketExtensionRegistry;

/**
 * An HTTP server that serves the Kubernetes API of an engine.
 *
 * <p>By default it listens on loopback, on a free port, with TLS by a certificate created for this run and a random
 * token; {@link #kubeconfig()} has everything that a client needs:
 *
 * <pre>{@code
 * try (Server server = Server.builder(engine).start()) {
 *     Files.writeString(file, server.kubeconfig());
 * }
 * }</pre>
 *
 * <p>Protocols are HTTP/1.1, HTTP/2 (over TLS) and WebSocket (for watches). Paths below {@code /partitions/{p}} lead to
 * the partition of that name, all other paths to {@code default}.
 *
 * <p>A server is running from {@link Builder#start} to {@link #close}; all methods may be called from any thread.
 */
public final class Server implements AutoCloseable {
    /** The number of frames without payload that a connection may send per second. */
    private static final int FRAMES_PER_SECOND = 10_000;
    /** The bodies of all requests in progress take at most this part of the heap. */
    private static final int BODIES = 64;
    /** Looked for in every jar of the class path, which takes a tenth of the start of a server, once. */
    private static final WebSocketExtensionRegistry SOCKET_EXTENSIONS = new WebSocketExtensionRegistry();

    private final org.eclipse.jetty.server.Server jetty;
    private final ServerConnector connector;
    private final ApiHandler door;
    private final Watches watches;
    private final ScheduledThreadPoolExecutor timers;
    private final Metrics metrics;
    private final Limits limits;
    private final Endpoint endpoint;
    private final Partitions partitions;
    private final Optional<AuditLog> audit;
    private final Aggregation aggregation;

    private Server(Builder builder) {
        limits = builder.limits;
        partitions = builder.partitions;
        endpoint = Endpoint.of(builder.settings());
        InetAddress address = endpoint.address();
        metrics = new Metrics();

        // Jetty's own queue starts JMX to ask for the size of a cache line
        QueuedThreadPool threads = new QueuedThreadPool(16, 4, 0, new LinkedBlockingQueue<>());
        threads.setName("evenkeel-http");
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        var virtual = VirtualThreads.getNamedVirtualThreadsExecutor("evenkeel-http-");
        threads.setVirtualThreadsExecutor(virtual);
        jetty = new org.eclipse.jetty.server.Server(threads);
        watches = new Watches(limits, metrics, virtual);
        timers = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("evenkeel-request-timer").factory());
        timers.setRemoveOnCancelPolicy(true);
        audit = builder.auditFiles.map(files -> AuditLog.open(
                files.policy,
                files.log,
                builder.auditRotation,
                builder.settings().clock(),
                metrics));
        aggregation = new Aggregation(builder.apiServicesAnywhere, builder.proxyCertificate);
        door = new ApiHandler(
                builder.partitions,
                limits,
                new Access(endpoint.authentication()),
                metrics,
                new HostCheck(address.isLoopbackAddress()),
                watches,
                audit,
                Optional.of(aggregation),
                builder.longestWrite);
        Handler handler = new JettyHandler(
                door, limits, MemoryBudget.ofHeap(BODIES, limits.maxBodyBytes()), virtual, timers, sockets());
        jetty.setErrorHandler(new Errors());
        jetty.setHandler(new CompleteChunks(builder.handler.apply(handler)));
        connector = new ServerConnector(jetty, null, null, null, 0, 1, factories(endpoint, limits));
        connector.setHost(address.getHostAddress());
        connector.setPort(endpoint.port());
        connector.setIdleTimeout(limits.idleTimeout().toMillis());
        // Jetty's second would cut off bodies that are still arriving
        connector.setShutdownIdleTimeout(limits.stopTimeout().toMillis());
        jetty.addConnector(connector);
        connector.addBean(new SlowHeads(connector, limits.bodyTimeout()));
    }

    private WebSocketComponents sockets() {
        WebSocketComponents components = new WebSocketComponents(
                SOCKET_EXTENSIONS,
                new DecoratedObjectFactory(),
                jetty.getByteBufferPool(),
                InflaterPool.ensurePool(jetty),
                DeflaterPool.ensurePool(jetty),
                jetty.getThreadPool());
        jetty.addBean(components);
        return components;
    }

    private static ConnectionFactory[] factories(Endpoint endpoint, Limits limits) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.maxHeaderBytes());
        http.setOutputBufferSize(32 * 1024);
        // ApiHandler splits and decodes paths itself, and treats dots and slashes within a name as ordinary characters
        http.setUriCompliance(UriCompliance.UNSAFE);
        // a proxy that sees other ends of lines than this server sees other requests
        http.setHttpCompliance(HttpCompliance.RFC9110.without(
                "LINES",
                HttpCompliance.Violation.LF_HEADER_TERMINATION,
                HttpCompliance.Violation.LF_CHUNK_TERMINATION));
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        if (endpoint.certificate().isEmpty()) {
            return new ConnectionFactory[] {http1};
        }
        http.addCustomizer(new SecureRequestCustomizer(false));
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(1000);
        // controllers send many small frames when they start, which the limit for untrusted clients would cut off
        http2.setRateControlFactory(new WindowRateControl.Factory(FRAMES_PER_SECOND));
        http2.setStreamIdleTimeout(limits.idleTimeout().toMillis());
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        TlsSettings ssl = new TlsSettings(endpoint);
        return new ConnectionFactory[] {new SslConnectionFactory(ssl, alpn.getProtocol()), alpn, http2, http1};
    }

    /**
     * Starts building a server.
     *
     * @param partitions the partition of a name; empty when there is none
     */
    public static Builder builder(Function<String, Optional<Partition>> partitions) {
        return new Builder(new Partitions() {
            @Override
            public Optional<Partition> get(String name) {
                return partitions.apply(name);
            }

            @Override
            public Optional<Partition> find(String name) {
                return partitions.apply(name);
            }

            @Override
            public boolean delete(String name) {
                return false;
            }

            @Override
            public List<String> names() {
                return List.of(Engine.DEFAULT_PARTITION);
            }
        });
    }

    /** Starts building a server of an engine; the engine stays open when the server closes. */
    public static Builder builder(Engine engine) {
        return new Builder(Partitions.of(engine));
    }

    private Server listen() {
        try {
            jetty.start();
            publishCertificate();
            aggregation.start(partitions);
            return this;
        } catch (Exception e) {
            close();
            Throwable why = e.getCause() instanceof BindException cause ? cause : e;
            String message = "cannot listen on " + connector.getHost() + ", port " + connector.getPort() + ": "
                    + why.getMessage() + "; port 0 is any that is free";
            throw new IllegalStateException(message, e);
        }
    }

    /** Lets the namespaces of all partitions get the certificate, for pods. */
    private void publishCertificate() {
        String certificate = caCertificate();
        if (!certificate.isEmpty()) {
            for (String name : partitions.names()) {
                partitions
                        .find(name)
                        .ifPresent(partition -> ResourceApi.of(partition).publish(certificate));
            }
        }
    }

    /** Returns the URL of the server, such as {@code https://127.0.0.1:41234}. */
    public URI url() {
        String host = endpoint.host();
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return URI.create(
                (endpoint.certificate().isEmpty() ? "http://" : "https://") + name + ":" + connector.getLocalPort());
    }

    /** Returns the first token that was set, or the random one; empty without authentication. */
    public String token() {
        return endpoint.token();
    }

    /** Returns the certificate to trust, in PEM; empty without TLS. */
    public String caCertificate() {
        return endpoint.caCertificate();
    }

    /** Returns the registry of the meters that {@code /metrics} shows, to add those of the program. */
    public MeterRegistry metrics() {
        return metrics.registry();
    }

    /** Returns the certificate of the server and its key, for another server on this machine; empty without TLS. */
    public Optional<ServerCertificate> certificate() {
        return endpoint.certificate();
    }

    /** Returns a kubeconfig for this server, with its certificate and token; YAML. */
    public String kubeconfig() {
        return kubeconfig("default");
    }

    /** Returns a kubeconfig for one partition of this server, which is created if absent. */
    public String kubeconfig(String partition) {
        partitions.get(partition);
        String server = url() + (partition.equals("default") ? "" : "/partitions/" + partition);
        return Kubeconfig.text(server, caCertificate(), token());
    }

    /**
     * Stops the server: refuses new requests, waits for those in flight and ends watches properly, all within {@link
     * Limits#stopTimeout}.
     */
    @Override
    public void close() {
        door.refuse();
        try {
            var accepting = connector.shutdown();
            watches.stop();
            aggregation.close();
            long deadline = System.nanoTime() + limits.stopTimeout().toNanos();
            while ((metrics.inFlight() > 0 || watches.count() > 0) && System.nanoTime() < deadline) {
                Thread.sleep(1);
            }
            accepting.cancel(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            jetty.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server did not stop properly", e);
        } finally {
            watches.close();
            timers.shutdownNow();
            metrics.close();
            audit.ifPresent(AuditLog::close);
        }
    }

    /** Builds a server. */
    public static final class Builder extends ListenerBuilder<Builder> {
        private final Partitions partitions;
        private Limits limits = Limits.DEFAULT;
        private Duration longestWrite = ApiHandler.LONGEST_WRITE;
        private UnaryOperator<Handler> handler = UnaryOperator.identity();
        private Optional<AuditFiles> auditFiles = Optional.empty();

        private AuditRotation auditRotation = AuditRotation.NONE;
        private boolean apiServicesAnywhere;
        private Optional<ServerCertificate> proxyCertificate = Optional.empty();

        private record AuditFiles(Path policy, Path log) {}

        private Builder(Partitions partitions) {
            this.partitions = partitions;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** Sets the limits. */
        public Builder limits(Limits value) {
            limits = value;
            return this;
        }

        /** Sets the longest time of a write; for tests. */
        Builder longestWrite(Duration value) {
            longestWrite = value;
            return this;
        }

        /**
         * Wraps the handler of all requests in another one of Jetty, such as one that logs requests or injects faults. It
         * is called before the request is authenticated.
         */
        public Builder handler(UnaryOperator<Handler> value) {
            handler = value;
            return this;
        }

        /**
         * Writes an audit log: one event of {@code audit.k8s.io/v1} a line, in JSON, for each stage of each request that
         * the policy selects. Requests wait when the log cannot keep up.
         *
         * @param policy a file with a Policy of {@code audit.k8s.io/v1}
         * @param log the file to append to
         */
        public Builder auditLog(Path policy, Path log) {
            auditFiles = Optional.of(new AuditFiles(policy, log));
            return this;
        }

        /** Sets when the file of the audit log is renamed, and how long renamed files are kept; by default it never is. */
        public Builder auditRotation(AuditRotation value) {
            auditRotation = value;
            return this;
        }

        /**
         * Sets whether requests are forwarded to servers of API services on other machines. By default these must be on
         * this machine: who may write API services decides where the server connects to.
         */
        public Builder apiServicesAnywhere(boolean value) {
            apiServicesAnywhere = value;
            return this;
        }

        /**
         * Sets the certificate by which the server authenticates itself to servers of API services. These should accept
         * the headers that name the user only with it.
         */
        public Builder proxyClientCertificate(ServerCertificate value) {
            proxyCertificate = Optional.of(value);
            return this;
        }

        /**
         * Starts the server; when this returns, it listens.
         *
         * @throws java.io.UncheckedIOException when the audit policy cannot be read, or the audit log not be written
         * @throws IllegalArgumentException when the audit policy is not valid, when client certificates are accepted without TLS, or their authority is malformed
         * @throws ListenerBuilder.InsecureBindException when it would listen beyond loopback without TLS or authentication
         * @throws IllegalStateException when the address cannot be listened on
         */
        public Server start() {
            return new Server(this).listen();
        }
    }

    /**
     * Limits on the requests of clients. All limits are on by default.
     *
     * @param maxBodyBytes size of a request body; more is answered with 413
     * @param maxHeaderBytes size of all request headers together; more is answered with 431
     * @param maxUrlBytes length of path and query; more is answered with 414
     * @param maxInFlight how many requests are processed at once, watches aside; more are answered with 429
     * @param maxWatches how many watches are open at once; more are answered with 429
     * @param requestTimeout how long a request may take, watches and connections to pods aside; a client may set a shorter
     *     time by the query parameter {@code timeout}; more is answered with 504
     * @param bodyTimeout how long a client may take to send its body, and, up to ten seconds, the head of a request
     * @param idleTimeout how long a connection may be silent between requests, or stall within one
     * @param writeTimeout how long the client of a watch may fail to read before the watch is cut off
     * @param watchTimeout how long a watch lasts when the client does not specify it: between this and twice this
     * @param bookmarkInterval the interval of bookmarks in watches that request them
     * @param stopTimeout how long {@link Server#close} waits for requests in flight
     */
    public record Limits(
            int maxBodyBytes,
            int maxHeaderBytes,
            int maxUrlBytes,
            int maxInFlight,
            int maxWatches,
            Duration requestTimeout,
            Duration bodyTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            Duration watchTimeout,
            Duration bookmarkInterval,
            Duration stopTimeout) {
        /**
         * 3 MiB bodies, 32 KiB headers, 8 KiB URLs, 600 requests, 20,000 watches; a minute for a request, 30 to 60 for a
         * watch.
         */
        public static final Limits DEFAULT = new Limits(
                3 * 1024 * 1024,
                32 * 1024,
                8 * 1024,
                600,
                20_000,
                Duration.ofMinutes(1),
                Duration.ofSeconds(34),
                Duration.ofSeconds(90),
                Duration.ofSeconds(30),
                Duration.ofMinutes(30),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10));

        /** Sets the largest body. */
        public Limits maxBodyBytes(int value) {
            return sizes(value, maxHeaderBytes, maxUrlBytes, maxInFlight, maxWatches);
        }

        /** Sets the largest header. */
        public Limits maxHeaderBytes(int value) {
            return sizes(maxBodyBytes, value, maxUrlBytes, maxInFlight, maxWatches);
        }

        /** Sets the longest URL. */
        public Limits maxUrlBytes(int value) {
            return sizes(maxBodyBytes, maxHeaderBytes, value, maxInFlight, maxWatches);
        }

        /** Sets the number of concurrent requests. */
        public Limits maxInFlight(int value) {
            return sizes(maxBodyBytes, maxHeaderBytes, maxUrlBytes, value, maxWatches);
        }

        /** Sets the number of concurrent watches. */
        public Limits maxWatches(int value) {
            return sizes(maxBodyBytes, maxHeaderBytes, maxUrlBytes, maxInFlight, value);
        }

        /** Sets how long a request may take. */
        public Limits requestTimeout(Duration value) {
            return times(value, bodyTimeout, idleTimeout, writeTimeout, watchTimeout, bookmarkInterval, stopTimeout);
        }

        /** Sets how long a client may take to send a body. */
        public Limits bodyTimeout(Duration value) {
            return times(requestTimeout, value, idleTimeout, writeTimeout, watchTimeout, bookmarkInterval, stopTimeout);
        }

        /** Sets how long a connection may be idle. */
        public Limits idleTimeout(Duration value) {
            return times(requestTimeout, bodyTimeout, value, writeTimeout, watchTimeout, bookmarkInterval, stopTimeout);
        }

        /** Sets how long a client may take to accept a part of a response. */
        public Limits writeTimeout(Duration value) {
            return times(requestTimeout, bodyTimeout, idleTimeout, value, watchTimeout, bookmarkInterval, stopTimeout);
        }

        /** Sets the least duration of watches without a timeout of their own. */
        public Limits watchTimeout(Duration value) {
            return times(requestTimeout, bodyTimeout, idleTimeout, writeTimeout, value, bookmarkInterval, stopTimeout);
        }

        /** Sets the time between bookmarks. */
        public Limits bookmarkInterval(Duration value) {
            return times(requestTimeout, bodyTimeout, idleTimeout, writeTimeout, watchTimeout, value, stopTimeout);
        }

        /** Sets how long stopping may take. */
        public Limits stopTimeout(Duration value) {
            return times(requestTimeout, bodyTimeout, idleTimeout, writeTimeout, watchTimeout, bookmarkInterval, value);
        }

        private Limits sizes(int body, int headers, int url, int inFlight, int watches) {
            return new Limits(
                    body,
                    headers,
                    url,
                    inFlight,
                    watches,
                    requestTimeout,
                    bodyTimeout,
                    idleTimeout,
                    writeTimeout,
                    watchTimeout,
                    bookmarkInterval,
                    stopTimeout);
        }

        private Limits times(
                Duration request,
                Duration body,
                Duration idle,
                Duration write,
                Duration watch,
                Duration bookmark,
                Duration stop) {
            return new Limits(
                    maxBodyBytes,
                    maxHeaderBytes,
                    maxUrlBytes,
                    maxInFlight,
                    maxWatches,
                    request,
                    body,
                    idle,
                    write,
                    watch,
                    bookmark,
                    stop);
        }
    }
}
