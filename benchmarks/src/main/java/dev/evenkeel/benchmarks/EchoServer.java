package dev.evenkeel.benchmarks;

import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ListResponse;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.ReadResponse;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceImplBase;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteResponse;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers calls of the resource service with messages that are there already: the cost of gRPC alone. */
final class EchoServer extends ResourceServiceImplBase implements AutoCloseable {
    private final ReadResponse read;
    private final ListResponse list;
    private final List<StreamObserver<WatchEvent>> watches = new CopyOnWriteArrayList<>();
    private final Server server;

    /** Starts a server with the responses of another. */
    EchoServer(ReadResponse read, ListResponse list) throws IOException {
        this.read = read;
        this.list = list;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> client) {
        client.onNext(read);
        client.onCompleted();
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> client) {
        client.onNext(list);
        client.onCompleted();
    }

    /** Answers with the resource as it was sent, and the fields of a stored one; all watches receive it. */
    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> client) {
        Resource resource =
                read.getResource().toBuilder().mergeFrom(request.getResource()).build();
        client.onNext(WriteResponse.newBuilder().setResource(resource).build());
        client.onCompleted();
        if (!watches.isEmpty()) {
            WatchEvent event = WatchEvent.newBuilder()
                    .setUpsert(WatchEvent.Upsert.newBuilder().setResource(resource))
                    .setResumeToken(resource.getVersion())
                    .build();
            watches.forEach(watch -> {
                synchronized (watch) {
                    watch.onNext(event);
                }
            });
        }
    }

    @Override
    public void watchList(WatchListRequest request, StreamObserver<WatchEvent> client) {
        client.onNext(WatchEvent.newBuilder()
                .setEndOfSnapshot(WatchEvent.EndOfSnapshot.getDefaultInstance())
                .build());
        watches.add(client);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
