package dev.evenkeel.grpc.internal;

import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.LargeCalls;
import dev.evenkeel.grpc.internal.verb.DeleteCalls;
import dev.evenkeel.grpc.internal.verb.ReadCalls;
import dev.evenkeel.grpc.internal.verb.StatusCalls;
import dev.evenkeel.grpc.internal.verb.WriteCalls;
import dev.evenkeel.grpc.internal.watch.ListCalls;
import dev.evenkeel.grpc.internal.watch.WatchCalls;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.ApplyResponse;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.DeleteResponse;
import dev.evenkeel.grpc.resource.v1.ListByOwnerRequest;
import dev.evenkeel.grpc.resource.v1.ListByOwnerResponse;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ListResponse;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateResponse;
import dev.evenkeel.grpc.resource.v1.ReadRequest;
import dev.evenkeel.grpc.resource.v1.ReadResponse;
import dev.evenkeel.grpc.resource.v1.ResourceServiceGrpc;
import dev.evenkeel.grpc.resource.v1.TypesRequest;
import dev.evenkeel.grpc.resource.v1.TypesResponse;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.grpc.resource.v1.WriteManyResponse;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteResponse;
import dev.evenkeel.grpc.resource.v1.WriteStatusRequest;
import dev.evenkeel.grpc.resource.v1.WriteStatusResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.InstantSource;

/** The resource service: leads each call to its handler. */
public final class ResourceService extends ResourceServiceGrpc.ResourceServiceImplBase {
    private final ReadCalls reads;
    private final WriteCalls writes;
    private final StatusCalls statuses;
    private final DeleteCalls deletes;
    private final ListCalls lists;
    private final WatchCalls watches;
    private final LargeCalls large;

    public ResourceService(Access access, WatchCalls watches, LargeCalls large, int maxListBytes, InstantSource clock) {
        reads = new ReadCalls(access);
        writes = new WriteCalls(access);
        statuses = new StatusCalls(access, clock);
        deletes = new DeleteCalls(access);
        lists = new ListCalls(access, maxListBytes);
        this.watches = watches;
        this.large = large;
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> client) {
        large.unary(client, request, () -> reads.read(request));
    }

    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> client) {
        large.unary(client, request, () -> writes.write(request));
    }

    @Override
    public void apply(ApplyRequest request, StreamObserver<ApplyResponse> client) {
        large.unary(client, request, () -> writes.apply(request));
    }

    @Override
    public void writeStatus(WriteStatusRequest request, StreamObserver<WriteStatusResponse> client) {
        large.unary(client, request, () -> statuses.write(request));
    }

    @Override
    public void delete(DeleteRequest request, StreamObserver<DeleteResponse> client) {
        large.unary(client, request, () -> deletes.delete(request));
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> client) {
        large.list(client, () -> lists.list(request));
    }

    @Override
    public void listByOwner(ListByOwnerRequest request, StreamObserver<ListByOwnerResponse> client) {
        large.list(client, () -> reads.listByOwner(request));
    }

    @Override
    public void mutateAndValidate(MutateAndValidateRequest request, StreamObserver<MutateAndValidateResponse> client) {
        large.unary(client, request, () -> writes.validate(request));
    }

    @Override
    public void types(TypesRequest request, StreamObserver<TypesResponse> client) {
        large.unary(client, request, () -> reads.types(request));
    }

    @Override
    public void watchList(WatchListRequest request, StreamObserver<WatchEvent> client) {
        watches.watch(request, (ServerCallStreamObserver<WatchEvent>) client);
    }

    @Override
    public StreamObserver<WriteRequest> writeMany(StreamObserver<WriteManyResponse> client) {
        return new WriteManyCall(writes, large, (ServerCallStreamObserver<WriteManyResponse>) client);
    }
}
