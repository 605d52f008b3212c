package dev.evenkeel.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.client.Watch;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls: with a token, with a deadline, again where that is safe.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>A write is sent a second time only after an answer that reports that it was not done, or when repeating it has the
 *       same effect.
 *   <li>Every wait ends: each attempt has a deadline, and an interrupted thread waits for nothing. A watch whose peer
 *       vanished fails, as the connection is checked while it is open.
 *   <li>A refused token is refreshed once per call, so a wrong one causes no endless loop.
 *   <li>The retry policy determines when a connection is tried again, not the back-off of the connection, which grows to
 *       minutes.
 * </ol>
 *
 * <p><b>Concurrency.</b> Callers wait in their own threads. A server limits the calls of a connection, and watches hold one
 * each; so watches have a connection of their own. A watch that is not read fills its part of the connection, about a
 * megabyte, and then delays the others until the server disconnects it.
 */
final class GrpcTransport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcTransport.class);
    private static final int MOST_METADATA_BYTES = 1024 * 1024;
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
    private static final Metadata.Key<String> AUTHORIZATION = header("authorization");
    private static final Metadata.Key<String> USER = header("impersonate-user");
    private static final Metadata.Key<String> GROUP = header("impersonate-group");

    /** The effect of a repeated call. */
    enum Repeat {
        /** The call has no effect. */
        READ,
        /** Repeating has the same effect as calling once. */
        SAME_EFFECT,
        /** Repeating may have another effect. */
        NEVER
    }

    private final GrpcClient.Builder settings;
    private final ManagedChannel calls;
    private final ManagedChannel streams;
    private final Set<GrpcWatch<?>> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    GrpcTransport(GrpcClient.Builder settings) {
        this.settings = settings;
        calls = channel(settings);
        streams = channel(settings);
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
        String what = name + " of " + settings.target;
        long begin = System.nanoTime();
        boolean refreshed = false;
        String token = settings.tokens.map(TokenSource::token).orElse("");
        for (int failed = 1; ; failed++) {
            RuntimeException failure;
            Duration requested = Duration.ZERO;
            boolean again;
            try {
                return attempt.apply(headers(token));
            } catch (StatusRuntimeException e) {
                failure = GrpcErrors.of(what, e);
            }
            switch (failure) {
                case ApiException refusal -> {
                    if (refusal.code() == 401 && !refreshed && settings.tokens.isPresent()) {
                        refreshed = true;
                        String fresh = settings.tokens.get().refresh(token);
                        if (!fresh.equals(token)) {
                            token = fresh;
                            failed--;
                            continue;
                        }
                    }
                    requested = retryAfter(refusal);
                    again = again(refusal.code(), !requested.isZero(), repeat);
                }
                case ConnectionException broken -> {
                    channel.resetConnectBackoff();
                    again = repeat == Repeat.READ && !closed;
                }
                default -> throw failure;
            }
            Optional<Duration> pause = again
                    ? settings.retry.pause(
                            failed, Duration.ofNanos(System.nanoTime() - begin), requested, ThreadLocalRandom.current())
                    : Optional.empty();
            if (pause.isEmpty()) {
                throw failure;
            }
            LOG.debug("{} failed, again in {}: {}", what, pause.get(), failure.getMessage());
            pause(what, pause.get());
        }
    }

    private static boolean again(int code, boolean requested, Repeat repeat) {
        return code == 429
                || (code >= 500 && requested && repeat != Repeat.NEVER)
                || ((code == 503 || code == 504) && repeat == Repeat.READ);
    }

    private static Duration retryAfter(ApiException refusal) {
        return Duration.ofSeconds(refusal.status()
                .details()
                .map(Status.Details::retryAfterSeconds)
                .orElse(0));
    }

    private static void pause(String what, Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted between attempts of " + what, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(watches).forEach(Watch::close);
        calls.shutdownNow();
        streams.shutdownNow();
    }
}
