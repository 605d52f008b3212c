package dev.evenkeel.grpc;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.access.internal.CertificateKeys;
import dev.evenkeel.access.internal.Endpoint;
import dev.evenkeel.access.internal.RequestedCertificates;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.grpc.internal.ObjectService;
import dev.evenkeel.grpc.internal.ReflectionService;
import dev.evenkeel.grpc.internal.ResourceService;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.CallGuard;
import dev.evenkeel.grpc.internal.call.Gate;
import dev.evenkeel.grpc.internal.call.IncomingMemory;
import dev.evenkeel.grpc.internal.call.LargeCalls;
import dev.evenkeel.grpc.internal.call.MalformedMessages;
import dev.evenkeel.grpc.internal.call.MessageMemory;
import dev.evenkeel.grpc.internal.watch.WatchCalls;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.protobuf.services.HealthStatusManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gRPC server that serves the resources of an engine by the service {@code evenkeel.resource.v1.ResourceService}, and to
 * {@link GrpcClient}s.
 *
 * <p>By default it listens on loopback, on a free port, with TLS by a certificate created for this run and a random token:
 *
 * <pre>{@code
 * try (GrpcServer server = GrpcServer.builder(engine).start()) {
 *     String target = server.target();
 * }
 * }</pre>
 *
 * <p>The token is sent as {@code authorization: Bearer TOKEN}. Health checks need none; server reflection does.
 *
 * <p>A server is running from {@link Builder#start} to {@link #close}; all methods may be called from any thread.
 */
public final class GrpcServer implements AutoCloseable {
    private static final int RESETS = 1000;
    private static final int RESET_SECONDS = 30;
    /** The response of a list takes at most this part of the heap. */
    private static final int LISTS = 16;

    /**
     * Bytes that a connection reads at once. A part of a message that has not arrived completely keeps the whole buffer of
     * up to 16 reads, which may have little else in it.
     */
    private static final int READ = 16 * 1024;

    /**
     * Bytes of a stream that a client may send ahead, at first. When a stream is reset, each frame on its way is answered with a
     * reset of its own, which count towards the limit.
     */
    private static final int WINDOW = 256 * 1024;

    /** Compressed requests are refused: a small one may be a large message. */
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private final Endpoint endpoint;
    private final Limits limits;
    private final ExecutorService threads;
    private final ScheduledThreadPoolExecutor timer;
    private final CallGuard guard;
    private final WatchCalls watches;
    private final HealthStatusManager health = new HealthStatusManager();
    private final io.grpc.Server server;
    private final AtomicBoolean closed = new AtomicBoolean();

    private GrpcServer(Builder builder) {
        limits = builder.limits;
        endpoint = Endpoint.of(builder.settings());
        Access access = new Access(builder.engine, endpoint.authentication());
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("evenkeel-grpc-", 0).factory());
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("evenkeel-grpc-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        guard = new CallGuard(limits, timer);
        watches = new WatchCalls(access, limits);
        LargeCalls large = new LargeCalls();
        int list = Math.toIntExact(
                Math.min(limits.maxListBytes(), Runtime.getRuntime().maxMemory() / LISTS));
        IncomingMemory incoming = new IncomingMemory(access, limits.maxMessageBytes());
        MessageMemory memory = new MessageMemory(access, limits.maxMessageBytes(), list);
        Clock clock = builder.settings().clock();
        NettyServerBuilder netty = NettyServerBuilder.forAddress(
                        new InetSocketAddress(endpoint.address(), endpoint.port()), credentials(endpoint))
                .executor(threads)
                .decompressorRegistry(UNCOMPRESSED)
                .addStreamTracerFactory(incoming)
                .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(1024, 2048, READ))
                .initialFlowControlWindow(WINDOW)
                .maxInboundMessageSize(Integer.MAX_VALUE) // IncomingMemory checks it
                .maxInboundMetadataSize(limits.maxHeaderBytes())
                .maxConcurrentCallsPerConnection(limits.maxCallsPerConnection())
                .maxRstFramesPerWindow(RESETS, RESET_SECONDS)
                .handshakeTimeout(20, TimeUnit.SECONDS)
                .keepAliveTime(limits.keepAliveTime().toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(limits.clientKeepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(served(
                        new ResourceService(access, watches, large, list, clock).bindService(),
                        incoming,
                        memory,
                        guard))
                .addService(
                        served(new ObjectService(access, watches, large, list).bindService(), incoming, memory, guard))
                .addService(served(new ReflectionService(access).bindService(), new Gate(access), incoming, guard))
                .addService(served(health.getHealthService().bindService()));
        builder.metrics.ifPresent(registry -> netty.intercept(new MetricCollectingServerInterceptor(registry)));
        server = netty.build();
    }

    private static ServerServiceDefinition served(ServerServiceDefinition service, ServerInterceptor... interceptors) {
        return ServerInterceptors.intercept(MalformedMessages.refused(service), interceptors);
    }

    private static ServerCredentials credentials(Endpoint endpoint) {
        Optional<ServerCertificate> certificate = endpoint.certificate();
        if (certificate.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        TlsServerCredentials.Builder tls =
                TlsServerCredentials.newBuilder().keyManager(new CertificateKeys(certificate.get()));
        if (!endpoint.clientCa().isEmpty()) {
            tls.trustManager(new RequestedCertificates(endpoint.clientCa()))
                    .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL);
        }
        return tls.build();
    }

    /** Starts building a server of an engine; the engine stays open when the server closes. */
    public static Builder builder(Engine engine) {
        return new Builder(engine);
    }

    private GrpcServer listen() {
        try {
            server.start();
            health.setStatus("", ServingStatus.SERVING);
            return this;
        } catch (IOException e) {
            close();
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(
                    "cannot listen on " + endpoint.host() + ", port " + endpoint.port() + ": " + why.getMessage()
                            + "; port 0 is any that is free",
                    e);
        }
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return server.getPort();
    }

    /** Returns the address for clients, such as {@code 127.0.0.1:41234}. */
    public String target() {
        String host = endpoint.host();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port();
    }

    /** Returns the first token that was set, or the random one; empty without authentication. */
    public String token() {
        return endpoint.token();
    }

    /** Returns the certificate to trust, in PEM; empty without TLS. */
    public String caCertificate() {
        return endpoint.caCertificate();
    }

    /** Returns the number of open watches. */
    int openWatches() {
        return watches.count();
    }

    /**
     * Stops the server: refuses new calls, waits for those in progress and ends watches properly, all within {@link
     * Limits#stopTimeout}.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        health.enterTerminalState();
        guard.refuse();
        server.shutdown();
        watches.stop();
        try {
            if (!server.awaitTermination(limits.stopTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
        threads.shutdown();
    }

    /** Builds a server. */
    public static final class Builder extends ListenerBuilder<Builder> {
        private final Engine engine;
        private Limits limits = Limits.DEFAULT;
        private Optional<MeterRegistry> metrics = Optional.empty();

        private Builder(Engine engine) {
            this.engine = engine;
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

        /** Counts and times calls in this registry, by service, method and status code. */
        public Builder metrics(MeterRegistry value) {
            metrics = Optional.of(value);
            return this;
        }

        /**
         * Starts the server; when this returns, it listens.
         *
         * @throws IllegalArgumentException when client certificates are accepted without TLS, or their authority is malformed
         * @throws ListenerBuilder.InsecureBindException when it would listen beyond loopback without TLS or authentication
         * @throws IllegalStateException when the address cannot be listened on
         */
        public GrpcServer start() {
            return new GrpcServer(this).listen();
        }
    }

    /**
     * Limits on the calls of clients. All limits are on by default.
     *
     * @param maxMessageBytes size of a request; a larger one is answered with RESOURCE_EXHAUSTED
     * @param maxHeaderBytes size of all headers of a call together
     * @param maxListBytes size of the response of a list, at most a sixteenth of the heap; a larger page ends early, a
     *     larger list without pages is answered with RESOURCE_EXHAUSTED
     * @param maxCallsPerConnection how many calls a connection has at once; more wait
     * @param maxInFlight how many calls are handled at once, streams aside; more are answered with RESOURCE_EXHAUSTED
     * @param maxWatches how many watches are open at once; more are answered with RESOURCE_EXHAUSTED
     * @param defaultDeadline how long a call without a deadline may take, streams aside
     * @param maxDeadline how long a call may take, whatever its deadline is, streams aside
     * @param writeTimeout how long the client of a watch may fail to take events
     * @param bookmarkInterval how often a watch without changes sends its position
     * @param checkInterval how often the credentials and the permission of a watch are checked again when nothing changes
     * @param keepAliveTime after how long the server checks that the client of an idle connection is alive
     * @param clientKeepAlive how often a client may check that; one that does so more often is disconnected
     * @param stopTimeout how long {@link GrpcServer#close} waits for calls in progress
     */
    public record Limits(
            int maxMessageBytes,
            int maxHeaderBytes,
            int maxListBytes,
            int maxCallsPerConnection,
            int maxInFlight,
            int maxWatches,
            Duration defaultDeadline,
            Duration maxDeadline,
            Duration writeTimeout,
            Duration bookmarkInterval,
            Duration checkInterval,
            Duration keepAliveTime,
            Duration clientKeepAlive,
            Duration stopTimeout) {
        /** 3 MiB requests, 32 KiB headers, 64 MiB lists, 600 calls, 20,000 watches; deadlines of 30 seconds, at most 5 minutes. */
        public static final Limits DEFAULT = new Limits(
                3 * 1024 * 1024,
                32 * 1024,
                64 * 1024 * 1024,
                1000,
                600,
                20_000,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10));

        /** Sets the size of the largest request and of the response of the largest list. */
        public Limits bytes(int request, int list) {
            return new Limits(
                    request,
                    maxHeaderBytes,
                    list,
                    maxCallsPerConnection,
                    maxInFlight,
                    maxWatches,
                    defaultDeadline,
                    maxDeadline,
                    writeTimeout,
                    bookmarkInterval,
                    checkInterval,
                    keepAliveTime,
                    clientKeepAlive,
                    stopTimeout);
        }

        /** Sets the number of concurrent calls and of concurrent watches. */
        public Limits concurrent(int calls, int watches) {
            return new Limits(
                    maxMessageBytes,
                    maxHeaderBytes,
                    maxListBytes,
                    maxCallsPerConnection,
                    calls,
                    watches,
                    defaultDeadline,
                    maxDeadline,
                    writeTimeout,
                    bookmarkInterval,
                    checkInterval,
                    keepAliveTime,
                    clientKeepAlive,
                    stopTimeout);
        }

        /** Sets the deadline of calls without one, and the longest deadline. */
        public Limits deadlines(Duration usual, Duration most) {
            return new Limits(
                    maxMessageBytes,
                    maxHeaderBytes,
                    maxListBytes,
                    maxCallsPerConnection,
                    maxInFlight,
                    maxWatches,
                    usual,
                    most,
                    writeTimeout,
                    bookmarkInterval,
                    checkInterval,
                    keepAliveTime,
                    clientKeepAlive,
                    stopTimeout);
        }

        /** Sets the write timeout of watches, and the intervals of their bookmarks and checks. */
        public Limits watches(Duration write, Duration bookmark, Duration check) {
            return new Limits(
                    maxMessageBytes,
                    maxHeaderBytes,
                    maxListBytes,
                    maxCallsPerConnection,
                    maxInFlight,
                    maxWatches,
                    defaultDeadline,
                    maxDeadline,
                    write,
                    bookmark,
                    check,
                    keepAliveTime,
                    clientKeepAlive,
                    stopTimeout);
        }
    }
}
