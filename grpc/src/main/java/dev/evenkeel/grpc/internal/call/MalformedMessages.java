package dev.evenkeel.grpc.internal.call;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Code;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/**
 * Refuses messages that are not encoded as their type with INVALID_ARGUMENT. The library parses a message before any
 * interceptor sees the call, and treats a failure as one of the application: it logs it, and answers UNKNOWN. So the
 * message is taken as bytes, and parsed within this interceptor.
 */
public final class MalformedMessages implements ServerInterceptor {
    private MalformedMessages() {}

    /** Returns a service whose malformed requests are refused. */
    public static ServerServiceDefinition refused(ServerServiceDefinition service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useInputStreamMessages(service), new MalformedMessages());
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                try {
                    super.onMessage(message);
                } catch (StatusRuntimeException e) {
                    if (!(e.getCause() instanceof InvalidProtocolBufferException)) {
                        throw e;
                    }
                    refused = true;
                    refuse(call, String.valueOf(e.getCause().getMessage()));
                    super.onCancel(); // so that the service ends what it has begun
                }
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    private static void refuse(ServerCall<?, ?> call, String problem) {
        var error = StatusProto.toStatusRuntimeException(Errors.of(
                        Code.INVALID_ARGUMENT,
                        "MALFORMED_MESSAGE",
                        "the request is not a message of its type: " + problem)
                .rpc());
        Metadata trailers = error.getTrailers();
        call.close(error.getStatus(), trailers == null ? new Metadata() : trailers);
    }
}
