package dev.evenkeel.benchmarks;

import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Many watches over gRPC, a hundred on each connection, which count the changes that they receive.
 *
 * <p>Messages are not parsed but for the number of their first field, so that the machine's time is left to the server.
 */
final class GrpcSwarm implements AutoCloseable {
    private static final int UPSERT = 3;
    private static final int END_OF_SNAPSHOT = 5;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private final LongAdder events = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    /** Opens watches, and returns after the end of their snapshots. */
    GrpcSwarm(int port, int watches) throws InterruptedException {
        CountDownLatch snapshots = new CountDownLatch(watches);
        MethodDescriptor<WatchListRequest, Integer> method = ResourceServiceGrpc.getWatchListMethod().toBuilder(
                        ResourceServiceGrpc.getWatchListMethod().getRequestMarshaller(), new FirstField())
                .build();
        for (int i = 0; i < watches; i++) {
            if (i % 100 == 0) {
                channels.add(GrpcClient.channel(port));
            }
            ClientCalls.asyncServerStreamingCall(
                    channels.getLast().newCall(method, CallOptions.DEFAULT),
                    WatchListRequest.newBuilder().setType(Tracks.TYPE).build(),
                    new Counter(snapshots));
        }
        if (!snapshots.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    snapshots.getCount() + " watches have no end of their snapshot in a minute");
        }
        events.reset();
    }

    /** Returns the number of changes that all watches together have received. */
    long events() {
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("a watch failed: " + error.getMessage(), error);
        }
        return events.sum();
    }

    private final class Counter implements StreamObserver<Integer> {
        private final CountDownLatch snapshots;

        Counter(CountDownLatch snapshots) {
            this.snapshots = snapshots;
        }

        @Override
        public void onNext(Integer field) {
            if (field == UPSERT) {
                events.increment();
            } else if (field == END_OF_SNAPSHOT) {
                snapshots.countDown();
            }
        }

        @Override
        public void onError(Throwable error) {
            if (!closed) {
                failure.compareAndSet(null, error);
            }
        }

        @Override
        public void onCompleted() {
            onError(Status.UNAVAILABLE.withDescription("the watch was ended").asException());
        }
    }

    /** Reads the number of the first field of a message. */
    private static final class FirstField implements Marshaller<Integer> {
        @Override
        public InputStream stream(Integer value) {
            throw new UnsupportedOperationException("received only");
        }

        @Override
        public Integer parse(InputStream message) {
            try {
                return message.read() >> 3;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
