package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.spi.StoreException.Reason;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Calls etcd.
 *
 * <p>The problem: when a member of etcd dies or hangs, all calls should soon be at another one; a call that may be repeated
 * should succeed there, and of a commit it must be known whether it may have been made. So all calls go to one member, at
 * first any of them, and when that does not answer, to the next one. Reads are repeated there; a commit only if nothing of
 * it was sent, which gRPC tells: otherwise its outcome is unknown.
 *
 * <p>Every call asks that the member knows a leader, so that one that is cut off from the others ends its watches.
 */
final class Connection implements AutoCloseable {
    private static final Metadata.Key<String> NEEDS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
    private static final CallOptions.Key<AtomicBoolean> SENT = CallOptions.Key.create("sent");

    /** The time that a read waits for one member, if there are others. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<Endpoint> endpoints;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final AtomicInteger current;
    private final Optional<Token> token;
    private final Duration timeout;

    Connection(EtcdOptions options) {
        endpoints = options.endpoints().stream().map(Endpoint::parse).toList();
        timeout = options.timeout();
        current = new AtomicInteger(ThreadLocalRandom.current().nextInt(endpoints.size()));
        token = options.credentials().map(user -> new Token(user, timeout));
        endpoints.forEach(endpoint -> channels.add(channel(endpoint, options.tls())));
    }

    private static ManagedChannel channel(Endpoint endpoint, Optional<EtcdTls> tls) {
        try {
            return Grpc.newChannelBuilderForAddress(endpoint.host(), endpoint.port(), security(endpoint, tls))
                    .directExecutor()
                    .disableServiceConfigLookUp()
                    .disableRetry()
                    .keepAliveTime(5, TimeUnit.SECONDS) // the least that etcd allows
                    .keepAliveTimeout(5, TimeUnit.SECONDS)
                    .maxInboundMessageSize(Integer.MAX_VALUE)
                    .build();
        } catch (IOException | IllegalArgumentException | ManagedChannelRegistry.ProviderNotFoundException e) {
            throw new StoreException("cannot read the certificates for etcd: " + e.getMessage(), e);
        }
    }

    private static ChannelCredentials security(Endpoint endpoint, Optional<EtcdTls> tls) throws IOException {
        if (!endpoint.tls()) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
        if (tls.isPresent() && tls.get().authority().isPresent()) {
            builder.trustManager(tls.get().authority().get().toFile());
        }
        if (tls.isPresent() && tls.get().certificate().isPresent()) {
            Path key = tls.get().key().orElseThrow();
            builder.keyManager(tls.get().certificate().get().toFile(), key.toFile());
        }
        return builder.build();
    }

    /** The place of the member that is used now: another number when it was given up. */
    int member() {
        return current.get();
    }

    /** Turns to the next member, unless another call has done so already. */
    void leave(int member) {
        current.compareAndSet(member, (member + 1) % channels.size());
    }

    /** Prepares a stub for calls to a member. */
    <S extends AbstractStub<S>> S stub(int member, Function<Channel, S> maker) {
        ManagedChannel channel = channels.get(member);
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff(); // do not wait for gRPC's next attempt, up to two minutes away
        }
        Metadata headers = new Metadata();
        headers.put(NEEDS_LEADER, "true");
        S stub = maker.apply(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        return token.isPresent() ? stub.withCallCredentials(token.get().of(channel)) : stub;
    }

    /** Reads keys, as they are for all members. */
    RangeResponse range(RangeRequest request) {
        return repeatable(stub -> stub.range(request));
    }

    /** Forgets the history before a revision. */
    void compact(long revision) {
        CompactionRequest request =
                CompactionRequest.newBuilder().setRevision(revision).build();
        try {
            repeatable(stub -> stub.compact(request));
        } catch (CompactedException e) {
            // so it is already
        }
    }

