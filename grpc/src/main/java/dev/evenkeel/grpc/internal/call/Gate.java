package dev.evenkeel.grpc.internal.call;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Admits calls of a service that has no access control of its own: from authenticated users of the default partition. */
public final class Gate implements ServerInterceptor {
    private final Access access;

    public Gate(Access access) {
        this.access = access;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
            var unused = access.enter("", CallInfo.of(headers, call.getAttributes()));
        } catch (RuntimeException e) {
            StatusRuntimeException error = StatusProto.toStatusRuntimeException(Answers.status(e));
            Metadata trailers = error.getTrailers();
            call.close(error.getStatus(), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
