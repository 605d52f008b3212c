package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.MemoryBudget;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Bounds messages while they arrive: the size of each, and the memory of all, and of those of one sender.
 *
 * <p><b>Problem.</b> A client can open many connections, and send on each all but the last byte of a message. What has arrived
 * is outside of the heap, in buffers of the network. Interceptors see complete messages only, so the tracer of a call counts
 * the bytes: from their arrival until their message is complete, when {@link MessageMemory} counts it, or the call ends.
 *
 * <p>A call that exceeds a limit is closed with a status, and its stream is reset, by an exception from the tracer. With
 * the status alone, clients in Java would wait for room for the rest of the message, which the server never makes, and keep
 * the stream: after 1,000 of them the connection is stuck. That is also why the library does not check the size.
 */
public final class IncomingMemory extends ServerStreamTracer.Factory implements ServerInterceptor {
    private static final int PART = 16;
    private static final Context.Key<Arrival> ARRIVAL = Context.key("arrival");

    private final Access access;
    private final int maxMessageBytes;
    private final MemoryBudget budget;

    /** Creates a budget of a part of the memory of this process. */
    public IncomingMemory(Access access, int maxMessageBytes) {
        this.access = access;
        this.maxMessageBytes = maxMessageBytes;
        budget = MemoryBudget.ofHeap(PART, maxMessageBytes);
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Arrival(headers);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall<Q, A> once = new OnceCall<>(call, () -> {});
        ARRIVAL.get().begins(once);
        return next.startCall(once, headers);
    }

    /** The message of a call that is arriving. */
    private final class Arrival extends ServerStreamTracer {
        private final Metadata headers;
        private @Nullable ServerCall<?, ?> call;
        private @Nullable Reservation reservation;
        private long bytes;

        Arrival(Metadata headers) {
            this.headers = headers;
        }

        @Override
        public Context filterContext(Context context) {
            return context.withValue(ARRIVAL, this);
        }

        @Override
        public synchronized void serverCallStarted(ServerCallInfo<?, ?> info) {
            reservation = new Reservation(budget, access.sender(CallInfo.of(headers, info.getAttributes())));
        }

        synchronized void begins(ServerCall<?, ?> started) {
            call = started;
        }

        @Override
        public void inboundWireSize(long more) {
            Status status = take(more);
            if (status.isOk()) {
                return;
            }
            ServerCall<?, ?> refused = call();
            if (refused != null && status.equals(MessageMemory.EXHAUSTED)) {
                MessageMemory.refuse(refused);
            } else if (refused != null) {
                refused.close(status, new Metadata());
            }
            throw status.asRuntimeException();
        }

        private synchronized Status take(long more) {
            bytes += more;
            if (bytes > maxMessageBytes) {
                return Status.RESOURCE_EXHAUSTED.withDescription(
                        "the request exceeds maximum size: " + maxMessageBytes + " bytes");
            }
            return reservation == null || reservation.take(more) ? Status.OK : MessageMemory.EXHAUSTED;
        }

        private synchronized @Nullable ServerCall<?, ?> call() {
            return call;
        }

        @Override
        public synchronized void inboundMessageRead(int number, long wireSize, long size) {
            giveBack();
        }

        @Override
        public synchronized void streamClosed(Status status) {
            giveBack();
            reservation = null;
        }

        private void giveBack() {
            bytes = 0;
            if (reservation != null) {
                reservation.giveBack();
            }
        }
    }
}
