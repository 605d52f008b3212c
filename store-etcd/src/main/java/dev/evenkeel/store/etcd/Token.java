package dev.evenkeel.store.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallCredentials;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The token that etcd gives for user and password; fetched when a call needs one, and again after it has expired. */
final class Token {
    private static final Metadata.Key<String> HEADER = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final EtcdCredentials user;
    private final Duration timeout;
    private volatile @Nullable String token;

    Token(EtcdCredentials user, Duration timeout) {
        this.user = user;
        this.timeout = timeout;
    }

    /** Returns true if a call was refused since the token has expired, or was made before users were changed. */
    static boolean isExpired(Status status) {
        String text = String.valueOf(status.getDescription());
        return text.contains("invalid auth token") || text.contains("revision of auth store is old");
    }

    /** Forgets the token. */
    void forget() {
        token = null;
    }

    /** Returns credentials that add the token to calls. */
    CallCredentials of(Channel channel) {
        return new CallCredentials() {
            @Override
            public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
                String known = token;
                if (known == null) {
                    fetch(channel, applier);
                } else {
                    applier.apply(header(known));
                }
            }
        };
    }

    private void fetch(Channel channel, CallCredentials.MetadataApplier applier) {
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setName(user.user())
                .setPassword(user.password())
                .build();
        AuthGrpc.newStub(channel)
                .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .authenticate(request, new StreamObserver<>() {
                    @Override
                    public void onNext(AuthenticateResponse response) {
                        token = response.getToken();
                        applier.apply(header(response.getToken()));
                    }

                    @Override
                    public void onError(Throwable problem) {
                        applier.fail(Status.fromThrowable(problem));
                    }

                    @Override
                    public void onCompleted() {
                        // answered before
                    }
                });
    }

    private static Metadata header(String token) {
        Metadata headers = new Metadata();
        headers.put(HEADER, token);
        return headers;
    }
}