    private <R> R repeatable(Function<KVGrpc.KVBlockingStub, R> call) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean refreshed = false;
        for (int tries = 1; ; ) {
            int member = member();
            long left = deadline - System.nanoTime();
            Duration patience = channels.size() > 1 ? PATIENCE : timeout;
            try {
                return call.apply(stub(member, KVGrpc::newBlockingStub)
                        .withDeadlineAfter(Math.min(left, patience.toNanos()), TimeUnit.NANOSECONDS));
            } catch (StatusRuntimeException e) {
                if (token.isPresent() && !refreshed && Token.isExpired(e.getStatus())) {
                    token.get().forget();
                    refreshed = true;
                    continue;
                }
                if (isAnswer(e.getStatus())) {
                    throw refused(e, false);
                }
                leave(member);
                boolean slow = e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
                if ((tries++ >= channels.size() && !slow) || deadline - System.nanoTime() <= 0) {
                    throw unreachable(e);
                }
            }
        }
    }

    /**
     * Makes a transaction.
     *
     * @throws StoreException with reason unknown when the transaction may have been made
     */
    TxnResponse txn(TxnRequest request) {
        boolean refreshed = false;
        for (int tries = 1; ; ) {
            int member = member();
            AtomicBoolean sent = new AtomicBoolean();
            try {
                return stub(member, KVGrpc::newBlockingStub)
                        .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .withOption(SENT, sent)
                        .withInterceptors(new SentDetector())
                        .txn(request);
            } catch (StatusRuntimeException e) {
                if (token.isPresent() && !refreshed && Token.isExpired(e.getStatus())) {
                    token.get().forget();
                    refreshed = true;
                    continue;
                }
                if (isAnswer(e.getStatus())) {
                    throw refused(e, true);
                }
                leave(member);
                if (sent.get()) {
                    throw new StoreException(
                            Reason.UNKNOWN,
                            "etcd at " + endpoints.get(member) + " did not answer (" + describe(e.getStatus())
                                    + "): it is unknown whether this was written; read it before another attempt",
                            e);
                }
                if (tries++ >= channels.size()) {
                    throw unreachable(e);
                }
            }
        }
    }

    /** Returns true if etcd answered with an error, which is the same at all members; false when it did not answer. */
    private static boolean isAnswer(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN -> false;
            default -> true;
        };
    }

    /** Returns the exception for an error with which etcd answered; nothing was written. */
    private static RuntimeException refused(StatusRuntimeException e, boolean commit) {
        String text = describe(e.getStatus());
        if (e.getStatus().getCode() == Status.Code.OUT_OF_RANGE && text.contains("compacted")) {
            return new CompactedException(0, 0);
        }
        if (commit && text.contains("too many operations")) {
            return new StoreException(
                    Reason.TOO_LARGE, "etcd refuses a commit of so many keys: its --max-txn-ops is 128 by default", e);
        }
        if (commit && (text.contains("request is too large") || text.contains("larger than max"))) {
            return new StoreException(
                    Reason.TOO_LARGE,
                    "etcd refuses an object of this size: its --max-request-bytes is 1.5 MiB by default",
                    e);
        }
        if (text.contains("database space exceeded")) {
            return new StoreException(
                    "the database of etcd is full: compact and defragment it, or raise its --quota-backend-bytes, then"
                            + " disarm the alarm",
                    e);
        }
        return switch (e.getStatus().getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT ->
                new StoreException(
                        "etcd refuses this user: " + text + "; check user, password, certificate and role", e);
            default -> new StoreException("etcd: " + text, e);
        };
    }

    /** Returns the exception for a failure to reach any member; nothing was written. */
    StoreException unreachable(StatusRuntimeException e) {
        return new StoreException(
                "etcd at "
                        + String.join(
                                ", ", endpoints.stream().map(Endpoint::toString).toList()) + " does not answer ("
                        + describe(e.getStatus()) + "): check that it runs, and the addresses",
                e);
    }

    private static String describe(Status status) {
        String text = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage();
    }

    /** Tells calls with a flag when something was sent for them. */
    private static final class SentDetector implements ClientInterceptor {
        @Override
        public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            AtomicBoolean sent = options.getOption(SENT);
            return next.newCall(
                    method,
                    sent == null
                            ? options
                            : options.withStreamTracerFactory(new ClientStreamTracer.Factory() {
                                @Override
                                public ClientStreamTracer newClientStreamTracer(
                                        ClientStreamTracer.StreamInfo info, Metadata headers) {
                                    return new ClientStreamTracer() {
                                        @Override
                                        public void outboundHeaders() {
                                            sent.set(true);
                                        }
                                    };
                                }
                            }));
        }
    }

    /** Forgets the token, which a watch found expired. */
    void forgetToken() {
        token.ifPresent(Token::forget);
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
