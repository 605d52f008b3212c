package dev.evenkeel.benchmarks;

import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ListResponse;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.ReadResponse;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc.ResourceServiceBlockingStub;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

/** A client of the resource service, with a connection of its own. */
final class GrpcClient implements GrpcSuite.Client {
    private static final int MOST_BYTES = 64 << 20;

    private final ManagedChannel channel;
    private final ResourceServiceBlockingStub stub;

    GrpcClient(int port) {
        channel = channel(port);
        stub = ResourceServiceGrpc.newBlockingStub(channel);
    }

    static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(MOST_BYTES)
                .build();
    }

    ReadResponse response(int number) {
        ReadRequest request = ReadRequest.newBuilder().setId(Tracks.id(number)).build();
        return stub.read(request);
    }

    ListResponse listResponse() {
        return stub.list(ListRequest.newBuilder().setType(Tracks.TYPE).build());
    }

    @Override
    public void read(int number) {
        ReportSection.check(response(number).getResource().hasData(), "a read returns data");
    }

    @Override
    public void write(int number, int version) {
        WriteRequest request = WriteRequest.newBuilder()
                .setResource(Tracks.resource(number, version))
                .build();
        ReportSection.check(stub.write(request).getResource().hasData(), "a write returns the resource");
    }

    @Override
    public long list() {
        return listResponse().getSerializedSize();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
