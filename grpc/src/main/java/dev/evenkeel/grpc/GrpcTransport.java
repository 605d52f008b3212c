package dev.evenkeel.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.internal.retry.Attempts;
import dev.evenkeel.client.internal.retry.Attempts.Repeat;
import dev.evenkeel.client.internal.retry.Timing;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends calls: with a token, with a deadline, again where that is safe.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Calls are sent again as {@link Attempts} says.
 *   <li>Every wait ends: each attempt has a deadline, and an interrupted thread waits for nothing. A watch whose peer
 *       vanished fails, as the connection is checked while it is open.
 *   <li>The retry policy determines when a connection is tried again, not the back-off of the connection, which grows to
 *       minutes.
 * </ol>
 *
 * <p><b>Concurrency.</b> Callers wait in their own threads. A server limits the calls of a connection, and watches hold one
 * each; so watches have a connection of their own. A watch that is not read fills its part of the connection, about a
 * megabyte, and then delays the others until the server disconnects it.
 */
final class GrpcTransport implements AutoCloseable {
    private static final int MOST_METADATA_BYTES = 1024 * 1024;
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
    private static final Metadata.Key<String> AUTHORIZATION = header("authorization");
    private static final Metadata.Key<String> USER = header("impersonate-user");
    private static final Metadata.Key<String> GROUP = header("impersonate-group");

    private final GrpcClient.Builder settings;
    private final ManagedChannel calls;
    private final ManagedChannel streams;
    private final Attempts attempts;
    private final Set<GrpcWatch<?>> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    GrpcTransport(GrpcClient.Builder settings) {
        this.settings = settings;
        calls = channel(settings);
        streams = channel(settings);
        attempts = new Attempts(settings.retry, settings.tokens, Timing.REAL);
    }

    private static Metadata.Key<String> header(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static ManagedChannel channel(GrpcClient.Builder settings) {
        try {
            return Grpc.newChannelBuilder(settings.target, credentials(settings))
                    .userAgent(settings.userAgent)
                    .maxInboundMessageSize(Integer.MAX_VALUE)
                    .maxInboundMetadataSize(MOST_METADATA_BYTES)
                    .keepAliveTime(KEEP_ALIVE.toNanos(), TimeUnit.NANOSECONDS)
                    .keepAliveTimeout(KEEP_ALIVE.dividedBy(2).toNanos(), TimeUnit.NANOSECONDS)
                    .build();
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "target \"" + settings.target + "\", certificates: " + e.getMessage(), e);
        }
    }

    private static ChannelCredentials credentials(GrpcClient.Builder settings) throws IOException {
        if (!settings.tls) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        if (!settings.ca.isEmpty()) {
            tls.trustManager(bytes(settings.ca));
        }
        if (!settings.certificate.isEmpty()) {
            tls.keyManager(bytes(settings.certificate), bytes(settings.key));
        }
        return tls.build();
    }

    private static ByteArrayInputStream bytes(String pem) {
        return new ByteArrayInputStream(pem.getBytes(US_ASCII));
    }

    /** Returns true if a target is on this machine. */
    static boolean loopback(String target) {
        String address = target.substring(target.lastIndexOf('/') + 1);
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    /** Makes a call, and waits for its answer. */
    <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Repeat repeat) {
        String name = String.valueOf(method.getBareMethodName());
        return attempts(
                name,
                repeat,
                calls,
                headers -> ClientCalls.blockingUnaryCall(
                        ClientInterceptors.intercept(calls, MetadataUtils.newAttachHeadersInterceptor(headers)),
                        method,
                        CallOptions.DEFAULT.withDeadlineAfter(settings.requestTimeout.toNanos(), TimeUnit.NANOSECONDS),
                        request));
    }

    /** Opens a watch, and waits until the server has accepted it. */
    <T extends HasMetadata> Watch<T> watch(Kind<T> kind, WatchObjectsRequest request) {
        MethodDescriptor<WatchObjectsRequest, ObjectEvent> method = ObjectServiceGrpc.getWatchMethod();
        return attempts("Watch", Repeat.READ, streams, headers -> {
            ClientCall<WatchObjectsRequest, ObjectEvent> call = streams.newCall(method, CallOptions.DEFAULT);
            GrpcWatch<T> watch = new GrpcWatch<>(kind, call, ended -> watches.remove(ended), this::watchError);
            watches.add(watch);
            watch.open(headers, request, settings.requestTimeout);
            if (closed) {
                watch.close();
            }
            return watch;
        });
    }

    private RuntimeException watchError(StatusRuntimeException failure) {
        streams.resetConnectBackoff();
        return GrpcErrors.of("Watch of " + settings.target, failure);
    }

    private Metadata headers(String token) {
        Metadata headers = new Metadata();
        if (!token.isEmpty()) {
            headers.put(AUTHORIZATION, "Bearer " + token);
        }
        if (!settings.user.isEmpty()) {
            headers.put(USER, settings.user);
            settings.groups.forEach(group -> headers.put(GROUP, group));
        }
        return headers;
    }

    private <R> R attempts(String name, Repeat repeat, ManagedChannel channel, Function<Metadata, R> attempt) {
        String request = name + " of " + settings.target;
        return attempts.send(request, repeat, token -> {
            try {
                return attempt.apply(headers(token));
            } catch (StatusRuntimeException e) {
                throw failure(request, e, channel);
            }
        });
    }

    private RuntimeException failure(String request, StatusRuntimeException error, ManagedChannel channel) {
        RuntimeException failure = GrpcErrors.of(request, error);
        if (failure instanceof ApiException refusal) {
            return new Attempts.Refused(refusal, retryAfter(refusal));
        }
        channel.resetConnectBackoff();
        return failure;
    }

    private static Optional<Duration> retryAfter(ApiException refusal) {
        return refusal.status()
                .details()
                .map(details -> Duration.ofSeconds(details.retryAfterSeconds()))
                .filter(Duration::isPositive);
    }

    @Override
    public void close() {
        closed = true;
        attempts.end();
        List.copyOf(watches).forEach(Watch::close);
        calls.shutdownNow();
        streams.shutdownNow();
    }
}
