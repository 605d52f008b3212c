package dev.evenkeel.policy;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.policy.internal.sync.SyncStream;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A client of a {@link PolicySyncServer}: receives the updates of hosts.
 *
 * <p>It connects when a host is {@linkplain #open opened}, and again after each failure, with growing delays. Thread-safe.
 */
public final class PolicySyncClient implements AutoCloseable {
    private final ManagedChannel channel;
    private final String token;
    private final Backoff backoff;

    private PolicySyncClient(Builder builder) {
        token = builder.token;
        backoff = builder.backoff;
        try {
            channel = Grpc.newChannelBuilder(builder.target, credentials(builder))
                    .maxInboundMessageSize(Integer.MAX_VALUE)
                    .keepAliveTime(20, TimeUnit.SECONDS)
                    .keepAliveTimeout(10, TimeUnit.SECONDS)
                    .build();
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("target \"" + builder.target + "\", certificates: " + e.getMessage(), e);
        }
    }

    private static ChannelCredentials credentials(Builder builder) throws IOException {
        if (!builder.tls) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        if (!builder.ca.isEmpty()) {
            tls.trustManager(bytes(builder.ca));
        }
        if (!builder.certificate.isEmpty()) {
            tls.keyManager(bytes(builder.certificate), bytes(builder.key));
        }
        return tls.build();
    }

    private static ByteArrayInputStream bytes(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Returns a builder of a client.
     *
     * @param target address of the server, such as {@code policy.example.com:8503}, or another name that gRPC resolves
     */
    public static Builder builder(String target) {
        return new Builder(target);
    }

    /** Receives the updates of a host, from now until it is closed. */
    public PolicySubscription open(String host) {
        return new PolicySubscription(new SyncStream(channel, token, backoff, host));
    }

    /** Closes the connection, and with it all that was opened. */
    @Override
    public void close() {
        ManagedChannel unused = channel.shutdownNow();
    }

    /** Builds a client. */
    public static final class Builder {
        private final String target;
        private boolean tls = true;
        private String ca = "";
        private String certificate = "";
        private String key = "";
        private String token = "";
        private Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10))
                .jitter(0.5);

        private Builder(String target) {
            this.target = target;
        }

        /** Sets whether the connection is encrypted; true by default. */
        public Builder tls(boolean value) {
            tls = value;
            return this;
        }

        /** Sets the authorities to trust, in PEM, instead of those of the system. */
        public Builder ca(String pem) {
            ca = pem;
            return this;
        }

        /** Sets the certificate of this client and its key, in PEM. */
        public Builder certificate(String certificatePem, String keyPem) {
            certificate = certificatePem;
            key = keyPem;
            return this;
        }

        /** Sets the bearer token. */
        public Builder token(String value) {
            token = value;
            return this;
        }

        /** Sets the delays between attempts to connect; from 0.1 to 10 seconds by default. */
        public Builder backoff(Backoff value) {
            backoff = value;
            return this;
        }

        /**
         * Builds the client, which connects when it is used.
         *
         * @throws IllegalArgumentException when the target or a certificate is malformed, or a token would be sent without
         *     encryption
         */
        public PolicySyncClient build() {
            if (!tls && !token.isEmpty()) {
                throw new IllegalArgumentException(
                        "token: would be sent without encryption: enable TLS, or leave out the token");
            }
            return new PolicySyncClient(this);
        }
    }
}
