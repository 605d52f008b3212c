package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.MemoryBudget;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of messages that have not arrived completely, of all calls and of one sender.
 *
 * <p><b>Problem.</b> A message is limited in size, and a connection in calls, but a client can open many connections, and send
 * on each all but the last byte of a message. What has arrived is outside of the heap, in buffers of the network.
 *
 * <p>An interceptor sees complete messages only, so the bytes are counted by the tracer of the call: from their arrival until
 * their message is complete, when {@link MessageMemory} counts it, or the call ends. The library takes no message before the
 * interceptors have seen the call.
 */
public final class IncomingMemory extends ServerStreamTracer.Factory implements ServerInterceptor {
    private static final int PART = 16;
    private static final Context.Key<Arrival> ARRIVAL = Context.key("arrival");

    private final MemoryBudget budget;

    /** Creates a budget of a part of the memory of this process. */
    public IncomingMemory(int maxMessageBytes) {
        budget = MemoryBudget.ofHeap(PART, maxMessageBytes);
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Arrival(budget);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        OnceCall<Q, A> once = new OnceCall<>(call, () -> {});
        CallInfo info = CallInfo.KEY.get();
        Objects.requireNonNull(ARRIVAL.get(), "the server has another tracer")
                .begins(once, info == null ? "" : info.sender());
        return next.startCall(once, headers);
    }

    /** The message of a call that is arriving. */
    private static final class Arrival extends ServerStreamTracer {
        private final MemoryBudget budget;
        private String sender = "";
        private @Nullable ServerCall<?, ?> call;
        private long bytes;

        Arrival(MemoryBudget budget) {
            this.budget = budget;
        }

        @Override
        public Context filterContext(Context context) {
            return context.withValue(ARRIVAL, this);
        }

        synchronized void begins(ServerCall<?, ?> started, String of) {
            call = started;
            sender = of;
        }

        @Override
        public void inboundWireSize(long more) {
            ServerCall<?, ?> refused = take(more);
            if (refused != null) {
                MessageMemory.refuse(refused);
            }
        }

        /** Returns the call if nothing is left for it. */
        private synchronized @Nullable ServerCall<?, ?> take(long more) {
            ServerCall<?, ?> current = call;
            if (current == null) {
                return null;
            }
            if (budget.take(sender, more)) {
                bytes += more;
                return null;
            }
            end();
            return current;
        }

        @Override
        public synchronized void inboundMessageRead(int number, long wireSize, long size) {
            giveBack();
        }

        @Override
        public synchronized void streamClosed(io.grpc.Status status) {
            end();
        }

        private void end() {
            giveBack();
            call = null;
        }

        private void giveBack() {
            if (bytes > 0) {
                budget.giveBack(sender, bytes);
                bytes = 0;
            }
        }
    }
}
