package dev.evenkeel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.resource.v1.CreateObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectResponse;
import dev.evenkeel.grpc.resource.v1.GetObjectRequest;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import dev.evenkeel.grpc.resource.v1.ObjectResponse;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest;
import dev.evenkeel.grpc.resource.v1.UpdateObjectRequest;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against a server whose answers are given in advance. */
@Timeout(300)
class GrpcRetryTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final ObjectKey KEY = ObjectKey.of("default", "a");
    private static final String MAP = """
            {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","resourceVersion":"7"}}""";
    private static final StatusRuntimeException FOUND = Status.OK.asRuntimeException();
    private static final StatusRuntimeException BROKEN =
            Status.UNAVAILABLE.withDescription("connection reset").asRuntimeException();
    private static final StatusRuntimeException BUSY = refusal(429, "TooManyRequests", 0);
    private static final StatusRuntimeException UNAVAILABLE = refusal(503, "ServiceUnavailable", 0);
    private static final StatusRuntimeException LATER = refusal(503, "ServiceUnavailable", 1);
    private static final StatusRuntimeException UNAUTHORIZED = refusal(401, "Unauthorized", 0);
    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT.backoff(Backoff.constant(Duration.ofMillis(1)));

    private final Scripted service = new Scripted();
    private final Server server = service.start(0);
    private final GrpcClient.Builder builder =
            GrpcClient.builder("127.0.0.1:" + server.getPort()).tls(false).retry(QUICK);

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    private static StatusRuntimeException refusal(int code, String reason, int retryAfter) {
        var details = dev.evenkeel.client.Status.Details.EMPTY.retryAfterSeconds(retryAfter);
        var status = dev.evenkeel.client.Status.of(code, reason, reason, details);
        return StatusProto.toStatusRuntimeException(
                Errors.complete(ApiException.of(status)).rpc());
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build();
    }

    @Test
    void readsAreRepeated() {
        service.answer(BUSY, UNAVAILABLE, BROKEN, FOUND);
        try (GrpcClient client = builder.build()) {
            assertThat(client.get(MAPS, KEY).getMetadata().getResourceVersion()).isEqualTo("7");
            assertThat(service.calls).containsExactly("Get", "Get", "Get", "Get");
        }
    }

    @Test
    void writesAreRepeatedOnlyWhenThatIsSafe() {
        try (GrpcClient client = builder.build()) {
            service.answer(LATER);
            assertThatThrownBy(() -> client.create(map())).isInstanceOf(ApiException.class);
            service.answer(UNAVAILABLE);
            assertThatThrownBy(() -> client.update(map())).isInstanceOf(ApiException.class);
            service.answer(LATER);
            assertThatThrownBy(() -> client.patch(MAPS, KEY, Patch.json("[]"), WriteOptions.DEFAULT))
                    .isInstanceOf(ApiException.class);
            service.answer(BROKEN);
            assertThatThrownBy(() -> client.update(map()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("Update of 127.0.0.1:")
                    .hasMessageContaining("connection reset");
            assertThat(service.calls).containsExactly("Create", "Update", "Patch", "Update");
            service.answer(BUSY, FOUND, LATER, FOUND, LATER, FOUND);
            client.create(map());
            client.apply(map(), WriteOptions.DEFAULT);
            client.delete(map());
            assertThat(service.calls)
                    .containsExactly(
                            "Create", "Update", "Patch", "Update", "Create", "Create", "Patch", "Patch", "Delete",
                            "Delete");
        }
    }

    @Test
    void withoutRetriesAFailureIsAFailure() {
        service.answer(BUSY, FOUND);
        try (GrpcClient client = builder.retry(RetryPolicy.NONE).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY)).isInstanceOf(TooManyRequestsException.class);
        }
    }

    @Test
    void aRefusedTokenIsRequestedAgainOnce() {
        TokenSource source = new TokenSource() {
            @Override
            public String token() {
                return "old";
            }

            @Override
            public String refresh(String refused) {
                return refused + "er";
            }
        };
        try (GrpcClient client = builder.tokens(source).build()) {
            service.answer(UNAUTHORIZED, FOUND);
            client.get(MAPS, KEY);
            assertThat(service.tokens).containsExactly("Bearer old", "Bearer older");
            service.answer(UNAUTHORIZED, UNAUTHORIZED, FOUND);
            assertThatThrownBy(() -> client.get(MAPS, KEY)).isInstanceOf(UnauthorizedException.class);
        }
    }

    @Test
    void anUnreachableServerIsAConnectionException() {
        server.shutdownNow();
        try (GrpcClient client = builder.retry(QUICK.attempts(2)).build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("Get of 127.0.0.1:");
            assertThatThrownBy(() -> client.watch(MAPS, ListOptions.ALL)).isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    void aServerThatIsBackIsFoundAtOnce() throws Exception {
        int port = server.getPort();
        server.shutdownNow().awaitTermination();
        try (GrpcClient client = builder.retry(QUICK.attempts(1)).build()) {
            for (int i = 0; i < 10; i++) {
                // the connection alone would wait for minutes now before it is tried again
                assertThatThrownBy(() -> client.find(MAPS, KEY)).isInstanceOf(ConnectionException.class);
            }
            Server next = service.start(port);
            try {
                service.answer(FOUND, FOUND, FOUND);
                Fixture.await(() -> found(client));
            } finally {
                next.shutdownNow();
            }
        }
    }

    private static boolean found(GrpcClient client) {
        try {
            return client.find(MAPS, KEY).isPresent();
        } catch (ConnectionException e) {
            return false;
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNotAwaitedForEver() {
        service.answer(Scripted.NEVER, Scripted.NEVER);
        try (GrpcClient client = builder.retry(RetryPolicy.NONE)
                .requestTimeout(Duration.ofMillis(50))
                .build()) {
            assertThatThrownBy(() -> client.find(MAPS, KEY)).isInstanceOf(ConnectionException.class);
            assertThatThrownBy(() -> client.watch(MAPS, ListOptions.ALL))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no answer in 50 ms");
        }
    }

    @Test
    void anInterruptedThreadStopsWaiting() throws InterruptedException {
        service.answer(Scripted.NEVER, Scripted.NEVER);
        try (GrpcClient client = builder.build()) {
            for (Runnable call :
                    List.<Runnable>of(() -> client.find(MAPS, KEY), () -> client.watch(MAPS, ListOptions.ALL))) {
                AtomicReference<Throwable> thrown = new AtomicReference<>();
                CountDownLatch flagged = new CountDownLatch(1);
                service.received = new CountDownLatch(1);
                Thread caller = Thread.ofVirtual().start(() -> {
                    try {
                        call.run();
                    } catch (RequestInterruptedException e) {
                        thrown.set(e);
                        if (Thread.currentThread().isInterrupted()) {
                            flagged.countDown();
                        }
                    }
                });
                service.received.await();
                caller.interrupt();
                caller.join();
                assertThat(thrown.get()).isInstanceOf(RequestInterruptedException.class);
                assertThat(flagged.getCount()).isZero();
            }
        }
    }

    /** Answers each call with the next status. */
    private static final class Scripted extends ObjectServiceGrpc.ObjectServiceImplBase implements ServerInterceptor {
        static final StatusRuntimeException NEVER = Status.UNKNOWN.asRuntimeException();

        final List<String> calls = new CopyOnWriteArrayList<>();
        final List<String> tokens = new CopyOnWriteArrayList<>();
        private final Queue<StatusRuntimeException> script = new ConcurrentLinkedQueue<>();
        volatile CountDownLatch received = new CountDownLatch(1);

        Server start(int port) {
            try {
                return NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                InsecureServerCredentials.create())
                        .addService(io.grpc.ServerInterceptors.intercept(this, (ServerInterceptor) this))
                        .build()
                        .start();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        void answer(StatusRuntimeException... statuses) {
            script.clear();
            script.addAll(List.of(statuses));
        }

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            calls.add(String.valueOf(call.getMethodDescriptor().getBareMethodName()));
            String token = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            if (token != null) {
                tokens.add(token);
            }
            return next.startCall(call, headers);
        }

        private <A> void answer(StreamObserver<A> client, A answer) {
            StatusRuntimeException status = script.remove();
            received.countDown();
            if (status == FOUND) {
                client.onNext(answer);
                client.onCompleted();
            } else if (status != NEVER) {
                client.onError(status);
            }
        }

        private static ObjectResponse map() {
            return ObjectResponse.newBuilder()
                    .setObject(ByteString.copyFromUtf8(MAP))
                    .build();
        }

        @Override
        public void get(GetObjectRequest request, StreamObserver<ObjectResponse> client) {
            answer(client, map());
        }

        @Override
        public void create(CreateObjectRequest request, StreamObserver<ObjectResponse> client) {
            answer(client, map());
        }

        @Override
        public void update(UpdateObjectRequest request, StreamObserver<ObjectResponse> client) {
            answer(client, map());
        }

        @Override
        public void patch(PatchObjectRequest request, StreamObserver<ObjectResponse> client) {
            answer(client, map());
        }

        @Override
        public void delete(DeleteObjectRequest request, StreamObserver<DeleteObjectResponse> client) {
            answer(client, DeleteObjectResponse.getDefaultInstance());
        }

        @Override
        public void watch(WatchObjectsRequest request, StreamObserver<ObjectEvent> client) {
            answer(client, ObjectEvent.getDefaultInstance());
        }
    }
}
