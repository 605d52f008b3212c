package dev.evenkeel.grpc.internal;

import com.google.protobuf.MessageLite;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.LargeCalls;
import dev.evenkeel.grpc.internal.object.ObjectCalls;
import dev.evenkeel.grpc.internal.watch.WatchCalls;
import dev.evenkeel.grpc.resource.v1.CreateObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteCollectionRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectRequest;
import dev.evenkeel.grpc.resource.v1.DeleteObjectResponse;
import dev.evenkeel.grpc.resource.v1.GetObjectRequest;
import dev.evenkeel.grpc.resource.v1.GetScaleRequest;
import dev.evenkeel.grpc.resource.v1.ListObjectsRequest;
import dev.evenkeel.grpc.resource.v1.ListObjectsResponse;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import dev.evenkeel.grpc.resource.v1.ObjectResponse;
import dev.evenkeel.grpc.resource.v1.ObjectScale;
import dev.evenkeel.grpc.resource.v1.ObjectServiceGrpc;
import dev.evenkeel.grpc.resource.v1.PatchObjectRequest;
import dev.evenkeel.grpc.resource.v1.SetScaleRequest;
import dev.evenkeel.grpc.resource.v1.UpdateObjectRequest;
import dev.evenkeel.grpc.resource.v1.WatchObjectsRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** The service of objects in the form of the Kubernetes API: leads each call to its handler. */
public final class ObjectService extends ObjectServiceGrpc.ObjectServiceImplBase {
    private final ObjectCalls calls;
    private final WatchCalls watches;
    private final LargeCalls large;

    public ObjectService(Access access, WatchCalls watches, LargeCalls large, int maxListBytes) {
        calls = new ObjectCalls(access, maxListBytes);
        this.watches = watches;
        this.large = large;
    }

    private <A> void answer(StreamObserver<A> client, MessageLite request, Supplier<A> handler) {
        large.unary(client, request, () -> completed(handler));
    }

    private static <A> A completed(Supplier<A> handler) {
        try {
            return handler.get();
        } catch (ApiException e) {
            throw Errors.complete(e);
        }
    }

    @Override
    public void get(GetObjectRequest request, StreamObserver<ObjectResponse> client) {
        answer(client, request, () -> calls.get(request));
    }

    @Override
    public void list(ListObjectsRequest request, StreamObserver<ListObjectsResponse> client) {
        large.list(client, () -> completed(() -> calls.list(request)));
    }

    @Override
    public void watch(WatchObjectsRequest request, StreamObserver<ObjectEvent> client) {
        watches.watch(request, (ServerCallStreamObserver<ObjectEvent>) client);
    }

    @Override
    public void create(CreateObjectRequest request, StreamObserver<ObjectResponse> client) {
        answer(client, request, () -> calls.create(request));
    }

    @Override
    public void update(UpdateObjectRequest request, StreamObserver<ObjectResponse> client) {
        answer(client, request, () -> calls.update(request));
    }

    @Override
    public void patch(PatchObjectRequest request, StreamObserver<ObjectResponse> client) {
        answer(client, request, () -> calls.patch(request));
    }

    @Override
    public void delete(DeleteObjectRequest request, StreamObserver<DeleteObjectResponse> client) {
        answer(client, request, () -> calls.delete(request));
    }

    @Override
    public void deleteCollection(DeleteCollectionRequest request, StreamObserver<ListObjectsResponse> client) {
        answer(client, request, () -> calls.deleteCollection(request));
    }

    @Override
    public void getScale(GetScaleRequest request, StreamObserver<ObjectScale> client) {
        answer(client, request, () -> calls.scale(request));
    }

    @Override
    public void setScale(SetScaleRequest request, StreamObserver<ObjectScale> client) {
        answer(client, request, () -> calls.scale(request));
    }
}
