package dev.evenkeel.policy;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.access.internal.CertificateKeys;
import dev.evenkeel.access.internal.Endpoint;
import dev.evenkeel.access.internal.RequestedCertificates;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.policy.internal.sync.SyncCalls;
import dev.evenkeel.policy.internal.sync.SyncService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gRPC server that sends the updates of a {@link PolicyCalculation} to hosts, by the service {@code
 * evenkeel.policy.v1.PolicySyncService}.
 *
 * <p>By default it listens on loopback, on a free port, with TLS by a certificate created for this run and a random token:
 *
 * <pre>{@code
 * PolicyCalculation calculation = PolicyCalculation.forAllHosts();
 * try (PolicySyncServer server = PolicySyncServer.builder(calculation).start();
 *         PolicySyncClient client = PolicySyncClient.builder(server.target())
 *                 .ca(server.caCertificate())
 *                 .token(server.token())
 *                 .build();
 *         PolicySubscription host = client.open("node-1")) {
 *     List<Update> batch = host.poll(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <p>The user {@code system:node:NAME}, by token or client certificate, may read the state of that host, and the group {@code
 * system:masters} that of each.
 */
public final class PolicySyncServer implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_HEADER_BYTES = 32 * 1024;

    private final Endpoint endpoint;
    private final SyncService service;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("evenkeel-policy-sync-", 0).factory());
    private final Server server;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PolicySyncServer(Builder builder) {
        endpoint = Endpoint.of(builder.settings());
        service = new SyncService(builder.calculation, CHECK_INTERVAL, WRITE_TIMEOUT);
        server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(endpoint.address(), endpoint.port()), credentials(endpoint))
                .executor(threads)
                .maxInboundMetadataSize(MOST_HEADER_BYTES)
                .handshakeTimeout(20, TimeUnit.SECONDS)
                .keepAliveTime(2, TimeUnit.MINUTES)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(SyncCalls.of(service, endpoint.authentication()))
                .build();
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

    /** Starts building a server of a calculation. */
    public static Builder builder(PolicyCalculation calculation) {
        return new Builder(calculation);
    }

    private PolicySyncServer listen() {
        try {
            server.start();
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

    /** Returns the number of hosts that are connected. */
    public int streams() {
        return service.streams();
    }

    /** Ends all streams and stops; clients connect again, perhaps to another server. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        server.shutdown();
        service.stop();
        try {
            if (!server.awaitTermination(STOP_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        threads.shutdown();
    }

    /** Builds a server. */
    public static final class Builder extends ListenerBuilder<Builder> {
        private final PolicyCalculation calculation;

        private Builder(PolicyCalculation calculation) {
            this.calculation = calculation;
        }

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Starts the server; when this returns, it listens.
         *
         * @throws IllegalArgumentException when client certificates are accepted without TLS, or their authority is malformed
         * @throws ListenerBuilder.InsecureBindException when it would listen beyond loopback without TLS or authentication
         * @throws IllegalStateException when the address cannot be listened on
         */
        public PolicySyncServer start() {
            return new PolicySyncServer(this).listen();
        }
    }
}
