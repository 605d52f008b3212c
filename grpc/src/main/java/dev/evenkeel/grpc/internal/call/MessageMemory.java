package dev.evenkeel.grpc.internal.call;

import com.google.rpc.Code;
import dev.evenkeel.access.internal.MemoryBudget;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * Bounds the memory of the messages of all calls: requests until their call ends, or the next one of a stream; single
 * responses until the client has received them.
 *
 * <p>The events of a watch, and the responses of a stream of writes, are sent when the client takes them, and are not counted.
 */
public final class MessageMemory implements ServerInterceptor {
    static final Status EXHAUSTED = Status.RESOURCE_EXHAUSTED.withDescription(
            "the messages of all calls, or of this client, take too much memory; try again later");

    private static final int REQUESTS = 64;
    private static final int RESPONSES = 8;

    private final Access access;
    private final MemoryBudget requests;
    private final MemoryBudget responses;

    /** Creates budgets of parts of the heap of this process. */
    public MessageMemory(Access access, int maxRequestBytes, int maxResponseBytes) {
        this.access = access;
        requests = MemoryBudget.ofHeap(REQUESTS, maxRequestBytes);
        responses = MemoryBudget.ofHeap(RESPONSES, maxResponseBytes);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        boolean unary = call.getMethodDescriptor().getType() == MethodType.UNARY;
        Supplier<String> sender = access.sender(CallInfo.current());
        Reservation request = new Reservation(requests, sender);
        Reservation response = new Reservation(responses, sender);
        ServerCall<Q, A> counted = unary ? new CountedCall<>(call, response) : call;
        return new SimpleForwardingServerCallListener<>(next.startCall(counted, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                if (!request.take(size(message))) {
                    refused = true;
                    refuse(call);
                    super.onCancel(); // so that the service ends what it has begun
                    return;
                }
                try {
                    super.onMessage(message);
                } finally {
                    if (!unary) {
                        request.giveBack();
                    }
                }
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onComplete() {
                end();
                super.onComplete();
            }

            @Override
            public void onCancel() {
                end();
                if (!refused) {
                    super.onCancel();
                }
            }

            private void end() {
                request.giveBack();
                response.giveBack();
            }
        };
    }

    /** A call that takes the memory of its response from the budget, and fails if too little is left. */
    private static final class CountedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Reservation response;
        private boolean refused;

        CountedCall(ServerCall<Q, A> call, Reservation response) {
            super(call);
            this.response = response;
        }

        @Override
        public void sendMessage(A message) {
            if (response.take(size(message))) {
                super.sendMessage(message);
            } else {
                refused = true;
                refuse(delegate());
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!refused) {
                super.close(status, trailers);
            }
        }
    }

    private static long size(Object message) {
        try {
            return message instanceof InputStream stream ? stream.available() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void refuse(ServerCall<?, ?> call) {
        var error = StatusProto.toStatusRuntimeException(
                Errors.of(Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", String.valueOf(EXHAUSTED.getDescription()))
                        .rpc());
        Metadata trailers = error.getTrailers();
        call.close(error.getStatus(), trailers == null ? new Metadata() : trailers);
    }
}
