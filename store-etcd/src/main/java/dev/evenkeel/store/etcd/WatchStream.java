package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.StoreException;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One watch of etcd on one member: ends with that member, and is never resumed by itself. */
final class WatchStream implements AutoCloseable {
    /** The number of responses that etcd may send before they are read. */
    private static final int AHEAD = 16;

    private final Connection connection;
    private final int member;
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

    /** A response, or the end of the stream. */
    private sealed interface Message {}

    private record Response(WatchResponse response) implements Message {}

    private record End(Throwable problem) implements Message {}

    /** Begins to watch the keys with a prefix, from a revision on. */
    WatchStream(Connection connection, ByteString prefix, long from) {
        this.connection = connection;
        member = connection.member();
        WatchCreateRequest range = WatchCreateRequest.newBuilder()
                .setKey(prefix)
                .setRangeEnd(Keys.end(prefix))
                .setStartRevision(from)
                .build();
        connection
                .stub(member, WatchGrpc::newStub)
                .watch(new Receiver())
                .onNext(WatchRequest.newBuilder().setCreateRequest(range).build());
    }

    private final class Receiver implements ClientResponseObserver<WatchRequest, WatchResponse> {
        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(AHEAD);
        }

        @Override
        public void onNext(WatchResponse response) {
            messages.add(new Response(response));
        }

        @Override
        public void onError(Throwable problem) {
            messages.add(new End(problem));
        }

        @Override
        public void onCompleted() {
            messages.add(new End(new IllegalStateException("etcd ended the watch")));
        }
    }

    /**
     * Returns the next response; null when there is none yet after a time.
     *
     * @throws CompactedException when etcd has forgotten revisions of this watch
     * @throws StoreException when the stream has ended, or its member was left
     */
    @Nullable
    WatchResponse next(Duration wait) throws InterruptedException {
        Message message = messages.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
        switch (message) {
            case null -> {
                if (connection.member() != member) {
                    throw new StoreException("the member of etcd was left", null);
                }
                return null;
            }
            case Response(WatchResponse response) -> {
                ClientCallStreamObserver<WatchRequest> stream = call;
                if (stream != null) {
                    stream.request(1);
                }
                if (response.getCanceled()) {
                    throw canceled(response);
                }
                return response;
            }
            case End(Throwable problem) -> {
                connection.leave(member);
                throw problem instanceof StatusRuntimeException status
                        ? connection.unreachable(status)
                        : new StoreException("the watch of etcd has ended: " + problem.getMessage(), problem);
            }
        }
    }

    private RuntimeException canceled(WatchResponse response) {
        if (response.getCompactRevision() > 0) {
            return new CompactedException(0, response.getCompactRevision());
        }
        connection.forgetToken(); // of which etcd says no more than that access is denied
        return new StoreException("etcd ended the watch: " + response.getCancelReason(), null);
    }

    @Override
    public void close() {
        ClientCallStreamObserver<WatchRequest> stream = call;
        if (stream != null) {
            stream.cancel("not needed any more", null);
        }
    }
}
