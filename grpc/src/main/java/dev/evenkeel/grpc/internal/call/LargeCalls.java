package dev.evenkeel.grpc.internal.call;

import com.google.protobuf.MessageLite;
import dev.evenkeel.access.internal.LargeRequests;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Handles calls with large messages on platform threads, see {@link LargeRequests}, each in its own context. */
public final class LargeCalls {
    private final LargeRequests requests = LargeRequests.of("evenkeel-grpc-large");

    /** Answers a call with one response; a large request is handled by another thread. */
    public <A> void unary(StreamObserver<A> client, MessageLite request, Supplier<A> handler) {
        Answers.unary(client, () -> process(request.getSerializedSize(), handler));
    }

    /** Answers a call with one response that may be large. */
    public <A> void list(StreamObserver<A> client, Supplier<A> handler) {
        Answers.unary(client, () -> process(Integer.MAX_VALUE, handler));
    }

    /** Handles one of many requests of a call. */
    public <A> A process(int bytes, Supplier<A> handler) {
        Context context = Context.current();
        return requests.process(CallInfo.current().sender(), bytes, () -> {
            Context before = context.attach();
            try {
                return handler.get();
            } finally {
                context.detach(before);
            }
        });
    }
}
